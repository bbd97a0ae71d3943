//! Systems of equations: `quadrille solve`.

use std::time::Duration;

use js_sys::{Array, Float64Array, Function, Object};
use quadrille::data::{AnyStencil, SystemMatrix};
use quadrille::io::matrix_market;
use quadrille::linalg::solve::{
    Ending, Look, NamedOptions, Session, Side, Solution, Solved, Solver, Times,
};
use quadrille::{Checkpoints, Control, Progress};
use wasm_bindgen::prelude::*;

use crate::array::numbers;
use crate::context::Context;
use crate::error::{Result, not_converged, set, wrong};
use crate::specified;

#[wasm_bindgen]
impl Context {
    /// Solves the system of a stencil, or of the text of a Matrix Market file, for right-hand sides one after the other,
    /// or ones, from first solutions or zeros. `checkpoint` gets the iterations and x whenever so many seconds have passed.
    #[allow(clippy::too_many_arguments, reason = "they are what the page's function takes")]
    pub fn solve(
        &self,
        matrix: &str,
        b: Option<Vec<f64>>,
        options: JsValue,
        x0: Option<Vec<f64>>,
        progress: Option<Function>,
        checkpoint: Option<Function>,
        every: Option<f64>,
    ) -> Result<Object> {
        let options = specified::options::<NamedOptions>("solve", &options)?.options()?;
        let matrix = system(matrix)?;
        let n = matrix.n();
        let b = b.unwrap_or_else(|| vec![1.0; n]);
        let count = sides_of(b.len(), n, x0.as_ref().map(Vec::len))?;
        let every = interval(checkpoint.as_ref(), every, count)?;
        let mut session = Session::new(Solver::of(&self.context, &matrix, options)?)?;
        let mut tell = |progress_: &Progress| {
            if let (Some(tell), Some(residual)) = (&progress, progress_.residual) {
                // A page that throws here has nobody who would be told.
                let _ =
                    tell.call2(&JsValue::NULL, &(progress_.done as f64).into(), &residual.into());
            }
            Control::Continue
        };
        let sides = b.chunks(n).enumerate().map(|(at, b)| {
            let side =
                if count > 1 { Side::new(b).named(format!("row {at} of b")) } else { Side::new(b) };
            Ok(match &x0 {
                Some(x0) => side.x0(&x0[at * n..(at + 1) * n]),
                None => side,
            })
        });
        let keep = |done: u64, x: Vec<f64>| {
            if let Some(keep) = &checkpoint {
                let x = Float64Array::from(&x[..]);
                let _ = keep.call2(&JsValue::NULL, &(done as f64).into(), &x);
            }
        };
        let solved = session.solve(sides, &mut Checkpoints::new(&mut tell, every, keep))?;
        let grid = matrix.grid_shape().unwrap_or_else(|| vec![n]);
        let shape = if count > 1 { [vec![count], grid].concat() } else { grid };
        let result = result_of(&solved, &shape);
        match solved.failed().next() {
            None => Ok(result),
            Some(error) => Err(not_converged(error, result)),
        }
    }
}

/// Returns the time from one checkpoint to the next, which never passes without a function that gets them.
fn interval(checkpoint: Option<&Function>, every: Option<f64>, sides: usize) -> Result<Duration> {
    match (checkpoint, every) {
        (None, None) => Ok(Duration::MAX),
        (None, Some(_)) => Err(wrong("every: for `checkpoint` alone, which is not given")),
        (Some(_), _) if sides > 1 => Err(wrong(format!(
            "checkpoint is of one right-hand side, got {sides}: solve for one at a time"
        ))),
        (Some(_), every) => {
            let every = every.unwrap_or(60.0);
            Duration::try_from_secs_f64(every).map_err(|_| {
                wrong(format!("every: expected a number of seconds, at least 0; got {every}"))
            })
        }
    }
}

/// Returns the number of right-hand sides.
fn sides_of(length: usize, n: usize, first: Option<usize>) -> Result<usize> {
    if length == 0 || !length.is_multiple_of(n) {
        return Err(wrong(format!(
            "b: expected {n} numbers, one for each unknown of the matrix, or as many for each of several right-hand sides; got {length}"
        )));
    }
    match first.filter(|first| *first != length) {
        None => Ok(length / n),
        Some(got) => {
            Err(wrong(format!("x0: expected as many numbers as b has, {length}, got {got}")))
        }
    }
}

fn result_of(solved: &Solved, shape: &[usize]) -> Object {
    let (result, choice) = (Object::new(), &solved.choice);
    let x = Float64Array::new_with_length(shape.iter().product::<usize>() as u32);
    let mut at = 0;
    for solution in solved.reached() {
        x.set(&Float64Array::from(&solution.x[..]), at);
        at += solution.x.len() as u32;
    }
    set(&result, "x", x);
    set(&result, "shape", numbers(shape));
    set(&result, "iterations", solved.iterations() as f64);
    set(&result, "reachedAt", solved.reached().map(|one| one.reached_at as f64).sum::<f64>());
    set(&result, "residual", solved.residual());
    set(&result, "projectedResidual", or_null(solved.projected_residual()));
    set(&result, "converged", solved.converged());
    let ending = solved.failed().next().map_or(Ending::Converged, |error| error.solution.ending);
    set(&result, "ending", ending.name());
    set(&result, "method", choice.method.name());
    set(&result, "preconditioner", choice.preconditioner.name());
    set(&result, "levels", choice.levels as f64);
    set(&result, "setupMilliseconds", milliseconds(solved.setup.whole()));
    set(&result, "setupTimes", parts(&solved.setup));
    set(&result, "milliseconds", milliseconds(solved.times().whole()));
    set(&result, "times", parts(&solved.times()));
    set(&result, "history", solved.looks.iter().map(look).collect::<Array>());
    set(&result, "rightHandSides", solved.reached().map(side).collect::<Array>());
    result
}

fn side(solution: &Solution) -> Object {
    let object = Object::new();
    set(&object, "iterations", solution.iterations as f64);
    set(&object, "reachedAt", solution.reached_at as f64);
    set(&object, "residual", solution.residual);
    set(&object, "projectedResidual", or_null(solution.projected_residual));
    set(&object, "ending", solution.ending.name());
    set(&object, "milliseconds", milliseconds(solution.times.whole()));
    object
}

/// Returns the parts of a time by name.
fn parts(times: &Times) -> Object {
    let object = Object::new();
    times.parts().iter().for_each(|(name, time)| set(&object, name, milliseconds(*time)));
    object
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn or_null(number: Option<f64>) -> JsValue {
    number.map_or(JsValue::NULL, JsValue::from)
}

fn look(look: &Look) -> Object {
    let object = Object::new();
    set(&object, "side", look.side as f64);
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
