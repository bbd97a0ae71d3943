//! The folder `glsl/` of this package, carried inside it. Its shaders include those of the library as
//! well.

use quadrille::internal::shader::PackageShaders;
use quadrille::shader::{Error, Source, Stage};

/// The files of `glsl/`, except README.md; a test compares this table with the folder.
pub const SHADERS: PackageShaders = PackageShaders::new(
    "crates/papers/glsl",
    quadrille::internal::embed!["jacobi/empty.frag", "jacobi/printed.frag",],
);

/// A shader of this package, or of the library where it has none of that name.
pub(crate) fn source(stage: Stage, path: &str) -> Result<Source, Error> {
    SHADERS.source(stage, path)
}
