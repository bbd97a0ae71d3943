//! What a sort returns, and the error of one that is too large.

use crate::gl::Error;
use crate::grid::DeviceVector;

/// Keys in their order, and the values that went with them.
pub(super) type Sorted<T, V> = (DeviceVector<T>, Option<DeviceVector<V>>);

pub(super) fn too_large(length: usize, limit: u64) -> Error {
    Error::TooLarge {
        what: "a sort".into(),
        request: format!("{length} numbers"),
        limit,
        remedy: "sort parts of the vector and merge them on the host".into(),
    }
}
