//! `matmul`: products of dense matrices.

use numpy::{PyReadonlyArrayDyn, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::types::PyDict;
use quadrille::Observer;
use quadrille::data::Matrix;
use quadrille::linalg::matmul::{Checked, Element, Multiplier, Options};
use quadrille::memory;
use quadrille::{Kind, Shape};

use crate::arguments::progress::Telling;
use crate::arguments::specified;
use crate::arrays::doubles::{as_type, typed};
use crate::arrays::lent::Lent;
use crate::arrays::outputs::{must_fit, placed};
use crate::arrays::{Array, as_array, shaped};
use crate::context::{Context, chosen};
use crate::error::{Failure, wrong};
use crate::prelude::*;
use crate::worker::Watch;
use crate::worker::state::State;

/// Multiplies two dense matrices, C = A B, by one of twelve methods.
///
/// `a` has the shape `(m, k)` and `b` `(k, n)`; a vector of `k` numbers is a row as `a` and a
/// column as `b`, and its axis is not in C. The product is float32 where one of them is of floats:
/// float64 is rounded with a `UserWarning`, and an element is off by at most the bound of rounding
/// for k products and sums in float32. Two matrices of int16 have a product of int16, and other
/// integers and bool one of int32; these wrap around. Integers of other types than int16 and int32
/// are refused where a product could wrap: convert them by `astype("int32")`.
///
/// `method` is `"auto"`, `"serial"`, `"element"`, `"cp"`, `"sp"`, `"block4x4"`, `"block8x4"`,
/// `"block8x8"`, `"block16x8"`, `"compute-simple"`, `"compute-tiled"`, `"compute-shared"` or
/// `"compute-blocked"`; integers have fewer. Its options, of which each method has some: `unroll`
/// (steps per loop iteration), `passes`, `split` (parts of k at the same time), `tile` (elements of
/// C, `16` or `(width, height)`), `order` (`"rows"`, `"columns"`, `"morton"`, `"hilbert"`), `cover`
/// (`"quad"`, `"triangle"`), `transpose` (operands stored transposed: `"a"`, `"b"`, `"both"`,
/// `"none"`), `padding` (texels), `strips` (texels), `cell` (`1`, `4`, `"2x2"`), and `reads`
/// (`"fetch"`, `"sample"`, `"buffer"`). With `check=True` each element is compared with double
/// precision, and the same plan must multiply matrices of -1 and 1 exactly; `progress` is of that. An
/// infinity is right where the exact element rounds to it, and wrong where only sums on the way exceed
/// the range of floats.
/// `out` takes an array of the product's shape and dtype, which it is written to; it may overlap an
/// operand.
///
/// Raises `InputError` for shapes, names and options that do not fit, `LimitError` where the device
/// cannot run the method, and `Error` for a product that the check finds wrong.
///
/// >>> import numpy as np, quadrille_gl as q
/// >>> q.matmul(np.float32([[1, 2], [3, 4]]), np.float32([[0, 1], [1, 0]]), method="element", check=True)
/// array([[2., 1.],
///        [4., 3.]], dtype=float32)
#[pyfunction]
#[pyo3(signature = (a, b, *, out=None, check=false, progress=None, context=None, **options),
    text_signature = "(a, b, *, out=None, method=\"auto\", unroll=None, passes=None, split=None, tile=None, order=None, cover=None, transpose=None, padding=None, strips=None, cell=None, reads=None, check=False, progress=None, context=None)")]
pub(crate) fn matmul<'py>(
    a: &Object<'py>,
    b: &Object<'py>,
    out: Option<Object<'py>>,
    check: bool,
    progress: Option<Object<'py>>,
    context: Option<&Context>,
    options: Option<&Bound<'py, PyDict>>,
) -> Returned<'py> {
    let py = a.py();
    let options: Options = specified::options(py, "matmul", options)?;
    let (a, b) = (Operand::of("a", a)?, Operand::of("b", b)?);
    let request = Request { options, check, out, progress, context };
    let kinds = (a.kind()?, b.kind()?);
    must_be_a_product(py, a.shape(), b.shape())?;
    match kinds {
        (ElementType::Short, ElementType::Short) => {
            request.run(py, &a, &b, |operand| operand.integers::<i16>("int16"))
        }
        (ElementType::Float, _) | (_, ElementType::Float) => {
            request.run(py, &a, &b, Operand::floats)
        }
        _ => {
            must_not_wrap(py, &a, &b)?;
            request.run(py, &a, &b, |operand| operand.integers::<i32>("int32"))
        }
    }
}

