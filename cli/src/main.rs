//! The command-line program: arguments, progress, tables, exit codes. One module for each command.

mod bench;
mod card;
mod child;
mod device;
mod doctor;
mod exit;
mod failure;
mod interrupt;
mod jacobi;
mod large_stack;
mod launched;
mod matmul;
mod numbers;
mod output;
mod prelude;
mod progress;
mod ranks;
#[cfg_attr(not(feature = "reports"), path = "reproduce/absent.rs")]
mod reproduce;
mod run;
mod sat;
mod seconds;
mod solve;
mod speak;
mod test;
mod tune;
mod view;
mod vp;

use clap::{Parser, Subcommand};

const ABOUT: &str = "\
Numeric computing through OpenGL: arrays are kept in float textures, and shaders compute on them. It needs
no display, and no GPU if Mesa's software renderer is installed.";

const EXAMPLES: &str = "\
Examples, in a checkout of the sources:
  quadrille run gallery/sobel.frag --input image=docs/plate.png --output edges.png    run a shader over a picture or an array
  quadrille run gallery/nbody.run.toml --output picture.colour=nbody.png    several passes
  quadrille test gallery                             test shaders against expected results
  quadrille solve --stencil poisson5:255 --tolerance 1e-12    solve a system of equations on a grid
  quadrille solve examples/data/system.mtx --rhs examples/data/b.npy --output unknowns.npy --picture unknowns.png
  quadrille jacobi --stencil heat9:512               the same by Jacobi iteration, in 32-bit floats
  quadrille matmul examples/data/left.npy examples/data/right.npy --output product.npy    multiply two matrices
  quadrille vp programs/exponents.vp --input examples/data/x.npy --output y.npy    run a vertex program over a vector
  quadrille sat examples/data/formula.cnf            search for a model of a DIMACS file
  quadrille doctor                                   list the devices and check that they compute correctly
  quadrille card                                     measure the accuracy of a device's arithmetic
  quadrille bench matmul                             compare matrix multiplication methods with the device's peaks
  quadrille tune                                     find the fastest ways to compute here and remember them
  quadrille reproduce --quick                        repeat the papers' tables and figures here, as a report

Exit codes: 0 success; 1 the work failed (no convergence, a failed check); 2 invalid arguments or input;
130, 143 or 129 stopped by Ctrl-C, SIGTERM or SIGHUP. `sat` uses those of SAT competitions: 10, 20, 0.

Environment variables:
  QUADRILLE_DEVICE    the device to use: its index or a part of its name
  QUADRILLE_CACHE     the folder for the results of `quadrille tune`";

/// Numeric computing through OpenGL
#[derive(Parser)]
#[command(name = "quadrille", version, long_about = ABOUT, after_help = EXAMPLES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Run(run::Arguments),
    Test(test::Arguments),
    Solve(solve::Arguments),
    Jacobi(jacobi::Arguments),
    Matmul(matmul::Arguments),
    Vp(vp::Arguments),
    Sat(sat::Arguments),
    Doctor(doctor::Doctor),
    Card(card::Arguments),
    Bench(bench::Bench),
    Tune(tune::Tune),
    Reproduce(reproduce::Reproduce),
}

impl Command {
    /// As it is typed.
    fn name(&self) -> &'static str {
        match self {
            Command::Jacobi(_) => "jacobi",
            Command::Solve(_) => "solve",
            Command::Matmul(_) => "matmul",
            Command::Vp(_) => "vp",
            Command::Sat(_) => "sat",
            Command::Run(_) => "run",
            Command::Test(_) => "test",
            Command::Doctor(_) => "doctor",
            Command::Card(_) => "card",
            Command::Bench(bench) => bench.name(),
            Command::Tune(_) => "tune",
            Command::Reproduce(_) => "reproduce",
        }
    }
}

fn main() -> ! {
    exit::explain_panics();
    quadrille::gl::name_crashes();
    // First of all, so that a signal that comes early ends with its exit code.
    let listening = interrupt::listen();
    let arguments = Arguments::try_parse().unwrap_or_else(|mut error| {
        run::advise(&mut error);
        exit::usage(error)
    });
    let work = || run(&arguments.command);
    let done = listening.and_then(|()| large_stack::run(&work));
    interrupt::end(done.unwrap_or_else(|error| exit::report(&error)))
}

fn run(command: &Command) -> anyhow::Result<u8> {
    if !matches!(command, Command::Doctor(_)) {
        ranks::check(command.name())?;
    }
    match command {
        // Its answer is its exit code.
        Command::Sat(arguments) => return sat::run(arguments),
        Command::Jacobi(arguments) => jacobi::run(arguments)?,
        Command::Solve(arguments) => solve::run(arguments)?,
        Command::Matmul(arguments) => matmul::run(arguments)?,
        Command::Doctor(doctor) => doctor::run(doctor)?,
        Command::Card(arguments) => card::run(arguments)?,
        Command::Bench(bench) => bench::run(bench)?,
        Command::Tune(tune) => tune::run(tune)?,
        Command::Vp(arguments) => vp::run(arguments)?,
        Command::Run(arguments) => run::run(arguments)?,
        Command::Test(arguments) => test::run(arguments)?,
        Command::Reproduce(arguments) => reproduce::run(arguments)?,
    }
    Ok(0)
}
