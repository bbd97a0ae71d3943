//! Fourier, sine and cosine transforms of device arrays and of NumPy arrays.

use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::Hash;
use std::rc::Rc;

use quadrille::grid::DeviceVector;
use quadrille::primitives::{Axis, Complex, Fft, RealFft, Trigonometric, TrigonometricFft};

use super::complex::{ComplexArray, uploaded_complex};
use super::lazy::{Node, Vector, computed};
use super::operands::uploaded_as;
use crate::array::Array;
use crate::arrays::as_array;
use crate::arrays::pairs::is_complex;
use crate::context::{Context, chosen};
use crate::error::{Failure, wrong};
use crate::prelude::*;
use crate::worker::Worker;
use crate::worker::state::State;

/// What a function was given: numbers on the device, real or complex, and whether they came from the
/// host, where the result goes then.
pub(super) struct Given {
    pub(super) worker: Worker,
    pub(super) shape: Vec<usize>,
    pub(super) numbers: Vector,
    pub(super) complex: bool,
    pub(super) from_host: bool,
}

impl Given {
    pub(super) fn take(x: &Object<'_>, context: Option<&Context>) -> PyResult<Given> {
        let py = x.py();
        if let Ok(array) = x.cast::<ComplexArray>() {
            let array = array.get();
            return Given::of(array.worker.clone(), &array.shape, array.vector(py)?, true, false);
        }
        if let Ok(array) = x.cast::<Array>() {
            let array = array.get();
            array.must_have_floats(py)?;
            let numbers = array.vector(py)?;
            return Given::of(array.worker.clone(), &array.shape, numbers, false, false);
        }
        let worker = chosen(py, context)?;
        let array = as_array("array", x)?;
        if is_complex(&array) {
            let array = uploaded_complex(&array, &worker)?;
            let numbers = array.vector(py)?;
            return Given::of(worker, &array.shape, numbers, true, true);
        }
        let array = uploaded_as(&array, &worker, None)?;
        let numbers = array.vector(py)?;
        Given::of(worker, &array.shape, numbers, false, true)
    }

    fn of(
        worker: Worker,
        shape: &[usize],
        numbers: Vector,
        complex: bool,
        from_host: bool,
    ) -> PyResult<Given> {
        Ok(Given { worker, shape: shape.to_vec(), numbers, complex, from_host })
    }

    /// Refuses complex numbers.
    pub(super) fn must_be_real(&self, py: Python<'_>, name: &str) -> PyResult<()> {
        match self.complex {
            false => Ok(()),
            true => {
                Err(wrong(py, format!("{name}: expected real numbers, got complex64: take z.real")))
            }
        }
    }

    /// Returns an axis that may be counted from the end; it has at least one number.
    pub(super) fn axis(&self, py: Python<'_>, name: &str, axis: isize) -> PyResult<usize> {
        let count = self.shape.len();
        let found = if axis < 0 { axis + count as isize } else { axis };
        let found = usize::try_from(found).ok().filter(|axis| *axis < count);
        let Some(found) = found else {
            let text = format!("{name}: expected an axis of shape {:?}, got {axis}", self.shape);
            return Err(wrong(py, text));
        };
        if self.shape[found] == 0 {
            let text =
                format!("{name}: axis {axis} of shape {:?} has no number to transform", self.shape);
            return Err(wrong(py, text));
        }
        Ok(found)
    }

    /// Returns an axis as the library has it.
    pub(super) fn place(&self, axis: usize) -> Axis {
        Axis {
            outer: self.shape[..axis].iter().product(),
            length: self.shape[axis],
            inner: self.shape[axis + 1..].iter().product(),
        }
    }

    /// Computes a vector of this many numbers from the given ones.
    pub(super) fn computed(
        &self,
        py: Python<'_>,
        length: usize,
        compute: impl FnOnce(&mut State, &DeviceVector, &mut DeviceVector) -> Result<(), Failure>
        + Send
        + 'static,
    ) -> PyResult<Vector> {
        computed(py, &self.numbers, length, compute)
    }

