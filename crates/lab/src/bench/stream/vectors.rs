//! Vectors on the device and what is done with them.

#[cfg(test)]
mod tests;

use std::time::Duration;

use quadrille::data::SplitMix64;
use quadrille::gl::{Context, Staging, Texture};
use quadrille::grid::{DeviceVector, Scalar};
use quadrille::internal::reference::blas1 as twin;
use quadrille::linalg::blas1::{Blas1, Map};
use quadrille::primitives::Scan;
use quadrille::stream::reduce::{Reducer, error_bound};
use quadrille::stream::{Clock, Engine};
use quadrille::{Extent, memory};

use super::counter::Counter;
use super::operation::Operation;
use crate::twin::Comparison;
use crate::{Error, Result};

/// Vectors, textures for transfers, and the kernels.
pub(super) struct Vectors {
    context: Context,
    /// The operations of each engine, in the order of [`Engine::of`].
    stages: Vec<Stage>,
    host: [Vec<[f32; 4]>; 2],
    x: DeviceVector,
    y: DeviceVector,
    /// The vector for results of a map.
    z: DeviceVector,
    /// The scalar for a reduction that stays on the device.
    scalar: Scalar,
    /// The numbers of x as they were sent.
    sent: Texture<[f32; 4]>,
    upload: Texture<[f32; 4]>,
    /// The memory that texels are read back to: allocated before, so that the time is that of the
    /// transfer.
    back: Vec<[f32; 4]>,
    /// The numbers of x in mapped memory, and such memory to read back to.
    staged: [Staging<[f32; 4]>; 2],
    counter: Counter,
}

/// The operations of an engine.
struct Stage {
    engine: Engine,
    blas: Blas1,
    map: Map,
    scan: Scan,
    reducer: Reducer,
}

/// Factors that no rounding hides, and with which repeated operations neither overflow nor
/// underflow.
const A: f32 = 0.7;
const B: f32 = 0.3;
/// The cosine and the sine of an angle.
const ROTATION: [f32; 2] = [0.6, 0.8];

impl Vectors {
    /// Makes vectors of at least `n` elements: as many as fill the nearest square of texels.
    pub(super) fn new(context: &Context, n: usize) -> Result<Vectors> {
        let texels = n.div_ceil(4).max(1);
        let width = texels.isqrt();
        let extent = Extent::new(width as u32, texels.div_ceil(width) as u32);
        let mut generator = SplitMix64::new(n as u64);
        let mut numbers = || {
            let mut next = || generator.symmetric();
            let texels = std::iter::repeat_with(|| [next(), next(), next(), next()]);
            memory::collected(extent.texels(), texels)
        };
        let host = [numbers()?, numbers()?];
        let stage = |engine| {
            let (blas, reducer) = (Blas1::on(context, engine)?, Reducer::on(context, engine)?);
            let map = blas.map("y + a * (x - y)", &["x", "y"], &["a"])?;
            Ok(Stage { engine, blas, map, scan: Scan::on(context, engine)?, reducer })
        };
        let mut staged = [context.staging(extent.texels())?, context.staging(extent.texels())?];
        staged[0].as_mut_slice()?.copy_from_slice(&host[0]);
        staged[1].as_mut_slice()?.fill([f32::NAN; 4]);
        Ok(Vectors {
            context: context.clone(),
            stages: Engine::of(context).into_iter().map(stage).collect::<Result<_>>()?,
            x: DeviceVector::from_host(context, host[0].as_flattened())?,
            y: DeviceVector::from_host(context, host[1].as_flattened())?,
            z: DeviceVector::uninit(context, 4 * extent.texels())?,
            scalar: Scalar::new(context, f32::NAN)?,
            sent: context.texture(extent, &host[0])?,
            upload: context.uninit(extent)?,
            back: memory::zeroed(extent.texels())?,
            staged,
            counter: Counter::new(context)?,
            host,
        })
    }

    /// Elements in a vector.
    pub(super) fn len(&self) -> usize {
        self.x.len()
    }

    /// Times operations. What ends on the host is timed by the wall.
    pub(super) fn time(
        &mut self,
        operation: Operation,
        engine: Option<Engine>,
        count: u64,
    ) -> Result<Duration> {
        let context = self.context.clone();
        let on_device = operation.stays_on_device();
        let clock = if on_device { Clock::of(&context) } else { Clock::Wall };
        let work = || {
            for _ in 0..count {
                self.perform(operation, engine)?;
            }
            Ok::<_, Error>(())
        };
        Ok(clock.time(&context, work)?.1)
    }

