//! Matrices of solvers: sparse matrices of SciPy, dense arrays, files, and stencils.

use std::path::{Path, PathBuf};

use numpy::PyUntypedArrayMethods;
use pyo3::types::{IntoPyDict, PyString};
use quadrille::data::{self, AnyStencil, Band, Csr, Grid3, GridMatrix, SystemMatrix};
use quadrille::{Kind, io, memory};

use super::coefficient::Coefficient;
use super::diagonals::Diagonals;
use crate::arrays::doubles::{doubles, indices};
use crate::arrays::lent::Lent;
use crate::arrays::room;
use crate::error::{Failure, wrong};
use crate::prelude::*;

/// A matrix that `stencil` made.
#[pyclass(frozen, eq, name = "Stencil", module = "quadrille_gl")]
#[derive(Clone, PartialEq)]
pub(crate) struct Stencil {
    stencil: AnyStencil,
}

#[pymethods]
impl Stencil {
    /// The points along x: the length of a row of the grid.
    #[getter]
    fn width(&self) -> usize {
        self.stencil.points().0
    }

    /// The points along y.
    #[getter]
    fn height(&self) -> usize {
        self.stencil.points().1
    }

    /// The points along z of a grid of three dimensions, else `None`.
    #[getter]
    fn depth(&self) -> Option<usize> {
        self.stencil.points().2
    }

    /// The rows and columns of the matrix, each as many as the grid has points.
    #[getter]
    fn shape(&self) -> (usize, usize) {
        let (width, height, depth) = self.stencil.points();
        let n = width.saturating_mul(height).saturating_mul(depth.unwrap_or(1));
        (n, n)
    }

    /// The matrix as a `scipy.sparse.coo_array` of float64. Raises `ImportError` without SciPy,
    /// `LimitError` without memory for it.
    fn tocoo<'py>(&self, py: Python<'py>) -> Returned<'py> {
        let sparse = py.import("scipy.sparse")?;
        let made = py.detach(|| made(&self.stencil));
        let numpy = py.import("numpy")?;
        let matrix = match made.or_raise(py)? {
            SystemMatrix::NineBanded(matrix) => matrix.stored(),
            SystemMatrix::Csr(_) => unreachable!("no stencil is stored by rows"),
            SystemMatrix::Periodic(matrix) => return self.by_rows(&sparse, || matrix.csr()),
            SystemMatrix::Grid(matrix) => return self.by_rows(&sparse, || matrix.csr()),
        };
        let matrix = matrix.or_raise(py)?;
        let (mut values, mut rows, mut columns) = (Vec::new(), Vec::new(), Vec::new());
        for band in Band::ALL {
            let inside = band.rows(matrix.n(), matrix.m());
            let (first, last) = (inside.start, inside.end);
            let of_rows = numpy.call_method1("arange", (first, last))?;
            let offset = band.offset(matrix.m());
            columns.push(of_rows.call_method1("__add__", (offset,))?);
            rows.push(of_rows);
            let entries = matrix.band(band).get(inside).unwrap_or_default();
            let entries = memory::copied(entries).or_raise(py)?;
            values.push(numpy::PyArray1::from_vec(py, entries));
        }
        let joined = |parts: Vec<_>| numpy.call_method1("concatenate", (parts,));
        let values = numpy.call_method1("concatenate", (values,))?;
        let entries = (values, (joined(rows)?, joined(columns)?));
        let options = [("shape", self.shape())].into_py_dict(py)?;
        let matrix = sparse.call_method("coo_array", (entries,), Some(&options))?;
        matrix.call_method0("eliminate_zeros")?;
        Ok(matrix)
    }

    fn __str__(&self) -> String {
        self.stencil.to_string()
    }

    fn __repr__(&self) -> String {
        format!("quadrille_gl.stencil(\"{}\")", self.stencil)
    }
}

