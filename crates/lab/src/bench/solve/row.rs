//! A row of the table, and a method that has none.

use std::time::Duration;

use quadrille::data::AnyStencil;
use quadrille::linalg::multigrid::Smoother;

use super::method::Contender;
use super::system::unknowns;
use super::timed_solution::{Multigrid, Parts};
use crate::Summary;
use crate::report::table::{
    Column, Skipped, checked, column, only_json, only_text, timed_and_compared, timing,
};
use crate::twin::Comparison;

/// The row of a method for a system. Times are medians of runs.
#[derive(Clone, Debug)]
pub struct Row {
    pub stencil: AnyStencil,
    pub contender: Contender,
    pub multigrid: Option<Multigrid>,
    /// The number of iterations; `None` for a direct solver.
    pub iterations: Option<u64>,
    pub convergence_factor: Option<f64>,
    /// The time of the first setup, in which the driver compiles.
    pub first_setup: Duration,
    pub setup: Summary,
    pub solve: Summary,
    /// The times of both together.
    pub summary: Summary,
    /// The 2-norm of b - A x over that of b, computed here.
    pub residual: f64,
    /// The largest error over the largest unknown.
    pub error: f64,
    pub converged: bool,
    pub ending: &'static str,
    /// The comparison of the residual with the one that the solver reports.
    pub comparison: Comparison,
    /// The parts of the run whose time is the median, on the device.
    pub parts: Option<Parts>,
}

timed_and_compared!(Row);

impl Row {
    pub fn columns() -> Vec<Column<Row>> {
        let mut columns = vec![
            column("system", "system", "", |row: &Row| row.stencil.to_string().into()),
            only_json("n", |row| unknowns(row.stencil).into()),
            column("method", "method", "", |row| row.contender.method.name().into()),
            only_json("place", |row| row.contender.method.place().into()),
            column("smoother", "smoother", "", |row| {
                row.multigrid.as_ref().map(|with| with.smoother.as_str()).into()
            }),
            only_json("levels", |row| row.multigrid.as_ref().map(|with| with.levels).into()),
            column("iterations", "iterations", "", |row| row.iterations.into()),
            column("convergence_factor", "factor", "", |row| row.convergence_factor.into()),
            column("setup_ms", "setup", "ms", |row| row.setup.median_ms.into()),
            column("solve_ms", "solve", "ms", |row| row.solve.median_ms.into()),
            only_json("solve_spread_ms", |row| row.solve.spread_ms.into()),
            column("first_setup_ms", "first setup", "ms", |row| row.first_setup.into()),
        ];
        columns.push(only_json("parts", |row| row.parts.map(|parts| parts.text()).into()));
        columns.extend(timing());
        columns.extend([
            column("residual", "residual", "", |row: &Row| row.residual.into()),
            column("error", "error", "", |row| row.error.into()),
            only_json("converged", |row| row.converged.into()),
            only_json("ending", |row| row.ending.into()),
            only_text("", "", |row| (!row.converged).then_some(row.ending).into()),
        ]);
        // The residual is the error that was compared.
        columns.extend(checked().into_iter().filter(|column| column.key != "max_error"));
        columns
    }
}

pub fn skipped() -> Vec<Column<Skipped<(AnyStencil, Contender)>>> {
    vec![
        only_json("system", |row: &Skipped<(AnyStencil, Contender)>| row.what.0.to_string().into()),
        only_json("n", |row| row.n.into()),
        only_json("method", |row| row.what.1.method.name().into()),
        only_json("smoother", |row| row.what.1.smoother.map(Smoother::name).into()),
        only_json("reason", |row| row.reason.as_str().into()),
    ]
}
