//! Convolutions as products of Fourier transforms.

use std::cell::RefCell;

use crate::Shape;
use crate::gl::{self, Context};
use crate::grid::DeviceVector;
use crate::memory::{self, NoMemory};
use crate::primitives::complex::Complex;
use crate::primitives::fft::{
    Axis, Fft, Inputs, Maps, ShaderVariant, of_product, transform_on_host,
};
use crate::stream::{Engine, Result};

use super::weights::{Border, Weights};

pub(super) struct Transform {
    maps: Maps,
    fft: Fft,
    complex: Complex,
    shape: Shape,
    /// That of the array with its borders, which transforms take fast.
    extended: Shape,
    centre: [usize; 2],
    border: Border,
    /// The conjugates of the weights' transform.
    spectrum: DeviceVector,
    bound: (f64, f64),
    scratch: RefCell<[DeviceVector; 2]>,
}

impl Transform {
    pub(super) fn new(
        context: &Context,
        engine: Engine,
        shape: Shape,
        weights: &Weights,
        border: Border,
    ) -> Result<Transform> {
        let beyond = weights.shape();
        let extended =
            Shape::new(fast(shape.rows + beyond.rows - 1), fast(shape.cols + beyond.cols - 1));
        let axes =
            [Axis::rows(extended.rows, extended.cols), Axis::columns(extended.rows, extended.cols)];
        let fft = Fft::on(context, engine, &axes)?;
        let (spectrum, largest) = spectrum_of(weights, extended).map_err(gl::Error::from)?;
        // Two transforms and a product, enlarged by the spectrum, of numbers whose norm is sqrt of
        // their number times the largest at most.
        let error = (2.0 * fft.error_bound() + 2.0 * of_product())
            * largest
            * ((extended.rows * extended.cols) as f64).sqrt();
        let spectrum = DeviceVector::from_host(context, &spectrum)?;
        let scratch = || DeviceVector::uninit(context, spectrum.len());
        Ok(Transform {
            maps: Maps::new(context, engine),
            scratch: RefCell::new([scratch()?, scratch()?]),
            complex: Complex::on(context, engine)?,
            bound: (error, weights.sum()),
            centre: weights.centre(),
            fft,
            shape,
            extended,
            border,
            spectrum,
        })
    }

    pub(super) fn bound(&self) -> (f64, f64) {
        self.bound
    }

    pub(super) fn run(&self, x: &DeviceVector, out: &mut DeviceVector) -> Result<()> {
        let mut scratch = self.scratch.borrow_mut();
        let [a, b] = &mut *scratch;
        self.step(false, x, a)?;
        self.fft.forward(a, b)?;
        self.complex.product(b, &self.spectrum, a)?;
        self.fft.inverse(a, b)?;
        self.step(true, b, out)
    }

    /// Continues the array, or takes the part of it that counts.
    fn step(&self, crops: bool, x: &DeviceVector, out: &mut DeviceVector) -> Result<()> {
        let (Some(from), Some(to)) = (x.panel(0), out.panel_mut(0)) else { return Ok(()) };
        let pair = |shape: Shape| [shape.cols as i32, shape.rows as i32];
        let [up, left] = if crops { [0, 0] } else { self.centre };
        let uniforms = [
            ("size", pair(self.shape).into()),
            ("extended", pair(self.extended).into()),
            ("offset", [left as i32, up as i32].into()),
        ];
        self.maps.run(&variant(crops, self.border), Inputs::of(from), &uniforms, to)
    }
}

/// Returns the conjugates of the transform of weights, rounded, and the largest magnitude.
fn spectrum_of(weights: &Weights, extended: Shape) -> Result<(Vec<f32>, f64), NoMemory> {
    let Shape { rows, cols } = extended;
    let mut numbers = memory::zeroed(rows * cols)?;
    for (at, weight) in weights.numbers().iter().enumerate() {
        let (row, column) = (at / weights.shape().cols, at % weights.shape().cols);
        numbers[row * cols + column] = [f64::from(*weight), 0.0];
    }
    transform_on_host(&mut numbers, extended)?;
    let largest = numbers.iter().map(|[x, y]: &[f64; 2]| x.hypot(*y)).fold(0.0, f64::max);
    let conjugates = numbers.iter().flat_map(|[x, y]| [*x as f32, -*y as f32]);
    Ok((memory::collected(2 * numbers.len(), conjugates)?, largest))
}

/// Returns the next length that has no prime factor above 5, and is even.
fn fast(length: usize) -> usize {
    let mut candidate = length.max(2).next_multiple_of(2);
    while rest(candidate) > 1 {
        candidate += 2;
    }
    candidate
}

fn rest(mut number: usize) -> usize {
    for factor in [2, 3, 5] {
        while number.is_multiple_of(factor) {
            number /= factor;
        }
    }
    number
}

fn variant(crops: bool, border: Border) -> ShaderVariant {
    ShaderVariant::new("convolution/extend.frag").with("CROP", crops).defined(border.define(), 1)
}

/// Returns every variant of the passes.
pub(super) fn variants() -> Vec<ShaderVariant> {
    let all = Border::ALL.into_iter().map(|border| variant(false, border));
    all.chain([variant(true, Border::Zero)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fast_lengths_are_even_and_have_small_factors() {
        let wanted = [(1, 2), (7, 8), (11, 12), (13, 16), (1023, 1024), (1025, 1080)];
        assert_eq!(wanted.map(|(length, _)| (length, fast(length))), wanted);
    }
}
