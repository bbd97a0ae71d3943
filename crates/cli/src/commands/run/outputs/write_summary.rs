//! Summarises what a file, or all frames of a sequence, do not show of the numbers.

use quadrille_run::internal::six_digits;
use quadrille_run::io::field::Written;

/// The sums over all that was written.
#[derive(Default)]
pub(crate) struct WriteSummary {
    /// The number of files written.
    pub(crate) count: u64,
    outside: usize,
    nan: usize,
    transparent: usize,
    /// The numbers of frames at the ends of half precision.
    pub(crate) saturated: usize,
    /// The range of the last one.
    range: Option<(f64, f64)>,
}

impl WriteSummary {
    pub(super) fn add(&mut self, written: Written) {
        self.count += 1;
        self.outside += written.outside;
        self.nan += written.nan;
        self.transparent += written.transparent;
        self.range = written.range;
    }

    /// A sentence for each.
    pub(crate) fn notes(&self, file: &str) -> Vec<String> {
        let WriteSummary { outside, nan, transparent, saturated, .. } = *self;
        let (low, high) = self.range.unwrap_or_default();
        let (low, high) = (six_digits(low), six_digits(high));
        let notes = [
            (
                outside,
                format!(
                    "{outside} values are outside {low} to {high} and are shown as the nearest end"
                ),
            ),
            (nan, format!("{nan} values are NaN")),
            (saturated, at_the_ends(saturated)),
            (
                transparent,
                format!(
                    "{transparent} pixels are not opaque, and JPEG has no alpha, so it was left out"
                ),
            ),
        ];
        let summary = notes.into_iter().filter(|(count, _)| *count > 0);
        summary.map(|(_, text)| format!("note: {file}: {text}")).collect()
    }
}

/// The warning about numbers at the ends of half precision.
pub(crate) fn at_the_ends(count: usize) -> String {
    format!(
        "{count} values are 65504, -65504 or infinite, which half precision has for all beyond too; leave --precision out if that is wrong"
    )
}