    /// Returns complex results where the numbers came from.
    fn complex<'py>(&self, py: Python<'py>, shape: Vec<usize>, numbers: Vector) -> Returned<'py> {
        let array = Bound::new(py, ComplexArray::stored(&self.worker, shape, numbers))?;
        if self.from_host { array.call_method0("to_numpy") } else { Ok(array.into_any()) }
    }

    /// Returns real results where the numbers came from.
    pub(super) fn real<'py>(
        &self,
        py: Python<'py>,
        shape: Vec<usize>,
        numbers: Vector,
    ) -> Returned<'py> {
        let node = Node::stored(numbers, shape.iter().product());
        let array = Array { worker: self.worker.clone(), shape, boolean: false, node };
        let array = Bound::new(py, array)?;
        if self.from_host { array.call_method0("to_numpy") } else { Ok(array.into_any()) }
    }
}

/// The transforms that were made last, by what they are of.
pub(super) struct Made<Key, Value>(RefCell<HashMap<Key, Rc<Value>>>);

/// The most transforms of a kind that are kept: each has tables and textures on the device.
const MOST: usize = 16;

impl<Key: Hash + Eq, Value> Made<Key, Value> {
    pub(super) fn new(_: &quadrille::Context) -> Made<Key, Value> {
        Made(RefCell::default())
    }

    pub(super) fn of(
        &self,
        key: Key,
        make: impl FnOnce(&Key) -> Result<Value, Failure>,
    ) -> Result<Rc<Value>, Failure> {
        if let Some(known) = self.0.borrow().get(&key) {
            return Ok(known.clone());
        }
        let made = Rc::new(make(&key)?);
        let mut all = self.0.borrow_mut();
        if all.len() >= MOST {
            all.clear();
        }
        all.insert(key, made.clone());
        Ok(made)
    }
}

/// Transforms along axes, the last first.
fn transformed<'py>(
    name: &str,
    x: &Object<'py>,
    axes: &[isize],
    back: bool,
    context: Option<&Context>,
) -> Returned<'py> {
    let py = x.py();
    let given = Given::take(x, context)?;
    let axes = axes.iter().map(|axis| given.axis(py, name, *axis));
    let axes: Vec<usize> = axes.collect::<PyResult<_>>()?;
    let axes: Vec<Axis> = axes.into_iter().map(|axis| given.place(axis)).collect();
    let count: usize = given.shape.iter().product();
    let is_complex = given.complex;
    let numbers = given.computed(py, 2 * count, move |state, x, out| {
        let context = state.context()?;
        let made = state.shared(Made::<Vec<Axis>, Fft>::new)?;
        let fft = made.of(axes, |axes| Ok(Fft::new(&context, axes)?))?;
        let joined;
        let x = match is_complex {
            true => x,
            false => {
                let mut complex = DeviceVector::uninit(&context, 2 * count)?;
                let zeros = DeviceVector::zeros(&context, count)?;
                state.shared(Complex::new)?.together(x, &zeros, &mut complex)?;
                joined = complex;
                &joined
            }
        };
        Ok(if back { fft.inverse(x, out) } else { fft.forward(x, out) }?)
    })?;
    given.complex(py, given.shape.clone(), numbers)
}

/// The Fourier transform along an axis, as NumPy's: of real or complex numbers of any length. Of a
/// device array it is a `ComplexArray`, of a NumPy array one of complex64.
///
/// >>> import numpy as np, quadrille_gl as q
/// >>> q.fft(np.float32([1, 2, 3, 4]))
/// array([10.+0.j, -2.+2.j, -2.+0.j, -2.-2.j], dtype=complex64)
#[pyfunction]
#[pyo3(signature = (x, *, axis=-1, context=None), text_signature = "(x, *, axis=-1, context=None)")]
pub(crate) fn fft<'py>(x: &Object<'py>, axis: isize, context: Option<&Context>) -> Returned<'py> {
    transformed("fft", x, &[axis], false, context)
}

