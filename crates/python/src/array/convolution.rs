//! Convolutions and correlations of device arrays and of NumPy arrays.

use quadrille::primitives::{Axis, Border, Convolution, Weights};
use quadrille::{Shape, memory};

use super::cache::Cache;
use super::fourier::Given;
use super::operands::floats;
use super::tables::functions;
use crate::arrays;
use crate::context::Context;
use crate::error::{Failure, wrong};
use crate::prelude::*;

/// What a convolution is of, by which it is kept: the bits of weights are compared.
type Key = (Shape, Shape, Vec<u32>, Border, bool);

/// A call of a convolution or a correlation, with the name by which errors call it.
#[derive(Clone, Copy)]
struct ConvolutionCall<'a> {
    name: &'a str,
    mode: &'a str,
    /// Whether the weights are reversed, as convolutions have them.
    reverses: bool,
}

impl ConvolutionCall<'_> {
    fn border(self, py: Python<'_>) -> PyResult<Border> {
        Ok(match self.mode {
            "reflect" => Border::Reflect,
            "constant" => Border::Zero,
            "nearest" => Border::Clamp,
            "wrap" => Border::Wrap,
            mode => {
                let name = self.name;
                let text = format!(
                    "{name}: expected a mode of reflect, constant, nearest, wrap; got {mode:?}"
                );
                return Err(wrong(py, text));
            }
        })
    }

    /// Takes the array and the weights, real numbers.
    fn take<'py>(
        self,
        x: &Object<'py>,
        weights: &Object<'py>,
        context: Option<&Context>,
    ) -> PyResult<(Given, arrays::Array<'py>)> {
        let given = Given::take(x, context)?;
        given.must_be_real(x.py(), self.name)?;
        Ok((given, arrays::Array::take("weights", weights)?))
    }

    /// Convolves an array of one or two axes with weights of as many.
    fn whole<'py>(
        self,
        x: &Object<'py>,
        weights: &Object<'py>,
        context: Option<&Context>,
    ) -> Returned<'py> {
        let py = x.py();
        let (given, weights) = self.take(x, weights, context)?;
        let axes = given.shape.len();
        if weights.shape().len() != axes || !(1..=2).contains(&axes) {
            let text = format!(
                "{}: expected arrays of one or two axes each and some weights, got shapes {:?} and {:?}",
                self.name,
                given.shape,
                weights.shape()
            );
            return Err(wrong(py, text));
        }
        let shape_of = |shape: &[usize]| match *shape {
            [rows, columns] => Shape::new(rows, columns),
            _ => Shape::new(1, shape[0]),
        };
        let (shape, of_weights) = (shape_of(&given.shape), shape_of(weights.shape()));
        self.run(py, &given, shape, of_weights, &weights)
    }

    /// Convolves each line along the first or the last axis with one line of weights.
    fn along<'py>(
        self,
        x: &Object<'py>,
        weights: &Object<'py>,
        axis: isize,
        context: Option<&Context>,
    ) -> Returned<'py> {
        let py = x.py();
        let (given, weights) = self.take(x, weights, context)?;
        let [count] = *weights.shape() else {
            let text =
                format!("{}: expected weights of one axis, got {:?}", self.name, weights.shape());
            return Err(wrong(py, text));
        };
        let Axis { outer, length, inner } = given.axis(py, self.name, axis)?;
        let (shape, of_weights) = match (outer, inner) {
            (_, 1) => (Shape::new(outer, length), Shape::new(1, count)),
            (1, _) => (Shape::new(length, inner), Shape::new(count, 1)),
            _ => {
                let text = format!(
                    "{}: expected the first or the last axis, got {axis} of shape {:?}: transpose the array",
                    self.name, given.shape
                );
                return Err(wrong(py, text));
            }
        };
        self.run(py, &given, shape, of_weights, &weights)
    }

    fn run<'py>(
        self,
        py: Python<'py>,
        given: &Given,
        shape: Shape,
        of_weights: Shape,
        weights: &arrays::Array<'py>,
    ) -> Returned<'py> {
        let border = self.border(py)?;
        let numbers = floats(py, "weights", weights)?;
        if numbers.is_empty() {
            return Err(wrong(py, format!("{}: expected some weights, got none", self.name)));
        }
        let bits = memory::collected(numbers.len(), numbers.iter().map(|weight| weight.to_bits()))
            .or_raise(py)?;
        let key: Key = (shape, of_weights, bits, border, self.reverses);
        let results = given.node.computed(py, given.node.length(), move |state, x, out| {
            let context = state.context()?;
            let cache = state.shared(Cache::<Key, Convolution>::new)?;
            let convolution =
                cache.get_or(key, |(shape, of_weights, bits, border, reverses)| {
                    let weights = bits.iter().map(|bits| f32::from_bits(*bits));
                    let weights = memory::collected(bits.len(), weights)?;
                    let weights = match reverses {
                        true => Weights::convolution(*of_weights, &weights)?,
                        false => Weights::correlation(*of_weights, &weights)?,
                    };
                    Ok::<_, Failure>(Convolution::new(&context, *shape, &weights, *border)?)
                })?;
            Ok(convolution.run(x, out)?)
        })?;
        given.real(py, &given.shape, results)
    }
}

