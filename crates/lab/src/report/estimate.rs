//! Estimates: what was measured, and by how much another run may differ.

use std::time::Duration;

use super::{Basis, Estimate};
use crate::Summary;
use crate::numbers::statistics::quantile;

/// Times of a repeated run differ by this part even where its runs agree among themselves: the
/// machine's state differs.
pub const LEAST_SCATTER: f64 = 0.05;
/// The least scatter of ratios of two times of one round each.
const LEAST_PAIRED: f64 = 0.02;

/// The times of a problem and its size: rows of a matrix, elements of a vector, unknowns or
/// clauses.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    size: usize,
    summary: Summary,
}

impl Summary {
    /// The times as those of a problem of this size.
    pub fn of_size(self, size: usize) -> Timing {
        Timing { size, summary: self }
    }
}

/// A ratio of times: how many times as long one takes as another. Where their problems differ in
/// size, the estimate says so, and only a claim about growth is judged by it.
pub fn timed(one: Timing, other: Timing) -> Estimate {
    let value = one.summary.median_ms / other.summary.median_ms.max(1e-12);
    let scatter = scatter(&one.summary).hypot(scatter(&other.summary)).max(LEAST_SCATTER);
    let [one, other] = [one, other].map(|timing| Basis::Times(Some(timing.size)));
    Estimate { value, scatter, basis: one.and(other) }
}

/// A number in proportion to a time or a rate, whose other factors scatter no more than machines
/// do.
pub fn rated(value: f64, summary: &Summary) -> Estimate {
    Estimate { value, scatter: scatter(summary).max(LEAST_SCATTER), basis: Basis::Times(None) }
}

/// A part of a peak. The peak is the fastest run at another time and the part comes from a median,
/// so that the whole spread of the runs counts.
pub fn of_peak(value: f64, timing: Timing) -> Estimate {
    let spread = scatter(&timing.summary).max(timing.summary.relative_spread());
    Estimate { value, scatter: spread + LEAST_SCATTER, basis: Basis::Times(Some(timing.size)) }
}

/// A ratio of times that were taken in turns: how many times as long one takes as the other, round
/// by round. What disturbs a round disturbs both, and leaves the ratio.
pub fn paired(one: &[Duration], other: &[Duration]) -> Estimate {
    let seconds = |times: &[Duration]| times.iter().map(Duration::as_secs_f64).collect::<Vec<_>>();
    let estimate = sampled_pairs(&seconds(one), &seconds(other));
    let scatter = estimate.scatter.max(LEAST_PAIRED);
    Estimate { scatter, basis: Basis::Times(None), ..estimate }
}

/// Returns the ratios of the computed numbers of two samples, pair by pair.
pub fn sampled_pairs(one: &[f64], other: &[f64]) -> Estimate {
    let mut ratios: Vec<f64> =
        one.iter().zip(other).map(|(one, other)| one / other.max(f64::MIN_POSITIVE)).collect();
    ratios.sort_by(f64::total_cmp);
    let [low, value, high] = [0.25, 0.5, 0.75].map(|part| quantile(&ratios, part));
    let spread = (high - low) / value.max(f64::MIN_POSITIVE);
    Estimate { value, scatter: widened(spread, ratios.len()), basis: Basis::Counted }
}

/// A ratio of two peaks, each the fastest of some runs that spread so.
pub fn of_peaks(value: f64, spread: f64) -> Estimate {
    Estimate { value, scatter: spread + LEAST_SCATTER, basis: Basis::Times(None) }
}

/// The scatter of a single run, which may be off by a factor of two.
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
    Estimate { value, scatter: 0.0, basis: Basis::Counted }
}

impl Estimate {
    pub fn times(self, factor: f64) -> Estimate {
        Estimate { value: self.value * factor, ..self }
    }

    /// The difference; no number where it is not above 0.
    pub fn minus(self, other: Estimate) -> Estimate {
        let value = Some(self.value - other.value).filter(|value| *value > 0.0).unwrap_or(f64::NAN);
        let [one, two] = [self, other].map(|of| of.value * of.scatter);
        Estimate { value, scatter: one.hypot(two) / value, basis: self.basis.and(other.basis) }
    }

    pub fn over(self, other: Estimate) -> Estimate {
        let value = self.value / other.value.max(f64::MIN_POSITIVE);
        let basis = self.basis.and(other.basis);
        Estimate { value, scatter: self.scatter.hypot(other.scatter), basis }
    }

    /// The factor between two, whichever is the greater.
    pub fn either_way(self) -> Estimate {
        Estimate { value: self.value.max(1.0 / self.value), ..self }
    }
}