impl Stencil {
    /// A matrix by its rows, as tocoo() returns it.
    fn by_rows<'py>(
        &self,
        sparse: &Bound<'py, PyModule>,
        rows: impl Fn() -> data::Result<Csr<f64>> + Send + Sync,
    ) -> Returned<'py> {
        let py = sparse.py();
        let by_rows = py.detach(rows).or_raise(py)?;
        let count = by_rows.entries();
        let (mut values, mut columns) = (room(py, count)?, room(py, count)?);
        for row in 0..by_rows.shape().rows {
            let (of_row, numbers) = by_rows.row(row);
            columns.extend(of_row.iter().map(|column| i64::from(*column)));
            values.extend_from_slice(numbers);
        }
        let starts = by_rows.starts();
        let starts = memory::collected(starts.len(), starts.iter().map(|start| *start as i64))
            .or_raise(py)?;
        let parts = (
            numpy::PyArray1::from_vec(py, values),
            numpy::PyArray1::from_vec(py, columns),
            numpy::PyArray1::<i64>::from_vec(py, starts),
        );
        let options = [("shape", self.shape())].into_py_dict(py)?;
        let matrix = sparse.call_method("csr_array", (parts,), Some(&options))?;
        matrix.call_method0("tocoo")
    }
}

/// A matrix by the name of a stencil on a grid of `width` by `height` points, as
/// `solve` takes it; H = W if it is left out.
///
/// - `"poisson5:W[xH][:sides=S]"`: the 5-point Laplacian
/// - `"fe9:W[xH][:anisotropy=E][:angle=DEGREES][:sides=S]"`: 9-point finite elements
/// - `"heat9:W[xH][:step=T][:sides=S]"`: an implicit heat step
/// - `"jump:W[xH][:ratio=R][:cell=POINTS]"`: diffusion by a checkerboard of 1 and R
/// - `"random:W[xH][:seed=S]"`: diffusion by 10^-3 to 10^3, at random
/// - `"convection:W[xH][:angle=DEGREES][:peclet=P]"`: diffusion and a flow; not symmetric
/// - `"neumann5:W[xH]"`: the 5-point Laplacian without flux over the edge; singular
///
/// S is what is around the grid: `dirichlet` (zeros, the default), `neumann` (no flux over the edge) or
/// `periodic` (for `solve(method="fft")`), or one along x and one along y: `periodic+dirichlet`.
///
/// Of three dimensions, on X by Y by Z points:
///
/// - `"poisson7:X[xYxZ][:x=A][:y=B][:z=C][:sides=S]"`: the 7-point Laplacian, with a factor along each axis
/// - `"fe27:X[xYxZ][:x=A][:y=B][:z=C][:sides=S]"`: 27-point finite elements of the same
/// - `"heat7:X[xYxZ][:step=T][:sides=S]"`: an implicit heat step
/// - `"jump7:X[xYxZ][:ratio=R][:cell=POINTS]"`: diffusion by cubes of 1 and R by turns
/// - `"random7:X[xYxZ][:seed=S]"`: diffusion by 10^-3 to 10^3, at random
/// - `"convection7:X[xYxZ][:x=U][:y=V][:z=W][:peclet=P]"`: diffusion and a flow; not symmetric
///
/// Points are numbered row by row, and slice by slice. `tocoo()` makes the matrix for SciPy. Raises `InputError` for
/// another name, which lists those there are.
///
/// >>> import quadrille_gl as q
/// >>> a = q.stencil("heat9:16x8:step=0.5")
/// >>> a, a.width, a.height, a.shape
/// (quadrille_gl.stencil("heat9:16x8:step=0.5"), 16, 8, (128, 128))
/// >>> a.tocoo().diagonal()[:2].round(3)
/// array([2.667, 2.667])
#[pyfunction]
#[pyo3(signature = (text, /))]
pub(crate) fn stencil(py: Python<'_>, text: &str) -> PyResult<Stencil> {
    let stencil = text.parse().or_raise(py)?;
    Ok(Stencil { stencil })
}