/// Refuses matrices that cannot be multiplied, before anything is made of them.
fn must_be_a_product(py: Python<'_>, a: Shape, b: Shape) -> PyResult<()> {
    match a.cols == b.rows {
        true => Ok(()),
        false => {
            let error = quadrille::linalg::matmul::Error::Inner { a, b };
            Err(Failure::from(error).into_exception(py))
        }
    }
}

/// The types of elements that there are methods for.
#[derive(Clone, Copy, PartialEq)]
enum ElementType {
    Float,
    Int,
    Short,
}

/// An operand, before it is converted.
struct Operand<'py> {
    name: &'static str,
    array: Bound<'py, PyUntypedArray>,
}

impl<'py> Operand<'py> {
    fn of(name: &'static str, object: &Object<'py>) -> PyResult<Operand<'py>> {
        let array = as_array(name, object)?;
        if !matches!(array.ndim(), 1 | 2) {
            let text =
                format!("{name}: expected a matrix or a vector, got the shape {:?}", array.shape());
            return Err(wrong(object.py(), text));
        }
        Ok(Operand { name, array })
    }

    /// The shape as a matrix.
    fn shape(&self) -> Shape {
        match *self.array.shape() {
            [rows, cols] => Shape::new(rows, cols),
            _ if self.name == "a" => Shape::new(1, self.array.len()),
            _ => Shape::new(self.array.len(), 1),
        }
    }

    fn dtype(&self) -> (char, usize) {
        use numpy::PyArrayDescrMethods;
        let dtype = self.array.dtype();
        (char::from(dtype.kind()), dtype.itemsize())
    }

    fn kind(&self) -> PyResult<ElementType> {
        match self.dtype() {
            ('f', 2 | 4 | 8) => Ok(ElementType::Float),
            ('i', 2) => Ok(ElementType::Short),
            ('i' | 'u' | 'b', _) => Ok(ElementType::Int),
            _ => {
                let dtype = self.array.dtype();
                let text = format!(
                    "{}: expected an array of float16, float32, float64, bool or integers; got dtype {dtype}",
                    self.name
                );
                Err(wrong(self.array.py(), text))
            }
        }
    }

    /// Converts to float32: floats are rounded with a warning, integers must be exact.
    fn floats(&self) -> PyResult<PyReadonlyArrayDyn<'py, f32>> {
        if let Array::F32(array) = Array::take(self.name, &self.array)? {
            return Ok(array);
        }
        if !self.within(-16_777_216.0, 16_777_216.0)? {
            let text = format!(
                "{}: expected integers that float32 holds exactly, up to 2^24, as the other operand is of floats",
                self.name
            );
            return Err(wrong(self.array.py(), text));
        }
        typed(as_type(&self.array, "float32")?)
    }

    /// Converts to integers of a type that holds them.
    fn integers<T: numpy::Element>(&self, dtype: &str) -> PyResult<PyReadonlyArrayDyn<'py, T>> {
        if !self.within(f64::from(i32::MIN), f64::from(i32::MAX))? {
            let text = format!("{}: expected integers that {dtype} holds", self.name);
            return Err(wrong(self.array.py(), text));
        }
        typed(as_type(&self.array, dtype)?)
    }

    /// Whether all integers are between two of at most 2^53, which doubles compare exactly.
    fn within(&self, least: f64, most: f64) -> PyResult<bool> {
        if self.array.is_empty() {
            return Ok(true);
        }
        let end =
            |name: &str| self.array.call_method0(name)?.call_method0("item")?.extract::<f64>();
        Ok(end("min")? >= least && end("max")? <= most)
    }

    /// The largest magnitude; 0 without numbers.
    fn largest(&self) -> PyResult<f64> {
        if self.array.is_empty() {
            return Ok(0.0);
        }
        let largest = as_type(&self.array, "float64")?.call_method0("__abs__")?;
        largest.call_method0("max")?.extract()
    }

    /// Whether this is of a type whose products wrap where NumPy's do.
    fn wraps(&self) -> bool {
        matches!(self.dtype(), ('i', 2 | 4))
    }
}

