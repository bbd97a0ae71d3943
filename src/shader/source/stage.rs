//! The stages of the pipeline that shaders are written for.

use std::fmt;
use std::path::Path;

/// The stage of the pipeline that a shader runs in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// The vertex stage, which runs once for each vertex of the geometry.
    Vertex,
    /// The fragment stage, which runs once for each texel that a pass writes.
    Fragment,
    /// The compute stage, which runs once for each invocation of a dispatch (GL 4.3 and ES 3.1).
    Compute,
}

impl Stage {
    /// Returns the stage that the name of a file says: `.vert`, `.frag` or `.comp`.
    pub fn of_file(path: impl AsRef<Path>) -> Option<Stage> {
        let ending = path.as_ref().extension()?.to_str()?.to_lowercase();
        match ending.as_str() {
            "vert" => Some(Stage::Vertex),
            "frag" => Some(Stage::Fragment),
            "comp" => Some(Stage::Compute),
            _ => None,
        }
    }
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
