//! The commands, each in a module.

mod bench;
mod card;
mod doctor;
mod jacobi;
mod matmul;
#[cfg_attr(not(feature = "reports"), path = "commands/reproduce/absent.rs")]
mod reproduce;
mod run;
mod sat;
mod solve;
mod test;
mod tune;
mod vp;

use clap::Subcommand;

pub(crate) use run::advise;

/// The commands by name.
#[derive(Subcommand)]
pub(crate) enum Command {
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
    /// The name of the command as it is typed.
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

/// Does what a command says; the answer is the exit code.
pub(crate) fn run(command: &Command) -> anyhow::Result<u8> {
    if !matches!(command, Command::Doctor(_)) {
        crate::ranks::check(command.name())?;
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
