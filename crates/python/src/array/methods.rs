//! `array`, which makes a device array, and the methods of the class; what they do is in
//! [`super::elementwise`].

use numpy::PyArrayDescr;
use pyo3::basic::CompareOp;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use quadrille::primitives::Operation;

use super::complex::{ComplexArray, is_complex64, uploaded};
use super::lazy::{Operand, engine};
use super::operands::{number, operand, uploaded_as};
use super::picture::Picture;
use super::sorted::Order;
use super::tables::{array_methods, element_methods};
use super::whole::Kind;
use crate::arguments::unknown_keywords::refuse;
use crate::array::{Array, on_host};
use crate::arrays::as_array;
use crate::arrays::outputs::{must_fit, placed};
use crate::context::{Context, chosen};
use crate::error::wrong;
use crate::prelude::*;

/// Arrays of at most this many numbers show them.
const SHOWN: usize = 16;

/// Copies an array to the device: float32 as it is, float64 rounded with a `UserWarning` if that
/// changes a number, integers where float32 holds them, bool as bool. With `dtype`, float32, bool,
/// int32, uint32 or complex64, they become that, if each number is one. Complex numbers become a
/// `ComplexArray`, of complex64. A device array of another context is copied to this one.
///
/// Raises `InputError` for what has no axis, for other dtypes, and for numbers that float32 does
/// not hold; `LimitError` if the device's memory does not hold it.
///
/// >>> import numpy as np, quadrille_gl as q
/// >>> v = q.array(np.ones((2, 3), "float32"))
/// >>> v.shape, (v + v).sum()
/// ((2, 3), 12.0)
#[pyfunction]
#[pyo3(signature = (x, *, dtype=None, context=None, **unknown),
    text_signature = "(x, *, dtype=None, context=None)")]
pub(crate) fn array<'py>(
    x: &Object<'py>,
    dtype: Option<&Object<'py>>,
    context: Option<&Context>,
    unknown: Option<&Bound<'py, PyDict>>,
) -> Returned<'py> {
    let py = x.py();
    refuse(py, "array", unknown)?;
    if let Some(dtype) = dtype
        && is_complex64(dtype)?
    {
        return array(x, None, context, None)?.call_method1("astype", (dtype,));
    }
    let worker = chosen(py, context)?;
    let kind = dtype.map(Kind::of).transpose()?;
    if let Ok(array) = x.cast::<Array>() {
        let own = array.get().kind();
        if array.get().node.worker.is(&worker) && kind.is_none_or(|kind| kind.name() == own) {
            return Ok(array.clone().into_any());
        }
        let kind = kind.or_else(|| array.get().node.whole().map(|whole| whole.kind()));
        return Ok(Bound::new(py, uploaded_as(x, &worker, kind)?)?.into_any());
    }
    let given = match x.cast::<ComplexArray>() {
        Ok(array) if kind.is_none() && array.get().node.worker.is(&worker) => {
            return Ok(array.clone().into_any());
        }
        Ok(array) => as_array("array", &array.call_method0("to_numpy")?)?,
        Err(_) => as_array("array", x)?,
    };
    uploaded(&given, &worker, kind)
}

// shape, ndim, size, device, to_numpy, __array__ and __len__.
array_methods! { impl Array, "v" }

element_methods! {
    impl Array;
    operators {
        __add__ = "({0} + {1})";
        __radd__ = "({1} + {0})";
        __sub__ = "({0} - {1})";
        __rsub__ = "({1} - {0})";
        __mul__ = "({0} * {1})";
        __rmul__ = "({1} * {0})";
        __truediv__ = "({0} / {1})";
        __rtruediv__ = "({1} / {0})";
    }
    functions {
        __neg__ = "(-{0})";
        __pos__ = "({0})";
        __abs__ = "abs({0})";
        /// The square root of each number: NaN of a negative one.
        sqrt = "sqrt_of({0})";
        /// e to the power of each number.
        exp = "exp_of({0})";
        /// The natural logarithm of each number: -inf of 0, NaN of a negative one.
        log = "log_of({0})";
        /// The sine of each number, in radians.
        sin = "sin_of({0})";
        /// The cosine of each number, in radians.
        cos = "cos_of({0})";
        /// The hyperbolic tangent of each number.
        tanh = "tanh_of({0})";
    }
}

#[pymethods]
impl Array {
    /// NumPy's operators are left to the methods below; its other functions are refused.
    #[pyo3(signature = (ufunc, method, *inputs, **options))]
    fn __array_ufunc__<'py>(
        &self,
        ufunc: &Object<'py>,
        method: &str,
        inputs: &Bound<'py, PyTuple>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> Returned<'py> {
        super::ufunc::applied(ufunc, method, inputs, options)
    }

