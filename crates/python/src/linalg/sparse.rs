//! `sparse`: sparse matrices on the device, and their products with arrays there.

use std::path::PathBuf;

use pyo3::types::{PyDict, PyString, PyTuple};
use quadrille::data::Csr;
use quadrille::grid::DeviceVector;
use quadrille::linalg::sparse::Operator;
use quadrille::{Shape, io, memory};

use crate::arguments::unknown_keywords::refuse;
use crate::array::Array;
use crate::array::lazy::{Node, Vector};
use crate::array::operands::on_device;
use crate::arrays::doubles::{doubles, indices};
use crate::arrays::lent::Lent;
use crate::context::{Context, chosen};
use crate::error::{Failure, wrong};
use crate::prelude::*;
use crate::worker::Worker;
use crate::worker::handle::Handle;

/// A sparse matrix on the device, in float32; `quadrille_gl.sparse` makes one. It does not change.
///
/// `a @ x` is its product with a vector: a device array for a device array, and NumPy's for NumPy's.
#[pyclass(frozen, module = "quadrille_gl")]
pub(crate) struct SparseMatrix {
    worker: Worker,
    operator: Handle<Operator>,
    shape: Shape,
    /// The entries.
    #[pyo3(get)]
    nnz: usize,
    /// How many entries were added to another one at the same place.
    #[pyo3(get)]
    doubled: usize,
    /// The bound of an element's error, relative to the sum of the magnitudes of its terms.
    #[pyo3(get)]
    error_bound: f64,
}

/// A matrix argument, before it is read.
enum Given {
    File(PathBuf),
    Rows { shape: Shape, starts: Lent<i64>, columns: Lent<i64>, values: Lent<f64> },
}

/// Copies a sparse matrix of any shape to the device, for products there: one of SciPy in any format, or
/// a Matrix Market file by its name. Numbers are rounded to float32.
///
/// Columns of a row may be in any order, and entries at one place are summed; `doubled` counts those.
/// Raises `InputError` for row starts that fall, columns that do not exist and numbers that are not
/// finite; `LimitError` if the device's memory does not hold it.
///
/// >>> import numpy as np, quadrille_gl as q, scipy.sparse as sp
/// >>> a = q.sparse(sp.csr_array([[2.0, 0, 1], [0, 3, 0]]))
/// >>> x = q.array(np.float32([1, 2, 3]))
/// >>> np.asarray(a @ x), a.shape, a.nnz
/// (array([5., 6.], dtype=float32), (2, 3), 3)
/// >>> np.asarray(a.product(x, alpha=2, beta=-1, y=a @ x))
/// array([5., 6.], dtype=float32)
#[pyfunction]
#[pyo3(signature = (a, *, context=None, **unknown), text_signature = "(a, *, context=None)")]
pub(crate) fn sparse(
    a: &Object<'_>,
    context: Option<&Context>,
    unknown: Option<&Bound<'_, PyDict>>,
) -> PyResult<SparseMatrix> {
    let py = a.py();
    refuse(py, "sparse", unknown)?;
    let worker = chosen(py, context)?;
    let given = Given::of(a)?;
    let keeper = worker.clone();
    worker.call(py, move |state, _| {
        let matrix = given.read()?;
        let operator = Operator::new(&state.context()?, &matrix)?;
        let (shape, nnz) = (operator.shape(), operator.entries());
        let error_bound = operator.error_bound();
        let operator = Handle::new(&keeper, state.keep(operator));
        let doubled = matrix.doubled();
        Ok(SparseMatrix { worker: keeper, operator, shape, nnz, doubled, error_bound })
    })
}

impl Given {
    fn of(a: &Object<'_>) -> PyResult<Given> {
        let py = a.py();
        if a.is_instance_of::<PyString>() || a.hasattr("__fspath__")? {
            return Ok(Given::File(a.extract()?));
        }
        if !a.hasattr("tocsr")? {
            let text = format!(
                "A: expected a matrix of scipy.sparse or the name of a Matrix Market file, got {}; quadrille_gl.matmul multiplies dense \
                 arrays",
                a.get_type().name()?
            );
            return Err(wrong(py, text));
        }
        let rows = a.call_method0("tocsr")?;
        let (rows_of, columns_of) = rows.getattr("shape")?.extract()?;
        let starts = Lent::of(&indices("A", &rows.getattr("indptr")?)?)?;
        let columns = Lent::of(&indices("A", &rows.getattr("indices")?)?)?;
        let values = Lent::of(&doubles("A", &rows.getattr("data")?)?)?;
        Ok(Given::Rows { shape: Shape::new(rows_of, columns_of), starts, columns, values })
    }

