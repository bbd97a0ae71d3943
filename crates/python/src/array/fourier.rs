//! Fourier, sine and cosine transforms of device arrays and of NumPy arrays.

use std::rc::Rc;
use std::sync::Arc;

use quadrille::primitives::{Axis, Fft, RealFft, Trigonometric, TrigonometricFft};

use super::cache::Cache;
use super::complex::{ComplexArray, uploaded, without_imaginary};
use super::lazy::Node;
use super::tables::functions;
use crate::array::Array;
use crate::arrays::as_array;
use crate::context::{Context, chosen};
use crate::error::{Failure, wrong};
use crate::prelude::*;
use crate::worker::state::State;

/// What a function was given: numbers on the device, real or complex, and whether they came from the
/// host, where the result goes then.
pub(super) struct Given {
    pub(super) shape: Vec<usize>,
    pub(super) node: Arc<Node>,
    pub(super) complex: bool,
    pub(super) from_host: bool,
}

impl Given {
    pub(super) fn take(x: &Object<'_>, context: Option<&Context>) -> PyResult<Given> {
        let py = x.py();
        let from_host = !x.is_instance_of::<Array>() && !x.is_instance_of::<ComplexArray>();
        let x = match from_host {
            true => {
                let worker = chosen(py, context)?;
                uploaded(&as_array("array", x)?, &worker, None)?
            }
            false => x.clone(),
        };
        if let Ok(array) = x.cast::<ComplexArray>() {
            let (shape, node) = (array.get().shape.clone(), array.get().node.clone());
            return Ok(Given { shape, node, complex: true, from_host });
        }
        let array = x.cast::<Array>()?.get();
        array.must_have_floats(py)?;
        let (shape, node) = (array.shape.clone(), array.node.clone());
        Ok(Given { shape, node, complex: false, from_host })
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

    /// Returns an axis, which may be counted from the end, as the library has it; it has at least one
    /// number.
    pub(super) fn axis(&self, py: Python<'_>, name: &str, axis: isize) -> PyResult<Axis> {
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
        Ok(Axis {
            outer: self.shape[..found].iter().product(),
            length: self.shape[found],
            inner: self.shape[found + 1..].iter().product(),
        })
    }

    /// Returns the shape with another length of the last axis.
    fn with_last(&self, length: usize) -> Vec<usize> {
        let mut shape = self.shape.clone();
        shape.pop();
        shape.push(length);
        shape
    }

    /// Returns complex results where the numbers came from.
    fn complex<'py>(&self, py: Python<'py>, shape: Vec<usize>, node: Arc<Node>) -> Returned<'py> {
        self.give(Bound::new(py, ComplexArray { shape, node })?.into_any())
    }

    /// Returns real results where the numbers came from.
    pub(super) fn real<'py>(
        &self,
        py: Python<'py>,
        shape: &[usize],
        node: Arc<Node>,
    ) -> Returned<'py> {
        self.give(Bound::new(py, Array::floats(shape, node))?.into_any())
    }

    fn give<'py>(&self, array: Object<'py>) -> Returned<'py> {
        if self.from_host { array.call_method0("to_numpy") } else { Ok(array) }
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
    let axes: Vec<Axis> = axes.collect::<PyResult<_>>()?;
    let numbers = match given.complex {
        true => given.node.clone(),
        false => without_imaginary(py, &given.node)?,
    };
    let numbers = numbers.computed(py, numbers.length(), move |state, x, out| {
        let context = state.context()?;
        let cache = state.shared(Cache::<Vec<Axis>, Fft>::new)?;
        let fft = cache.get_or(axes, |axes| Ok(Fft::new(&context, axes)?))?;
        Ok(if back { fft.inverse(x, out) } else { fft.forward(x, out) }?)
    })?;
    given.complex(py, given.shape.clone(), numbers)
}

