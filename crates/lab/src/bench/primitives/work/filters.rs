//! Fourier transforms and convolutions.

use quadrille::Shape;
use quadrille::gl::Context;
use quadrille::grid::DeviceVector;
use quadrille::primitives::convolution::Method;
use quadrille::primitives::{Axis, Border, Convolution, Fft, Weights};
use quadrille::stream::Engine;

use super::data::{Benchmark, floats};
use crate::twin::{Comparison, Spectrum};
use crate::{Error, Result};

pub(super) struct Transformed {
    fft: Fft,
    spectrum: Spectrum,
    x: DeviceVector,
    y: DeviceVector,
}

impl Transformed {
    /// In two dimensions where the numbers are a square, else in one.
    pub(super) fn new(context: &Context, engine: Engine, n: usize) -> Result<Transformed> {
        let side = n.isqrt();
        let (rows, cols) = if side * side == n { (side, side) } else { (1, n) };
        let fft = Fft::on(context, engine, &[Axis::rows(rows, cols), Axis::columns(rows, cols)])?;
        let spectrum = Spectrum::random(Shape::new(rows, cols))?;
        let x = DeviceVector::from_host(context, &spectrum.numbers)?;
        let y = DeviceVector::uninit(context, 2 * n)?;
        Ok(Transformed { fft, spectrum, x, y })
    }
}

impl Benchmark for Transformed {
    fn run(&mut self) -> Result<(), Error> {
        Ok(self.fft.forward(&self.x, &mut self.y)?)
    }

    fn compare(&self) -> Result<Comparison> {
        Ok(self.spectrum.compare(&self.y.read()?, self.fft.error_bound()))
    }
}

/// An array of n numbers that is square or nearly so, if n has the powers of two for it.
fn rectangle(n: usize) -> Shape {
    let columns = 1 << n.trailing_zeros().min(n.ilog2().div_ceil(2));
    Shape::new(n / columns, columns)
}

const WEIGHTS: [f32; 9] = [0.1, 0.2, 0.1, 0.2, -0.7, 0.2, 0.3, 0.4, 0.5];

pub(super) struct Convolved {
    convolution: Convolution,
    shape: Shape,
    host: Vec<f32>,
    x: DeviceVector,
    y: DeviceVector,
}

impl Convolved {
    pub(super) fn new(context: &Context, engine: Engine, n: usize) -> Result<Convolved> {
        let shape = rectangle(n);
        let weights = Weights::correlation(Shape::new(3, 3), &WEIGHTS)?;
        let method = Method::usual_for(engine, weights.shape());
        let convolution =
            Convolution::on(context, engine, method, shape, &[&weights], Border::Clamp)?;
        let host = floats(n)?;
        let x = DeviceVector::from_host(context, &host)?;
        let y = DeviceVector::uninit(context, n)?;
        Ok(Convolved { convolution, shape, host, x, y })
    }

    fn result(&self, row: usize, column: usize) -> f64 {
        let mut sum = 0.0;
        for (i, weight) in WEIGHTS.iter().enumerate() {
            let row = (row + i / 3).saturating_sub(1).min(self.shape.rows - 1);
            let column = (column + i % 3).saturating_sub(1).min(self.shape.cols - 1);
            sum += f64::from(*weight) * f64::from(self.host[row * self.shape.cols + column]);
        }
        sum
    }
}

impl Benchmark for Convolved {
    fn run(&mut self) -> Result<(), Error> {
        Ok(self.convolution.run(&self.x, &mut self.y)?)
    }

    fn compare(&self) -> Result<Comparison> {
        let columns = self.shape.cols;
        // No number is above 1.
        let bound = self.convolution.error_bound();
        let expected = (0..self.host.len()).map(|i| (self.result(i / columns, i % columns), bound));
        Ok(Comparison::of(self.y.read()?, expected))
    }
}
