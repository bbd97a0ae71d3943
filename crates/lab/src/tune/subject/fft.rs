//! Fourier transforms of squares.

use quadrille::Shape;
use quadrille::gl::Context;
use quadrille::grid::DeviceVector;
use quadrille::primitives::{Axis, Fft};
use quadrille::stream::Clock;

use super::{Repeated, Running, Subject};
use crate::Result;
use crate::bench::benchmark::benchmark;
use crate::twin::Spectrum;

pub(super) struct Transform(Spectrum);

impl Transform {
    pub(super) fn new(side: usize) -> Result<Transform> {
        Ok(Transform(Spectrum::random(Shape::new(side, side))?))
    }
}

impl Subject for Transform {
    fn choices(&self, context: &Context) -> Vec<String> {
        Fft::choices(context)
    }

    fn start<'a>(&'a self, context: &'a Context) -> Result<Box<dyn Running + 'a>> {
        let side = self.0.shape.rows;
        let fft = Fft::new(context, &[Axis::rows(side, side), Axis::columns(side, side)])?;
        let x = DeviceVector::from_host(context, &self.0.numbers)?;
        let y = DeviceVector::uninit(context, x.len())?;
        let (choice, bound) = (fft.choice(), fft.error_bound());
        let run = move |y: &mut DeviceVector| Ok(fft.forward(&x, y)?);
        let work = benchmark(y, run, move |y| Ok(self.0.compare(&y.read()?, bound)));
        Ok(Box::new(Repeated { choice, clock: Clock::of(context), work }))
    }
}
