//! Fourier transforms and convolutions.

use quadrille::Shape;
use quadrille::gl::Context;
use quadrille::grid::DeviceVector;
use quadrille::primitives::convolution::Method;
use quadrille::primitives::{Axis, Border, Convolution, Fft, Weights};
use quadrille::stream::Engine;

use super::data::{Made, floats};
use crate::bench::benchmark::benchmark;
use crate::twin::{Comparison, Spectrum};

/// In two dimensions where the numbers are a square, else in one.
pub(super) fn transform(context: &Context, engine: Engine, n: usize) -> Made {
    let side = n.isqrt();
    let (rows, cols) = if side * side == n { (side, side) } else { (1, n) };
    let fft = Fft::on(context, engine, &[Axis::rows(rows, cols), Axis::columns(rows, cols)])?;
    let spectrum = Spectrum::random(Shape::new(rows, cols))?;
    let x = DeviceVector::from_host(context, &spectrum.numbers)?;
    let y = DeviceVector::uninit(context, 2 * n)?;
    let bound = fft.error_bound();
    let run = move |y: &mut DeviceVector| Ok(fft.forward(&x, y)?);
    Ok(benchmark(y, run, move |y| Ok(spectrum.compare(&y.read()?, bound))))
}

/// An array of n numbers that is square or nearly so, if n has the powers of two for it.
fn rectangle(n: usize) -> Shape {
    let columns = 1 << n.trailing_zeros().min(n.ilog2().div_ceil(2));
    Shape::new(n / columns, columns)
}

const WEIGHTS: [f32; 9] = [0.1, 0.2, 0.1, 0.2, -0.7, 0.2, 0.3, 0.4, 0.5];

pub(super) fn convolution(context: &Context, engine: Engine, n: usize) -> Made {
    let shape = rectangle(n);
    let weights = Weights::correlation(Shape::new(3, 3), &WEIGHTS)?;
    let method = Method::usual_for(engine, weights.shape());
    let convolution = Convolution::on(context, engine, method, shape, &[&weights], Border::Clamp)?;
    let host = floats(n)?;
    let x = DeviceVector::from_host(context, &host)?;
    let y = DeviceVector::uninit(context, n)?;
    // No number is above 1.
    let bound = convolution.error_bound();
    let run = move |y: &mut DeviceVector| Ok(convolution.run(&x, y)?);
    let compare = move |y: &DeviceVector| {
        let expected = (0..host.len()).map(|place| (convolved(&host, shape, place), bound));
        Ok(Comparison::of(y.read()?, expected))
    };
    Ok(benchmark(y, run, compare))
}

/// The result at a place, on the host.
fn convolved(host: &[f32], Shape { rows, cols }: Shape, place: usize) -> f64 {
    let mut sum = 0.0;
    for (i, weight) in WEIGHTS.iter().enumerate() {
        let row = (place / cols + i / 3).saturating_sub(1).min(rows - 1);
        let column = (place % cols + i % 3).saturating_sub(1).min(cols - 1);
        sum += f64::from(*weight) * f64::from(host[row * cols + column]);
    }
    sum
}