    /// float32, bool for the result of a comparison, or int32 or uint32.
    #[getter]
    fn dtype<'py>(&self, py: Python<'py>) -> Returned<'py> {
        py.import("numpy")?.call_method1("dtype", (self.kind(),))
    }

    /// Returns the numbers in another shape, by its lengths or as a tuple; one length may be -1,
    /// which stands for the rest.
    #[pyo3(signature = (*shape))]
    fn reshape(&self, shape: &Bound<'_, PyTuple>) -> PyResult<Array> {
        let lengths = match shape.extract::<(Vec<isize>,)>() {
            Ok((lengths,)) => lengths,
            Err(_) => shape.extract()?,
        };
        let Some(shape) = reshaped(self.size(), &lengths) else {
            let text = format!(
                "reshape: {} numbers of shape {:?} have no shape {lengths:?}",
                self.size(),
                self.shape
            );
            return Err(wrong(shape.py(), text));
        };
        Ok(Array { shape, ..self.with(self.node.clone(), self.boolean) })
    }

    /// Computes it now, where it would be computed later; returns it.
    fn evaluate(slf: Bound<'_, Self>) -> PyResult<Bound<'_, Self>> {
        if slf.get().node.whole().is_none() {
            slf.get().node.vector(slf.py())?;
        }
        Ok(slf)
    }

    /// Returns the numbers in another dtype, float32, bool, int32, uint32 or complex64, if each is
    /// one: what is not exact is an error.
    fn astype<'py>(slf: &Bound<'py, Self>, dtype: &Object<'py>) -> Returned<'py> {
        let (py, array) = (slf.py(), slf.get());
        if is_complex64(dtype)? {
            let real = slf.call_method1("astype", ("float32",))?;
            return Ok(
                Bound::new(py, ComplexArray::of_real(py, real.cast::<Array>()?.get())?)?.into_any()
            );
        }
        let kind = Kind::of(dtype)?;
        if kind.name() == array.kind() {
            return Ok(slf.clone().into_any());
        }
        if let Some(converted) = array.converted(py, kind)? {
            return Ok(Bound::new(py, converted)?.into_any());
        }
        // The host knows the place of what is not exact.
        let numbers = array.read(py)?;
        Ok(Bound::new(py, uploaded_as(&numbers, &array.node.worker, Some(kind))?)?.into_any())
    }

    /// The numbers in their order along the last axis, stable: -0 before 0, and NaN last.
    #[pyo3(signature = (*, descending=false))]
    fn sort(&self, py: Python<'_>, descending: bool) -> PyResult<Array> {
        self.in_order(py, Order::new(descending))
    }

    /// The indices along the last axis that sort the numbers, as uint32.
    #[pyo3(signature = (*, descending=false))]
    fn argsort(&self, py: Python<'_>, descending: bool) -> PyResult<Array> {
        self.order(py, Order::new(descending))
    }

    /// The different numbers in their order, flat.
    fn unique(&self, py: Python<'_>) -> PyResult<Array> {
        self.different(py, Order::new(false))
    }

    fn __getitem__(&self, py: Python<'_>, _index: &Object<'_>) -> PyResult<()> {
        Err(wrong(
            py,
            "device arrays have no indices: read it back by a = np.asarray(v) and take a[...]; q.array(a[...]) uploads a part; q.where chooses by a condition",
        ))
    }

    fn __setitem__(
        &self,
        py: Python<'_>,
        _index: &Object<'_>,
        _value: &Object<'_>,
    ) -> PyResult<()> {
        Err(wrong(
            py,
            "device arrays do not change: q.where(condition, new, v) is a new array, or change a NumPy array and upload it by q.array",
        ))
    }

    fn __bool__(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.item(py)? != 0.0)
    }

    fn __float__(&self, py: Python<'_>) -> PyResult<f64> {
        self.item(py)
    }

    /// The number of an array that has one.
    fn item(&self, py: Python<'_>) -> PyResult<f64> {
        match self.size() {
            1 => self.sum(py),
            size => Err(wrong(
                py,
                format!(
                    "expected an array of one number, got {size}: use any(), all(), sum(), min() or max()"
                ),
            )),
        }
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let device = self.device(py).unwrap_or_else(|_| "a closed context".into());
        let shown = (self.size() <= SHOWN)
            .then(|| self.read(py).and_then(|array| array.str().map(|text| format!(" {text}"))));
        let shown = shown.and_then(Result::ok).unwrap_or_default();
        let shape = self
            .shape(py)
            .and_then(|shape| shape.repr())
            .map_or_else(|_| String::new(), |text| text.to_string());
        format!("<quadrille_gl.Array {shape} {} on {device}{shown}>", self.kind())
    }

    /// A picture, as notebooks show it; None where there is none.
    fn _repr_png_<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        match Picture::of(&self.shape).filter(|_| self.node.whole().is_none()) {
            None => Ok(None),
            Some(picture) => {
                let png = picture.png(py, self.numbers(py)?)?;
                Ok(Some(PyBytes::new(py, &png)))
            }
        }
    }

    fn __pow__<'py>(&self, other: &Object<'py>, modulo: Option<&Object<'py>>) -> Returned<'py> {
        if modulo.is_some() {
            return Err(wrong(other.py(), "pow: expected no modulus of a device array"));
        }
        match number(other)? {
            Some(0.5) => self.unary(other.py(), "sqrt_of({0})"),
            // Multiplications: exact where the result is.
            Some(power) if power.abs() <= 32.0 && power.fract() == 0.0 => {
                self.unary(other.py(), &format!("integer_power_of({{0}}, {power})"))
            }
            _ => self.binary("power_of({0}, {1})", other),
        }
    }

    fn __rpow__<'py>(&self, other: &Object<'py>, _modulo: Option<&Object<'py>>) -> Returned<'py> {
        self.binary("power_of({1}, {0})", other)
    }

    fn __matmul__<'py>(&self, other: &Object<'py>) -> PyResult<f64> {
        self.dot(other)
    }

    fn __rmatmul__<'py>(&self, other: &Object<'py>) -> PyResult<f64> {
        self.dot(other)
    }

    fn __richcmp__<'py>(&self, other: &Object<'py>, op: CompareOp) -> Returned<'py> {
        let text = match op {
            CompareOp::Lt => "float({0} < {1})",
            CompareOp::Le => "float({0} <= {1})",
            CompareOp::Eq => "float({0} == {1})",
            CompareOp::Ne => "float({0} != {1})",
            CompareOp::Gt => "float({0} > {1})",
            CompareOp::Ge => "float({0} >= {1})",
        };
        self.operated(text, other, true)
    }

    /// The sums of all numbers up to each, in C order, as a flat array. Computed now: in float32,
    /// or of whole numbers modulo 2**32; of booleans in int32. Floats are added in blocks: where two
    /// sums, or one and 0, are 2**127 or more apart, a later sum may be inf or nan.
    fn cumsum(&self, py: Python<'_>) -> PyResult<Array> {
        self.scanned(py, Operation::Sum)
    }

    /// The products of all numbers up to each, in C order, as a flat array. Computed now: in float32,
    /// or of whole numbers modulo 2**32; of booleans in int32. Floats are multiplied in blocks, with a
    /// rounding for each factor: where one product, or 1, is 2**126 or more times the magnitude of
    /// another, a later product may be inf, 0 or nan though it is in float32's range.
    fn cumprod(&self, py: Python<'_>) -> PyResult<Array> {
        self.scanned(py, Operation::Product)
    }

    /// The sum of all numbers, added by the device in short chains of float32 and then in float64.
    fn sum(&self, py: Python<'_>) -> PyResult<f64> {
        self.node.vector(py)?.call(py, |state, x| Ok(engine(state)?.blas.sum(x)?))
    }

    /// The mean of all numbers.
    fn mean(&self, py: Python<'_>) -> PyResult<f64> {
        match self.size() {
            0 => Err(wrong(py, "mean: the array is empty")),
            size => Ok(self.sum(py)? / size as f64),
        }
    }

    /// The least number; NaN if there is one.
    fn min(&self, py: Python<'_>) -> PyResult<f64> {
        self.extreme(py, false)?.ok_or_else(|| wrong(py, "min: the array is empty"))
    }

    /// The greatest number; NaN if there is one.
    fn max(&self, py: Python<'_>) -> PyResult<f64> {
        self.extreme(py, true)?.ok_or_else(|| wrong(py, "max: the array is empty"))
    }

    /// Whether any number is not 0.
    fn any(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.not_zero(py)?.extreme(py, true)? == Some(1.0))
    }

    /// Whether no number is 0.
    fn all(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.not_zero(py)?.extreme(py, false)? != Some(0.0))
    }

    /// The sum of the products with another array of one axis and the same length.
    fn dot(&self, other: &Object<'_>) -> PyResult<f64> {
        let py = other.py();
        let Some(Operand::Node(node)) = operand(self, other)?.filter(|_| self.shape.len() == 1)
        else {
            return Err(wrong(
                py,
                "dot: expected two arrays of one axis and one length; q.matmul multiplies matrices",
            ));
        };
        let y = node.vector(py)?;
        self.node
            .vector(py)?
            .call(py, move |state, x| Ok(engine(state)?.blas.dot(x, &*state.get(&y)?)?))
    }

    /// The square root of the sum of all squares, none of which overflows.
    fn norm(&self, py: Python<'_>) -> PyResult<f64> {
        self.node.vector(py)?.call(py, |state, x| Ok(engine(state)?.blas.nrm2(x)?))
    }
}

impl Array {
    fn not_zero(&self, py: Python<'_>) -> PyResult<Array> {
        self.operation(py, "float({0} != 0.0)", [], true)
    }
}

/// The lengths of a shape for this many numbers, of which -1 leaves one open; `None` if they do not
/// fit.
fn reshaped(size: usize, lengths: &[isize]) -> Option<Vec<usize>> {
    let known = lengths
        .iter()
        .filter(|length| **length != -1)
        .try_fold(1_usize, |all, length| all.checked_mul(usize::try_from(*length).ok()?))?;
    let open = lengths.iter().filter(|length| **length == -1).count();
    let rest = match open {
        _ if lengths.is_empty() => None,
        0 => (known == size).then_some(1),
        1 => size.checked_div(known).filter(|rest| rest * known == size),
        _ => None,
    }?;
    Some(
        lengths
            .iter()
            .map(|length| if *length == -1 { rest } else { length.unsigned_abs() })
            .collect(),
    )
}
