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

use std::ops::Range;

use quadrille::linalg::solve::{self, Options, Session, Solved, Solver, SystemSolver};
use quadrille::testing::largest;

pub(crate) use self::arguments::Arguments;
use self::choice::refused;
use self::history::History;
use self::outputs::{Outputs, PictureGrid};
use self::report::{Facts, Report, Size};
use self::system::{Side, System};
use crate::output::progress::Bar;
use crate::prelude::*;
use crate::ranks::{self, Joined, Start};

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
    let solved = interrupt::watched(|| solve(&context, &system, options))?;
    let history = History::new(&system.sides, &solved);
    let solutions: Vec<&[f64]> = solved.reached().map(|solution| solution.x.as_slice()).collect();
    let facts = facts(&context, &system, &solutions, solved.has_constant_null_space);
    let report = Report::new(arguments, facts, &outputs, &solved);
    let title = report.title();
    interrupt::writing(|| {
        outputs.write(&system.sides, &solutions, PictureGrid::of(&system.matrix), &title, &history)
    })?;
    output::show(arguments.json, &report, || report.text(arguments.verbose))?;
    failure(&outputs, &solved).map_or(Ok(()), |failure| Err(failure.into()))
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
fn solve(context: &Context, system: &System, options: Options) -> anyhow::Result<Solved> {
    let solver = Solver::of(context, &system.matrix, options).map_err(refused)?;
    solve_sides(solver, &system.sides, 0..system.matrix.n(), &Start::default())
}

/// Solves for this part of one right-hand side after the other, up to one that is stopped.
fn solve_sides(
    solver: impl SystemSolver,
    sides: &[Side],
    part: Range<usize>,
    start: &Start<f64>,
) -> anyhow::Result<Solved> {
    let mut session = Session::new(solver)?;
    let vectors = start.vectors.as_ref();
    let sides = sides.iter().map(|side| {
        let x0 = side.start.as_deref().map(|x0| &x0[part.clone()]);
        let x0 = vectors.map(|vectors| vectors[0].as_slice()).or(x0);
        let given = solve::Side::new(&side.numbers[part.clone()]).after(start.done);
        let given = if sides.len() > 1 { given.named(&side.name) } else { given };
        Ok(x0.into_iter().fold(given, solve::Side::x0))
    });
    Ok(session.solve(sides, &mut Bar::of_iterations())?)
}

/// Returns the reason why a right-hand side was not solved; what was reached is written by then.
fn failure(outputs: &Outputs, solved: &Solved) -> Option<Failure> {
    let unsolved: Vec<String> = solved.failed().map(ToString::to_string).collect();
    if unsolved.is_empty() {
        return None;
    }
    let text = format!("{}; {}", unsolved.join("; "), outputs.kept());
    Some(match solved.stopped() {
        true => interrupt::stopped(format!(": {text}")),
        false => Failure::Work { text },
    })
}
