//! `quadrille jacobi`: solves one nine-banded system.

mod arguments;
mod on_ranks;
mod part;
mod report;
mod system;

use std::time::Instant;

use quadrille::linalg::jacobi::{Jacobi, Solution, Stop};
use quadrille::testing::largest;
use quadrille::{io, memory};

pub(crate) use self::arguments::Arguments;
use self::report::{Facts, Report};
use self::system::Problem;
use crate::output::progress::Bar;
use crate::prelude::*;
use crate::ranks;

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let stop = arguments.options.0.stop(0)?;
    if ranks::processes() > 1 || arguments.checkpoints.is_asked() {
        return on_ranks::run(arguments);
    }
    arguments.sharing.must_be_of_one()?;
    arguments.check_outputs()?;
    let (problem, context) = problem_and_context(arguments)?;
    let (solution, report) = interrupt::watched(|| solve(arguments, &context, &problem, stop))?;
    interrupt::writing(|| write(arguments, &problem, &solution))?;
    output::show(arguments.json, &report, || report.text())?;
    failure(arguments, &solution).map_or(Ok(()), |failure| Err(failure.into()))
}

fn solve(
    arguments: &Arguments,
    context: &Context,
    problem: &Problem,
    stop: Stop,
) -> anyhow::Result<(Solution, Report)> {
    let variant = arguments.options.0.variant.resolve_for(context, &problem.matrix)?;
    let systems = problem.systems(variant.layout, arguments.seed)?;
    let matrices = vec![&problem.matrix; systems.len()];
    let begun = Instant::now();
    let mut jacobi = Jacobi::with_systems(context, &matrices, variant)?;
    jacobi.warm_up()?;
    let setup = begun.elapsed();
    let sides: Vec<&[f32]> = systems.iter().map(|system| system.side.as_slice()).collect();
    let zero = memory::zeroed(problem.matrix.n())?;
    let stop = if problem.all_are_the_users() { stop } else { stop.when_first_converges() };
    let starts = vec![zero.as_slice(); systems.len()];
    let mut bar = Bar::of_iterations();
    let solution = jacobi.solve_observed(&sides, &starts, stop, &mut bar)?;
    drop(bar);
    let known = systems.first().and_then(|system| system.solution.as_deref());
    let facts = Facts {
        context,
        name: problem.name.clone(),
        size: (problem.matrix.n(), problem.matrix.m()),
        systems: systems.len(),
        seeded: systems.iter().any(|system| system.solution.is_some()),
        error: known.map(|known| error(solution.x(), known)),
        setup,
        variant: Some(jacobi.variant()),
        lines: jacobi.draws_lines(),
        panels: Some(jacobi.panels()),
        ranks: None,
    };
    let report = Report::new(arguments, facts, &solution);
    Ok((solution, report))
}

/// The largest difference from a known solution, and its largest unknown.
fn error(x: &[f32], known: &[f32]) -> (f64, f64) {
    let differences = x.iter().zip(known).map(|(x, known)| f64::from(*x) - f64::from(*known));
    (largest(differences), largest(known.iter().map(|x| f64::from(*x))))
}

fn write(arguments: &Arguments, problem: &Problem, solution: &Solution) -> anyhow::Result<()> {
    if let Some(path) = &arguments.output {
        let n = problem.matrix.n();
        match &solution.systems[..] {
            [x] => io::vector::write(path, &[n], x)?,
            systems => io::vector::write(path, &[systems.len(), n], &memory::joined(systems)?)?,
        }
    }
    if let Some(path) = &arguments.picture {
        let m = problem.matrix.m();
        let title = format!("{}: x after {} iterations", problem.name, solution.iterations);
        let values = solution.x();
        let height = values.len().div_ceil(m);
        quadrille_run::io::picture::HeatMap::new(m, height, values).title(&title).write(path)?;
    }
    Ok(())
}

/// A file is read before a device is looked for; a stencil may be too large for the device, and
/// then also for the host, so there the device comes first.
fn problem_and_context(arguments: &Arguments) -> anyhow::Result<(Problem, Context)> {
    let Some(stencil) = &arguments.stencil else {
        let problem = Problem::load(arguments)?;
        return Ok((problem, arguments.device.context()?));
    };
    let context = arguments.device.context()?;
    let (width, height) = stencil.grid();
    arguments.options.0.variant.resolve(&context, width.saturating_mul(height), width)?;
    Ok((Problem::load(arguments)?, context))
}

/// Why it is no success; what was reached is written by then.
fn failure<X>(arguments: &Arguments, solution: &Solution<X>) -> Option<Failure> {
    let Solution { iterations, residual, stopped, .. } = *solution;
    let kept = match &arguments.output {
        Some(path) => format!("the last iterate is in {}", path.display()),
        None => match &arguments.picture {
            Some(path) => format!("the last iterate is drawn in {}", path.display()),
            None => "without --output the last iterate is lost".into(),
        },
    };
    if stopped {
        let rest = format!(" after {iterations} iterations at residual {residual:.2e}; {kept}");
        return Some(interrupt::stopped(rest));
    }
    if solution.converged != Some(false) {
        return None;
    }
    let tolerance = arguments.options.0.tolerance;
    let text = format!(
        "not converged: the residual is {residual:.2e} after {iterations} iterations, \
         above the tolerance {tolerance:e}; {kept}. {}",
        advice(arguments, solution)
    );
    Some(Failure::Work { text })
}

fn advice<X>(arguments: &Arguments, solution: &Solution<X>) -> String {
    let device = solution.device_residual;
    if solution.stagnated && device <= arguments.options.0.tolerance {
        return format!(
            "The device's own residual is {device:.2e}: values of this system or of its solution are so small \
             that the device flushes them to zero or 32-bit floats represent them coarsely. Scale the \
             matrix and the right-hand side so that their entries and x are near 1"
        );
    }
    let advice = if solution.residual > 1.0 {
        "The residual has grown: Jacobi iteration may diverge if rows are not diagonally dominant"
    } else if solution.stagnated {
        "It no longer decreases: 32-bit floats reach no less here. Use a larger --tolerance"
    } else {
        "Use more --iterations or a larger --tolerance"
    };
    advice.into()
}
