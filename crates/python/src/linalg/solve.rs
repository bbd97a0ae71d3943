//! `solve`: linear systems with sparse matrices.

use std::borrow::Cow;
use std::time::Duration;

use numpy::{PyUntypedArray, PyUntypedArrayMethods};
use pyo3::types::PyDict;
use quadrille::Checkpoints;
use quadrille::data::{Grid3, SystemMatrix};
use quadrille::linalg::solve::{
    Error as SolverError, NamedOptions, Options, Session, Side, Solver,
};

use super::matrix::{MatrixArgument, must_have_no_width};
use super::solution::Solved;
use crate::arguments::progress::Telling;
use crate::arguments::specified;
use crate::arrays::as_array;
use crate::arrays::doubles::doubles;
use crate::arrays::lent::Lent;
use crate::context::{Context, chosen};
use crate::error::{Failure, wrong};
use crate::prelude::*;
use crate::results::On;
use crate::worker::Watch;
use crate::worker::state::State;

/// Solves A x = b for a square sparse matrix A to double precision.
///
/// `a` is a sparse matrix of SciPy in any format, a square array, the name of a Matrix Market file,
/// or a `stencil`. One with entries on the diagonals 0, +-1 and +-(m-1), +-m, +-(m+1) alone, as a
/// 5-point or 9-point operator on a grid has, is solved by these (the result's `form` is
/// `"nine-banded"`), with multigrid where that serves; any other by its rows (`"csr"`). Of a stencil, and of
/// any such matrix whose coefficients are the same at all points, nine numbers are kept and not the matrix
/// (`coefficients` is `"constant"`). `width` is m,
/// the length of a row of the grid, where the entries leave it open. With `shape=(z, y, x)` the rows of a matrix or a
/// file are the points of a grid of three dimensions, each coupled to its neighbours alone (`"7-point"` or `"27-point"`),
/// with multigrid where that serves.
///
/// Instead of a matrix, `coefficient` is k > 0 of -div(k grad u) with u = 0 around the grid: an array of the shape
/// `(height, width)` with one at each point, or a pair of arrays with one at each face between points, `(height,
/// width + 1)` along x and `(height + 1, width)` along y, of which those at the sides may be 0, which closes these. The bands are
/// computed on the device (`coefficients` is `"field"`). An array of the shape `(z, y, x)` has one at each point of a
/// grid of three dimensions.
///
/// `b` has the shape `(n,)`,
/// `(height, width)` or `(z, y, x)` as the grid, or `(n, k)`, whose columns are solved for one after the
/// other with one setup. `x0` of the same shape is what the iteration starts from, zero by default.
///
/// Steps are computed on the device in 32-bit floats; the residual and the corrections of x are
/// float64, so `tolerance` may be far below what 32-bit floats reach. It is of the 2-norm of b - A
/// x over that of b. The result has `x`, float64 of the shape of b, `iterations`, `residual`, which
/// the host computes from A, x and b in float64, `history`, and more: see `results.Solution`.
///
/// Where A takes constants to zero, as without flux over any side or with all sides periodic, no x solves for a `b` that
/// has a mean, which raises `InputError`. `project=True` solves for `b` without it: the tolerance is of the result's
/// `projected_residual` then, and `residual` that of the `b` that was given.
///
/// - `method`: `"auto"`, `"cg"`, `"bicgstab"`, `"jacobi"`, `"multigrid"`, `"mgcg"` (cg with the
///   preconditioner multigrid), or `"fft"` (a direct solution by sines and cosines, for constant
///   coefficients on a grid that are symmetric in x and in y; of periodic sides too)
/// - `preconditioner`: `"auto"`, `"none"`, `"jacobi"`, `"chebyshev"` or `"multigrid"`
/// - of multigrid: `smoother` is `"auto"`, `"jacobi"` or `"line-jacobi"`; `coarsen` is `"auto"`,
///   `"strong"` or `"both"`
/// - `precision`: `"mixed"`, or `"single"`, whose steps are not corrected
/// - `residual_on`: `"auto"`, `"host"` or `"device"`, where residuals in double precision are computed
/// - `iterations`: the most of them; `check_every`: those between two looks at the residual, by default chosen by what a
///   look costs
/// - `progress`: `True` for a bar, or a callable that gets `(done, expected, residual)`
/// - `checkpoint`: a callable that gets `(iterations, x)` each time that `every` seconds have passed, 60 by default: a copy
///   of what is reached, for `x0` of another call, of one right-hand side
///
/// Raises `ConvergenceError` if the tolerance is not met, with the nearest iterate as `x` and
/// `solution`; `InputError` for a matrix that is not square, or with a `width` not nine-banded, for
/// other names and shapes, and for numbers that are not finite. Ctrl-C stops it.
///
/// >>> import numpy as np, quadrille_gl as q
/// >>> a = q.stencil("poisson5:30")
/// >>> s = q.solve(a, np.ones(900), tolerance=1e-12)
/// >>> bool(np.linalg.norm(1 - a.tocoo() @ s.x) <= 1e-12 * 30), s.method
/// (True, 'cg')
/// >>> k = np.where(np.arange(30) < 15, 1.0, 100.0) * np.ones((20, 1))
/// >>> s = q.solve(coefficient=k, b=np.ones((20, 30)))
/// >>> s.x.shape, s.coefficients, s.converged
/// ((20, 30), 'field', True)
#[pyfunction]
#[pyo3(signature = (a=None, b=None, *, coefficient=None, x0=None, width=None, shape=None, progress=None, checkpoint=None, every=None, context=None, **options),
    text_signature = "(a=None, b=None, *, coefficient=None, x0=None, width=None, shape=None, method=\"auto\", preconditioner=\"auto\", smoother=\"auto\", coarsen=\"auto\", project=False, precision=\"mixed\", residual_on=\"auto\", tolerance=1e-8, iterations=100000, check_every=None, progress=None, checkpoint=None, every=None, context=None)")]