/// Refuses numbers whose sums may not be in int32 unless the caller's type says so.
fn must_not_wrap(py: Python<'_>, a: &Operand<'_>, b: &Operand<'_>) -> PyResult<()> {
    if a.wraps() && b.wraps() {
        return Ok(());
    }
    let most = a.largest()? * b.largest()? * a.shape().cols as f64;
    match most < f64::from(i32::MAX) {
        true => Ok(()),
        false => {
            let text = format!(
                "the product of {} and {} is int32, which sums of up to {most:.3e} could exceed: convert both by astype(\"int32\") for \
                 sums that wrap around, or by astype(\"float32\")",
                a.array.dtype(),
                b.array.dtype()
            );
            Err(wrong(py, text))
        }
    }
}

/// The options of a product besides the operands.
struct Request<'a, 'py> {
    options: Options,
    check: bool,
    out: Option<Object<'py>>,
    progress: Option<Object<'py>>,
    context: Option<&'a Context>,
}

impl<'py> Request<'_, 'py> {
    fn run<T: Element + numpy::Element>(
        self,
        py: Python<'py>,
        a: &Operand<'py>,
        b: &Operand<'py>,
        numbers: impl Fn(&Operand<'py>) -> PyResult<PyReadonlyArrayDyn<'py, T>>,
    ) -> Returned<'py> {
        let mut shape = Vec::new();
        shape.extend((a.array.ndim() == 2).then_some(a.shape().rows));
        shape.extend((b.array.ndim() == 2).then_some(b.shape().cols));
        must_fit(self.out.as_ref(), &numpy::dtype::<T>(py), &shape)?;
        let (numbers_a, numbers_b) = (numbers(a)?, numbers(b)?);
        let job = ProductJob {
            a: (a.shape(), Lent::of(&numbers_a)?),
            b: (b.shape(), Lent::of(&numbers_b)?),
            options: self.options,
            check: self.check,
        };
        let telling = Telling::of(py, self.progress, "rows")?;
        let worker = chosen(py, self.context)?;
        let work = move |state: &mut State, watch: &mut Watch| job.run(state, watch);
        let c = worker.call_telling(py, Some(&telling), work);
        telling.end(None)?;
        let c = shaped(py, &[c.as_ref().map_or(0, Vec::len)], c?)?;
        // Of two vectors it is a number, as in NumPy.
        let c = match shape.is_empty() {
            true => c.get_item(0)?,
            false => c.call_method1("reshape", (shape,))?,
        };
        placed(self.out.as_ref(), c)
    }
}

/// A product as the worker's thread sees it.
struct ProductJob<T> {
    a: (Shape, Lent<T>),
    b: (Shape, Lent<T>),
    options: Options,
    check: bool,
}

impl<T: Element> ProductJob<T> {
    fn run(&self, state: &mut State, watch: &mut Watch) -> Result<Vec<T>, Failure> {
        let (a, b) = (self.a.0, self.b.0);
        if self.check {
            Checked::must_be_possible::<T>(a)?;
        }
        let mut product = Multiplier::<T>::new(&state.context()?, a, b, self.options)?;
        let (a, b) = (matrix(self.a.0, &self.a.1)?, matrix(self.b.0, &self.b.1)?);
        product.load(&a, &b)?;
        product.run()?;
        let c = product.read()?;
        if self.check {
            let mut observe = |_: &'static str, progress: &_| watch.observe(progress);
            let checked = Checked::of(&a, &b, &c, &mut product, &mut observe)?;
            let Some(checked) = checked else {
                return Err(Failure::new(Kind::Cancelled, "stopped while checking the product"));
            };
            if let Some(complaint) = checked.complaint() {
                let text = format!(
                    "{complaint}. Try another method, and see what quadrille_gl.doctor() finds"
                );
                return Err(Failure::new(Kind::Failed, text));
            }
        }
        Ok(c.into_elements())
    }
}

fn matrix<T: Element>(shape: Shape, numbers: &[T]) -> Result<Matrix<T>, Failure> {
    Ok(Matrix::new(shape, memory::copied(numbers)?)?)
}
