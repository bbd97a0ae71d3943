//! The folder `glsl/` of the lab, carried inside it. Its shaders include those of the library as
//! well.

use quadrille::internal::shader::PackageShaders;
use quadrille::shader::{Error, Source, Stage};

/// The files of `glsl/`, except README.md; a test compares this table with the folder.
pub const SHADERS: PackageShaders = PackageShaders::new(
    "crates/lab/glsl",
    quadrille::internal::embed![
        "card/ask.comp",
        "card/ask.frag",
        "card/ask.vert",
        "card/index.frag",
        "card/line.vert",
        "card/neighbours.frag",
        "card/neighbours.vert",
        "card/passage.comp",
        "card/passage.frag",
        "include/card.glsl",
        "include/fetch.glsl",
        "include/mad.glsl",
        "include/opcode.glsl",
        "include/work.glsl",
        "probe/interpolated.frag",
        "probe/interpolated.vert",
        "probe/outputs.frag",
        "probe/step.comp",
        "probe/step.frag",
        "stream/add.comp",
        "stream/add.frag",
    ],
);

/// A shader of the lab, or of the library where the lab has none of that name.
pub fn source(stage: Stage, path: &str) -> Result<Source, Error> {
    SHADERS.source(stage, path)
}
