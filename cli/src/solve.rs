//! `quadrille solve`: solves nine-banded systems by Krylov methods.

mod arguments;
mod choice;
mod history;
mod outputs;
mod report;
mod system;

use std::time::{Duration, Instant};

use quadrille::linalg::solve::{Options, Solution, Solver};

pub(super) use self::arguments::Arguments;
use self::choice::Choice;
use self::history::History;
use self::outputs::Outputs;
use self::report::{Report, Solved};
use self::system::{Side, System};
use super::prelude::*;

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let options = arguments.choice.options()?;
    let outputs = Outputs::plan(arguments)?;
    let system = System::load(arguments)?;
    outputs.write_matrix(&system.matrix)?;
    let context = arguments.device.context()?;
    let mut history = History::new();
    let solved = interrupt::watched(|| {
        solve(&context, &system, (&arguments.choice, options), &mut history)
    })?;
    let report = Report::new(arguments, &context, &system, &outputs, &solved);
    let solutions: Vec<&[f64]> =
        solved.solutions.iter().map(|(solution, _)| solution.x.as_slice()).collect();
    let title = report.title();
    interrupt::writing(|| outputs.write(&solutions, system.matrix.m(), &title, &history))?;
    output::show(arguments.json, &report, || report.text())?;
    judge(&system, &outputs, &solved)
}

/// Solves for one right-hand side after the other, up to one that is stopped.
fn solve(
    context: &Context,
    system: &System,
    (asked, options): (&Choice, Options),
    history: &mut History,
) -> anyhow::Result<Solved> {
    let begun = Instant::now();
    let mut solver = Solver::new(context, &system.matrix, options)?;
    asked.must_be_used(solver.choice().multigrid.is_some())?;
    solver.warm_up()?;
    let setup = begun.elapsed();
    let mut solved = Solved {
        choice: solver.choice().clone(),
        singular: solver.has_constant_null_space(),
        setup,
        solutions: Vec::new(),
    };
    for side in &system.sides {
        let begun = Instant::now();
        let mut watch = history.watch(&side.name);
        let solution = solver.solve_observed(&side.numbers, &mut watch)?;
        watch.end(solution.iterations, solution.residual);
        solved.solutions.push((solution, begun.elapsed()));
        if solved.stopped() {
            break;
        }
    }
    // A choice that did not converge is replaced on the way.
    solved.choice = solver.choice().clone();
    Ok(solved)
}

/// Fails if a right-hand side was not solved; what was reached is written by then.
fn judge(system: &System, outputs: &Outputs, solved: &Solved) -> anyhow::Result<()> {
    let several = system.sides.len() > 1;
    let unsolved = |(side, (solution, _)): (&Side, &(Solution, Duration))| {
        let error = solution.unsolved()?;
        Some(if several { format!("{}: {error}", side.name) } else { error.to_string() })
    };
    let pairs = system.sides.iter().zip(&solved.solutions);
    let unsolved: Vec<String> = pairs.filter_map(unsolved).collect();
    if unsolved.is_empty() {
        return Ok(());
    }
    let text = format!("{}; {}", unsolved.join("; "), outputs.kept());
    match solved.stopped() {
        true => Err(interrupt::stopped(format!(": {text}")).into()),
        false => Err(Failure::Work { text }.into()),
    }
}
