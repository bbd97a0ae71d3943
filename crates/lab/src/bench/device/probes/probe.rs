//! The interface of all probes: work that is repeated, checked once and then timed.

use std::time::Duration;

use quadrille::gl::Context;
use quadrille::stream::Clock;

use crate::bench::runner;
use crate::bench::runner::{Effort, Measured, Meter, Rounds};
use crate::twin::Comparison;
use crate::{Error, Result};

/// Something that a device does again and again. Each time takes what the time before left, so that
/// neither a compiler nor a driver can leave one out.
pub(crate) trait Probe {
    fn step(&mut self) -> Result<()>;

    /// Does it often enough to distinguish right from wrong, and compares with the same in f64.
    fn check(&mut self) -> Result<Comparison>;
}

pub(crate) struct Probed<'a> {
    context: &'a Context,
    probe: Box<dyn Probe>,
}

impl runner::Case for Probed<'_> {
    type Time = Duration;

    fn check(&mut self) -> Result<Comparison> {
        self.probe.check()
    }

    fn time(&mut self, steps: u64) -> Result<Duration> {
        let repeated = || (0..steps).try_for_each(|_| self.probe.step());
        Ok(Clock::of(self.context).time(self.context, repeated)?.1)
    }

    fn is_skipped_for(_: &Error) -> bool {
        false
    }
}

pub(crate) fn effort(context: &Context, runs: usize, run: Duration) -> Effort {
    Effort::new(context, Rounds::Exactly(runs), run, [1, 1 << 15])
}

/// Measures one probe; `None` where the observer stopped it before its first run.
pub(crate) fn measure<'a>(
    context: &'a Context,
    probe: Box<dyn Probe>,
    effort: &Effort,
    meter: &mut Meter<'_>,
) -> Result<Option<Measured<Probed<'a>>>> {
    let outcome = runner::measure(vec![Probed { context, probe }], effort, meter)?;
    Ok(outcome.measured.into_iter().next())
}
