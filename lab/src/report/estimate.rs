//! Estimates: what was measured, and by how much another run may differ.

use std::time::Duration;

use super::Estimate;
use crate::Summary;
use crate::numbers::statistics::quantile;

/// Times of a repeated run differ by this part even where its runs agree among themselves: the
/// machine's state differs.
pub const LEAST_SCATTER: f64 = 0.05;
/// The least scatter of ratios of two times of one round each.
const LEAST_PAIRED: f64 = 0.02;

/// A ratio of times: how many times as long one takes as another.
pub fn timed(one: &Summary, other: &Summary) -> Estimate {
    let value = one.median_ms / other.median_ms.max(1e-12);
    Estimate { value, scatter: scatter(one).hypot(scatter(other)).max(LEAST_SCATTER) }
}

/// A number in proportion to a time or a rate, whose other factors scatter no more than machines do.
pub fn rated(value: f64, summary: &Summary) -> Estimate {
    Estimate { value, scatter: scatter(summary).max(LEAST_SCATTER) }
}

/// A part of a peak. The peak is the fastest run at another time and the part comes from a median, so that the whole
/// spread of the runs counts.
pub fn of_peak(value: f64, summary: &Summary) -> Estimate {
    let spread = scatter(summary).max(summary.relative_spread());
    Estimate { value, scatter: spread + LEAST_SCATTER }
}

/// A ratio of times that were taken in turns: how many times as long one takes as the other, round by round. What
/// disturbs a round disturbs both, and leaves the ratio.
pub fn paired(one: &[Duration], other: &[Duration]) -> Estimate {
    let seconds = |times: &[Duration]| times.iter().map(Duration::as_secs_f64).collect::<Vec<_>>();
    let estimate = sampled_pairs(&seconds(one), &seconds(other));
    Estimate { scatter: estimate.scatter.max(LEAST_PAIRED), ..estimate }
}

/// How many times the numbers of one sample are those of another, pair by pair.
pub fn sampled_pairs(one: &[f64], other: &[f64]) -> Estimate {
    let mut ratios: Vec<f64> =
        one.iter().zip(other).map(|(one, other)| one / other.max(f64::MIN_POSITIVE)).collect();
    ratios.sort_by(f64::total_cmp);
    let [low, value, high] = [0.25, 0.5, 0.75].map(|part| quantile(&ratios, part));
    let spread = (high - low) / value.max(f64::MIN_POSITIVE);
    Estimate { value, scatter: widened(spread, ratios.len()) }
}

/// A ratio of two peaks, each the fastest of some runs that spread so.
pub fn of_peaks(value: f64, spread: f64) -> Estimate {
    Estimate { value, scatter: spread + LEAST_SCATTER }
}

/// One run says nothing of its scatter: it may be off by a factor of two.
const OF_ONE_RUN: f64 = 1.0;

/// The error that a median may have: 1.57 interquartile ranges over the root of the runs, so that
/// medians of the same thing differ by more in one of twenty comparisons (McGill, Tukey and Larsen
/// 1978). Few runs may agree by chance, so that their spread counts for more.
fn scatter(summary: &Summary) -> f64 {
    widened(summary.relative_spread(), summary.runs)
}

fn widened(spread: f64, runs: usize) -> f64 {
    let runs = match runs {
        0 | 1 => return OF_ONE_RUN,
        runs => runs as f64,
    };
    1.57 * spread / runs.sqrt() * (1.0 + 3.0 / runs)
}

/// A number that every run gives again, as the same device computes or counts the same.
pub fn counted(value: f64) -> Estimate {
    Estimate { value, scatter: 0.0 }
}

impl Estimate {
    pub fn times(self, factor: f64) -> Estimate {
        Estimate { value: self.value * factor, ..self }
    }

    pub fn over(self, other: Estimate) -> Estimate {
        let value = self.value / other.value.max(f64::MIN_POSITIVE);
        Estimate { value, scatter: self.scatter.hypot(other.scatter) }
    }

    /// The factor between two, whichever is the greater.
    pub fn either_way(self) -> Estimate {
        Estimate { value: self.value.max(1.0 / self.value), ..self }
    }
}
