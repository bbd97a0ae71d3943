//! Entries of tuned choices.

/// The fastest method that was found for an operation at a size.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "files", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Entry {
    /// The size of the measurement, as the operation counts it.
    pub size: usize,
    /// The method and its options, in the operation's text form.
    pub choice: String,
    /// The rate, in 10^9 operations a second.
    pub gflops: f64,
}

impl Entry {
    /// Makes the entry of a measurement.
    pub fn new(size: usize, choice: impl Into<String>, gflops: f64) -> Entry {
        Entry { size, choice: choice.into(), gflops }
    }
}

/// Returns the entry of the nearest size, by their ratio.
pub(crate) fn nearest(entries: &[Entry], size: usize) -> Option<&Entry> {
    let log = |size: usize| (size.max(1) as f64).ln();
    let distance = |entry: &&Entry| (log(entry.size) - log(size)).abs();
    entries.iter().min_by(|one, other| distance(one).total_cmp(&distance(other)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_size_by_ratio_is_taken() {
        let entry = |size, choice: &str| Entry { size, choice: choice.into(), gflops: 1.5 };
        let entries = [entry(64, "small"), entry(1024, "large")];
        for (size, expected) in
            [(0, "small"), (255, "small"), (257, "large"), (usize::MAX, "large")]
        {
            let found = nearest(&entries, size).map(|entry| entry.choice.as_str());
            assert_eq!(found, Some(expected), "{size}");
        }
        assert_eq!(nearest(&[], 1), None);
    }
}
