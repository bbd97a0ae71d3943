//! Fourier transforms of squares.

use std::time::Duration;

use quadrille::data::SplitMix64;
use quadrille::gl::Context;
use quadrille::grid::DeviceVector;
use quadrille::primitives::{Axis, Fft};
use quadrille::stream::Clock;
use quadrille::testing::Comparison;

use super::super::super::Error;
use super::{Running, Subject};

/// Random numbers, and their transform by its definition at some places.
pub(super) struct Transform {
    side: usize,
    numbers: Vec<f32>,
    expected: Vec<(usize, [f64; 2])>,
    norm: f64,
}

/// The results that are compared with their definition, beside their norm.
const COMPARED: usize = 4;

impl Transform {
    pub(super) fn new(side: usize) -> Result<Transform, Error> {
        let mut random = SplitMix64::new(side as u64);
        let numbers = std::iter::repeat_with(|| random.symmetric());
        let numbers = quadrille::memory::collected(2 * side * side, numbers)?;
        let norm = numbers.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt();
        let mut transform =
            Transform { side, numbers, expected: Vec::new(), norm: norm * side as f64 };
        let places = (0..COMPARED)
            .map(|i| i * (side * side - 1) / COMPARED + i)
            .filter(|k| *k < side * side);
        transform.expected = places.map(|k| (k, transform.result(k))).collect();
        Ok(transform)
    }

    /// Returns a result by its definition.
    fn result(&self, place: usize) -> [f64; 2] {
        let (row, column, side) = (place / self.side, place % self.side, self.side);
        let mut sum = [0.0; 2];
        for (at, x) in self.numbers.chunks_exact(2).enumerate() {
            let turn = (row * (at / side) + column * (at % side)) % side;
            let (sin, cos) = (std::f64::consts::TAU * turn as f64 / side as f64).sin_cos();
            let [re, im] = [x[0], x[1]].map(f64::from);
            sum = [sum[0] + re * cos + im * sin, sum[1] + im * cos - re * sin];
        }
        sum
    }
}

impl Subject for Transform {
    fn choices(&self, context: &Context) -> Vec<String> {
        Fft::choices(context)
    }

    fn start<'a>(&'a self, context: &'a Context) -> Result<Box<dyn Running + 'a>, Error> {
        let side = self.side;
        let fft = Fft::new(context, &[Axis::rows(side, side), Axis::columns(side, side)])?;
        let x = DeviceVector::from_host(context, &self.numbers)?;
        let y = DeviceVector::uninit(context, x.len())?;
        Ok(Box::new(Transforming { of: self, fft, x, y }))
    }
}

struct Transforming<'a> {
    of: &'a Transform,
    fft: Fft,
    x: DeviceVector,
    y: DeviceVector,
}

impl Running for Transforming<'_> {
    fn choice(&self) -> String {
        self.fft.choice()
    }

    fn check(&mut self) -> Result<Comparison, Error> {
        self.fft.forward(&self.x, &mut self.y)?;
        let (y, norm) = (self.y.read()?, self.of.norm);
        // The norm is rounded for the comparison.
        let bound = norm * (self.fft.error_bound() + f64::from(f32::EPSILON));
        let length = y.iter().map(|y| f64::from(*y).powi(2)).sum::<f64>().sqrt();
        let mut got = vec![length as f32];
        let mut expected = vec![(norm, bound)];
        for (place, exact) in &self.of.expected {
            got.extend(&y[2 * place..2 * place + 2]);
            expected.extend(exact.map(|part| (part, bound)));
        }
        Ok(Comparison::of(got, expected))
    }

    fn time(&mut self, context: &Context, parts: u64) -> Result<Duration, Error> {
        let transforms =
            || (0..parts).try_for_each(|_| Ok::<_, Error>(self.fft.forward(&self.x, &mut self.y)?));
        Ok(Clock::of(context).time(context, transforms)?.1)
    }
}
