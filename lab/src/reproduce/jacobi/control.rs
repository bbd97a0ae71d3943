//! A stop at a residual, which the paper leaves out.

use std::time::Duration;

use super::super::super::report::{Cell, Part, Table};
use super::super::super::{Error, Summary};
use super::super::Lab;
use super::super::pace::interleaved;
use super::super::words::must_hold;
use quadrille::data::Stencil;
use quadrille::linalg::jacobi::{Jacobi, Stop, Variant};
use quadrille::stream::Clock;

/// An implicit step of the heat equation, long enough that it takes some hundreds of iterations.
const SYSTEMS: [&str; 2] = ["heat9:64:step=5", "heat9:128:step=20"];
const TOLERANCE: f64 = 1e-5;

/// A system that was solved with a look at the residual, and stepped as often without.
struct Control {
    system: &'static str,
    iterations: u64,
    residual: f64,
    /// Milliseconds without a look, and with them.
    blind: Summary,
    looking: Summary,
}

pub(super) fn run(lab: &mut Lab<'_>) -> Result<Part, Error> {
    let [quick, whole] = SYSTEMS;
    let system = lab.scale.pick(quick, whole);
    let matrix = system.parse::<Stencil>()?.matrix()?;
    let side = vec![1.0; matrix.n()];
    let zeros = vec![0.0; matrix.n()];
    let context = lab.context;
    let mut jacobi = Jacobi::new(context, &matrix, Variant::default())?;
    let first = jacobi.solve(&side, Stop::residual(TOLERANCE))?;
    must_hold("a solution", first.converged == Some(true))?;
    let residual = first.residual;
    let iterations = first.iterations;
    let mut solve = |way: usize| -> Result<Duration, Error> {
        match way {
            0 => {
                jacobi.set_systems(&[&side], &[&zeros])?;
                Ok(Clock::Wall.time(context, || jacobi.iterate(iterations))?.1)
            }
            _ => Ok(jacobi
                .solve(&side, Stop::residual(TOLERANCE).max_iterations(iterations))?
                .elapsed),
        }
    };
    let time = Duration::from_secs_f64(lab.scale.pick(1.5, 15.0));
    let Some(times) = interleaved(lab, 2, time, &mut solve)? else { return Ok(Part::default()) };
    let [blind, looking] = times[..] else { return Ok(Part::default()) };
    let control = Control { system, iterations, residual, blind, looking };
    let chosen = jacobi.variant();
    let variant = format!("{}, {}", chosen.layout, chosen.optimization);
    Ok(Part { tables: vec![table(&control, &variant)], ..Part::default() })
}

fn table(control: &Control, variant: &str) -> Table {
    let row = |what: &str, time: Summary, residual: Cell| -> Vec<Cell> {
        vec![
            what.into(),
            variant.into(),
            Cell::Number(control.iterations as f64),
            residual,
            time.median_ms.into(),
            (100.0 * time.relative_spread()).into(),
        ]
    };
    let columns = ["", "variant", "iterations", "residual", "time [ms]", "spread [%]"];
    Table {
        id: "jacobi-table-of-control".into(),
        title: format!("A stop at a residual of {TOLERANCE}, which the paper leaves out: {}", control.system),
        columns: columns.map(String::from).to_vec(),
        rows: vec![
            row("a fixed number, as in the paper", control.blind, Cell::Empty),
            row("until the residual is small", control.looking, control.residual.into()),
        ],
        notes: vec![
            "The residual is the 2-norm of b - A x divided by that of b, in double precision, of the x that was read \
             back.".into(),
        ],
        command: format!("quadrille jacobi --stencil {} --tolerance {TOLERANCE}", control.system),
    }
}