/// The inverse of `fft`.
///
/// >>> import numpy as np, quadrille_gl as q
/// >>> q.ifft(np.complex64([10, -2 + 2j, -2, -2 - 2j])).real
/// array([1., 2., 3., 4.], dtype=float32)
#[pyfunction]
#[pyo3(signature = (x, *, axis=-1, context=None), text_signature = "(x, *, axis=-1, context=None)")]
pub(crate) fn ifft<'py>(x: &Object<'py>, axis: isize, context: Option<&Context>) -> Returned<'py> {
    transformed("ifft", x, &[axis], true, context)
}

/// The Fourier transform in two dimensions, along the last two axes.
///
/// >>> import numpy as np, quadrille_gl as q
/// >>> q.fft2(np.float32([[1, 2], [3, 4]]))
/// array([[10.+0.j, -2.+0.j],
///        [-4.+0.j,  0.+0.j]], dtype=complex64)
#[pyfunction]
#[pyo3(signature = (x, *, context=None))]
pub(crate) fn fft2<'py>(x: &Object<'py>, context: Option<&Context>) -> Returned<'py> {
    transformed("fft2", x, &[-1, -2], false, context)
}

/// The inverse of `fft2`.
///
/// >>> import numpy as np, quadrille_gl as q
/// >>> q.ifft2(np.complex64([[10, -2], [-4, 0]])).real
/// array([[1., 2.],
///        [3., 4.]], dtype=float32)
#[pyfunction]
#[pyo3(signature = (x, *, context=None))]
pub(crate) fn ifft2<'py>(x: &Object<'py>, context: Option<&Context>) -> Returned<'py> {
    transformed("ifft2", x, &[-1, -2], true, context)
}

/// The first n // 2 + 1 numbers of the Fourier transform of n real ones, along the last axis: the
/// others are their conjugates.
///
/// >>> import numpy as np, quadrille_gl as q
/// >>> q.rfft(np.float32([1, 2, 3, 4]))
/// array([10.+0.j, -2.+2.j, -2.+0.j], dtype=complex64)
#[pyfunction]
#[pyo3(signature = (x, *, context=None))]
pub(crate) fn rfft<'py>(x: &Object<'py>, context: Option<&Context>) -> Returned<'py> {
    let py = x.py();
    let given = Given::take(x, context)?;
    given.must_be_real(py, "rfft")?;
    let place = given.place(given.axis(py, "rfft", -1)?);
    let half = place.length / 2 + 1;
    let numbers = given.computed(py, 2 * place.outer * half, move |state, x, out| {
        Ok(real_fft(state, place)?.forward(x, out)?)
    })?;
    let mut shape = given.shape.clone();
    shape.pop();
    shape.push(half);
    given.complex(py, shape, numbers)
}

/// The inverse of `rfft`: n real numbers, by default twice as many as there are less two.
///
/// >>> import numpy as np, quadrille_gl as q
/// >>> q.irfft(np.complex64([10, -2 + 2j, -2]))
/// array([1., 2., 3., 4.], dtype=float32)
#[pyfunction]
#[pyo3(signature = (x, n=None, *, context=None))]
pub(crate) fn irfft<'py>(
    x: &Object<'py>,
    n: Option<usize>,
    context: Option<&Context>,
) -> Returned<'py> {
    let py = x.py();
    let given = Given::take(x, context)?;
    let place = given.place(given.axis(py, "irfft", -1)?);
    let length = n.unwrap_or(2 * (place.length - 1));
    if !given.complex || length == 0 || length / 2 + 1 != place.length {
        let least = 2 * (place.length - 1);
        let text = format!(
            "irfft: expected complex numbers, of which n = {least} or {} real ones have {}; got n = {length} and {}",
            least + 1,
            place.length,
            if given.complex { "complex64" } else { "float32" },
        );
        return Err(wrong(py, text));
    }
    let place = Axis { length, ..place };
    let numbers = given.computed(py, place.outer * length, move |state, x, out| {
        Ok(real_fft(state, place)?.inverse(x, out)?)
    })?;
    let mut shape = given.shape.clone();
    shape.pop();
    shape.push(length);
    given.real(py, shape, numbers)
}

