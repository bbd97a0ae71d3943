//! The macros that hosts define: texts ask for them by `#ifdef`, and compute something else without
//! them.
//!
//! Browsers define what OpenGL ES has, so on desktop OpenGL too it is defined here. Names that begin
//! with `GL_` are the driver's (Mesa refuses to define one, and to define one again), so the text
//! asks for others instead.

use quadrille::Source;
use quadrille::internal::shader::{Frame, strip};

use super::Dialect;
use super::words::Words;

/// The names of OpenGL ES.
const OF_ES: [&str; 2] = ["GL_ES", "GL_FRAGMENT_PRECISION_HIGH"];

/// The extension that pages of WebGL 1 enable.
const DERIVATIVES: &str = "GL_OES_standard_derivatives";

/// The extensions that a page of WebGL 1 may enable besides, and whose functions are supplied.
const OTHERS: [&str; 2] = ["GL_EXT_shader_texture_lod", "GL_EXT_draw_buffers"];

/// The quality that Shadertoy asks for: 1, but on telephones.
const QUALITY: &str = "HW_PERFORMANCE";

/// Defines what the text asks for.
pub(super) fn define(dialect: Dialect, source: &Source, words: &Words, frame: &mut Frame) {
    if dialect == Dialect::Shadertoy && words.needs(QUALITY) {
        frame.declared.push(format!("#define {QUALITY} 1"));
    }
    if is_desktops(source.text()) {
        return;
    }
    let others = OTHERS.into_iter().filter(|_| dialect == Dialect::Legacy);
    let extensions = [DERIVATIVES].into_iter().filter(|_| dialect != Dialect::Shadertoy);
    for name in OF_ES.into_iter().chain(extensions).chain(others) {
        if words.has(name) {
            frame.reserved_macro(name, "1");
        }
    }
}

/// Returns whether a text names a version of desktop GLSL, where none of the names is defined.
fn is_desktops(text: &str) -> bool {
    let version = strip(text).lines.into_iter().find_map(|line| {
        let directive = line.trim_start().strip_prefix('#')?.trim_start();
        directive.strip_prefix("version").map(str::to_owned)
    });
    version.is_some_and(|version| {
        let mut words = version.split_whitespace();
        words.next() != Some("100") && words.next() != Some("es")
    })
}
