//! Chooses how often to check the residual, and forecasts the number of iterations.

use std::time::Duration;

/// The number of iterations between two residual checks: enough for checks to take less than 5 % of
/// the time, few enough for progress to be visible.
#[derive(Default)]
pub(crate) struct CheckInterval {
    pub(super) iterating: Duration,
    iterations: u64,
    checking: Option<Duration>,
}

/// The share of the time that checks may take.
const SHARE: f64 = 0.04;
/// The longest time between two checks, unless the share needs more.
const PATIENCE: Duration = Duration::from_millis(200);
/// The iterations before the first check: long enough to time, short enough to lose nothing.
const FIRST: u64 = 8;

impl CheckInterval {
    pub(super) fn learn(&mut self, steps: u64, iterating: Duration, checking: Duration) {
        self.iterating += iterating;
        self.iterations += steps;
        // The shortest check is the true cost: the first ones compile and allocate.
        self.checking = Some(self.checking.map_or(checking, |least| least.min(checking)));
    }

    pub(crate) fn steps(&self) -> u64 {
        let Some(checking) = self.checking else { return FIRST };
        let step = self.iterating.as_secs_f64() / self.iterations.max(1) as f64;
        let step = step.max(1e-7);
        let by_share = checking.as_secs_f64() / (SHARE * step);
        let by_patience = PATIENCE.as_secs_f64() / step;
        // At most as many as were done so far, so that an early estimate cannot overshoot.
        let by_past = (self.iterations as f64).max(FIRST as f64);
        by_share.max(by_patience.min(by_share * 4.0)).min(by_past).ceil().max(1.0) as u64
    }
}

/// Estimates the remaining iterations from the residuals so far.
pub(in crate::linalg) struct Forecast {
    points: Vec<(u64, f64)>,
}

impl Forecast {
    pub(crate) fn new(done: u64, residual: f64) -> Forecast {
        Forecast { points: vec![(done, residual)] }
    }

    pub(crate) fn learn(&mut self, done: u64, residual: f64) {
        self.points.push((done, residual));
    }

    /// Forecasts the number of iterations until the residual meets the tolerance. The rate comes
    /// from the later half of the points, since the residual falls faster at first.
    pub(crate) fn iterations_to(&self, tolerance: f64) -> Option<u64> {
        let (end, last) = *self.points.last()?;
        let (begin, first) = *self.points.get(self.points.len() / 2)?;
        let (begin, first) = if begin == end { *self.points.first()? } else { (begin, first) };
        if last <= tolerance {
            return Some(end);
        }
        if tolerance <= 0.0 || end <= begin || last >= first {
            return None;
        }
        let rate = (first / last).ln() / (end - begin) as f64;
        let left = (last / tolerance).ln() / rate;
        left.is_finite().then(|| end.saturating_add(left.ceil() as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_forecast_of_a_steady_fall_is_exact() {
        let mut forecast = Forecast::new(0, 1.0);
        for done in [10, 20, 40] {
            forecast.learn(done, 0.5_f64.powi(done as i32));
        }
        assert_eq!(forecast.iterations_to(0.5_f64.powi(100)), Some(100));
        assert_eq!(forecast.iterations_to(0.0), None);
        // One that hardly falls takes longer than can be counted.
        let mut forecast = Forecast::new(0, 1.0);
        forecast.learn(40, 1.0 - f64::EPSILON);
        assert_eq!(forecast.iterations_to(0.5_f64.powi(1000)), Some(u64::MAX));
    }

    #[test]
    fn checks_stay_under_their_share() {
        let mut interval = CheckInterval::default();
        let (step, check) = (Duration::from_micros(100), Duration::from_micros(1000));
        let (mut iterating, mut checking) = (Duration::ZERO, Duration::ZERO);
        for _ in 0..100 {
            let steps = interval.steps();
            interval.learn(steps, step * steps as u32, check);
            iterating += step * steps as u32;
            checking += check;
        }
        let share = checking.as_secs_f64() / (iterating + checking).as_secs_f64();
        assert!(share < 0.05, "{share}");
    }
}
