//! `ComplexArray`: complex numbers that stay on the device.

use std::sync::Arc;

use numpy::{Complex32, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::types::PyTuple;
use quadrille::grid::DeviceVector;
use quadrille::memory;
use quadrille::primitives::Complex;
use quadrille::stream::Error;

use super::lazy::{Node, Operand, Vector, computed, vector};
use super::operands::{must_have_axes, number, sent, uploaded_as};
use crate::array::{Array, on_host};
use crate::arrays::lent::Lent;
use crate::arrays::outputs::placed;
use crate::arrays::pairs::{is_complex, pairs};
use crate::arrays::{as_array, shaped};
use crate::error::{Failure, wrong};
use crate::prelude::*;
use crate::worker::Worker;
use crate::worker::state::State;

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
    pub(crate) worker: Worker,
    pub(crate) shape: Vec<usize>,
    /// Real and imaginary parts in turns.
    node: Arc<Node>,
}

/// The other operand of an operator.
enum Other {
    Real(f32),
    Reals(Vector),
    Complex(Arc<Node>),
}

impl ComplexArray {
    /// Returns an array of numbers that are there.
    pub(crate) fn stored(worker: &Worker, shape: Vec<usize>, numbers: Vector) -> ComplexArray {
        let length = 2 * shape.iter().product::<usize>();
        ComplexArray { worker: worker.clone(), shape, node: Node::stored(numbers, length) }
    }

    /// Returns real numbers as complex ones.
    pub(crate) fn of_real(py: Python<'_>, array: &Array) -> PyResult<ComplexArray> {
        let (worker, shape) = (array.worker.clone(), array.shape.clone());
        let reals = Other::Reals(array.vector(py)?);
        // Only the worker and the shape are asked for.
        let like = ComplexArray { worker, shape, node: array.node.clone() };
        let node = like.as_complex(py, reals)?;
        Ok(ComplexArray { node, ..like })
    }

    /// Returns the numbers on the device.
    pub(crate) fn vector(&self, py: Python<'_>) -> PyResult<Vector> {
        vector(py, &self.worker, &self.node)
    }

    fn length(&self) -> usize {
        self.shape.iter().product()
    }

