//! What a sort moves and returns, and the error of one that is too large.

use crate::gl::Error;
use crate::grid::DeviceVector;

use super::super::kit::key::Key;
use super::super::number::Number;

/// Keys in their order, if they are wanted, and the values that went with them.
pub(super) type Sorted<T, V> = (Option<DeviceVector<T>>, Option<DeviceVector<V>>);

/// What is sorted.
#[derive(Clone, Copy)]
pub(super) struct SortRequest<'a, T: Number, V: Number> {
    pub(super) x: &'a DeviceVector<T>,
    /// What the numbers are ordered by.
    pub(super) key: Key,
    pub(super) moved: Moved<'a, V>,
    /// Whether the keys are wanted.
    pub(super) keys: bool,
    /// The lowest bits of the keys, by which they are sorted.
    pub(super) bits: u32,
}

/// What moves along with the keys.
#[derive(Clone, Copy)]
pub(super) enum Moved<'a, V: Number> {
    Nothing,
    /// Each key's place in the vector.
    Places,
    Values(&'a DeviceVector<V>),
}

pub(super) fn too_large(length: usize, limit: u64) -> Error {
    Error::TooLarge {
        what: "a sort".into(),
        request: format!("{length} numbers"),
        limit,
        remedy: "sort parts of the vector and merge them on the host".into(),
    }
}
