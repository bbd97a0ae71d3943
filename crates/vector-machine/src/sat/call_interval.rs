//! Decides how often to call an observer, by the duration of the steps.

use std::time::Duration;

use quadrille::internal::Instant;

/// The time between two calls of the observer, unless a step takes longer.
const AIM: Duration = Duration::from_millis(50);

/// Decides after which steps to call the observer. The result of a search must not depend on it.
pub(super) struct CallInterval {
    /// The most steps between two calls.
    most: u64,
    /// Steps from one call to the next.
    every: u64,
    /// Steps since the last.
    since: u64,
    last: Instant,
}

impl CallInterval {
    /// Starts with a call after one step, whose time predicts the next.
    pub(super) fn new(most: u64) -> CallInterval {
        CallInterval { most, every: 1, since: 0, last: Instant::now() }
    }

    /// Counts a step, and returns whether to call after it.
    pub(super) fn step(&mut self) -> bool {
        self.since += 1;
        self.since >= self.every
    }

    /// Begins to count again, after a call. All steps must be done, not only handed to a device.
    pub(super) fn restart(&mut self) {
        let now = Instant::now();
        if self.since > 0 {
            self.every = steps(self.since, now - self.last).clamp(1, self.most);
        }
        (self.since, self.last) = (0, now);
    }
}

/// Returns the number of steps in the time aimed at, given the duration of some.
fn steps(done: u64, took: Duration) -> u64 {
    (done as f64 * AIM.as_secs_f64() / took.as_secs_f64().max(1e-9)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_steps_are_few() {
        let ms = Duration::from_millis;
        assert_eq!(steps(1, ms(1000)), 0);
        assert_eq!(steps(4, ms(100)), 2);
        assert_eq!(steps(2, ms(10)), 10);
        assert!(steps(32, Duration::ZERO) > 1 << 30);
    }

    #[test]
    fn it_asks_after_one_step_and_then_by_their_time() {
        let mut interval = CallInterval::new(4);
        interval.restart();
        assert!(interval.step(), "nothing is known yet");
        interval.restart();
        interval.every = 4;
        let asks = [(); 4].map(|()| interval.step());
        assert_eq!(asks, [false, false, false, true]);
        interval.last -= Duration::from_secs(1);
        interval.restart();
        assert!(interval.step(), "four steps took a second");
        interval.restart();
        assert!(interval.every <= 4);
    }
}
