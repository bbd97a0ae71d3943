//! Puts an expanded text together: version, extensions, prelude, defines, body.

use super::edited::Edit;
use super::expanded::{Expanded, Made, Parts, SAMPLE, frame_file};
use super::lines::{Line, Lines};
use super::redefined;
use super::splice::Splicer;
use crate::error::Place;
use crate::shader::framing::{Body, Frame};
use crate::shader::lexer::mentions::{columns, mentions};
use crate::shader::lexer::preprocess::{kept, preprocess};
use crate::shader::source::embedded::PRELUDE;
use crate::shader::source::{Home, Source, embedded};
use crate::shader::{Api, Error, Language, Reads, Stage};

/// Expands a source for a language into the one text that a driver compiles.
///
/// It holds, in this order: the version line; the `#extension` lines of the source, which GLSL
/// wants first, even those inside an `#if`; the prelude, `glsl/include/prelude.glsl`; the source's
/// defines; the declarations of the host that it was written for; the source's text with every
/// `#include` spliced in its place; a `main` where it has none. The source's own `#version` and
/// `#line` lines are blanked, so that line numbers stay as they are.
///
/// `#include "name"` is looked for among the texts given with [`Source::file`], then beside the
/// including file, then in the library's `glsl/`. A file is spliced once, where it is first
/// included: a later include of it, from wherever, adds nothing, so include guards are not needed.
/// `#if` is not evaluated here, apart from `#if 0`; where that could matter (a file first included
/// inside an `#if`, and then again) the second include is an error.
///
/// # Errors
/// An include that is missing or not allowed, an invalid define or directive, a version without a
/// prelude.
pub fn expand(source: &Source, language: &Language) -> Result<Expanded, Error> {
    super::trace::note("expanded", &source.name);
    must_be_known(language, source.stage)?;
    let defines = defines(source)?;
    let mut splicer = Splicer::new(source, Home::Embedded(PRELUDE.to_owned()));
    splicer.run()?;
    let Splicer { table, body, mut extensions, .. } = splicer;
    let framing = source.read_by();
    let front = front(language, source.stage, framing.is_none(), &body);
    let place = |line: usize| {
        let origin = body.get(line.saturating_sub(1)).map(|(_, origin)| *origin);
        origin.map_or_else(|| Place::file(&source.name), |origin| table.place(origin))
    };
    let mut frame = Frame::default();
    if let Some(framing) = framing {
        let text: String = body.iter().flat_map(|(line, _)| [line.as_str(), "\n"]).collect();
        let text = &kept(&text, source.defined());
        let body = Body { text, es: language.api == Api::Gles, place: &place };
        frame = framing.frame(source, &body).map_err(Error::Framing)?;
        extensions.retain(|(line, _)| !framing.is_core_extension(line));
    }
    let mut lines = Lines::of(table);
    let language_file = lines.file(&format!("({language})"));
    lines.text(language_file, &front.first);
    lines.all(extensions);
    lines.text_from(language_file, front.first.len(), &front.words);
    lines.embedded(PRELUDE);
    let prelude = lines.len();
    let defines_file = lines.file(&format!("(defines of {})", source.name));
    lines.text(defines_file, &defines);
    let own = lines.len();
    let frame_file = lines.file(&frame_file(framing));
    lines.text(frame_file, &frame.declared);
    for (shown, text) in &frame.files {
        lines.whole(shown, text);
    }
    lines.text_from(frame_file, frame.declared.len(), &frame.macros);
    let words = lines.file(&format!("(own words of {})", source.name));
    lines.text(words, &redefined::undefined(&body, framing.is_none()));
    let renamed = renamed(&frame.renamed, &body, lines.len());
    let before = lines.len();
    lines.all(body);
    lines.edit(&renamed);
    let authors = before + 1..=lines.len();
    let in_front = frame.declared.len() + frame.macros.len();
    lines.text_from(frame_file, in_front, &frame.behind);
    if let Some(framing) = framing {
        let text = lines.whole_text();
        let tokens = preprocess(&text, &language.macros(), &frame.unreplaced).unwrap_or_default();
        let is_own =
            |line| authors.contains(&line) && !embedded::is_display_name(lines.file_of(line));
        let lowered = framing.lowered(&tokens, &is_own);
        lines.edit(&lowered.edits);
        lines.text_from(frame_file, in_front + frame.behind.len(), &lowered.behind);
    }
    let vertex = framing
        .and_then(|framing| framing.vertices(source))
        .map(|vertex| expand(&vertex, language))
        .transpose()?;
    let vertex = vertex.map(Box::new);
    let made =
        Made { language: *language, parts: Parts { prelude, own }, vertex, in_panels: false };
    Ok(Expanded::new(source, lines, made))
}