functions! {
    #[pyo3(signature = (x, *, axis=-1, context=None), text_signature = "(x, *, axis=-1, context=None)")]
    fn(x: &Object<'py>, axis: isize, context: Option<&Context>) {
        /// The Fourier transform along an axis, as NumPy's: of real or complex numbers of any length. Of a
        /// device array it is a `ComplexArray`, of a NumPy array one of complex64.
        ///
        /// >>> import numpy as np, quadrille_gl as q
        /// >>> q.fft(np.float32([1, 2, 3, 4]))
        /// array([10.+0.j, -2.+2.j, -2.+0.j, -2.-2.j], dtype=complex64)
        fft = transformed("fft", x, &[axis], false, context);

        /// The inverse of `fft`.
        ///
        /// >>> import numpy as np, quadrille_gl as q
        /// >>> q.ifft(np.complex64([10, -2 + 2j, -2, -2 - 2j])).real
        /// array([1., 2., 3., 4.], dtype=float32)
        ifft = transformed("ifft", x, &[axis], true, context);
    }

    #[pyo3(signature = (x, *, context=None))]
    fn(x: &Object<'py>, context: Option<&Context>) {
        /// The Fourier transform in two dimensions, along the last two axes.
        ///
        /// >>> import numpy as np, quadrille_gl as q
        /// >>> q.fft2(np.float32([[1, 2], [3, 4]]))
        /// array([[10.+0.j, -2.+0.j],
        ///        [-4.+0.j,  0.+0.j]], dtype=complex64)
        fft2 = transformed("fft2", x, &[-1, -2], false, context);

        /// The inverse of `fft2`.
        ///
        /// >>> import numpy as np, quadrille_gl as q
        /// >>> q.ifft2(np.complex64([[10, -2], [-4, 0]])).real
        /// array([[1., 2.],
        ///        [3., 4.]], dtype=float32)
        ifft2 = transformed("ifft2", x, &[-1, -2], true, context);
    }

    #[pyo3(signature = (x, r#type=2, *, context=None))]
    fn(x: &Object<'py>, r#type: i64, context: Option<&Context>) {
        /// The cosine transform of type 1 or 2 along the last axis, as SciPy's.
        ///
        /// >>> import numpy as np, quadrille_gl as q
        /// >>> q.dct(np.float32([1, 2, 3]), 1)
        /// array([ 8., -2.,  0.], dtype=float32)
        dct = trigonometric("dct", x, r#type, COSINES, false, context);

        /// The inverse of `dct`.
        ///
        /// >>> import numpy as np, quadrille_gl as q
        /// >>> q.idct(np.float32([8, -2, 0]), 1)
        /// array([1., 2., 3.], dtype=float32)
        idct = trigonometric("idct", x, r#type, COSINES, true, context);

        /// The sine transform of type 1 or 2 along the last axis, as SciPy's.
        ///
        /// >>> import numpy as np, quadrille_gl as q
        /// >>> q.dst(np.float32([2]), 1)
        /// array([4.], dtype=float32)
        dst = trigonometric("dst", x, r#type, SINES, false, context);

        /// The inverse of `dst`.
        ///
        /// >>> import numpy as np, quadrille_gl as q
        /// >>> q.idst(np.float32([4]), 1)
        /// array([2.], dtype=float32)
        idst = trigonometric("idst", x, r#type, SINES, true, context);
    }
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
    let rows = given.axis(py, "rfft", -1)?;
    let half = rows.length / 2 + 1;
    let numbers = given.node.computed(py, 2 * rows.outer * half, move |state, x, out| {
        Ok(real_fft(state, rows)?.forward(x, out)?)
    })?;
    given.complex(py, given.with_last(half), numbers)
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
    let place = given.axis(py, "irfft", -1)?;
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
    let numbers = given.node.computed(py, place.outer * length, move |state, x, out| {
        Ok(real_fft(state, place)?.inverse(x, out)?)
    })?;
    given.real(py, &given.with_last(length), numbers)
}

fn real_fft(state: &mut State, rows: Axis) -> Result<Rc<RealFft>, Failure> {
    let context = state.context()?;
    let cache = state.shared(Cache::<Axis, RealFft>::new)?;
    cache.get_or(rows, |rows| Ok(RealFft::new(&context, rows.outer, rows.length)?))
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
    let rows = given.axis(py, name, -1)?;
    let numbers = given.node.computed(py, rows.total(), move |state, x, out| {
        let context = state.context()?;
        let cache = state.shared(Cache::<(Trigonometric, Axis), TrigonometricFft>::new)?;
        let transform = cache.get_or((of_kind, rows), |(kind, rows)| {
            Ok(TrigonometricFft::new(&context, *kind, rows.outer, rows.length)?)
        })?;
        Ok(if back { transform.inverse(x, out) } else { transform.forward(x, out) }?)
    })?;
    given.real(py, &given.shape, numbers)
}

const COSINES: [Trigonometric; 2] = [Trigonometric::Cosine1, Trigonometric::Cosine2];
const SINES: [Trigonometric; 2] = [Trigonometric::Sine1, Trigonometric::Sine2];