fn real_fft(state: &mut State, rows: Axis) -> Result<Rc<RealFft>, Failure> {
    let context = state.context()?;
    let made = state.shared(Made::<Axis, RealFft>::new)?;
    made.of(rows, |rows| Ok(RealFft::new(&context, rows.outer, rows.length)?))
}

fn trigonometric<'py>(
    name: &str,
    x: &Object<'py>,
    kind: i64,
    [first, second]: [Trigonometric; 2],
    back: bool,
    context: Option<&Context>,
) -> Returned<'py> {
    let py = x.py();
    let of_kind = match kind {
        1 => first,
        2 => second,
        _ => return Err(wrong(py, format!("{name}: expected type 1 or 2, got {kind}"))),
    };
    let given = Given::take(x, context)?;
    given.must_be_real(py, name)?;
    let rows = given.place(given.axis(py, name, -1)?);
    let numbers = given.computed(py, rows.total(), move |state, x, out| {
        let context = state.context()?;
        let made = state.shared(Made::<(Trigonometric, Axis), TrigonometricFft>::new)?;
        let transform = made.of((of_kind, rows), |(kind, rows)| {
            Ok(TrigonometricFft::new(&context, *kind, rows.outer, rows.length)?)
        })?;
        Ok(if back { transform.inverse(x, out) } else { transform.forward(x, out) }?)
    })?;
    given.real(py, given.shape.clone(), numbers)
}

const COSINES: [Trigonometric; 2] = [Trigonometric::Cosine1, Trigonometric::Cosine2];
const SINES: [Trigonometric; 2] = [Trigonometric::Sine1, Trigonometric::Sine2];

/// The cosine transform of type 1 or 2 along the last axis, as SciPy's.
///
/// >>> import numpy as np, quadrille_gl as q
/// >>> q.dct(np.float32([1, 2, 3]), 1)
/// array([ 8., -2.,  0.], dtype=float32)
#[pyfunction]
#[pyo3(signature = (x, r#type=2, *, context=None))]
pub(crate) fn dct<'py>(x: &Object<'py>, r#type: i64, context: Option<&Context>) -> Returned<'py> {
    trigonometric("dct", x, r#type, COSINES, false, context)
}

/// The inverse of `dct`.
///
/// >>> import numpy as np, quadrille_gl as q
/// >>> q.idct(np.float32([8, -2, 0]), 1)
/// array([1., 2., 3.], dtype=float32)
#[pyfunction]
#[pyo3(signature = (x, r#type=2, *, context=None))]
pub(crate) fn idct<'py>(x: &Object<'py>, r#type: i64, context: Option<&Context>) -> Returned<'py> {
    trigonometric("idct", x, r#type, COSINES, true, context)
}

/// The sine transform of type 1 or 2 along the last axis, as SciPy's.
///
/// >>> import numpy as np, quadrille_gl as q
/// >>> q.dst(np.float32([2]), 1)
/// array([4.], dtype=float32)
#[pyfunction]
#[pyo3(signature = (x, r#type=2, *, context=None))]
pub(crate) fn dst<'py>(x: &Object<'py>, r#type: i64, context: Option<&Context>) -> Returned<'py> {
    trigonometric("dst", x, r#type, SINES, false, context)
}

/// The inverse of `dst`.
///
/// >>> import numpy as np, quadrille_gl as q
/// >>> q.idst(np.float32([4]), 1)
/// array([2.], dtype=float32)
#[pyfunction]
#[pyo3(signature = (x, r#type=2, *, context=None))]
pub(crate) fn idst<'py>(x: &Object<'py>, r#type: i64, context: Option<&Context>) -> Returned<'py> {
    trigonometric("idst", x, r#type, SINES, true, context)
}
