//! What is kept of a vector, and the predicate that says so.

use crate::grid::DeviceVector;
use crate::shader::Source;

use super::super::number::Number;

/// The name of a predicate in error messages.
const NAME: &str = "predicate";

/// The numbers of a vector, what is kept of them, and how many.
pub(super) struct Ranked<'a, T: Number> {
    pub(super) x: &'a DeviceVector<T>,
    pub(super) mask: Option<&'a DeviceVector<u32>>,
    pub(super) ranks: DeviceVector<u32>,
    /// How many are kept before each panel, and in all at the end.
    pub(super) before: Vec<u32>,
}

impl<T: Number> Ranked<'_, T> {
    pub(super) fn total(&self) -> u32 {
        self.before.last().copied().unwrap_or_default()
    }
}

/// Puts a predicate into a shader of this module.
pub(super) fn with_predicate<T: Number>(source: Source, predicate: &str, masked: bool) -> Source {
    let source = source.define(T::DEFINE, 1).file_shown_as("predicate", NAME, predicate);
    if masked { source.define("MASKED", 1) } else { source }
}
