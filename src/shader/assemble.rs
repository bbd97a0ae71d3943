//! Puts an expanded text together: version, extensions, prelude, defines, body.

use super::dialect::{self, Dialect, is_core_extension};
use super::embedded::{self, PRELUDE};
use super::expand::{Line, Splicer};
use super::expanded::Expanded;
use super::lines::{LineTable, Origin};
use super::mentions::mentions;
use super::redefined;
use super::source::{Home, Source};
use super::{Api, Error, Language, Reads, Stage};
use crate::error::Place;

/// Expands a source for a language into the one text that a driver compiles.
///
/// It holds, in this order: the version line; the `#extension` lines of the source, which GLSL
/// wants first, even those inside an `#if`; the prelude, `glsl/include/prelude.glsl`; the source's
/// defines; what its [dialect](Dialect) expects in front of it; the source's text with every `#include` spliced in its
/// place; a `main` where the dialect has none. The source's own `#version` and `#line` lines are blanked, so that line
/// numbers stay as they are.
///
/// `#include "name"` is looked for among the texts given with [`Source::file`], then beside the
/// including file, then in the library's `glsl/`. A file is spliced once, where it is first
/// included: a later include of it, from wherever, adds nothing, so include guards are not needed.
/// `#if` is not evaluated here, apart from `#if 0`; where that could matter (a file first included inside an `#if`, and
/// then again) the second include is an error.
///
/// # Errors
/// An include that is missing or not allowed, an invalid define or directive, a version without a prelude.
pub fn expand(source: &Source, language: &Language) -> Result<Expanded, Error> {
    must_be_known(language, source.stage)?;
    let defines = defines(source)?;
    let mut splicer = Splicer::new(source, Home::Embedded(PRELUDE.to_owned()));
    splicer.run()?;
    let Splicer { mut table, body, mut extensions, .. } = splicer;
    let dialect = source.read_as();
    let front = front(language, source.stage, dialect, &body);
    let place = |line: usize| {
        let origin = body.get(line.saturating_sub(1)).map(|(_, origin)| *origin);
        origin.map_or_else(|| Place::file(&source.name), |origin| table.place(origin))
    };
    let frame = dialect::around(source, dialect, language.api == Api::Gles, &body, place)?;
    if dialect != Dialect::Plain {
        extensions.retain(|(line, _)| !is_core_extension(line));
    }
    let mut lines = Lines::default();
    let language_file = table.add_file(&format!("({language})"), None);
    lines.text(language_file, &front.first);
    lines.all(extensions);
    lines.text_from(language_file, front.first.len(), &front.words);
    lines.embedded(PRELUDE, &mut table);
    if let Some(how) = source.panels {
        let file = table.add_file("(panels)", None);
        lines.text(file, &how.defines());
        lines.embedded("include/panels.glsl", &mut table);
    }
    let defines_file = table.add_file(&format!("(defines of {})", source.name), None);
    lines.text(defines_file, &defines);
    let start = lines.0.len();
    let dialect_file = table.add_file(&dialect::place_of(dialect), None);
    lines.text(dialect_file, &frame.declared);
    for path in &frame.library {
        lines.embedded(path, &mut table);
    }
    lines.text_from(dialect_file, frame.declared.len(), &frame.macros);
    let own = table.add_file(&format!("(own words of {})", source.name), None);
    lines.text(own, &redefined::undefined(&body, dialect));
    lines.all(body);
    let main = if source.watched.is_some() { "quadrille_users_main" } else { "main" };
    let before = frame.declared.len() + frame.macros.len();
    lines.text_from(dialect_file, before, &frame.behind(main));
    match source.watched {
        None => Ok(lines.finish(source, table)),
        Some(place) => Ok(watched(lines, start, place, source, table)),
    }
}

/// Puts the watch around the user's text, which starts at this line. It adds an output, so that
/// the user's only one can no longer go without a place.
fn watched(
    mut lines: Lines,
    start: usize,
    place: u32,
    source: &Source,
    mut table: LineTable,
) -> Expanded {
    let plain = lines.clone().finish(source, table.clone());
    for &(line, column) in &plain.declarations().unplaced {
        if let Some((text, _)) = lines.0.get_mut(line - 1) {
            let at = text.char_indices().nth(column).map_or(text.len(), |(at, _)| at);
            text.insert_str(at, "layout(location = 0) ");
        }
    }
    let body = lines.0.split_off(start);
    lines.embedded("include/loop_budget.glsl", &mut table);
    lines.embedded("include/watch.glsl", &mut table);
    lines.all(body);
    let define = table.add_file(&format!("(defines of {})", source.name), None);
    let (line, main) = match source.stage {
        // The binding of a block is read from the text, as a number.
        Stage::Compute => (
            format!(
                "layout(std430, binding = {place}) buffer Quadrille_Ended {{ uint quadrille_count; }};"
            ),
            "watch/main.comp",
        ),
        _ => (format!("#define QUADRILLE_PLACE {place}"), "watch/main.frag"),
    };
    lines.text(define, &[line]);
    lines.embedded(main, &mut table);
    lines.finish(source, table)
}

/// The lines of the language before the text.
struct Front {
    /// The version line, and an extension where `precise` needs one.
    first: Vec<String>,
    /// The defines that the prelude asks about.
    words: Vec<String>,
}

/// What texts of other hosts use that GLSL 4.20 has, such as lists of initial values in braces: drivers whose shaders are of an
/// earlier version take it by this line.
const LATER_SYNTAX: &str = "#extension GL_ARB_shading_language_420pack : enable";

fn front(language: &Language, stage: Stage, dialect: Dialect, body: &[Line]) -> Front {
    let text: String = body.iter().flat_map(|(line, _)| [line.as_str(), "\n"]).collect();
    let extension = language.precise_extension().map(|name| format!("#extension {name} : require"));
    let is_later = language.api == Api::Gl && language.version < 420 && dialect != Dialect::Plain;
    let later = is_later.then(|| LATER_SYNTAX.to_owned());
    let words = [
        (language.api == Api::Gles).then_some("#define QUADRILLE_ES 1"),
        language.precise.then_some("#define QUADRILLE_PRECISE 1"),
        (language.reads == Reads::Sample).then_some("#define QUADRILLE_SAMPLE 1"),
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

/// The source's defines as lines, each checked.
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

/// The lines of the expanded text as they gather.
#[derive(Clone, Default)]
struct Lines(Vec<Line>);

impl Lines {
    fn text(&mut self, file: usize, lines: &[String]) {
        self.text_from(file, 0, lines);
    }

    /// Adds lines of a file whose first `before` lines were added earlier.
    fn text_from(&mut self, file: usize, before: usize, lines: &[String]) {
        for (index, line) in lines.iter().enumerate() {
            self.0.push((line.clone(), Origin { file, line: before + index + 1 }));
        }
    }

    /// Adds a file of `glsl/`.
    fn embedded(&mut self, path: &str, table: &mut LineTable) {
        let file = table.add_file(&embedded::display_name(path), None);
        let text = embedded::text(path).unwrap_or_default();
        self.text(file, &text.lines().map(str::to_owned).collect::<Vec<_>>());
    }

    fn all(&mut self, lines: Vec<Line>) {
        self.0.extend(lines);
    }

    fn finish(self, source: &Source, mut table: LineTable) -> Expanded {
        let mut text = String::new();
        for (line, origin) in self.0 {
            text.push_str(&line);
            text.push('\n');
            table.push(origin);
        }
        Expanded::new(source, text, table)
    }
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