/// Gives words of a text, which follows this many lines, other names.
fn renamed(words: &[(String, String)], body: &[Line], before: usize) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (line, (text, _)) in (before + 1..).zip(body) {
        for (word, by) in words.iter().filter(|(word, _)| text.contains(word.as_str())) {
            edits.extend(columns(text, word).into_iter().map(|column| Edit {
                line,
                start: column - 1,
                end: column - 1 + word.len(),
                text: by.clone(),
            }));
        }
    }
    edits
}

/// The lines of the language before the text.
struct Front {
    /// The version line, and an extension where `precise` needs one.
    first: Vec<String>,
    /// The defines that the prelude asks about.
    words: Vec<String>,
}

/// The extension for syntax of GLSL 4.20, such as lists of initial values in braces, that texts of
/// other hosts use. Drivers accept it by this line in shaders of earlier versions.
const LATER_SYNTAX: &str = "#extension GL_ARB_shading_language_420pack : enable";

fn front(language: &Language, stage: Stage, is_plain: bool, body: &[Line]) -> Front {
    let text: String = body.iter().flat_map(|(line, _)| [line.as_str(), "\n"]).collect();
    let extension = language.precise_extension().map(|name| format!("#extension {name} : require"));
    let is_later = language.api == Api::Gl && language.version < 420 && !is_plain;
    let later = is_later.then(|| LATER_SYNTAX.to_owned());
    let words = [
        (language.api == Api::Gles).then_some("#define QUADRILLE_ES 1"),
        language.precise.then_some("#define QUADRILLE_PRECISE 1"),
        (language.reads == Reads::Sample).then_some(SAMPLE),
        // What older shaders write; these versions have it no longer, or deprecate it.
        match stage {
            _ if !mentions(&text, &["varying"]) => None,
            Stage::Fragment => Some("#define varying in"),
            Stage::Vertex => Some("#define varying out"),
            Stage::Compute => None,
        },
    ];
    Front {
        first: [Some(language.version_line()), extension, later].into_iter().flatten().collect(),
        words: words.into_iter().flatten().map(str::to_owned).collect(),
    }
}

/// Returns the source's defines as lines, each checked.
fn defines(source: &Source) -> Result<Vec<String>, Error> {
    source.defines.iter().map(|(name, value)| define(&source.name, name, value)).collect()
}

fn define(shader: &str, name: &str, value: &str) -> Result<String, Error> {
    let bad = |expected| Error::BadDefine {
        shader: shader.to_owned(),
        name: name.to_owned(),
        value: value.to_owned(),
        expected,
    };
    let letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if name.is_empty()
        || name.starts_with(|c: char| c.is_ascii_digit())
        || !name.chars().all(letter)
    {
        return Err(bad("expected a name of letters, digits and _ that starts with no digit"));
    }
    if name.starts_with("GL_") || name.contains("__") {
        return Err(bad("GLSL keeps names that start with GL_ or hold __ for itself"));
    }
    if value.contains(['\n', '\r']) || value.trim_end().ends_with('\\') {
        return Err(bad("expected a value on one line"));
    }
    if value.contains('\0') {
        return Err(bad("expected a value without a NUL, where drivers end the text"));
    }
    if value.contains("//") || value.contains("/*") {
        return Err(bad("expected a value without a comment"));
    }
    Ok(format!("#define {name} {value}"))
}

/// Refuses versions that the prelude is not written for, and stages that the version lacks.
fn must_be_known(language: &Language, stage: Stage) -> Result<(), Error> {
    let (known, least_for_compute) = match language.api {
        Api::Gl => (matches!(language.version, 330 | 400 | 410 | 420 | 430 | 440 | 450 | 460), 430),
        Api::Gles => (matches!(language.version, 300 | 310 | 320), 310),
    };
    if !known {
        return Err(Error::UnknownVersion { language: *language });
    }
    if stage == Stage::Compute && language.version < least_for_compute {
        return Err(Error::NoCompute { language: *language });
    }
    Ok(())
}