    /// An operation on real and imaginary parts alike.
    fn parts<'py>(&self, py: Python<'py>, text: &str, others: Vec<Operand>) -> Returned<'py> {
        let mut operands = vec![Operand::Node(self.node.clone())];
        operands.extend(others);
        let node = Node::term(py, &self.worker, 2 * self.length(), text, operands)?;
        let (worker, shape) = (self.worker.clone(), self.shape.clone());
        Ok(Bound::new(py, ComplexArray { worker, shape, node })?.into_any())
    }

    fn real_array(&self, numbers: Vector) -> Array {
        let node = Node::stored(numbers, self.length());
        Array { worker: self.worker.clone(), shape: self.shape.clone(), boolean: false, node }
    }

    fn of<'py>(&self, py: Python<'py>, numbers: Vector) -> Returned<'py> {
        let array = ComplexArray::stored(&self.worker, self.shape.clone(), numbers);
        Ok(Bound::new(py, array)?.into_any())
    }

    /// Computes a vector of this many numbers from this one.
    fn computed(
        &self,
        py: Python<'_>,
        length: usize,
        compute: impl FnOnce(&mut State, &DeviceVector, &mut DeviceVector) -> Result<(), Failure>
        + Send
        + 'static,
    ) -> PyResult<Vector> {
        computed(py, &self.vector(py)?, length, compute)
    }

    /// Computes a real number of each.
    fn reals(
        &self,
        py: Python<'_>,
        compute: fn(&Complex, &DeviceVector, &mut DeviceVector) -> Result<(), Error>,
    ) -> PyResult<Array> {
        let numbers = self.computed(py, self.length(), move |state, x, out| {
            Ok(compute(&*state.shared(Complex::new)?, x, out)?)
        })?;
        Ok(self.real_array(numbers))
    }

    /// Returns the other operand; `None` for what no operator takes.
    fn other(&self, other: &Object<'_>) -> PyResult<Option<Other>> {
        let py = other.py();
        if let Ok(array) = other.cast::<ComplexArray>() {
            self.must_fit(py, &array.get().worker, &array.get().shape)?;
            return Ok(Some(Other::Complex(array.get().node.clone())));
        }
        if let Ok(array) = other.cast::<Array>() {
            self.must_fit(py, &array.get().worker, &array.get().shape)?;
            array.get().must_have_floats(py)?;
            return Ok(Some(Other::Reals(array.get().vector(py)?)));
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
        self.must_fit(py, &self.worker, array.cast::<PyUntypedArray>()?.shape())?;
        let array = as_array("array", &array)?;
        if is_complex(&array) {
            return Ok(Some(Other::Complex(uploaded_complex(&array, &self.worker)?.node)));
        }
        let array = uploaded_as(&array, &self.worker, None)?;
        Ok(Some(Other::Reals(array.vector(py)?)))
    }

    fn must_fit(&self, py: Python<'_>, worker: &Worker, shape: &[usize]) -> PyResult<()> {
        if !self.worker.is(worker) {
            return Err(wrong(py, "the arrays belong to different contexts"));
        }
        if self.shape != shape {
            let text = format!(
                "the arrays have different shapes, {:?} and {shape:?}: device arrays broadcast numbers alone",
                self.shape
            );
            return Err(wrong(py, text));
        }
        Ok(())
    }

    /// Returns the other operand as complex numbers.
    fn as_complex(&self, py: Python<'_>, other: Other) -> PyResult<Arc<Node>> {
        let (reals, number) = match other {
            Other::Complex(node) => return Ok(node),
            Other::Reals(reals) => (Some(reals), 0.0),
            Other::Real(number) => (None, number),
        };
        let length = self.length();
        let joined = self.worker.make(py, move |state| {
            let context = state.context()?;
            let real = match &reals {
                Some(reals) => state.get(reals)?,
                None => {
                    let numbers = memory::filled(number, length)?;
                    std::rc::Rc::new(DeviceVector::from_host(&context, &numbers)?)
                }
            };
            let complex = state.shared(Complex::new)?;
            let mut out = DeviceVector::uninit(&context, 2 * length)?;
            complex.together(&real, &DeviceVector::zeros(&context, length)?, &mut out)?;
            Ok(out)
        })?;
        Ok(Node::stored(joined, 2 * length))
    }

    fn sum<'py>(&self, text: &str, other: &Object<'py>) -> Returned<'py> {
        let py = other.py();
        match self.other(other)? {
            None => Ok(py.NotImplemented().into_bound(py)),
            Some(other) => {
                let other = self.as_complex(py, other)?;
                self.parts(py, text, vec![Operand::Node(other)])
            }
        }
    }
}

#[pymethods]
impl ComplexArray {
    /// NumPy leaves its operators to the methods below.
    #[classattr]
    fn __array_ufunc__() -> Option<bool> {
        None
    }

