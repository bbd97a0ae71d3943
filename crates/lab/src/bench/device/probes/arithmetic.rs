//! Arithmetic: multiply-adds on as many numbers at a time as fill the device.

use super::prelude::*;

/// A chain of multiply-adds, in one of the shapes of which the fastest is the device's peak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mad {
    pub(super) accumulators: u32,
    pub(crate) unroll: u32,
    fused: bool,
}

impl Mad {
    /// Written as a product and a sum, which most devices fuse by themselves.
    pub(crate) const fn written(accumulators: u32, unroll: u32) -> Mad {
        Mad { accumulators, unroll, fused: false }
    }

    const fn fused(accumulators: u32, unroll: u32) -> Mad {
        Mad { accumulators, unroll, fused: true }
    }

    pub(crate) const ALL: [Mad; 12] = [
        Mad::written(4, 1),
        Mad::written(4, 4),
        Mad::written(4, 8),
        Mad::written(4, 16),
        Mad::written(8, 1),
        Mad::written(8, 4),
        Mad::written(8, 8),
        Mad::written(8, 16),
        Mad::fused(4, 8),
        Mad::fused(4, 16),
        Mad::fused(8, 8),
        Mad::fused(8, 16),
    ];

    /// The forms of which one is the fastest on every measured device, the likeliest first.
    pub(crate) const LIKELY: [Mad; 6] = [
        Mad::written(8, 8),
        Mad::written(8, 4),
        Mad::written(8, 16),
        Mad::written(4, 16),
        Mad::fused(8, 8),
        Mad::fused(8, 16),
    ];

    /// Whether the form differs from the others here: without `fma`, the fused form would be the
    /// written one again.
    pub(crate) fn is_possible(self, context: &Context) -> bool {
        !self.fused || context.abilities().precise
    }

    pub(crate) fn name(self) -> String {
        let form = if self.fused { ", fma" } else { "" };
        format!("{} x 4 numbers, unrolled by {}{form}", self.accumulators, self.unroll)
    }

    pub(crate) fn source(self, engine: Engine) -> Result<Source, stream::Error> {
        let mut source = source(engine)?.define("WORK_MAD", 1);
        source = source.define("ACCUMULATORS", self.accumulators).define("UNROLL", self.unroll);
        Ok(if self.fused { source.define("FUSED", 1) } else { source })
    }

    /// Two operations for each multiply-add: of one step, of the whole target.
    pub(crate) fn operations(self, context: &Context) -> f64 {
        let chain = 2.0 * 4.0 * f64::from(self.accumulators) * f64::from(links(context));
        chain * extent(context).texels() as f64
    }

    pub(crate) fn subject(self, context: &Context, engine: Engine) -> Subject {
        let make = move |context: &Context| self.work(context, engine);
        let (unit, amount) = (Unit::Flops, self.operations(context));
        Subject::new("mad", engine, self.name(), unit, amount, make)
    }

    pub(crate) fn work(self, context: &Context, engine: Engine) -> Result<Work> {
        let links = links(context);
        let start = Start { extent: extent(context), texel: spread };
        let twin = Box::new(move |_, old: [f32; 4]| old.map(|start| self.twin(start, links)));
        let (source, reads) = (self.source(engine)?, context.abilities().reads());
        Work::new(context, source, reads, start, self.given(links), twin)
    }

    pub(super) fn given(self, links: i32) -> Inputs {
        let (c, d) = factors(links);
        let trips = links / self.unroll as i32;
        Inputs::default().uniform("trips", trips).uniform("c", [c; 4]).uniform("d", [d; 4])
    }

    /// The mean of the chains. A link rounds at most twice, at most u (|s c| + |s c + d|), the mean
    /// three times more, and no number outgrows what it began with by more than its fixed point 1.
    pub(crate) fn twin(self, start: f32, links: i32) -> Expected {
        let (c, d) = factors(links);
        let chain = |first: f64| (0..links).fold(first, |s, _| s * f64::from(c) + f64::from(d));
        let firsts = (0..self.accumulators).map(|i| f64::from(start) + f64::from(i));
        let mean = firsts.map(chain).sum::<f64>() / f64::from(self.accumulators);
        let largest = f64::from(start).abs() + f64::from(self.accumulators) + 1.0;
        (mean, (2.0 * f64::from(links) + 6.0) * 0.5_f64.powi(24) * largest)
    }
}

/// The factors with which, for numbers up to 1, a missing link shows most.
fn factors(links: i32) -> (f32, f32) {
    let part = 1.0 / links as f32;
    (1.0 - part, part)
}

/// Multiply-adds in a chain: enough that the other costs of a fragment do not count.
pub(crate) fn links(context: &Context) -> i32 {
    if context.abilities().software { 128 } else { 256 }
}

/// Enough texels for all threads of the device to have many each: a software renderer gives a
/// thread 64 x 64 of them at a time, and should have no more to do than it must, since a step on
/// few cores takes longer than a run should.
pub(crate) fn extent(context: &Context) -> Extent {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let side = match context.abilities().software {
        true if cores <= FEW_CORES => 256,
        true => 512,
        false => 1024,
    };
    Extent::new(side, side)
}

/// Cores that have four parts or more of 64 x 64 each in a target of 256 x 256.
const FEW_CORES: usize = 4;

/// Numbers from 0 to 1 that differ from texel to texel.
pub(crate) fn spread([x, y]: [u32; 2]) -> [f32; 4] {
    let part = |number: u32| (number % 64) as f32 / 64.0;
    [part(x), part(y), part(x + 7 * y), part(3 * x + y)]
}
