//! Systems of equations: `quadrille solve`.

use js_sys::{Array, Float64Array, Function, Object};
use quadrille::data::{AnyStencil, SystemMatrix};
use quadrille::io::matrix_market;
use quadrille::linalg::solve::{Look, NamedOptions, Recorder, Solver};
use quadrille::{Control, Progress};
use wasm_bindgen::prelude::*;

use crate::array::numbers;
use crate::context::Context;
use crate::error::{Result, set, wrong};
use crate::specified;

#[wasm_bindgen]
impl Context {
    /// Solves the system of a stencil, or of the text of a Matrix Market file, for a right-hand side
    /// or ones, from a first solution or zeros.
    pub fn solve(
        &self,
        matrix: &str,
        b: Option<Vec<f64>>,
        options: JsValue,
        x0: Option<Vec<f64>>,
        progress: Option<Function>,
    ) -> Result<Object> {
        let options = specified::options::<NamedOptions>("solve", &options)?.options()?;
        let matrix = system(matrix)?;
        let b = b.unwrap_or_else(|| vec![1.0; matrix.n()]);
        let mut solver = Solver::of(&self.context, &matrix, options)?;
        solver.warm_up()?;
        let mut looks = Vec::new();
        let tell = |progress_: &Progress| {
            if let (Some(tell), Some(residual)) = (&progress, progress_.residual) {
                // A page that throws here has nobody who would be told.
                let _ =
                    tell.call2(&JsValue::NULL, &(progress_.done as f64).into(), &residual.into());
            }
            Control::Continue
        };
        let (solution, recorder) = match &x0 {
            None => {
                let mut recorder = Recorder::from_zero(&mut looks, 0, tell);
                (solver.solve_observed(&b, &mut recorder)?, recorder)
            }
            Some(x0) => {
                let mut recorder = Recorder::new(&mut looks, 0, tell);
                (solver.solve_from(&b, x0, &mut recorder)?, recorder)
            }
        };
        recorder.end(solution.iterations, solution.deciding_residual());
        let choice = solver.choice();
        let result = Object::new();
        set(&result, "x", Float64Array::from(&solution.x[..]));
        set(&result, "shape", numbers(&matrix.grid_shape().unwrap_or_else(|| vec![matrix.n()])));
        set(&result, "iterations", solution.iterations as f64);
        set(&result, "reachedAt", solution.reached_at as f64);
        set(&result, "residual", solution.residual);
        let projected = solution.projected_residual.map_or(JsValue::NULL, JsValue::from);
        set(&result, "projectedResidual", projected);
        set(&result, "converged", solution.converged());
        set(&result, "ending", solution.ending.name());
        set(&result, "method", choice.method.name());
        set(&result, "preconditioner", choice.preconditioner.name());
        set(&result, "levels", choice.levels as f64);
        set(&result, "setupMilliseconds", solver.setup_times().whole().as_secs_f64() * 1e3);
        set(&result, "milliseconds", solution.times.whole().as_secs_f64() * 1e3);
        set(&result, "history", looks.iter().map(look).collect::<Array>());
        Ok(result)
    }
}

fn look(look: &Look) -> Object {
    let object = Object::new();
    set(&object, "iteration", look.iteration as f64);
    set(&object, "milliseconds", look.milliseconds);
    set(&object, "residual", look.residual);
    object
}

/// Returns the system of a stencil or of a text.
fn system(matrix: &str) -> Result<SystemMatrix> {
    if matrix.starts_with("%%MatrixMarket") {
        return Ok(matrix_market::read_system_from(matrix.as_bytes(), "matrix.mtx", None)?);
    }
    let stencil: AnyStencil = matrix
        .parse()
        .map_err(|error| wrong(format!("{error}; or the text of a Matrix Market file")))?;
    Ok(stencil.system()?)
}
