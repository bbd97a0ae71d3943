//! Fourier transforms of squares.

use std::time::Duration;

use quadrille::Shape;
use quadrille::gl::Context;
use quadrille::grid::DeviceVector;
use quadrille::primitives::{Axis, Fft};
use quadrille::stream::Clock;
use quadrille::testing::Comparison;

use super::{Running, Subject};
use crate::twin::Spectrum;
use crate::{Error, Result};

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
        Ok(Box::new(Transforming { of: &self.0, fft, x, y }))
    }
}

struct Transforming<'a> {
    of: &'a Spectrum,
    fft: Fft,
    x: DeviceVector,
    y: DeviceVector,
}

impl Running for Transforming<'_> {
    fn choice(&self) -> String {
        self.fft.choice()
    }

    fn check(&mut self) -> Result<Comparison> {
        self.fft.forward(&self.x, &mut self.y)?;
        Ok(self.of.compare(&self.y.read()?, self.fft.error_bound()))
    }

    fn time(&mut self, context: &Context, parts: u64) -> Result<Duration> {
        let transforms =
            || (0..parts).try_for_each(|_| Ok::<_, Error>(self.fft.forward(&self.x, &mut self.y)?));
        Ok(Clock::of(context).time(context, transforms)?.1)
    }
}