    /// The lengths of its axes.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.shape)
    }

    /// The number of its axes.
    #[getter]
    fn ndim(&self) -> usize {
        self.shape.len()
    }

    /// The number of elements.
    #[getter]
    fn size(&self) -> usize {
        self.length()
    }

    /// complex64.
    #[getter]
    fn dtype<'py>(&self, py: Python<'py>) -> Returned<'py> {
        py.import("numpy")?.call_method1("dtype", ("complex64",))
    }

    /// The name of the device that it is on.
    #[getter]
    fn device(&self, py: Python<'_>) -> PyResult<String> {
        self.worker.renderer(py)
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
        let numbers = self.computed(py, 2 * self.length(), move |state, x, out| {
            Ok(state.shared(Complex::new)?.conjugate(x, out)?)
        })?;
        self.of(py, numbers)
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

    fn __len__(&self) -> usize {
        self.shape.first().copied().unwrap_or_default()
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let device = self.device(py).unwrap_or_else(|_| "a closed context".into());
        format!("<quadrille_gl.ComplexArray {:?} on {device}>", self.shape)
    }

    /// Reads it back: a new array, or `out` of the same shape and dtype.
    #[pyo3(signature = (out=None))]
    fn to_numpy<'py>(&self, py: Python<'py>, out: Option<Object<'py>>) -> Returned<'py> {
        crate::arrays::outputs::must_fit::<Complex32>(out.as_ref(), &self.shape)?;
        let numbers = self.vector(py)?.call(py, |_, x| Ok(x.read()?))?;
        let whole = shaped(py, &[numbers.len()], numbers)?.call_method1("view", ("complex64",))?;
        placed(out.as_ref(), whole.call_method1("reshape", (self.shape.clone(),))?)
    }

    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<Object<'py>>,
        copy: Option<bool>,
    ) -> Returned<'py> {
        on_host("z", dtype, copy, || self.to_numpy(py, None))
    }

    fn __neg__<'py>(&self, py: Python<'py>) -> Returned<'py> {
        self.parts(py, "(-{0})", Vec::new())
    }

    fn __add__<'py>(&self, other: &Object<'py>) -> Returned<'py> {
        self.sum("({0} + {1})", other)
    }

    fn __radd__<'py>(&self, other: &Object<'py>) -> Returned<'py> {
        self.sum("({1} + {0})", other)
    }

    fn __sub__<'py>(&self, other: &Object<'py>) -> Returned<'py> {
        self.sum("({0} - {1})", other)
    }

    fn __rsub__<'py>(&self, other: &Object<'py>) -> Returned<'py> {
        self.sum("({1} - {0})", other)
    }

    fn __mul__<'py>(&self, other: &Object<'py>) -> Returned<'py> {
        let py = other.py();
        let length = 2 * self.length();
        let numbers = match self.other(other)? {
            None => return Ok(py.NotImplemented().into_bound(py)),
            Some(Other::Real(number)) => {
                return self.parts(py, "({0} * {1})", vec![Operand::Number(number)]);
            }
            Some(Other::Reals(reals)) => self.computed(py, length, move |state, x, out| {
                let reals = state.get(&reals)?;
                Ok(state.shared(Complex::new)?.scale(x, &reals, out)?)
            })?,
            Some(Other::Complex(node)) => {
                let other = vector(py, &self.worker, &node)?;
                self.computed(py, length, move |state, x, out| {
                    let other = state.get(&other)?;
                    Ok(state.shared(Complex::new)?.product(x, &other, out)?)
                })?
            }
        };
        self.of(py, numbers)
    }

    fn __rmul__<'py>(&self, other: &Object<'py>) -> Returned<'py> {
        self.__mul__(other)
    }

    fn __truediv__<'py>(&self, other: &Object<'py>) -> Returned<'py> {
        let py = other.py();
        match self.other(other)? {
            None => Ok(py.NotImplemented().into_bound(py)),
            Some(Other::Real(number)) => {
                self.parts(py, "({0} / {1})", vec![Operand::Number(number)])
            }
            Some(Other::Reals(reals)) => {
                let reals = Bound::new(py, self.real_array(reals))?;
                let inverse = reals.call_method1("__rtruediv__", (1.0_f32,))?;
                self.__mul__(&inverse)
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

/// Returns complex numbers of the host on a worker's device: complex64 as they are, complex128 rounded
/// with a warning if that changes a number.
pub(crate) fn uploaded_complex(
    array: &Bound<'_, PyUntypedArray>,
    worker: &Worker,
) -> PyResult<ComplexArray> {
    must_have_axes(array)?;
    let parts = pairs("array", array)?;
    let vector = sent(array.py(), worker, Lent::of(&parts)?)?;
    Ok(ComplexArray::stored(worker, array.shape().to_vec(), vector))
}
