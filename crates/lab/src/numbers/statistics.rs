//! Medians and spreads. All of the benches summarise here.

use std::time::Duration;

use super::short;

/// Several runs in short. Times are in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    pub median_ms: f64,
    /// The interquartile range of the runs.
    pub spread_ms: f64,
    pub runs: usize,
}

impl Summary {
    /// Summarises runs of `parts` equal parts each (iterations), as times of one part.
    pub fn of(runs: &[Duration], parts: u64) -> Summary {
        let parts = parts.max(1) as f64;
        let mut times: Vec<f64> = runs.iter().map(|t| t.as_secs_f64() * 1e3 / parts).collect();
        times.sort_by(f64::total_cmp);
        Summary {
            median_ms: quantile(&times, 0.5),
            spread_ms: quantile(&times, 0.75) - quantile(&times, 0.25),
            runs: times.len(),
        }
    }

    /// Units of work in a second, for `work` units in each part.
    pub fn rate(&self, work: f64) -> f64 {
        work / (self.median_ms / 1e3).max(1e-12)
    }

    pub fn relative_spread(&self) -> f64 {
        self.spread_ms / self.median_ms.max(1e-12)
    }

    pub fn spread_percent(&self) -> f64 {
        100.0 * self.relative_spread()
    }

    /// Returns the ratio of the median to that of another.
    pub fn over(&self, other: &Summary) -> f64 {
        self.median_ms / other.median_ms.max(1e-12)
    }

    /// Runs that all take the same time, for tests.
    pub fn still(median_ms: f64) -> Summary {
        Summary { median_ms, spread_ms: 0.0, runs: 9 }
    }
}

impl std::fmt::Display for Summary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&short(self.median_ms))
    }
}

/// A quantile of sorted numbers, between two of them in proportion (type 7 of Hyndman and Fan, as
/// in NumPy); 0 of none.
pub fn quantile(sorted: &[f64], part: f64) -> f64 {
    let place = part * sorted.len().saturating_sub(1) as f64;
    let at = |index: usize| sorted.get(index).or(sorted.last()).copied().unwrap_or(0.0);
    let below = at(place.floor() as usize);
    below + (at(place.floor() as usize + 1) - below) * place.fract()
}

/// The intercept and the slope of the line of least squares through points; none through fewer than
/// two abscissas.
pub fn line_through(points: &[(f64, f64)]) -> Option<(f64, f64)> {
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let spread: f64 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
    let slope = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum::<f64>() / spread;
    slope.is_finite().then_some((y - slope * x, slope))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_goes_between_its_points() {
        let line = line_through(&[(10.0, 25.0), (20.0, 45.0), (40.0, 85.0)]);
        assert!(line.is_some_and(|(y, x)| (y - 5.0).abs() + (x - 2.0).abs() < 1e-9), "{line:?}");
        assert_eq!(
            line_through(&[(0.0, 1.0), (0.0, 3.0), (1.0, 2.0), (1.0, 4.0)]),
            Some((2.0, 1.0))
        );
        assert_eq!([line_through(&[]), line_through(&[(1.0, 2.0), (1.0, 3.0)])], [None; 2]);
    }

    fn summary(milliseconds: &[u64], parts: u64) -> Summary {
        let runs: Vec<Duration> = milliseconds.iter().map(|t| Duration::from_millis(*t)).collect();
        Summary::of(&runs, parts)
    }

    #[test]
    fn one_slow_run_moves_neither_median_nor_spread() {
        let five = summary(&[10, 12, 11, 900, 13], 1);
        assert_eq!((five.median_ms, five.spread_ms, five.runs), (12.0, 2.0, 5));
    }

    #[test]
    fn even_counts_lie_between_two_runs() {
        let four = summary(&[1, 2, 3, 4], 1);
        assert_eq!((four.median_ms, four.spread_ms), (2.5, 1.5));
    }

    #[test]
    fn parts_divide_times() {
        let two = summary(&[100, 100], 10);
        assert_eq!((two.median_ms, two.spread_ms), (10.0, 0.0));
        assert_eq!(two.rate(5.0), 500.0);
    }

    #[test]
    fn no_run_is_no_time() {
        assert_eq!(summary(&[], 1).median_ms, 0.0);
    }
}