    /// Returns the matrix in 32-bit floats.
    fn read(&self) -> Result<Csr, Failure> {
        match self {
            Given::File(path) => Ok(io::matrix_market::read_csr(path)?),
            Given::Rows { shape, starts, columns, values } => {
                let starts = whole("row start", starts)?;
                let columns = whole("column", columns)?;
                let matrix = Csr::new(*shape, starts, columns, memory::copied(values)?);
                let matrix = matrix.and_then(|matrix| matrix.map(|_, _, entry| entry));
                matrix.map_err(|error| Failure::of_argument("A", error))
            }
        }
    }
}

/// Numbers that count or are places.
fn whole<T: TryFrom<i64>>(what: &str, numbers: &[i64]) -> Result<Vec<T>, Failure> {
    let mut all = memory::with_room(numbers.len())?;
    for (at, number) in numbers.iter().enumerate() {
        let converted = T::try_from(*number).map_err(|_| {
            let text = format!("A: {what} {at} is {number}, which no matrix has");
            Failure::new(quadrille::Kind::Input, text)
        })?;
        all.push(converted);
    }
    Ok(all)
}

#[pymethods]
impl SparseMatrix {
    /// The rows and the columns.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, [self.shape.rows, self.shape.cols])
    }

    fn __matmul__<'py>(&self, x: &Object<'py>) -> Returned<'py> {
        self.product(x, 1.0, 0.0, None)
    }

    /// Returns `alpha a @ x + beta y`: a device array where x is one, else NumPy's.
    ///
    /// Raises `InputError` for other lengths than the matrix has columns and rows, and for a beta
    /// other than 0 without y.
    #[pyo3(signature = (x, *, alpha=1.0, beta=0.0, y=None))]
    fn product<'py>(
        &self,
        x: &Object<'py>,
        alpha: f32,
        beta: f32,
        y: Option<&Object<'py>>,
    ) -> Returned<'py> {
        let py = x.py();
        if beta != 0.0 && y.is_none() {
            return Err(wrong(
                py,
                format!("beta is {beta}, and there is no y: give it, or leave beta out"),
            ));
        }
        let y = y.filter(|_| beta != 0.0).map(|y| self.operand("y", y, self.shape.rows));
        let (from, y) = (self.operand("x", x, self.shape.cols)?, y.transpose()?);
        let length = self.shape.rows;
        let result = self.operator.make(py, move |state, operator| {
            let mut result = DeviceVector::uninit(&state.context()?, length)?;
            if let Some(y) = &y {
                let y: std::rc::Rc<DeviceVector> = state.get(y)?;
                result.copy_from(&y)?;
            }
            operator.accumulate(alpha, &*state.get(&from)?, beta, &mut result)?;
            Ok(result)
        })?;
        let array = Array::flat(Node::stored(result, length), false);
        if x.is_instance_of::<Array>() {
            return Ok(Bound::new(py, array)?.into_any());
        }
        array.read(py)
    }

    fn __repr__(&self) -> String {
        let Shape { rows, cols } = self.shape;
        format!("<quadrille_gl.SparseMatrix of {rows} x {cols}, {} entries>", self.nnz)
    }
}

impl SparseMatrix {
    /// Returns a vector of this length on the matrix's device.
    fn operand(&self, name: &str, given: &Object<'_>, length: usize) -> PyResult<Vector> {
        let py = given.py();
        let array = on_device(given, &self.worker, None)?;
        let array = array.get();
        if !array.node.worker.is(&self.worker) {
            let text = format!(
                "{name} belongs to another context: q.array(v, context=...) copies it to the matrix's"
            );
            return Err(wrong(py, text));
        }
        if array.shape != [length] {
            let Shape { rows, cols } = self.shape;
            let text = format!(
                "{name}: expected the shape ({length},) for a matrix of {rows} x {cols}, got {:?}",
                array.shape
            );
            return Err(wrong(py, text));
        }
        array.node.vector(py)
    }
}
