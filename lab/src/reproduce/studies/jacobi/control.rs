//! A stop at a residual, which the paper leaves out.

use super::super::prelude::*;

use quadrille::data::Stencil;
use quadrille::linalg::jacobi::{Jacobi, Stop, Variant};

/// An implicit step of the heat equation, long enough that it takes some hundreds of iterations.
const SYSTEMS: [&str; 2] = ["heat9:64:step=5", "heat9:128:step=20"];
const TOLERANCE: f64 = 1e-5;

/// A system that was solved with a look at the residual, or stepped as often without.
struct Control<'a> {
    what: &'static str,
    variant: &'a str,
    iterations: u64,
    residual: Option<f64>,
    time: Summary,
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
    let times: Option<[Summary; 2]> = interleaved(lab, [1.5, 15.0], &mut solve)?;
    let Some([blind, looking]) = times else { return Ok(Part::default()) };
    let chosen = jacobi.variant();
    let variant = format!("{}, {}", chosen.layout, chosen.optimization);
    let control =
        |what, time, residual| Control { what, variant: &variant, iterations, residual, time };
    let rows = [
        control("a fixed number, as in the paper", blind, None),
        control("until the residual is small", looking, Some(residual)),
    ];
    Ok(Part { tables: vec![table(&rows, system)], ..Part::default() })
}

fn table(rows: &[Control<'_>], system: &str) -> Table {
    let columns = vec![
        only_text("", "", |row: &Control<'_>| row.what.into()),
        only_text("variant", "", |row| row.variant.into()),
        only_text("iterations", "", |row| row.iterations.into()),
        only_text("residual", "", |row| row.residual.into()),
        only_text("time", "ms", |row| row.time.median_ms.into()),
        only_text("spread", "%", |row| row.time.spread_percent().into()),
    ];
    let title =
        format!("A stop at a residual of {TOLERANCE}, which the paper leaves out: {system}");
    let notes = [
        "The residual is the 2-norm of b - A x divided by that of b, in double precision, of the x that was read back.",
    ];
    let command = format!("quadrille jacobi --stencil {system} --tolerance {TOLERANCE}");
    Rows { columns, rows }.table("jacobi-table-of-control", title, notes, command)
}
