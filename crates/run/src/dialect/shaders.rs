//! The folder `glsl/` of this package, carried inside it. Its shaders include those of the library
//! as well.

use quadrille::internal::shader::{Frame, PackageShaders};

/// The files of `glsl/`, except README.md; a test compares this table with the folder.
pub const SHADERS: PackageShaders = PackageShaders::new(
    "crates/run/glsl",
    quadrille::internal::embed![
        "include/cells_target.glsl",
        "include/isf.glsl",
        "include/isf_vertices.glsl",
        "include/legacy.glsl",
        "primitive/pack.frag",
        "primitive/unpack.frag",
        "view/colour.frag",
        "view/pick.frag",
    ],
);

/// Adds a file of `glsl/` to the lines around a text.
pub(crate) fn add(frame: &mut Frame, path: &str) {
    frame.file(SHADERS.shown(path), SHADERS.text(path).unwrap_or_default());
}
