//! Fourier transforms and convolutions.

use std::f64::consts::TAU;

use quadrille::Shape;
use quadrille::gl::Context;
use quadrille::grid::DeviceVector;
use quadrille::primitives::convolution::Method;
use quadrille::primitives::{Axis, Border, Convolution, Fft, Weights};
use quadrille::stream::Engine;

use super::{Work, floats};
use crate::Error;
use crate::twin::Comparison;

/// The results that are compared with the transform's definition.
const COMPARED: usize = 8;

pub(super) struct Transformed {
    fft: Fft,
    host: Vec<f32>,
    x: DeviceVector,
    y: DeviceVector,
}

impl Transformed {
    pub(super) fn new(context: &Context, engine: Engine, n: usize) -> Result<Transformed, Error> {
        let fft = Fft::on(context, engine, &[Axis::rows(1, n)])?;
        let host = floats(2 * n)?;
        let x = DeviceVector::from_host(context, &host)?;
        let y = DeviceVector::uninit(context, 2 * n)?;
        Ok(Transformed { fft, host, x, y })
    }

    /// Returns a result by its definition.
    fn result(&self, k: usize) -> [f64; 2] {
        let n = self.host.len() / 2;
        let mut sum = [0.0; 2];
        for (j, x) in self.host.chunks_exact(2).enumerate() {
            let ([re, im], turn) = ([x[0], x[1]].map(f64::from), j as u128 * k as u128 % n as u128);
            let (sin, cos) = (TAU * turn as f64 / n as f64).sin_cos();
            sum = [sum[0] + re * cos + im * sin, sum[1] + im * cos - re * sin];
        }
        sum
    }
}

fn norm(numbers: &[f32]) -> f64 {
    numbers.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt()
}

impl Work for Transformed {
    fn run(&mut self) -> Result<(), Error> {
        Ok(self.fft.forward(&self.x, &mut self.y)?)
    }

    /// Some results with their definition, and all by their norm, which is that of the numbers times
    /// the root of their count (Parseval).
    fn compare(&self) -> Result<Comparison, Error> {
        let (y, n) = (self.y.read()?, self.host.len() / 2);
        let exact_norm = norm(&self.host) * (n as f64).sqrt();
        let bound = self.fft.error_bound() * exact_norm;
        let mut pairs = vec![(norm(&y) as f32, exact_norm)];
        for k in (0..COMPARED).map(|i| i * n / COMPARED + i).filter(|k| *k < n) {
            let [re, im] = self.result(k);
            pairs.extend([(y[2 * k], re), (y[2 * k + 1], im)]);
        }
        // The norm was rounded for the comparison.
        let bound = bound + exact_norm * f64::from(f32::EPSILON);
        let expected = pairs.iter().map(|(_, exact)| (*exact, bound));
        Ok(Comparison::of(pairs.iter().map(|(got, _)| *got), expected))
    }
}

/// The numbers in a row, if there are as many.
const COLUMNS: usize = 1024;
const WEIGHTS: [f32; 9] = [0.1, 0.2, 0.1, 0.2, -0.7, 0.2, 0.3, 0.4, 0.5];

pub(super) struct Convolved {
    convolution: Convolution,
    shape: Shape,
    host: Vec<f32>,
    x: DeviceVector,
    y: DeviceVector,
}

impl Convolved {
    pub(super) fn new(context: &Context, engine: Engine, n: usize) -> Result<Convolved, Error> {
        let columns = if n.is_multiple_of(COLUMNS) { COLUMNS } else { n };
        let shape = Shape::new(n / columns, columns);
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

impl Work for Convolved {
    fn run(&mut self) -> Result<(), Error> {
        Ok(self.convolution.run(&self.x, &mut self.y)?)
    }

    fn compare(&self) -> Result<Comparison, Error> {
        let columns = self.shape.cols;
        // No number is above 1.
        let bound = self.convolution.error_bound();
        let expected = (0..self.host.len()).map(|i| (self.result(i / columns, i % columns), bound));
        Ok(Comparison::of(self.y.read()?, expected))
    }
}
