//! What a scan computes, and what that defines in its shaders.

use crate::shader::Source;

use super::super::number::{self, Number, Operation};

/// What a scan computes: the properties that need kernels of their own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct ScanVariant {
    pub(super) operation: Operation,
    pub(super) exclusive: bool,
    pub(super) segmented: bool,
}

impl ScanVariant {
    /// Defines the numbers and how they are joined, for shaders that give totals.
    pub(super) fn define<T: Number>(self, source: Source) -> Source {
        let source = number::define(T::DEFINE, self.operation, source);
        if self.segmented { source.define("SEGMENTED", 1) } else { source }
    }

    /// Defines what counts of a number itself, for shaders that give prefixes of the vector.
    pub(super) fn define_result<T: Number>(self, source: Source) -> Source {
        let source = self.define::<T>(source);
        match (self.exclusive, self.segmented) {
            (false, _) => source,
            (true, false) => source.define("EXCLUSIVE", 1),
            (true, true) => source.define("EXCLUSIVE", 1).define("RESETS", 1),
        }
    }
}