/// A matrix argument, before it is read.
pub(crate) enum MatrixArgument {
    Stencil(AnyStencil),
    File(PathBuf),
    Entries(Entries),
    Coefficient(Coefficient),
    Diagonals(Diagonals),
}

/// Entries with their rows and columns, in any order.
pub(crate) struct Entries {
    n: usize,
    rows: Lent<i64>,
    columns: Lent<i64>,
    values: Lent<f64>,
}

impl MatrixArgument {
    /// Takes the one of a matrix and a coefficient that is given.
    pub(crate) fn of_either(
        py: Python<'_>,
        a: Option<&Object<'_>>,
        coefficient: Option<&Object<'_>>,
        width: Option<usize>,
        grid: Option<Grid3>,
    ) -> PyResult<MatrixArgument> {
        match (a, coefficient) {
            // Diagonals are taken as they are in two dimensions alone.
            (Some(a), None) if grid.is_some() => MatrixArgument::by_entries(a),
            (Some(a), None) => MatrixArgument::of(a, width),
            (None, Some(k)) => Coefficient::of(k).map(MatrixArgument::Coefficient),
            (Some(_), Some(_)) => Err(wrong(
                py,
                "solve: a matrix and a coefficient were given; give one of them, and the right-hand side as b=",
            )),
            (None, None) => Err(wrong(py, "solve: give a matrix A, or coefficient=")),
        }
    }

    /// Takes a stencil, the name of a file, anything with `tocoo()` as SciPy's sparse matrices, or
    /// an array of two axes.
    pub(crate) fn of(object: &Object<'_>, width: Option<usize>) -> PyResult<MatrixArgument> {
        if let Ok(stencil) = object.cast::<Stencil>() {
            return Ok(MatrixArgument::Stencil(stencil.get().stencil));
        }
        if object.is_instance_of::<PyString>() || object.hasattr("__fspath__")? {
            let file: PathBuf = object.extract()?;
            must_be_no_stencil(object.py(), &file)?;
            return Ok(MatrixArgument::File(file));
        }
        match Diagonals::of(object, width)? {
            Some(diagonals) => Ok(MatrixArgument::Diagonals(diagonals)),
            None => Entries::of(object).map(MatrixArgument::Entries),
        }
    }

    /// Takes what has entries, or the name of a file.
    fn by_entries(object: &Object<'_>) -> PyResult<MatrixArgument> {
        match object.is_instance_of::<Stencil>() {
            true => {
                Err(wrong(object.py(), "solve: a stencil has a shape of its own; leave out shape="))
            }
            false if object.is_instance_of::<PyString>() || object.hasattr("__fspath__")? => {
                MatrixArgument::of(object, None)
            }
            false => Entries::of(object).map(MatrixArgument::Entries),
        }
    }

    /// Returns the number of rows, where that is known before the matrix is read.
    pub(crate) fn rows(&self) -> Option<usize> {
        match self {
            MatrixArgument::Stencil(stencil) => {
                let (width, height, depth) = stencil.points();
                width.checked_mul(height)?.checked_mul(depth.unwrap_or(1))
            }
            MatrixArgument::File(_) | MatrixArgument::Coefficient(_) => None,
            MatrixArgument::Entries(entries) => Some(entries.n),
            MatrixArgument::Diagonals(diagonals) => Some(diagonals.n),
        }
    }

    /// Returns whether a width says something of it.
    pub(crate) fn may_have_width(&self) -> bool {
        !matches!(self, MatrixArgument::Stencil(_) | MatrixArgument::Coefficient(_))
    }
}

/// Refuses the text of a stencil, which is no file.
fn must_be_no_stencil(py: Python<'_>, file: &Path) -> PyResult<()> {
    let text = file.display().to_string();
    match text.parse::<AnyStencil>() {
        Ok(_) if !file.exists() => Err(wrong(
            py,
            format!(
                "A: there is no file {text:?}; for a stencil give quadrille_gl.stencil({text:?})"
            ),
        )),
        _ => Ok(()),
    }
}

