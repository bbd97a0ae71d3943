//! Convolutions and correlations of device arrays and of NumPy arrays.

use pyo3::prelude::*;
use quadrille::Shape;
use quadrille::primitives::{Border, Convolution, Weights};

use super::fourier::{Given, Made};
use super::operands::floats;
use crate::arrays;
use crate::context::Context;
use crate::error::{Failure, wrong};

/// What a convolution is of, by which it is kept: the bits of weights are compared.
type Key = (Shape, Shape, Vec<u32>, Border, bool);

fn convolved<'py>(
    name: &str,
    x: &Bound<'py, PyAny>,
    weights: &Bound<'py, PyAny>,
    mode: &str,
    reverses: bool,
    context: Option<&Context>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = x.py();
    let border = match mode {
        "reflect" => Border::Reflect,
        "constant" => Border::Zero,
        "nearest" => Border::Clamp,
        "wrap" => Border::Wrap,
        _ => {
            let text = format!(
                "{name}: expected a mode of reflect, constant, nearest, wrap; got {mode:?}"
            );
            return Err(wrong(py, text));
        }
    };
    let given = Given::take(x, context)?;
    given.must_be_real(py, name)?;
    let array = arrays::Array::take("weights", weights)?;
    let numbers = floats(py, "weights", &array)?;
    let axes = given.shape.len();
    if array.shape().len() != axes || !(1..=2).contains(&axes) || numbers.is_empty() {
        let text = format!(
            "{name}: expected arrays of one or two axes each and some weights, got shapes {:?} and {:?}",
            given.shape,
            array.shape()
        );
        return Err(wrong(py, text));
    }
    let shape_of = |shape: &[usize]| match *shape {
        [rows, columns] => Shape::new(rows, columns),
        _ => Shape::new(1, shape[0]),
    };
    let (shape, of_weights) = (shape_of(&given.shape), shape_of(array.shape()));
    let bits = numbers.iter().map(|weight| weight.to_bits()).collect();
    let key: Key = (shape, of_weights, bits, border, reverses);
    let count = given.shape.iter().product();
    let results = given.computed(py, count, |state, x, out| {
        let context = state.context()?;
        let made = state.shared(Made::<Key, Convolution>::new)?;
        let convolution = made.of(key, |(shape, of_weights, bits, border, reverses)| {
            let weights: Vec<f32> = bits.iter().map(|bits| f32::from_bits(*bits)).collect();
            let weights = match reverses {
                true => Weights::convolution(*of_weights, &weights)?,
                false => Weights::correlation(*of_weights, &weights)?,
            };
            Ok::<_, Failure>(Convolution::new(&context, *shape, &weights, *border)?)
        })?;
        Ok(convolution.run(x, out)?)
    })?;
    given.real(py, given.shape.clone(), results)
}

/// The convolution of an array of one or two axes with weights of as many, as `scipy.ndimage.convolve`
/// has it: the result has the shape of x. The mode says where numbers beyond the border come from:
/// `reflect` (d c b a | a b c d | d c b a), `constant` (zeros), `nearest` or `wrap`.
///
/// >>> import numpy as np, quadrille_gl as q
/// >>> q.convolve(np.float32([0, 4, 0, 8]), [0.25, 0.5, 0.25], mode="nearest")
/// array([1., 2., 3., 6.], dtype=float32)
#[pyfunction]
#[pyo3(signature = (x, weights, *, mode="reflect", context=None))]
pub(crate) fn convolve<'py>(
    x: &Bound<'py, PyAny>,
    weights: &Bound<'py, PyAny>,
    mode: &str,
    context: Option<&Context>,
) -> PyResult<Bound<'py, PyAny>> {
    convolved("convolve", x, weights, mode, true, context)
}

/// The correlation of an array with weights, as `scipy.ndimage.correlate` has it; otherwise as
/// `convolve`.
///
/// >>> import numpy as np, quadrille_gl as q
/// >>> q.correlate(np.float32([0, 4, 0, 8]), [-1, 0, 1], mode="wrap")
/// array([-4.,  0.,  4.,  0.], dtype=float32)
#[pyfunction]
#[pyo3(signature = (x, weights, *, mode="reflect", context=None))]
pub(crate) fn correlate<'py>(
    x: &Bound<'py, PyAny>,
    weights: &Bound<'py, PyAny>,
    mode: &str,
    context: Option<&Context>,
) -> PyResult<Bound<'py, PyAny>> {
    convolved("correlate", x, weights, mode, false, context)
}
