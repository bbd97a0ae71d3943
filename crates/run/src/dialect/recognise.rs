//! Recognises the dialect of a text by the words that only this dialect has.

use super::isf::header;
use super::words::Words;
use super::{Dialect, ghostty, isf, legacy, sandbox, shadertoy};
use quadrille::internal::shader::kept;

/// The function that a Shadertoy shader has in place of `main`.
const MAIN_IMAGE: &str = "mainImage";

/// Parts of words, one of which stands in every text of another dialect than the plain one.
const MARKS: [&str; 6] =
    ["mainImage", "gl_Frag", "gl_TexCoord", "varying", "texture2D", "sampler2DRect"];

/// Returns the dialect of a fragment shader.
pub(super) fn recognise<'a>(text: &str, defined: impl Iterator<Item = &'a String>) -> Dialect {
    if header::header(text).is_some() {
        return Dialect::Isf;
    }
    // Most texts of this library's users are plain, and compiled often.
    if !MARKS.iter().any(|mark| text.contains(mark)) {
        return Dialect::Plain;
    }
    let text = &kept(text, defined);
    let words = Words::of(text);
    if words.has(MAIN_IMAGE) && !words.declares("main") {
        let has_cursor = ghostty::names().any(|name| words.needs(name));
        return if has_cursor { Dialect::Ghostty } else { Dialect::Shadertoy };
    }
    if !legacy::WORDS.iter().any(|word| words.needs(word)) {
        return Dialect::Plain;
    }
    if sandbox::has_uniforms(text) { Dialect::Sandbox } else { Dialect::Legacy }
}

/// Finds another dialect than the plain one, of which a text uses words that it does not declare.
pub(super) fn resembles<'a>(
    text: &str,
    defined: impl Iterator<Item = &'a String>,
) -> Option<Dialect> {
    let words = Words::of(&kept(text, defined));
    if shadertoy::names().any(|name| words.needs(name)) {
        return Some(Dialect::Shadertoy);
    }
    isf::names().any(|name| words.needs(name)).then_some(Dialect::Isf)
}