impl Entries {
    fn of(object: &Object<'_>) -> PyResult<Entries> {
        let py = object.py();
        let (shape, rows, columns, values) = match object.hasattr("tocoo")? {
            true => {
                let all = object.call_method0("tocoo")?;
                let part = |name: &str| all.getattr(name);
                (part("shape")?, part("row")?, part("col")?, part("data")?)
            }
            false => {
                let all = crate::arrays::as_array("A", object)?;
                if all.ndim() != 2 {
                    return Err(not_a_matrix(object)?);
                }
                let places = all.call_method0("nonzero")?;
                let values = all.get_item(&places)?;
                (all.getattr("shape")?, places.get_item(0)?, places.get_item(1)?, values)
            }
        };
        let Ok((n, columns_of)) = shape.extract::<(usize, usize)>() else {
            return Err(not_a_matrix(object)?);
        };
        if n != columns_of {
            let text =
                format!("A: expected a square matrix, got {n} rows and {columns_of} columns");
            return Err(wrong(py, text));
        }
        let (rows, columns) =
            (Lent::of(&indices("A", &rows)?)?, Lent::of(&indices("A", &columns)?)?);
        Ok(Entries { n, rows, columns, values: Lent::of(&doubles("A", &values)?)? })
    }
}

fn not_a_matrix(object: &Object<'_>) -> PyResult<PyErr> {
    let kind = object.get_type().name()?;
    let text = format!(
        "A: expected a matrix of scipy.sparse, a square array, the name of a Matrix Market file or a quadrille_gl.stencil; got {kind}"
    );
    Ok(wrong(object.py(), text))
}

impl MatrixArgument {
    /// Returns the matrix. `width` is the distance of the outer bands, if it cannot be found; `grid` that of three
    /// dimensions whose points the rows are.
    pub(crate) fn matrix(
        &self,
        width: Option<usize>,
        grid: Option<Grid3>,
    ) -> Result<SystemMatrix, Failure> {
        match self {
            MatrixArgument::Stencil(stencil) => made(stencil),
            MatrixArgument::Coefficient(coefficient) => coefficient.matrix(),
            MatrixArgument::Diagonals(diagonals) => diagonals.matrix(),
            MatrixArgument::File(path) => Ok(match grid {
                Some(grid) => io::matrix_market::read_grid(path, grid)?.into(),
                None => io::matrix_market::read_system(path, width)?,
            }),
            MatrixArgument::Entries(Entries { n, rows, columns, values }) => {
                let n = *n;
                let places = || rows.iter().zip(&**columns).zip(&**values);
                // A negative index is no smaller than the matrix has rows, and is refused.
                let entries =
                    || places().map(|((row, column), value)| (index(*row), index(*column), *value));
                if let Some(grid) = grid.filter(|grid| grid.n() != n) {
                    let text = format!("shape: A has {n} rows, and the grid {} points", grid.n());
                    return Err(Failure::new(Kind::Input, text));
                }
                let matrix = match grid {
                    Some(grid) => GridMatrix::from_entries(grid, entries).map(SystemMatrix::from),
                    None => SystemMatrix::from_entries(n, width, entries),
                };
                Ok(matrix.map_err(|error| Failure::of_argument("A", error))?)
            }
        }
    }
}

fn index(index: i64) -> usize {
    usize::try_from(index).unwrap_or(usize::MAX)
}

fn made(stencil: &AnyStencil) -> Result<SystemMatrix, Failure> {
    Ok(stencil.system()?)
}

/// Refuses a width that the matrix has already.
pub(crate) fn must_have_no_width(py: Python<'_>, width: Option<usize>) -> PyResult<()> {
    match width {
        None => Ok(()),
        Some(width) => {
            let text = format!(
                "width: a stencil and a coefficient have their own, and {width} was given: leave it out"
            );
            Err(wrong(py, text))
        }
    }
}
