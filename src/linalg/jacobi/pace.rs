//! How often to look at the residual, and how many iterations there will be.

use std::time::Duration;

/// How many iterations go between two looks at the residual: so many that looking costs less than
/// 5 % of the time, and so few that someone who watches sees it move.
#[derive(Default)]
pub(super) struct Pace {
    pub(super) iterating: Duration,
    iterations: u64,
    looking: Option<Duration>,
}

/// The share of the time that looking may take.
const SHARE: f64 = 0.04;
/// The longest time between two looks, unless the share needs more.
const PATIENCE: Duration = Duration::from_millis(200);
/// The first stretch: long enough to time it, short enough to be no loss.
const FIRST: u64 = 8;

impl Pace {
    pub(super) fn learn(&mut self, steps: u64, iterating: Duration, looking: Duration) {
        self.iterating += iterating;
        self.iterations += steps;
        // The least look is the true cost: the first ones compile and allocate.
        self.looking = Some(self.looking.map_or(looking, |least| least.min(looking)));
    }

    pub(super) fn steps(&self) -> u64 {
        let Some(looking) = self.looking else { return FIRST };
        let step = self.iterating.as_secs_f64() / self.iterations.max(1) as f64;
        let step = step.max(1e-7);
        let by_share = looking.as_secs_f64() / (SHARE * step);
        let by_patience = PATIENCE.as_secs_f64() / step;
        // No more than doubling what was done so far, so that an early guess cannot overshoot.
        let by_past = (self.iterations as f64).max(FIRST as f64);
        by_share.max(by_patience.min(by_share * 4.0)).min(by_past).ceil().max(1.0) as u64
    }
}

/// Guesses the iterations left from how the residual falls.
pub(super) struct Forecast {
    points: Vec<(u64, f64)>,
}

impl Forecast {
    pub(super) fn new(done: u64, residual: f64) -> Forecast {
        Forecast { points: vec![(done, residual)] }
    }

    pub(super) fn learn(&mut self, done: u64, residual: f64) {
        self.points.push((done, residual));
    }

    /// The later half of the points tells the rate: the first iterations fall faster.
    pub(super) fn iterations_to(&self, tolerance: f64) -> Option<u64> {
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
        left.is_finite().then(|| end + left.ceil() as u64)
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
    }

    #[test]
    fn looking_stays_under_its_share() {
        let mut pace = Pace::default();
        let (step, look) = (Duration::from_micros(100), Duration::from_micros(1000));
        let (mut iterating, mut looking) = (Duration::ZERO, Duration::ZERO);
        for _ in 0..100 {
            let steps = pace.steps();
            pace.learn(steps, step * steps as u32, look);
            iterating += step * steps as u32;
            looking += look;
        }
        let share = looking.as_secs_f64() / (iterating + looking).as_secs_f64();
        assert!(share < 0.05, "{share}");
    }
}
