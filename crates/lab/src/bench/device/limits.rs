//! The few numbers that say how fast this device could be.

use std::time::Duration;

use quadrille::Observer;

use super::super::host::{self, HostLimits};
use super::super::runner::Meter;
use super::probes::arithmetic::Mad;
use super::probes::fetch::{By, Fetch, Pattern};
use super::probes::prelude::*;
use super::probes::probe::{effort, measure};
use super::probes::texels::Kind;
use crate::error::must_be_right;

/// The limits that nothing on this device exceeds. Each is the fastest run of the best of several
/// shapes of the same work: others who use the machine meanwhile can only hide what it could do.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Limits {
    /// Multiply-adds of fragments, two operations each, in GFLOPS.
    pub fragment_mad_gflops: f64,
    /// The multiply-adds of compute shaders, where the context has them.
    pub compute_mad_gflops: Option<f64>,
    /// The rate at which fragments read an RGBA32F texture that the cache holds, in GB/s.
    pub fetch_gb_s: f64,
    /// The limits of the host, which its loops and libraries are compared with; `None` in a build
    /// without reports.
    pub host: Option<HostLimits>,
    /// The part by which the middle run of the best shape was slower, over both works of fragments.
    #[serde(skip)]
    pub spread: f64,
}

impl Limits {
    pub fn beyond(self, other: Limits) -> Limits {
        let compute = self.compute_mad_gflops.zip(other.compute_mad_gflops);
        Limits {
            fragment_mad_gflops: self.fragment_mad_gflops.max(other.fragment_mad_gflops),
            compute_mad_gflops: compute.map(|(one, two)| one.max(two)),
            fetch_gb_s: self.fetch_gb_s.max(other.fetch_gb_s),
            host: self.host.zip(other.host).map(|(one, two)| one.beyond(two)),
            spread: self.spread.max(other.spread),
        }
    }
}

const RUN: Duration = Duration::from_millis(15);

/// Measures in a second or a few. An observer that says stop gets the result of one run of the
/// first shape of each work. A result that rounding does not explain is an error.
pub fn limits(context: &Context, observer: &mut dyn Observer) -> Result<Limits> {
    let compute = context.abilities().compute.is_some();
    let possible = || Mad::LIKELY.into_iter().filter(|mad| mad.is_possible(context));
    let mads = |engine| possible().map(|mad| mad.subject(context, engine)).collect::<Vec<_>>();
    let fetches = WAYS.map(|(pattern, by)| {
        Fetch { pattern, kind: Kind::Rgba32f, by }.subject(context, Engine::Fragment)
    });
    let shapes = possible().count() * if compute { 2 } else { 1 } + WAYS.len();
    let mut meter = Meter::new(observer, shapes as u64);
    let mut best = |shapes: &[Subject]| best(context, shapes, &mut meter);
    let compute_mad_gflops = match compute {
        true => Some(best(&mads(Engine::Compute))?.rate),
        false => None,
    };
    let (mad, fetch) = (best(&mads(Engine::Fragment))?, best(&fetches)?);
    Ok(Limits {
        fragment_mad_gflops: mad.rate,
        compute_mad_gflops,
        fetch_gb_s: fetch.rate,
        host: host::limits()?,
        spread: mad.spread.hypot(fetch.spread),
    })
}

/// Operations of the least that [`limits`] does before it looks whether to stop: for who plans its
/// time on a device that may be slow.
pub fn least_operations(context: &Context) -> f64 {
    let engines = if context.abilities().compute.is_some() { 2.0 } else { 1.0 };
    // A check of two steps, two to find how many fill a run, and a run.
    5.0 * engines * Mad::LIKELY[0].operations(context)
}

const WAYS: [(Pattern, By); 4] = [
    (Pattern::Cached, By::Sample),
    (Pattern::Cached, By::Fetch),
    (Pattern::Shared, By::Sample),
    (Pattern::Shared, By::Fetch),
];

/// A rate in 10^9 a second, and by what part the middle run was slower.
#[derive(Clone, Copy)]
struct Peak {
    rate: f64,
    spread: f64,
}

fn best(context: &Context, shapes: &[Subject], meter: &mut Meter<'_>) -> Result<Peak> {
    let mut best = Peak { rate: 0.0, spread: 0.0 };
    for shape in shapes {
        if meter.stopped() && best.rate > 0.0 {
            break;
        }
        // The first shape has a run in any case.
        let effort = effort(context, if meter.stopped() { 1 } else { 3 }, RUN);
        let probe = shape.make(context)?;
        let measured = measure(context, probe, &effort, &mut Meter::new(&mut (), 0))?;
        if let Some(measured) = measured {
            let name = format!("{} {}, {}", shape.probe, shape.engine.name(), shape.variant);
            must_be_right(&name, measured.comparison)?;
            let fastest = measured.fastest().max(1e-12);
            let spread = measured.summary().median_ms / 1e3 / fastest - 1.0;
            let peak = Peak { rate: shape.amount / fastest / 1e9, spread };
            best = if peak.rate > best.rate { peak } else { best };
        }
        meter.go_on(1);
    }
    Ok(best)
}
