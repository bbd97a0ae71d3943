//! Shaders of users: ISF shaders become their passes, each text is compiled, and what it reads and
//! writes becomes data.

pub(super) mod compiled;
mod compute_shader;
pub(super) mod place;
mod primitive;
pub(super) mod shader;

use quadrille::internal::shader::{Expanded, InPanels, Language, expand};
use quadrille::shader::{Source, Stage};
use quadrille::stream;

/// Returns users' shaders of every sort, with the texts around them that notice ends of loops or
/// that their dialect expects.
pub(crate) fn sources() -> Result<Vec<Source>, stream::Error> {
    let looping =
        "layout(local_size_x = 1) in; layout(std430, binding = 0) buffer Count { int n; };
        void main() { for (int i = 0; i < n; i++) n--; }";
    let mut sources = vec![
        Source::library(Stage::Fragment, "probe/loop.frag")?,
        Source::fragment("panels.frag", IN_PANELS),
        Source::compute("loop.comp", looping),
    ];
    sources.extend(crate::dialect::dialect_sources());
    Ok(sources)
}

/// A shader that uses everything allowed in a text in panels.
const IN_PANELS: &str = "uniform sampler2D x; uniform isampler2D i; uniform usampler2DArray u; out float y;
    void main() {
        if (TEXEL.x > textureSize(x, 0).x + textureSize(u, 0).z) discard;
        y = READ_WRAPPED(x, TEXEL).r + gl_FragCoord.x + float(texelFetchOffset(i, TEXEL, 0, ivec2(1, 0)).r)
            + float(texelFetch(u, ivec3(0), 0).r);
    }";

/// Returns the texts of a user's shader where its loops are watched or it computes panels, and
/// those of the vertex stages.
pub(crate) fn watched_texts(
    source: &Source,
    language: &Language,
) -> Result<Vec<Expanded>, stream::Error> {
    let text = expand(source, language)?;
    let watched = text.watched(text.declarations().outputs.len().max(1) as u32);
    let mut texts = Vec::new();
    if text.stage == Stage::Fragment {
        texts.extend([text.vertex_stage()?, watched.vertex_stage()?]);
    }
    if source.name() == "panels.frag" {
        let how = InPanels { cut: [true; 2], mixed: true, budget: true };
        let in_panels = watched.in_panels(how);
        texts.extend([in_panels.vertex_stage()?, in_panels]);
    }
    texts.push(watched);
    Ok(texts)
}
