//! What a scan computes, and what that defines in its shaders.

use crate::gl::Texture;
use crate::grid::row_shift;
use crate::shader::Source;
use crate::stream::launch::Launch;

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

/// The values of a vector or of a level, and the starts of segments among them.
#[derive(Clone, Copy)]
pub(super) struct ScanInput<'a, T: Number> {
    pub(super) x: &'a Texture<T::Quad>,
    pub(super) starts: Option<&'a Texture<[u32; 4]>>,
    pub(super) length: usize,
}

impl<'a, T: Number> ScanInput<'a, T> {
    /// Gives a launch what include/scan_texels.glsl reads.
    pub(super) fn bind(self, launch: Launch<'a>) -> Launch<'a> {
        let launch = launch.input("x", self.x).uniform("shift", row_shift(self.x.extent()));
        let launch = launch.uniform("texels", self.length.div_ceil(4) as i32);
        match self.starts {
            Some(starts) => launch.input("starts", starts),
            None => launch,
        }
    }
}
