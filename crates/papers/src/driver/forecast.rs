//! Forecasts the time of the rest of a report, from the times allotted to studies and the times
//! that finished ones have taken.

use std::time::Duration;

/// A forecast that learns how fast this device is.
#[derive(Clone, Debug)]
pub struct Forecast {
    /// Seconds given to what is not done, and to what is.
    ahead: f64,
    behind: f64,
    /// Seconds that what is done has taken.
    taken: f64,
    /// The number of given seconds that count as kept to, before anything is known.
    trust: f64,
}

impl Forecast {
    /// Starts a forecast of work with this allotted time in all.
    pub fn new(given: Duration) -> Forecast {
        let ahead = given.as_secs_f64();
        Forecast { ahead, behind: 0.0, taken: 0.0, trust: 0.1 * ahead }
    }

    pub fn done(&mut self, given: Duration, taken: Duration) {
        let given = given.as_secs_f64();
        self.ahead = (self.ahead - given).max(0.0);
        self.behind += given;
        self.taken += taken.as_secs_f64();
    }

    /// A piece is there already, which says nothing about the others.
    pub fn skipped(&mut self, given: Duration) {
        self.ahead = (self.ahead - given.as_secs_f64()).max(0.0);
    }

    /// The remaining time, after the current piece has run for some time.
    pub fn left(&self, given: Duration, at_work: Duration) -> Duration {
        let pace = self.pace();
        let this = (given.as_secs_f64() * pace - at_work.as_secs_f64()).max(0.0);
        let others = (self.ahead - given.as_secs_f64()).max(0.0) * pace;
        Duration::try_from_secs_f64(this + others).unwrap_or(Duration::ZERO)
    }

    /// Seconds that one given second takes.
    fn pace(&self) -> f64 {
        let known = self.behind + self.trust;
        if known > 0.0 { (self.taken + self.trust) / known } else { 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn at_first_all_keep_to_their_time() {
        let forecast = Forecast::new(100 * SECOND);
        assert_eq!(forecast.left(20 * SECOND, Duration::ZERO), 100 * SECOND);
        assert_eq!(forecast.left(20 * SECOND, 15 * SECOND), 85 * SECOND);
        // One that takes longer than given does not make the others shorter.
        assert_eq!(forecast.left(20 * SECOND, 99 * SECOND), 80 * SECOND);
    }

    #[test]
    fn a_fast_device_shortens_what_is_left_and_a_slow_one_lengthens_it() {
        let mut forecast = Forecast::new(100 * SECOND);
        forecast.done(40 * SECOND, 2 * SECOND);
        let left = forecast.left(Duration::ZERO, Duration::ZERO).as_secs_f64();
        assert!((left - 60.0 * 12.0 / 50.0).abs() < 1e-6, "{left}");
        let mut forecast = Forecast::new(100 * SECOND);
        forecast.done(40 * SECOND, 80 * SECOND);
        assert!(forecast.left(Duration::ZERO, Duration::ZERO) > 100 * SECOND);
    }

    #[test]
    fn what_is_there_already_is_no_measure_of_speed() {
        let mut forecast = Forecast::new(100 * SECOND);
        forecast.skipped(90 * SECOND);
        assert_eq!(forecast.left(10 * SECOND, Duration::ZERO), 10 * SECOND);
    }

    #[test]
    fn nothing_takes_no_time() {
        let mut forecast = Forecast::new(Duration::ZERO);
        assert_eq!(forecast.left(Duration::ZERO, SECOND), Duration::ZERO);
        forecast.done(5 * SECOND, SECOND);
        assert_eq!(forecast.left(5 * SECOND, Duration::ZERO), SECOND);
    }
}