#[allow(clippy::too_many_arguments, reason = "they are Python's keyword arguments")]
pub(crate) fn solve<'py>(
    py: Python<'py>,
    a: Option<&Object<'py>>,
    b: Option<&Object<'py>>,
    coefficient: Option<&Object<'py>>,
    x0: Option<&Object<'py>>,
    width: Option<usize>,
    shape: Option<(usize, usize, usize)>,
    progress: Option<Object<'py>>,
    checkpoint: Option<Object<'py>>,
    every: Option<f64>,
    context: Option<&Context>,
    options: Option<&Bound<'py, PyDict>>,
) -> Returned<'py> {
    let options: NamedOptions = specified::options(py, "solve", options)?;
    let options = options.options().or_raise(py)?;
    let grid = grid_of(py, shape, coefficient.is_some(), width)?;
    let given = MatrixArgument::of_either(py, a, coefficient, width, grid)?;
    let Some(b) = b else { return Err(wrong(py, "solve: give the right-hand side, b=")) };
    if !given.may_have_width() {
        must_have_no_width(py, width)?;
    }
    let (b, x0) = (Sides::of("b", b)?, x0.map(|x0| Sides::of("x0", x0)).transpose()?);
    if let Some(x0) = x0.as_ref().filter(|x0| x0.shape != b.shape) {
        let text = format!("x0: expected the shape of b, {:?}, got {:?}", b.shape, x0.shape);
        return Err(wrong(py, text));
    }
    if let Some(n) = given.rows().filter(|n| *n > 0 && !may_hold_sides(&b.shape, *n)) {
        return Err(no_sides(&b.shape, n).into_exception(py));
    }
    let (sides, first) = (b.numbers()?, x0.as_ref().map(Sides::numbers).transpose()?);
    let every = interval(py, checkpoint.is_some(), every)?;
    let telling = Telling::of(py, progress, "iterations")?.keeping(checkpoint, &b.shape)?;
    let shape = b.shape.clone();
    let job = SolveJob { matrix: given, width, grid, options, shape, sides, first, every };
    let worker = chosen(py, context)?;
    let work = move |state: &mut State, watch: &mut Watch| job.run(state, watch);
    let solved = worker.call_telling(py, Some(&telling), work);
    telling.end(solved.as_ref().ok().and_then(Solved::last))?;
    solved?.into_result(py, &b.shape, &options)
}

/// Right-hand sides, one after the other in memory.
struct Sides<'py> {
    name: &'static str,
    shape: Vec<usize>,
    array: Bound<'py, PyUntypedArray>,
}

impl<'py> Sides<'py> {
    fn of(name: &'static str, object: &Object<'py>) -> PyResult<Sides<'py>> {
        let array = as_array(name, object)?;
        let shape = array.shape().to_vec();
        if !matches!(shape.len(), 1..=3) {
            let text =
                format!("{name}: expected an array of one to three axes, got the shape {shape:?}");
            return Err(wrong(object.py(), text));
        }
        Ok(Sides { name, shape, array })
    }

    fn numbers(&self) -> PyResult<Lent<f64>> {
        Lent::of(&doubles(self.name, &self.array)?)
    }
}

