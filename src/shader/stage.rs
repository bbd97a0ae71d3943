//! The stages of the pipeline that shaders are written for.

use std::fmt;

/// The stage of the pipeline that a shader runs in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Once for each vertex of the geometry.
    Vertex,
    /// Once for each texel that a pass writes.
    Fragment,
    /// Once for each invocation of a dispatch: GL 4.3 and ES 3.1.
    Compute,
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stage::Vertex => "vertex",
            Stage::Fragment => "fragment",
            Stage::Compute => "compute",
        })
    }
}
