//! `quadrille solve`: solves sparse systems by Krylov methods.

mod arguments;
mod choice;
mod grid;
mod history;
mod on_ranks;
mod on_slabs;
mod outputs;
mod report;
mod system;

use quadrille::Observer;
use quadrille::linalg::solve::{Options, Solution, Solver};
use quadrille::testing::largest;

pub(crate) use self::arguments::Arguments;
use self::choice::refused;
use self::history::History;
use self::outputs::{Outputs, PictureGrid};
use self::report::{Facts, Report, Size, Solved};
use self::system::{Side, System};
use crate::prelude::*;
use crate::ranks::{self, Joined};

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let options = arguments.solver.0.options().map_err(refused)?;
    arguments.checkpoints.must_be_of_one(arguments.rhs.len())?;
    if ranks::processes() > 1 || arguments.checkpoints.is_asked() {
        return Joined::new()?.run(|joined| match arguments.is_in_space() {
            true => on_slabs::solve(joined, arguments, options),
            false => on_ranks::solve(joined, arguments, options),
        });
    }
    arguments.ranks.across(1)?;
    let outputs = Outputs::plan(arguments)?;
    let system = System::load(arguments)?;
    outputs.must_have_a_grid(&system.matrix)?;
    outputs.write_matrix(&system.matrix)?;
    let context = arguments.device.context()?;
    let mut history = History::new();
    let solved = interrupt::watched(|| solve(&context, &system, options, &mut history))?;
    let solutions: Vec<&[f64]> =
        solved.solutions.iter().map(|solution| solution.x.as_slice()).collect();
    let facts = facts(&context, &system, &solutions, solved.singular);
    let report = Report::new(arguments, facts, &outputs, &solved);
    let title = report.title();
    interrupt::writing(|| {
        outputs.write(&system.sides, &solutions, PictureGrid::of(&system.matrix), &title, &history)
    })?;
    output::show(arguments.json, &report, || report.text(arguments.verbose))?;
    failure(&system.sides, &outputs, &solved).map_or(Ok(()), |failure| Err(failure.into()))
}

/// The facts about a system that is here as a whole, and about its solutions.
fn facts<'a>(
    context: &'a Context,
    system: &'a System,
    solutions: &[&[f64]],
    singular: bool,
) -> Facts<'a> {
    let known = |side: &'a Side| side.solution.as_deref();
    let of_side = |(side, x): (&'a Side, &&[f64])| Some(difference(x, known(side)?, singular));
    let first = system.sides.first().and_then(known);
    Facts {
        context,
        name: system.name.clone(),
        size: Size::of(&system.matrix),
        names: system.sides.iter().map(|side| &*side.name).collect(),
        errors: system.sides.iter().zip(solutions).map(of_side).collect(),
        largest_known: first.map(|known| largest(known.iter().copied())),
        ranks: None,
    }
}

/// The largest difference; up to a constant, where constants are the matrix's null space.
fn difference(x: &[f64], known: &[f64], up_to_a_constant: bool) -> f64 {
    let differences = || x.iter().zip(known).map(|(x, known)| x - known);
    let shift = match up_to_a_constant {
        true => differences().sum::<f64>() / x.len() as f64,
        false => 0.0,
    };
    largest(differences().map(|difference| difference - shift))
}

/// Solves on one device.
fn solve(
    context: &Context,
    system: &System,
    options: Options,
    history: &mut History,
) -> anyhow::Result<Solved<Vec<f64>>> {
    let mut solver = Solver::of(context, &system.matrix, options).map_err(refused)?;
    solver.warm_up()?;
    let singular = solver.has_constant_null_space();
    let mut solved = Solved::new(solver.choice(), singular, solver.setup_times());
    each_side(&system.sides, history, &mut solved, |side, watch| {
        Ok(match &side.start {
            Some(x0) => solver.solve_from(&side.numbers, x0, watch)?,
            None => solver.solve_observed(&side.numbers, watch)?,
        })
    })?;
    // A choice that did not converge is replaced on the way.
    solved.choice = solver.choice().clone();
    Ok(solved)
}

/// Solves for one right-hand side after the other, up to one that is stopped.
fn each_side<X>(
    sides: &[Side],
    history: &mut History,
    solved: &mut Solved<X>,
    mut solve: impl FnMut(&Side, &mut dyn Observer) -> anyhow::Result<Solution<X>>,
) -> anyhow::Result<()> {
    for side in sides {
        let mut watch = history.watch(&side.name, side.start.is_none());
        let solution = solve(side, &mut watch).map_err(|error| match sides {
            [_] => error,
            _ => error.context(side.name.clone()),
        })?;
        watch.end(solution.iterations, solution.deciding_residual());
        solved.solutions.push(solution);
        if solved.stopped() {
            break;
        }
    }
    Ok(())
}

/// Returns the reason why a right-hand side was not solved; what was reached is written by then.
fn failure<X>(sides: &[Side], outputs: &Outputs, solved: &Solved<X>) -> Option<Failure> {
    let unsolved = |(side, solution): (&Side, &Solution<X>)| {
        let error = solution.unsolved()?;
        Some(if sides.len() > 1 { format!("{}: {error}", side.name) } else { error.to_string() })
    };
    let pairs = sides.iter().zip(&solved.solutions);
    let unsolved: Vec<String> = pairs.filter_map(unsolved).collect();
    if unsolved.is_empty() {
        return None;
    }
    let text = format!("{}; {}", unsolved.join("; "), outputs.kept());
    Some(match solved.stopped() {
        true => interrupt::stopped(format!(": {text}")),
        false => Failure::Work { text },
    })
}
