//! `ComplexArray`: complex numbers that stay on the device.

use std::sync::Arc;

use numpy::{PyArrayDescr, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::types::PyTuple;
use quadrille::grid::DeviceVector;
use quadrille::memory;
use quadrille::primitives::Complex;
use quadrille::stream::Error;

use super::lazy::{Node, Operand};
use super::operands::{must_have_axes, number, sent, uploaded_as};
use super::tables::{array_methods, element_methods};
use super::whole::Kind;
use crate::array::{Array, must_have_shape, on_host};
use crate::arrays::lent::Lent;
use crate::arrays::outputs::{must_fit, placed};
use crate::arrays::pairs::{is_complex, pairs};
use crate::arrays::{as_array, shaped};
use crate::error::wrong;
use crate::prelude::*;
use crate::worker::Worker;

/// An array of complex64 on the device, as `fft` gives it and `array` makes it of complex numbers. It
/// does not change.
///
/// Operators are `+`, `-` and `*` with complex arrays, real ones of the same shape, numbers, and NumPy
/// arrays, which are uploaded; `/` by what is real; `abs`, `conj`, `real` and `imag`.
/// `np.asarray(z)` and `to_numpy` read it back.
///
/// >>> import numpy as np, quadrille_gl as q
/// >>> z = q.array(np.complex64([1 + 2j, 3j]))
/// >>> np.asarray(z * z), np.asarray(abs(z))
/// (array([-3.+4.j, -9.+0.j], dtype=complex64), array([2.236068, 3.      ], dtype=float32))
#[pyclass(frozen, module = "quadrille_gl")]
pub(crate) struct ComplexArray {
    pub(crate) shape: Vec<usize>,
    /// Real and imaginary parts in turns.
    pub(crate) node: Arc<Node>,
}

/// The other operand of an operator.
enum Other {
    Real(f32),
    Reals(Arc<Node>),
    Complex(Arc<Node>),
}

impl ComplexArray {
    /// Returns real numbers as complex ones.
    pub(crate) fn of_real(py: Python<'_>, array: &Array) -> PyResult<ComplexArray> {
        Ok(ComplexArray { shape: array.shape.clone(), node: without_imaginary(py, &array.node)? })
    }

    /// Returns the name of its dtype.
    fn kind(&self) -> &'static str {
        "complex64"
    }

    /// Returns an array of this shape.
    fn with<'py>(&self, py: Python<'py>, node: Arc<Node>) -> Returned<'py> {
        Ok(Bound::new(py, ComplexArray { shape: self.shape.clone(), node })?.into_any())
    }

    /// Applies an expression to real and imaginary parts alike.
    fn parts<'py>(&self, py: Python<'py>, text: &str, other: Option<Operand>) -> Returned<'py> {
        self.with(py, self.node.operation(py, text, other)?)
    }

    fn unary<'py>(&self, py: Python<'py>, text: &str) -> Returned<'py> {
        self.parts(py, text, None)
    }

    /// Applies an operator of complex numbers that treats real and imaginary parts alike.
    fn binary<'py>(&self, text: &str, other: &Object<'py>) -> Returned<'py> {
        let py = other.py();
        let Some(other) = self.other(other)? else { return Ok(py.NotImplemented().into_bound(py)) };
        self.parts(py, text, Some(Operand::Node(self.as_complex(py, other)?)))
    }

    /// Computes complex numbers from these and as many others, real or complex.
    fn product<'py>(
        &self,
        py: Python<'py>,
        other: &Node,
        compute: fn(&Complex, &DeviceVector, &DeviceVector, &mut DeviceVector) -> Result<(), Error>,
    ) -> Returned<'py> {
        let other = other.vector(py)?;
        let node = self.node.computed(py, self.node.length(), move |state, x, out| {
            let other = state.get(&other)?;
            Ok(compute(&*state.shared(Complex::new)?, x, &other, out)?)
        })?;
        self.with(py, node)
    }

    /// Computes a number of each, or each part, by the length of the result.
    fn of_each(
        &self,
        py: Python<'_>,
        length: usize,
        compute: fn(&Complex, &DeviceVector, &mut DeviceVector) -> Result<(), Error>,
    ) -> PyResult<Arc<Node>> {
        self.node.computed(py, length, move |state, x, out| {
            Ok(compute(&*state.shared(Complex::new)?, x, out)?)
        })
    }

    /// Computes a real number of each.
    fn reals(
        &self,
        py: Python<'_>,
        compute: fn(&Complex, &DeviceVector, &mut DeviceVector) -> Result<(), Error>,
    ) -> PyResult<Array> {
        Ok(Array::floats(&self.shape, self.of_each(py, self.node.length() / 2, compute)?))
    }

    /// Returns a new array of NumPy.
    fn read<'py>(&self, py: Python<'py>) -> Returned<'py> {
        let numbers = self.node.vector(py)?.call(py, |_, x| Ok(x.read()?))?;
        let whole = shaped(py, &[numbers.len()], numbers)?.call_method1("view", ("complex64",))?;
        whole.call_method1("reshape", (self.shape.clone(),))
    }

    /// Returns the other operand; `None` for what no operator takes.
    fn other(&self, other: &Object<'_>) -> PyResult<Option<Other>> {
        let py = other.py();
        if let Ok(array) = other.cast::<ComplexArray>() {
            self.must_fit(py, &array.get().node.worker, &array.get().shape)?;
            return Ok(Some(Other::Complex(array.get().node.clone())));
        }
        if let Ok(array) = other.cast::<Array>() {
            self.must_fit(py, &array.get().node.worker, &array.get().shape)?;
            array.get().must_have_floats(py)?;
            return Ok(Some(Other::Reals(array.get().node.clone())));
        }
        if let Some(number) = number(other)? {
            return Ok(Some(Other::Real(number)));
        }
        let numbers = py.import("numbers")?.getattr("Complex")?;
        let is_number = other.is_instance(&numbers)?
            || other.cast::<PyUntypedArray>().is_ok_and(|array| array.ndim() == 0);
        let array = match is_number {
            true => py.import("numpy")?.call_method1("full", (self.shape.clone(), other))?,
            false if other.is_instance_of::<PyUntypedArray>() => other.clone(),
            false => return Ok(None),
        };
        self.must_fit(py, &self.node.worker, array.cast::<PyUntypedArray>()?.shape())?;
        self.other(&uploaded(&as_array("array", &array)?, &self.node.worker, None)?)
    }

    fn must_fit(&self, py: Python<'_>, worker: &Worker, shape: &[usize]) -> PyResult<()> {
        if !self.node.worker.is(worker) {
            return Err(wrong(py, "the arrays belong to different contexts"));
        }
        must_have_shape(py, &self.shape, shape)
    }

    /// Returns the other operand as complex numbers.
    fn as_complex(&self, py: Python<'_>, other: Other) -> PyResult<Arc<Node>> {
        match other {
            Other::Complex(node) => Ok(node),
            Other::Reals(reals) => without_imaginary(py, &reals),
            Other::Real(number) => {
                let (worker, length) = (&self.node.worker, self.node.length() / 2);
                let numbers = memory::filled(number, length).or_raise(py)?;
                let reals = sent(py, worker, Lent::Own(numbers))?;
                without_imaginary(py, &Node::stored(reals, length))
            }
        }
    }
}