    /// Performs an operation, and returns the number that it ends with, if it does.
    fn perform(&mut self, operation: Operation, engine: Option<Engine>) -> Result<f64> {
        let stage = self.stages.iter().find(|stage| engine.is_none_or(|e| stage.engine == e));
        let Some(Stage { blas, map, scan, reducer, .. }) = stage else { return Ok(f64::NAN) };
        let (x, y) = (&mut self.x, &mut self.y);
        match operation {
            Operation::Copy => {
                blas.copy(x, y)?;
                // So that the next one needs it: a software renderer leaves out a pass that is
                // drawn over.
                std::mem::swap(x, y);
            }
            Operation::Scal => blas.scal(-1.0, x)?,
            Operation::Saxpy => blas.axpy(A, x, y)?,
            Operation::Axpby => blas.axpby(A, x, B, y)?,
            Operation::Rot => blas.rot(x, y, ROTATION[0], ROTATION[1])?,
            Operation::Map => {
                map.apply().vector("x", x).vector("y", y).scalar("a", A).run(&mut self.z)?;
                // As after a copy.
                std::mem::swap(y, &mut self.z);
            }
            // Its passes before the last read x again, so none is left out.
            Operation::Scan => scan.of(x).run(&mut self.z)?,
            Operation::Sum => return Ok(blas.sum(x)?),
            Operation::Dot => return Ok(blas.dot(x, y)?),
            Operation::Norm => return Ok(reducer.norm(&self.sent)?),
            Operation::Nrm2 => return Ok(blas.nrm2(x)?),
            Operation::Asum => return Ok(blas.asum(x)?),
            Operation::Iamax => return Ok(blas.iamax(x)?.map_or(f64::NAN, |index| index as f64)),
            Operation::SumInto => blas.sum_into(x, &mut self.scalar)?,
            Operation::DotInto => blas.dot_into(x, y, &mut self.scalar)?,
            Operation::Nrm2Into => blas.nrm2_into(x, &mut self.scalar)?,
            Operation::AsumInto => blas.asum_into(x, &mut self.scalar)?,
            Operation::Upload => self.upload.write(&self.host[0])?,
            Operation::Readback => self.sent.read_into(&mut self.back)?,
            Operation::ReadbackLater => self.sent.read_async()?.read_into(&mut self.back)?,
            Operation::UploadStaging => self.upload.write_from(&self.staged[0])?,
            Operation::ReadbackStaging => {
                self.sent.read_to(&mut self.staged[1])?;
                self.staged[1].as_slice()?;
            }
            Operation::Swap => blas.swap(x, y)?,
            Operation::Dispatch => self.counter.dispatch()?,
            Operation::Pass => self.counter.pass()?,
        }
        Ok(0.0)
    }

    /// Sends the vectors, does it once, and compares.
    pub(super) fn check(
        &mut self,
        operation: Operation,
        engine: Option<Engine>,
    ) -> Result<Comparison> {
        self.send()?;
        self.check_sent(operation, engine)
    }

    fn send(&mut self) -> Result<()> {
        self.x.write(self.host[0].as_flattened())?;
        Ok(self.y.write(self.host[1].as_flattened())?)
    }

    fn check_sent(&mut self, operation: Operation, engine: Option<Engine>) -> Result<Comparison> {
        if matches!(operation, Operation::Pass | Operation::Dispatch) {
            return self.check_counts(operation);
        }
        let mut got = self.perform(operation, engine)?;
        if Operation::LEFT_ON_DEVICE.contains(&operation) {
            got = self.scalar.read()?;
        }
        let [x, y] = [0, 1].map(|vector: usize| self.host[vector].as_flattened());
        Ok(match operation {
            // The two were exchanged.
            Operation::Copy => combined(&self.x.read()?, 1.0, x, 0.0, y),
            Operation::Swap => {
                let first = combined(&self.x.read()?, 0.0, x, 1.0, y);
                first.worse(combined(&self.y.read()?, 1.0, x, 0.0, y))
            }
            Operation::Map => mapped(&self.y.read()?, x, y),
            Operation::Scan => scanned(&self.z.read()?, x, self.bound(operation, engine)),
            Operation::Scal => combined(&self.x.read()?, -1.0, x, 0.0, y),
            Operation::Saxpy => combined(&self.y.read()?, A, x, 1.0, y),
            Operation::Axpby => combined(&self.y.read()?, A, x, B, y),
            Operation::Rot => {
                let [c, s] = ROTATION;
                let first = combined(&self.x.read()?, c, x, s, y);
                first.worse(combined(&self.y.read()?, -s, x, c, y))
            }
            Operation::Upload | Operation::UploadStaging => {
                same(&self.upload.read()?, &self.host[0])
            }
            Operation::ReadbackStaging => same(self.staged[1].as_slice()?, &self.host[0]),
            Operation::Readback | Operation::ReadbackLater => same(&self.back, &self.host[0]),
            Operation::Iamax => {
                Comparison::of_number(got, twin::iamax(x).map_or(f64::NAN, |i| i as f64), 0.0)
            }
            _ => {
                let (exact, magnitude) = reduced(operation, x, y);
                Comparison::of_number(got, exact, self.bound(operation, engine) * magnitude)
            }
        })
    }

