//! Ghostty, the terminal: Shadertoy's words, and the cursor. The terminal's picture is `iChannel0`.
//!
//! The names are those of <https://ghostty.org/docs/config/reference#custom-shader>.

use super::shadertoy;
use super::words::Words;
use quadrille::internal::shader::Frame;

/// The uniforms that Ghostty has beside those of Shadertoy. In an experiment they are 0, a terminal without a cursor, until they are
/// given.
const UNIFORMS: [(&str, &str); 9] = [
    ("iCurrentCursor", "vec4 iCurrentCursor"),
    ("iPreviousCursor", "vec4 iPreviousCursor"),
    ("iCurrentCursorColor", "vec4 iCurrentCursorColor"),
    ("iPreviousCursorColor", "vec4 iPreviousCursorColor"),
    ("iCurrentCursorStyle", "int iCurrentCursorStyle"),
    ("iPreviousCursorStyle", "int iPreviousCursorStyle"),
    ("iCurrentCursorVisible", "int iCurrentCursorVisible"),
    ("iPreviousCursorVisible", "int iPreviousCursorVisible"),
    ("iTimeCursorChange", "float iTimeCursorChange"),
];

/// The styles of the cursor.
const STYLES: [&str; 5] = [
    "CURSORSTYLE_BLOCK",
    "CURSORSTYLE_BLOCK_HOLLOW",
    "CURSORSTYLE_BAR",
    "CURSORSTYLE_UNDERLINE",
    "CURSORSTYLE_LOCK",
];

/// Returns the names of those uniforms.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    UNIFORMS.iter().map(|(name, _)| *name)
}

/// Declares what the text uses, and calls `mainImage`.
pub(super) fn frame(words: &Words, frame: &mut Frame) {
    for (name, declaration) in UNIFORMS {
        if words.needs(name) {
            frame.uniform(declaration);
        }
    }
    for (value, style) in STYLES.into_iter().enumerate() {
        if words.needs(style) {
            frame.declared.push(format!("#define {style} {value}"));
        }
    }
    shadertoy::frame(words, frame);
}