/// Returns real numbers as complex ones.
pub(super) fn without_imaginary(py: Python<'_>, reals: &Node) -> PyResult<Arc<Node>> {
    let length = reals.length();
    reals.computed(py, 2 * length, move |state, reals, out| {
        let zeros = DeviceVector::zeros(&state.context()?, length)?;
        Ok(state.shared(Complex::new)?.together(reals, &zeros, out)?)
    })
}

// shape, ndim, size, device, to_numpy, __array__ and __len__.
array_methods! { impl ComplexArray, "z" }

element_methods! {
    impl ComplexArray;
    operators {
        __add__ = "({0} + {1})";
        __radd__ = "({1} + {0})";
        __sub__ = "({0} - {1})";
        __rsub__ = "({1} - {0})";
    }
    functions {
        __neg__ = "(-{0})";
    }
}

#[pymethods]
impl ComplexArray {
    /// NumPy leaves its operators to the methods below.
    #[classattr]
    fn __array_ufunc__() -> Option<bool> {
        None
    }

    /// complex64.
    #[getter]
    fn dtype<'py>(&self, py: Python<'py>) -> Returned<'py> {
        py.import("numpy")?.call_method1("dtype", (self.kind(),))
    }

    /// The real parts.
    #[getter]
    fn real(&self, py: Python<'_>) -> PyResult<Array> {
        self.reals(py, Complex::real)
    }

    /// The imaginary parts.
    #[getter]
    fn imag(&self, py: Python<'_>) -> PyResult<Array> {
        self.reals(py, Complex::imaginary)
    }

    /// The conjugates.
    fn conj<'py>(&self, py: Python<'py>) -> Returned<'py> {
        self.with(py, self.of_each(py, self.node.length(), Complex::conjugate)?)
    }

    /// Returns the numbers in another dtype, if each is one: those of real ones are without imaginary
    /// parts.
    fn astype<'py>(slf: &Bound<'py, Self>, dtype: &Object<'py>) -> Returned<'py> {
        let (py, array) = (slf.py(), slf.get());
        if is_complex64(dtype)? {
            return Ok(slf.clone().into_any());
        }
        let parts = array.imag(py)?.numbers(py)?;
        if let Some((index, part)) = parts.iter().enumerate().find(|(_, part)| **part != 0.0) {
            let text = format!(
                "astype: expected numbers without imaginary parts, got one of {part} at index {index} in C order: take z.real, or abs(z)"
            );
            return Err(wrong(py, text));
        }
        Bound::new(py, array.real(py)?)?.call_method1("astype", (dtype,))
    }

    fn __abs__(&self, py: Python<'_>) -> PyResult<Array> {
        self.reals(py, Complex::magnitude)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let device = self.device(py).unwrap_or_else(|_| "a closed context".into());
        format!("<quadrille_gl.ComplexArray {:?} on {device}>", self.shape)
    }

    fn __mul__<'py>(&self, other: &Object<'py>) -> Returned<'py> {
        let py = other.py();
        match self.other(other)? {
            None => Ok(py.NotImplemented().into_bound(py)),
            Some(Other::Real(number)) => {
                self.parts(py, "({0} * {1})", Some(Operand::Number(number)))
            }
            Some(Other::Reals(reals)) => self.product(py, &reals, Complex::scale),
            Some(Other::Complex(node)) => self.product(py, &node, Complex::product),
        }
    }

    fn __rmul__<'py>(&self, other: &Object<'py>) -> Returned<'py> {
        self.__mul__(other)
    }

    fn __truediv__<'py>(&self, other: &Object<'py>) -> Returned<'py> {
        let py = other.py();
        match self.other(other)? {
            None => Ok(py.NotImplemented().into_bound(py)),
            Some(Other::Real(number)) => {
                self.parts(py, "({0} / {1})", Some(Operand::Number(number)))
            }
            Some(Other::Reals(reals)) => {
                let inverse = reals.operation(py, "({1} / {0})", [Operand::Number(1.0)])?;
                self.product(py, &inverse, Complex::scale)
            }
            Some(Other::Complex(_)) => Err(wrong(
                py,
                "complex device arrays are divided by what is real: write z * w.conj() / abs(w) ** 2",
            )),
        }
    }
}

/// Returns whether a dtype, or the name of one, is complex64.
pub(crate) fn is_complex64(dtype: &Object<'_>) -> PyResult<bool> {
    let made = dtype.py().import("numpy")?.call_method1("dtype", (dtype,))?;
    Ok(made.getattr("name")?.extract::<String>()? == "complex64")
}

/// Copies an array of the host to a device as numbers of this type, else complex numbers as a
/// `ComplexArray`: complex64 as they are, complex128 rounded with a warning if that changes a
/// number.
pub(crate) fn uploaded<'py>(
    array: &Bound<'py, PyUntypedArray>,
    worker: &Worker,
    kind: Option<Kind>,
) -> Returned<'py> {
    let py = array.py();
    if kind.is_some() || !is_complex(array) {
        return Ok(Bound::new(py, uploaded_as(array, worker, kind)?)?.into_any());
    }
    must_have_axes(array)?;
    let parts = pairs("array", array)?;
    let (shape, length) = (array.shape().to_vec(), 2 * array.len());
    let node = Node::stored(sent(py, worker, Lent::of(&parts)?)?, length);
    Ok(Bound::new(py, ComplexArray { shape, node })?.into_any())
}