    /// The bound of a reduction, relative to the magnitudes.
    fn bound(&self, operation: Operation, engine: Option<Engine>) -> f64 {
        let mut stages =
            self.stages.iter().filter(|stage| engine.is_none_or(|e| stage.engine == e));
        stages.next().map_or(f64::NAN, |Stage { blas, scan, reducer, .. }| match operation {
            Operation::Scan => scan.error_bound(self.x.len()),
            Operation::Norm => error_bound(self.sent.extent(), reducer.factor()),
            _ => blas.error_bound(self.x.len()),
        })
    }

    /// Counts enough passes or dispatches to distinguish a right count from a wrong one.
    fn check_counts(&mut self, operation: Operation) -> Result<Comparison> {
        let count = 50_u8;
        for _ in 0..count {
            self.perform(operation, None)?;
        }
        let got = match operation {
            Operation::Dispatch => self.counter.dispatches()?,
            _ => self.counter.passes()?,
        };
        Ok(same(&got, &[[f32::from(count); 4]]))
    }
}

/// The expected value of a reduction, and the magnitude that its error is relative to.
fn reduced(operation: Operation, x: &[f32], y: &[f32]) -> (f64, f64) {
    match operation {
        Operation::Sum | Operation::SumInto => (twin::sum(x), twin::asum(x)),
        Operation::Asum | Operation::AsumInto => (twin::asum(x), twin::asum(x)),
        Operation::Dot | Operation::DotInto => {
            let products = x.iter().zip(y).map(|(x, y)| (f64::from(*x) * f64::from(*y)).abs());
            (twin::dot(x, y), products.sum())
        }
        _ => (twin::nrm2(x), twin::nrm2(x)),
    }
}

/// Compares with a x + b y, of three roundings.
fn combined(got: &[f32], a: f32, x: &[f32], b: f32, y: &[f32]) -> Comparison {
    let magnitude = |(x, y): (&f32, &f32)| f64::from((a * x).abs()) + f64::from((b * y).abs());
    let bounds = x.iter().zip(y).map(|pair| 3.5 * 0.5_f64.powi(24) * magnitude(pair));
    Comparison::of(got.iter().copied(), twin::axpby(a, x, b, y).into_iter().zip(bounds))
}

/// Compares with y + a (x - y), of three roundings.
fn mapped(got: &[f32], x: &[f32], y: &[f32]) -> Comparison {
    let a = f64::from(A);
    let expected = x.iter().zip(y).map(|(x, y)| {
        let (x, y) = (f64::from(*x), f64::from(*y));
        let magnitude = a * (x.abs() + y.abs()) + y.abs();
        (y + a * (x - y), 3.5 * 0.5_f64.powi(24) * magnitude)
    });
    Comparison::of(got.iter().copied(), expected)
}

/// Compares with the sums of all numbers up to each, whose errors are relative to those of the
/// magnitudes.
fn scanned(got: &[f32], x: &[f32], bound: f64) -> Comparison {
    let mut sums = (0.0, 0.0);
    let expected = x.iter().map(|x| {
        sums = (sums.0 + f64::from(*x), sums.1 + f64::from(x.abs()));
        (sums.0, bound * sums.1)
    });
    Comparison::of(got.iter().copied(), expected)
}

/// Bit for bit, and no number more or less.
fn same(got: &[[f32; 4]], sent: &[[f32; 4]]) -> Comparison {
    let flat = |texels: &[[f32; 4]]| texels.as_flattened().to_vec().into_iter().map(f64::from);
    Comparison::of(flat(got), flat(sent).map(|sent| (sent, 0.0)))
}
