//! The command-line program: arguments, progress, tables, exit codes.

// The `process` listens to signals, one of the `commands` reads its `arguments` and works, alone or
// as `ranks`, `output` speaks, and `exit` ends.
mod arguments;
mod commands;
mod exit;
mod output;
mod prelude;
mod process;
mod ranks;

#[cfg(test)]
#[path = "../../../tests/common/planted.rs"]
mod planted;

use clap::Parser;

use commands::Command;
use process::{interrupt, large_stack};

const ABOUT: &str = "\
Numeric computing through OpenGL: arrays are kept in float textures, and shaders compute on them. It needs
no display, and no GPU if Mesa's software renderer is installed.";

const EXAMPLES: &str = "\
Examples, in a checkout of the sources:
  quadrille run crates/run/gallery/sobel.frag --input image=docs/plate.png --output edges.png    run a shader over a picture or an array
  quadrille run crates/run/gallery/nbody.run.toml --output picture.colour=nbody.png    several passes
  quadrille test crates/run/gallery                         test shaders against expected results
  quadrille solve --stencil poisson5:255 --tolerance 1e-12    solve a system of equations on a grid
  quadrille solve examples/data/system.mtx --rhs examples/data/b.npy --output unknowns.npy --picture unknowns.png
  quadrille jacobi --stencil heat9:512               the same by Jacobi iteration, in 32-bit floats
  quadrille matmul examples/data/left.npy examples/data/right.npy --output product.npy    multiply two matrices
  quadrille vp crates/vector-machine/programs/exponents.vp --input examples/data/x.npy --output y.npy    run a vertex program over a vector
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

fn main() -> ! {
    exit::explain_panics();
    quadrille::gl::name_crashes();
    // First of all, so that a signal that comes early ends with its exit code.
    let listening = interrupt::listen();
    let arguments = Arguments::try_parse().unwrap_or_else(|mut error| {
        commands::advise(&mut error);
        exit::usage(error)
    });
    let work = || commands::run(&arguments.command);
    let done = listening.and_then(|()| large_stack::run(&work));
    interrupt::end(done.unwrap_or_else(|error| exit::report(&error)))
}
