//! Vectors on the device and what is done with them.

use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use quadrille::Extent;
use quadrille::gl::{Context, Texture};
use quadrille::internal::memory;
use quadrille::linalg::blas1::Axpy;
use quadrille::stream::reduce::{Reducer, error_bound};
use quadrille::stream::{Clock, PingPong};

use super::super::Error;
use super::super::twin::{Comparison, compare};
use super::operation::Operation;

/// Two vectors, a place for a third, and the kernels.
pub(super) struct Vectors {
    context: Context,
    axpy: Axpy,
    reducer: Reducer,
    host: [Vec<[f32; 4]>; 2],
    x: Texture<[f32; 4]>,
    y: Texture<[f32; 4]>,
    /// Taken in turns: a software renderer leaves out a pass that the next one draws over.
    sums: PingPong<[f32; 4]>,
    upload: Texture<[f32; 4]>,
    /// Where texels are read back to: memory that is there, so that the time is of the transfer.
    back: Vec<[f32; 4]>,
    counter: PingPong<[f32; 4]>,
    one: Texture<[f32; 4]>,
}

/// A factor that no rounding hides.
const A: f32 = 0.7;

impl Vectors {
    /// At least `n` elements: as many as fill the nearest square of texels.
    pub(super) fn new(context: &Context, n: usize) -> Result<Vectors, Error> {
        let texels = n.div_ceil(4).max(1);
        let width = texels.isqrt();
        let extent = Extent::new(width as u32, texels.div_ceil(width) as u32);
        let mut generator = Pcg64Mcg::seed_from_u64(n as u64);
        let mut numbers = || {
            let mut next = || generator.random_range(-1.0..1.0_f32);
            let texels = std::iter::repeat_with(|| [next(), next(), next(), next()]);
            memory::collected(extent.texels(), texels)
        };
        let host = [numbers()?, numbers()?];
        let single = Extent::new(1, 1);
        Ok(Vectors {
            context: context.clone(),
            axpy: Axpy::new(context, context.abilities().reads())?,
            reducer: Reducer::new(context),
            x: context.texture(extent, &host[0])?,
            y: context.texture(extent, &host[1])?,
            sums: PingPong::new(context.texture(extent, &host[1])?, context.uninit(extent)?)?,
            upload: context.uninit(extent)?,
            back: memory::zeroed(extent.texels())?,
            counter: PingPong::new(context.texture(single, &[[0.0; 4]])?, context.uninit(single)?)?,
            one: context.texture(single, &[[1.0; 4]])?,
            host,
        })
    }

    /// Elements in a vector.
    pub(super) fn len(&self) -> usize {
        self.x.extent().texels() * 4
    }

    /// Times operations. What ends on the host is timed by the wall.
    pub(super) fn time(&mut self, operation: Operation, count: u64) -> Result<Duration, Error> {
        let context = self.context.clone();
        let clock = match operation {
            Operation::Saxpy => Clock::of(&context),
            _ => Clock::Wall,
        };
        Ok(clock.time(&context, || self.perform(operation, count))?.1)
    }

    /// Does something so many times.
    fn perform(&mut self, operation: Operation, count: u64) -> Result<(), Error> {
        for _ in 0..count {
            match operation {
                Operation::Saxpy => self.saxpy()?,
                Operation::Sum => drop(self.reducer.sum(&self.x)?),
                Operation::Dot => drop(self.reducer.dot(&self.x, &self.y)?),
                Operation::Norm => drop(self.reducer.norm(&self.x)?),
                Operation::Upload => self.upload.write(&self.host[0])?,
                Operation::Readback => self.x.read_into(&mut self.back)?,
                Operation::ReadbackLater => self.x.read_async()?.read_into(&mut self.back)?,
                Operation::Pass => self.count_one()?,
            }
        }
        Ok(())
    }

    /// y := a x + y, which the next one needs.
    fn saxpy(&mut self) -> Result<(), Error> {
        let (axpy, x) = (&self.axpy, &self.x);
        Ok(self.sums.step(|old, new| axpy.run(A, x, old, new))?)
    }

    /// Of the first one: it adds to y as it was sent.
    fn check_saxpy(&mut self) -> Result<Comparison, Error> {
        self.saxpy()?;
        let got = self.sums.newest().read()?;
        let sent = flat(&self.host[0]).zip(flat(&self.host[1]));
        let expected = sent.map(|(x, y)| {
            let product = f64::from(A) * x;
            // A product and a sum: two roundings.
            (product + y, 2.5 * 0.5_f64.powi(24) * (product.abs() + y.abs()))
        });
        Ok(compare(flat(&got), expected))
    }

    fn count_one(&mut self) -> Result<(), Error> {
        let (axpy, one) = (&self.axpy, &self.one);
        Ok(self.counter.step(|old, new| axpy.run(1.0, old, one, new))?)
    }

