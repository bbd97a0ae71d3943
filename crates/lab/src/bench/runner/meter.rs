//! Progress by cost.

use std::time::{Duration, Instant};

use quadrille::{Control, Observer, Progress};

/// Counts the cost of work that is done and of work that is ahead, and reports it to an observer.
pub struct Meter<'a> {
    observer: &'a mut dyn Observer,
    done: u64,
    ahead: u64,
    stopped: bool,
    clock: Box<dyn Fn() -> Duration + 'a>,
}

impl<'a> Meter<'a> {
    /// Makes a meter for work of this estimated cost.
    pub fn new(observer: &'a mut dyn Observer, ahead: u64) -> Meter<'a> {
        let begun = Instant::now();
        Meter::with_clock(observer, ahead, move || begun.elapsed())
    }

    pub(super) fn with_clock(
        observer: &'a mut dyn Observer,
        ahead: u64,
        clock: impl Fn() -> Duration + 'a,
    ) -> Meter<'a> {
        Meter { observer, done: 0, ahead, stopped: false, clock: Box::new(clock) }
    }

    /// Counts some more work; returns whether to continue.
    pub fn go_on(&mut self, cost: u64) -> bool {
        self.done = self.done.saturating_add(cost);
        self.ahead = self.ahead.saturating_sub(cost);
        let expected = Some(self.done.saturating_add(self.ahead));
        let progress = Progress::new(self.done, expected);
        self.stopped |= self.observer.observe(&progress) == Control::Stop;
        !self.stopped
    }

    /// Work that was expected to cost `before` costs `now`.
    pub fn replan(&mut self, before: u64, now: u64) {
        self.ahead = self.ahead.saturating_add(now).saturating_sub(before);
    }

    pub fn stopped(&self) -> bool {
        self.stopped
    }

    pub(super) fn now(&self) -> Duration {
        (self.clock)()
    }
}
