//! The folder `glsl/` of the lab, carried inside it. Its shaders include those of the library as well.

use quadrille::shader::{Error, Source, Stage};

/// One entry for each file of `glsl/`, README.md apart; a test compares this table with the folder.
const FILES: &[(&str, &str)] = quadrille::internal::embed![
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
    "jacobi/printed.frag",
    "probe/booleans.frag",
    "probe/booleans_as_floats.frag",
    "probe/outputs.frag",
    "probe/step.comp",
    "probe/step.frag",
    "stream/add.comp",
    "stream/add.frag",
];

/// Every embedded file: its path inside `glsl/`, and its text.
pub fn files() -> impl Iterator<Item = (&'static str, &'static str)> {
    FILES.iter().copied()
}

/// How errors call an embedded file.
fn shown(path: &str) -> String {
    format!("lab/glsl/{path}")
}

/// A shader of the lab, or of the library where the lab has none of that name.
pub(crate) fn source(stage: Stage, path: &str) -> Result<Source, Error> {
    let Some((_, text)) = files().find(|(name, _)| *name == path) else {
        return Source::library(stage, path);
    };
    let source = match stage {
        Stage::Vertex => Source::vertex(shown(path), text),
        Stage::Fragment => Source::fragment(shown(path), text),
        Stage::Compute => Source::compute(shown(path), text),
    };
    let shared = files().filter(|(name, _)| name.ends_with(".glsl"));
    Ok(shared.fold(source, |source, (name, text)| source.file_shown_as(name, shown(name), text)))
}
