//! Where the time of a solver goes.

use std::cell::Cell;
use std::ops::AddAssign;
use std::time::Duration;

use crate::Context;
use crate::clock::Instant;

/// The time of a setup or of a solution, by what was done in it: the parts add up to the whole.
///
/// ```
/// use quadrille::data::Stencil;
/// use quadrille::linalg::solve::{Options, Solver};
/// let matrix = "poisson5:30".parse::<Stencil>()?.matrix()?;
/// let context = quadrille::Context::headless()?;
/// let mut solver = Solver::new(&context, &matrix, Options::new())?;
/// let solution = solver.solve(&vec![1.0; 900])?;
/// let mut times = solver.setup_times();
/// times += solution.times;
/// let parts: std::time::Duration = times.parts().iter().map(|(_, time)| *time).sum();
/// assert_eq!(parts, times.whole());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times([Duration; Part::ALL.len()]);

/// A part of the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Looks at the matrix and at right-hand sides: what they are fit for.
    Examine,
    /// Conversions for the device, and the way there.
    Send,
    /// The levels of multigrid.
    Levels,
    /// Compiling kernels.
    Compile,
    /// The iteration.
    Iterate,
    /// Residuals in double precision on the host.
    Residual,
    /// The way back to the host.
    Back,
}

impl Part {
    const ALL: [Part; 7] = [
        Part::Examine,
        Part::Send,
        Part::Levels,
        Part::Compile,
        Part::Iterate,
        Part::Residual,
        Part::Back,
    ];

    fn name(self) -> &'static str {
        match self {
            Part::Examine => "examine",
            Part::Send => "send",
            Part::Levels => "levels",
            Part::Compile => "compile",
            Part::Iterate => "iterate",
            Part::Residual => "residual on the host",
            Part::Back => "back",
        }
    }
}

impl Times {
    /// Returns the parts, each with its name: `examine`, `send`, `levels`, `compile`, `iterate`,
    /// `residual on the host` and `back`.
    ///
    /// Work of a device is in the part that waits for it. A driver that compiles when a kernel is
    /// first run does so in `compile` where [`Solver::warm_up`](super::Solver::warm_up) was called.
    pub fn parts(&self) -> [(&'static str, Duration); 7] {
        Part::ALL.map(|part| (part.name(), self.0[part as usize]))
    }

    /// Returns the sum of the parts.
    pub fn whole(&self) -> Duration {
        self.0.iter().sum()
    }
}

impl AddAssign for Times {
    fn add_assign(&mut self, other: Times) {
        self.0.iter_mut().zip(other.0).for_each(|(sum, part)| *sum += part);
    }
}

/// Attributes time to parts: each moment to the one that was entered last, and to compiling what the
/// contexts have compiled for.
pub(crate) struct Watch {
    contexts: Vec<Context>,
    now: Cell<Part>,
    since: Cell<Instant>,
    compiled: Cell<Duration>,
    times: Cell<Times>,
}

impl Watch {
    /// Starts with the examination.
    pub(crate) fn new(contexts: Vec<Context>) -> Watch {
        let watch = Watch {
            contexts,
            now: Cell::new(Part::Examine),
            since: Cell::new(Instant::now()),
            compiled: Cell::default(),
            times: Cell::default(),
        };
        watch.compiled.set(watch.compiled());
        watch
    }

    /// Starts again with a part: what was before is no one's.
    pub(crate) fn begin(&self, part: Part) {
        self.now.set(part);
        self.since.set(Instant::now());
        self.compiled.set(self.compiled());
        self.times.take();
    }

    /// Attributes what follows to a part.
    pub(crate) fn enter(&self, part: Part) {
        let (now, compiled) = (Instant::now(), self.compiled());
        let passed = now - self.since.replace(now);
        let compiling = (compiled - self.compiled.replace(compiled)).min(passed);
        let mut times = self.times.get();
        times.0[self.now.replace(part) as usize] += passed - compiling;
        times.0[Part::Compile as usize] += compiling;
        self.times.set(times);
    }

    /// Runs a function whose time is a part's.
    pub(crate) fn during<R>(&self, part: Part, work: impl FnOnce() -> R) -> R {
        let before = self.now.get();
        self.enter(part);
        let result = work();
        self.enter(before);
        result
    }

    /// Does work that compiles what a device needs: of one device without computing it.
    pub(crate) fn rehearse<R>(&self, work: impl FnOnce() -> R) -> R {
        match self.contexts.as_slice() {
            [context] => context.rehearse(work),
            _ => work(),
        }
    }

    /// Returns the times since the beginning.
    pub(crate) fn times(&self) -> Times {
        self.enter(self.now.get());
        self.times.get()
    }

    fn compiled(&self) -> Duration {
        self.contexts.iter().map(Context::time_compiled).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_moment_is_in_one_part() {
        let watch = Watch::new(Vec::new());
        let begun = Instant::now();
        let pause = || std::thread::sleep(Duration::from_millis(5));
        watch.begin(Part::Examine);
        pause();
        watch.during(Part::Send, pause);
        watch.enter(Part::Iterate);
        watch.during(Part::Back, pause);
        let (times, most) = (watch.times(), begun.elapsed());
        let of = |part: Part| times.0[part as usize];
        for part in [Part::Examine, Part::Send, Part::Back] {
            assert!(of(part) >= Duration::from_millis(5), "{part:?}");
        }
        for part in [Part::Levels, Part::Compile, Part::Residual] {
            assert_eq!(of(part), Duration::ZERO, "{part:?}");
        }
        assert!(times.whole() <= most && times.whole() >= Duration::from_millis(15));
        watch.begin(Part::Levels);
        pause();
        let times = watch.times();
        assert_eq!(times.0[Part::Levels as usize], times.whole());
    }
}