functions! {
    #[pyo3(signature = (x, weights, *, mode="reflect", context=None))]
    fn(x: &Object<'py>, weights: &Object<'py>, mode: &str, context: Option<&Context>) {
        /// The convolution of an array of one or two axes with weights of as many, as `scipy.ndimage.convolve`
        /// has it: the result has the shape of x. The mode says where numbers beyond the border come from:
        /// `reflect` (d c b a | a b c d | d c b a), `constant` (zeros), `nearest` or `wrap`.
        ///
        /// >>> import numpy as np, quadrille_gl as q
        /// >>> q.convolve(np.float32([0, 4, 0, 8]), [0.25, 0.5, 0.25], mode="nearest")
        /// array([1., 2., 3., 6.], dtype=float32)
        convolve = ConvolutionCall { name: "convolve", mode, reverses: true }.whole(x, weights, context);

        /// The correlation of an array with weights, as `scipy.ndimage.correlate` has it; otherwise as
        /// `convolve`.
        ///
        /// >>> import numpy as np, quadrille_gl as q
        /// >>> q.correlate(np.float32([0, 4, 0, 8]), [-1, 0, 1], mode="wrap")
        /// array([-4.,  0.,  4.,  0.], dtype=float32)
        correlate = ConvolutionCall { name: "correlate", mode, reverses: false }.whole(x, weights, context);
    }

    #[pyo3(signature = (x, weights, axis=-1, *, mode="reflect", context=None), text_signature = "(x, weights, axis=-1, *, mode='reflect', context=None)")]
    fn(x: &Object<'py>, weights: &Object<'py>, axis: isize, mode: &str, context: Option<&Context>) {
        /// The convolution of each line along the first or the last axis with one line of weights, as
        /// `scipy.ndimage.convolve1d` has it. Weights in two dimensions that are the products of a column and a
        /// row are two such calls, with as many products a number as both lines have weights together.
        ///
        /// >>> import numpy as np, quadrille_gl as q
        /// >>> rows = q.convolve1d(np.float32([[0, 4], [0, 8]]), [1, 1, 1], mode="nearest")
        /// >>> q.convolve1d(rows, [1, 0, 1], axis=0, mode="constant")
        /// array([[ 8., 16.],
        ///        [ 4.,  8.]], dtype=float32)
        convolve1d = ConvolutionCall { name: "convolve1d", mode, reverses: true }.along(x, weights, axis, context);

        /// The correlation of each line along the first or the last axis with one line of weights, as
        /// `scipy.ndimage.correlate1d` has it.
        ///
        /// >>> import numpy as np, quadrille_gl as q
        /// >>> q.correlate1d(np.float32([[1, 2, 4], [0, 3, 9]]), [-1, 1], mode="nearest")
        /// array([[0., 1., 2.],
        ///        [0., 3., 6.]], dtype=float32)
        correlate1d = ConvolutionCall { name: "correlate1d", mode, reverses: false }.along(x, weights, axis, context);
    }
}
