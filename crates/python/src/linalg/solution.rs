//! The result of `solve` as Python objects.

use std::time::Duration;

use pyo3::types::{PyDict, PyList};
use quadrille::Progress;
use quadrille::linalg::solve::{self, Ending, NotConverged, Options, Solution, Times};
use quadrille::visible;

use crate::arrays::shaped;
use crate::error::{Failure, class};
use crate::prelude::*;
use crate::results::{On, result};

/// The solutions, and how they were found.
pub(crate) struct Solved {
    pub(crate) on: On,
    pub(crate) n: usize,
    /// The width of the grid, if there is one.
    pub(crate) m: Option<usize>,
    pub(crate) form: &'static str,
    pub(crate) coefficients: Option<&'static str>,
    pub(crate) solved: solve::Solved,
}

impl Solved {
    /// Returns the end of the last solution, for the progress.
    pub(crate) fn last(&self) -> Option<Progress> {
        let solution = self.solved.reached().last()?;
        Some(Progress::new(solution.iterations, None).residual(solution.deciding_residual()))
    }

    /// The result, or the error if a right-hand side was not solved.
    pub(crate) fn into_result<'py>(
        mut self,
        py: Python<'py>,
        shape: &[usize],
        options: &Options,
    ) -> Returned<'py> {
        let x = self.x(py, shape)?;
        let fields = PyDict::new(py);
        fields.set_item("x", &x)?;
        self.tell(&fields, options)?;
        let solution = result("Solution", &fields)?;
        match self.solved.failed().next() {
            None => Ok(solution),
            Some(error) => Err(not_converged(error, x, solution)?),
        }
    }

    /// The solutions in the shape of b; NaN in columns that were not begun.
    fn x<'py>(&mut self, py: Python<'py>, shape: &[usize]) -> Returned<'py> {
        let count = shape.iter().product::<usize>() / self.n;
        let mut all = self.solved.sides.iter_mut().map(|side| match side {
            Ok(solution) => std::mem::take(&mut solution.x),
            Err(error) => std::mem::take(&mut error.solution.x),
        });
        if count == 1 {
            return shaped(py, shape, all.next().unwrap_or_default());
        }
        let mut rows = quadrille::memory::filled(f64::NAN, self.n * count).or_raise(py)?;
        for (row, x) in rows.chunks_mut(self.n).zip(all) {
            row.copy_from_slice(&x);
        }
        shaped(py, &[count, self.n], rows)?.getattr("T")
    }

    fn tell(&self, fields: &Bound<'_, PyDict>, options: &Options) -> PyResult<()> {
        let (py, solved) = (fields.py(), &self.solved);
        let sides = PyList::empty(py);
        for solution in solved.reached() {
            sides.append(side(py, solution)?)?;
        }
        let choice = &solved.choice;
        let multigrid = choice.multigrid();
        let smoothers = choice.smoothers.iter().map(|smoother| smoother.name());
        fields.set_item("n", self.n)?;
        fields.set_item("m", self.m)?;
        fields.set_item("form", self.form)?;
        fields.set_item("coefficients", self.coefficients)?;
        fields.set_item("iterations", solved.iterations())?;
        fields.set_item("applications", solved.applications())?;
        fields.set_item("residual", solved.residual())?;
        fields.set_item("projected_residual", solved.projected_residual())?;
        fields.set_item("tolerance", options.tolerance)?;
        fields.set_item("converged", solved.converged())?;
        fields.set_item("right_hand_sides", sides)?;
        fields.set_item("method", choice.method.name())?;
        fields.set_item("preconditioner", choice.preconditioner.name())?;
        fields.set_item("smoother", choice.smoother())?;
        fields.set_item("smoothers", multigrid.map(|_| smoothers.collect::<Vec<_>>()))?;
        fields.set_item("levels", multigrid.map(|_| choice.levels))?;
        fields.set_item("precision", options.precision.name())?;
        fields.set_item("residual_on", choice.residual_on.name())?;
        fields.set_item("why", choice.why.map(|why| why.to_string()))?;
        fields.set_item("multigrid_gave_up", choice.gave_up.map(Ending::name))?;
        let (setup, times) = (&solved.setup, &solved.times());
        fields.set_item("setup_milliseconds", milliseconds(setup.whole()))?;
        fields.set_item("milliseconds", milliseconds(times.whole()))?;
        fields.set_item("setup_times", parts_of(py, setup)?)?;
        fields.set_item("times", parts_of(py, times)?)?;
        fields.set_item("history", self.history(py)?)?;
        self.on.tell(fields)
    }

    fn history<'py>(&self, py: Python<'py>) -> Returned<'py> {
        let looks = self.solved.looks.iter();
        let rows = looks.map(|one| (one.side, one.iteration, one.residual, one.milliseconds));
        let rows = PyList::new(py, rows.collect::<Vec<_>>())?;
        py.import("quadrille_gl.results")?.getattr("_history")?.call1((rows,))
    }
}

fn side<'py>(py: Python<'py>, solution: &Solution) -> Returned<'py> {
    let fields = PyDict::new(py);
    fields.set_item("iterations", solution.iterations)?;
    fields.set_item("applications", solution.applications)?;
    fields.set_item("corrections", solution.corrections)?;
    fields.set_item("reached_at", solution.reached_at)?;
    fields.set_item("residual", solution.residual)?;
    fields.set_item("projected_residual", solution.projected_residual)?;
    fields.set_item("convergence_factor", solution.convergence_factor())?;
    fields.set_item("ending", solution.ending.name())?;
    fields.set_item("removed_mean", solution.removed_mean)?;
    fields.set_item("milliseconds", milliseconds(solution.times.whole()))?;
    result("RightHandSide", &fields)
}

/// `ConvergenceError` with what was reached; another class where the solver was stopped.
fn not_converged<'py>(
    error: &NotConverged,
    x: Object<'py>,
    solution: Object<'py>,
) -> PyResult<PyErr> {
    let (py, text) = (x.py(), error.to_string());
    if error.kind() != quadrille::Kind::Failed {
        return Ok(Failure::new(error.kind(), text).into_exception(py));
    }
    Ok(PyErr::from_value(class(py, "ConvergenceError")?.call1((visible(&text), x, solution))?))
}

/// The parts of a time by name.
fn parts_of<'py>(py: Python<'py>, times: &Times) -> PyResult<Bound<'py, PyDict>> {
    let parts = PyDict::new(py);
    for (name, time) in times.parts() {
        parts.set_item(name, milliseconds(time))?;
    }
    Ok(parts)
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
