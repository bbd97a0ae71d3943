//! Estimates: what was measured, and by how much another run may differ.

use super::super::super::Summary;
use super::super::super::report::Estimate;

/// Times of a repeated run differ by so much even where its runs agree among themselves: the machine's state differs.
const LEAST_SCATTER: f64 = 0.05;

/// A ratio of times: how many times as long one takes as another.
pub(in crate::reproduce) fn timed(one: &Summary, other: &Summary) -> Estimate {
    let value = one.median_ms / other.median_ms.max(1e-12);
    Estimate { value, scatter: scatter(one).hypot(scatter(other)).max(LEAST_SCATTER) }
}

/// A number in proportion to a time or a rate, whose other factors scatter no more than machines do.
pub(in crate::reproduce) fn rated(value: f64, summary: &Summary) -> Estimate {
    Estimate { value, scatter: scatter(summary).max(LEAST_SCATTER) }
}

/// A ratio of two peaks, each the fastest of some runs.
pub(in crate::reproduce) fn of_peaks(value: f64) -> Estimate {
    Estimate { value, scatter: LEAST_SCATTER }
}

/// Few runs may agree by chance, so their spread counts for more.
fn scatter(summary: &Summary) -> f64 {
    summary.relative_spread() * (1.0 + 3.0 / summary.runs.max(1) as f64)
}

/// A number that every run gives again, as the same device computes or counts the same.
pub(in crate::reproduce) fn counted(value: f64) -> Estimate {
    Estimate { value, scatter: 0.0 }
}

/// A number from a random sample.
pub(in crate::reproduce) fn sampled(value: f64, scatter: f64) -> Estimate {
    Estimate { value, scatter: scatter.max(0.0) }
}

impl Estimate {
    /// A known multiple of it.
    pub(in crate::reproduce) fn times(self, factor: f64) -> Estimate {
        Estimate { value: self.value * factor, ..self }
    }

    /// The quotient of two.
    pub(in crate::reproduce) fn over(self, other: Estimate) -> Estimate {
        let value = self.value / other.value.max(f64::MIN_POSITIVE);
        Estimate { value, scatter: self.scatter.hypot(other.scatter) }
    }

    /// The factor between two, whichever is the greater.
    pub(in crate::reproduce) fn either_way(self) -> Estimate {
        Estimate { value: self.value.max(1.0 / self.value), ..self }
    }
}