/// The systems to solve.
struct SolveJob {
    matrix: MatrixArgument,
    width: Option<usize>,
    grid: Option<Grid3>,
    options: Options,
    shape: Vec<usize>,
    sides: Lent<f64>,
    first: Option<Lent<f64>>,
    /// The time from one checkpoint to the next.
    every: Option<Duration>,
}

impl SolveJob {
    fn run(&self, state: &mut State, watch: &mut Watch) -> Result<Solved, Failure> {
        let context = state.context()?;
        let matrix = self.matrix.matrix(self.width, self.grid)?;
        let (n, m) = (matrix.n(), matrix.width());
        let count = sides_of(&self.shape, &matrix)?;
        if count > 1 && self.every.is_some() {
            let text = format!(
                "checkpoint is of one right-hand side, got {count}: solve for one at a time"
            );
            return Err(Failure::new(quadrille::Kind::Input, text));
        }
        let mut session = Session::new(Solver::of(&context, &matrix, self.options)?)?;
        let sides = (0..count).map(|at| -> Result<Side<'_>, SolverError> {
            let side = Side::new(column(&self.sides, at, count, n)?);
            let side = if count > 1 { side.named(format!("column {at} of b")) } else { side };
            Ok(match &self.first {
                Some(first) => side.x0(column(first, at, count, n)?),
                None => side,
            })
        });
        let keep = watch.keeper();
        let every = self.every.unwrap_or(Duration::MAX);
        let solved = session.solve(sides, &mut Checkpoints::new(watch, every, keep))?;
        Ok(Solved {
            on: On::of(&context),
            n,
            m,
            form: matrix.form(),
            coefficients: matrix.coefficients(),
            solved,
        })
    }
}

/// The time from one checkpoint to the next, if there are any.
fn interval(py: Python<'_>, keeps: bool, every: Option<f64>) -> PyResult<Option<Duration>> {
    if !keeps {
        return match every {
            Some(_) => Err(wrong(py, "every: for `checkpoint` alone, which is not given")),
            None => Ok(None),
        };
    }
    let every = every.unwrap_or(60.0);
    Duration::try_from_secs_f64(every).map(Some).map_err(|_| {
        wrong(py, format!("every: expected a number of seconds, at least 0; got {every}"))
    })
}

/// The grid of three dimensions that a shape names.
fn grid_of(
    py: Python<'_>,
    shape: Option<(usize, usize, usize)>,
    has_coefficient: bool,
    width: Option<usize>,
) -> PyResult<Option<Grid3>> {
    let Some((z, y, x)) = shape else { return Ok(None) };
    if has_coefficient || width.is_some() {
        let other = if has_coefficient {
            "a coefficient has a shape of its own"
        } else {
            "width= is of two dimensions"
        };
        return Err(wrong(
            py,
            format!("solve: {other}; leave out shape=, which is for a matrix or a file"),
        ));
    }
    Grid3::new(x, y, z).map(Some).map_err(|error| wrong(py, format!("shape: {error}")))
}

/// Returns the number of right-hand sides that an array of this shape holds.
fn sides_of(shape: &[usize], matrix: &SystemMatrix) -> Result<usize, Failure> {
    let n = matrix.n();
    match *shape {
        _ if matrix.grid_shape().is_some_and(|grid| grid == shape) => Ok(1),
        [length] if length == n => Ok(1),
        [length, count] if length == n => Ok(count),
        _ => Err(no_sides(shape, n)),
    }
}

/// Whether an array of this shape can hold right-hand sides of this length, for any grid.
fn may_hold_sides(shape: &[usize], n: usize) -> bool {
    shape.first() == Some(&n)
        || shape.iter().try_fold(1, |all: usize, one| all.checked_mul(*one)) == Some(n)
}

fn no_sides(shape: &[usize], n: usize) -> Failure {
    let text = format!(
        "b: expected the shape ({n},), or ({n}, k) for several right-hand sides, as A has {n} rows; got {shape:?}"
    );
    Failure::new(quadrille::Kind::Input, text)
}

/// A column of an array of `count` columns.
fn column(
    numbers: &[f64],
    at: usize,
    count: usize,
    n: usize,
) -> Result<Cow<'_, [f64]>, quadrille::NoMemory> {
    if count == 1 {
        return Ok(numbers.into());
    }
    let column = numbers.iter().skip(at).step_by(count).copied();
    Ok(quadrille::memory::collected(n, column)?.into())
}