    /// Does it once, or as often as tells right from wrong, and compares.
    pub(super) fn check(&mut self, operation: Operation) -> Result<Comparison, Error> {
        let bound = error_bound(self.x.extent(), self.reducer.factor());
        let reduced = |got: f64, exact: f64, magnitude: f64| {
            Comparison::of_number(got, exact, bound * magnitude)
        };
        Ok(match operation {
            Operation::Saxpy => self.check_saxpy()?,
            Operation::Sum => {
                let numbers = || flat(&self.host[0]);
                let magnitude = numbers().map(f64::abs).sum();
                reduced(self.reducer.sum(&self.x)?, numbers().sum(), magnitude)
            }
            Operation::Dot => {
                let pairs = || flat(&self.host[0]).zip(flat(&self.host[1]));
                let exact = pairs().map(|(x, y)| x * y).sum();
                let magnitude = pairs().map(|(x, y)| (x * y).abs()).sum();
                reduced(self.reducer.dot(&self.x, &self.y)?, exact, magnitude)
            }
            Operation::Norm => {
                let exact = flat(&self.host[0]).map(|x| x * x).sum::<f64>().sqrt();
                // The root halves the error of the sum.
                reduced(self.reducer.norm(&self.x)?, exact, exact)
            }
            Operation::Upload => {
                self.upload.write(&self.host[0])?;
                same(&self.upload.read()?, &self.host[0])
            }
            Operation::Readback => same(&self.x.read()?, &self.host[0]),
            Operation::ReadbackLater => same(&self.x.read_async()?.read()?, &self.host[0]),
            Operation::Pass => {
                let passes = 50_u8;
                for _ in 0..passes {
                    self.count_one()?;
                }
                same(&self.counter.newest().read()?, &[[f32::from(passes); 4]])
            }
        })
    }
}

fn flat(texels: &[[f32; 4]]) -> impl Iterator<Item = f64> {
    texels.iter().flatten().map(|number| f64::from(*number))
}

/// Bit for bit, and no number more or less.
fn same(got: &[[f32; 4]], sent: &[[f32; 4]]) -> Comparison {
    compare(flat(got), flat(sent).map(|sent| (sent, 0.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All but the upload, of which the host's numbers are what is sent: there nothing can differ but
    /// the way.
    const CHECKED: [Operation; 6] = [
        Operation::Saxpy,
        Operation::Sum,
        Operation::Dot,
        Operation::Norm,
        Operation::Readback,
        Operation::ReadbackLater,
    ];

    /// A number of x instead of one there is, by which the result is twice its bound away.
    fn moved(vectors: &Vectors, operation: Operation, at: usize) -> f32 {
        let [x, y] = [0, 1].map(|vector: usize| f64::from(vectors.host[vector][at][1]));
        let off = 2.0 * error_bound(vectors.x.extent(), vectors.reducer.factor());
        let sum = |term: fn(f64, f64) -> f64| -> f64 {
            let pairs = flat(&vectors.host[0]).zip(flat(&vectors.host[1]));
            pairs.map(|(x, y)| term(x, y).abs()).sum()
        };
        let moved = match operation {
            Operation::Saxpy => {
                let a = f64::from(A);
                x + 5.0 * 0.5_f64.powi(24) * ((a * x).abs() + y.abs()) / a
            }
            Operation::Sum => x + off * sum(|x, _| x),
            Operation::Dot => x + off * sum(|x, y| x * y) / y,
            Operation::Norm => (x * x + 2.1 * off * sum(|x, _| x * x)).sqrt(),
            _ => return (x as f32).next_up(),
        };
        moved as f32
    }

    #[test]
    fn one_number_that_the_device_has_otherwise_is_noticed() {
        let context = Context::headless().unwrap();
        for operation in CHECKED {
            for other in [None, Some(0.0), Some(f32::NAN), Some(f32::INFINITY)] {
                let mut vectors = Vectors::new(&context, 10_007).unwrap();
                let right = vectors.check(operation).unwrap();
                assert!(right.is_right(), "{}: {right:?}", operation.name());
                // Far from zero, so that it counts in every operation.
                let of =
                    |at: &usize| vectors.host[0][*at][1].abs().min(vectors.host[1][*at][1].abs());
                let at = (0..1000).find(|at| of(at) > 0.5).unwrap();
                let other = other.unwrap_or_else(|| moved(&vectors, operation, at));
                vectors.host[0][at][1] = other;
                // A fresh target, since the sums of one check are where the next begins.
                vectors.sums.newest_mut().write(&vectors.host[1]).unwrap();
                let wrong = vectors.check(operation).unwrap();
                assert!(!wrong.is_right(), "{} with {other}: {wrong:?}", operation.name());
            }
        }
    }

    #[test]
    fn a_pass_too_many_and_a_texel_too_few_are_noticed() {
        let context = Context::headless().unwrap();
        let mut vectors = Vectors::new(&context, 16).unwrap();
        vectors.count_one().unwrap();
        assert!(!vectors.check(Operation::Pass).unwrap().is_right());
        assert!(!same(&[[1.0; 4]; 2], &[[1.0; 4]; 3]).is_right());
        assert!(!same(&[[1.0; 4]; 3], &[[1.0; 4]; 2]).is_right());
    }
}
