//! The text that a driver compiles, and the way back from it to the user's lines.

use std::collections::HashMap;
use std::sync::Arc;

use super::lines::{LineTable, Lines};
use crate::error::Place;
use crate::shader::declarations::storage::Storage;
use crate::shader::declarations::{Declarations, storage};
use crate::shader::framing::Main;
use crate::shader::levels::LevelReads;
use crate::shader::lexer::interface::Interface;
use crate::shader::lexer::lines::{Line, lines};
use crate::shader::lexer::mentions::{LOOPS, has_parts_of, may_mention, names, pastes};
use crate::shader::lexer::preprocess::{candidates, kept};
use crate::shader::lexer::tokens::tokens;
use crate::shader::source::stage::Stage;
use crate::shader::source::{Framing, Source, embedded};
use crate::shader::{Error, Language, Reads, declarations};

/// The line by which the prelude's words sample.
pub(super) const SAMPLE: &str = "#define QUADRILLE_SAMPLE 1";

/// A shader expanded for one language: all that is known of its text, found once.
/// [`expand`](crate::shader::expand()) makes it.
#[derive(Clone, Debug)]
pub struct Expanded {
    /// The whole text, version line first.
    pub text: String,
    /// The stage it is written for.
    pub stage: Stage,
    name: String,
    /// The convention of another host in which the source was read.
    framing: Option<Arc<dyn Framing>>,
    needs_storage: bool,
    table: LineTable,
    declarations: Declarations,
    storage: Storage,
    made: Made,
}

/// The properties of an expanded text besides its lines.
#[derive(Clone, Debug)]
pub(crate) struct Made {
    pub(crate) language: Language,
    pub(crate) parts: Parts,
    /// The vertex shader of the author's own with which it is drawn.
    pub(crate) vertex: Option<Box<Expanded>>,
    /// Whether it computes an array in panels.
    pub(super) in_panels: bool,
}

/// The numbers of lines before parts of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parts {
    /// The first that follows the prelude.
    pub(super) prelude: usize,
    /// The first that the dialect adds, or the author's.
    pub(crate) own: usize,
}

impl Expanded {
    pub(in crate::shader) fn new(source: &Source, lines: Lines, made: Made) -> Self {
        let (text, table) = lines.join();
        let expanded = Expanded {
            text,
            stage: source.stage,
            name: source.name.clone(),
            framing: source.read_by().cloned(),
            needs_storage: source.needs_storage(),
            table,
            declarations: Declarations::default(),
            storage: Storage::default(),
            made,
        };
        expanded.declared()
    }

    /// Adds the declarations of the text.
    fn declared(mut self) -> Self {
        super::trace::note("parsed", &self.name);
        let tokens = candidates(&self.text, Interface::Whole);
        if self.stage == Stage::Compute {
            self.storage = storage::read(&tokens);
        }
        self.declarations = declarations::read(tokens, self.stage, |line| self.place(line));
        self
    }

    /// Returns the same shader with lines changed.
    pub(super) fn changed(&self, change: impl FnOnce(&mut Lines, &mut Made)) -> Expanded {
        let (mut lines, mut made) = (Lines::split(&self.text, &self.table), self.made.clone());
        change(&mut lines, &mut made);
        let (text, table) = lines.join();
        Expanded { text, table, made, ..self.clone() }.declared()
    }

    /// Returns the vertex shader of its author's with which it is drawn.
    pub(in crate::shader) fn own_vertices(&self) -> Option<&Expanded> {
        self.made.vertex.as_deref()
    }

    /// Returns whether it computes an array in panels.
    pub(super) fn is_in_panels(&self) -> bool {
        self.made.in_panels
    }

    /// Returns the same shader with reads by the prelude's words as fetches.
    pub fn fetching(mut self) -> Expanded {
        let prelude = self.made.parts.prelude;
        let front: usize = self.text.split_inclusive('\n').take(prelude).map(str::len).sum();
        // The line stays, so that others keep their numbers.
        if let Some(at) = self.text[..front].find(SAMPLE) {
            self.text.replace_range(at..at + SAMPLE.len(), "");
        }
        self.made.language.reads = Reads::Fetch;
        self.made.vertex = self.made.vertex.map(|vertex| Box::new(vertex.fetching()));
        self
    }

    /// Returns the language that it was expanded for.
    pub fn language(&self) -> &Language {
        &self.made.language
    }

    /// Returns whether it needs storage buffers.
    pub fn needs_storage(&self) -> bool {
        self.needs_storage
    }

    /// Returns whether it is drawn with a vertex shader of its author's.
    pub fn has_own_vertices(&self) -> bool {
        self.made.vertex.is_some()
    }

    /// Returns the name of the coordinate across the target that a fragment shader takes from the
    /// vertex stage, if it takes one.
    pub fn coordinate(&self) -> Option<&str> {
        let inputs = self.declarations.inputs.iter();
        inputs.filter(|input| input.kind == "vec2").map(|input| input.name.as_str()).next()
    }

    /// Returns the name of the source it was made from.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the file and line that a line of [`text`](Self::text), counted from 1, came from. A
    /// line that the text does not have gives the source as a whole.
    ///
    /// Lines that no file holds lie in places whose name is in parentheses: `(GLSL 330):1`,
    /// `(defines of blur.frag):2`.
    pub fn place(&self, expanded_line: usize) -> Place {
        match self.table.origin(expanded_line) {
            Some(origin) => self.table.place(origin),
            None => Place::file(&self.name),
        }
    }

    /// Returns the convention of another host in which the source was read.
    pub fn framing(&self) -> Option<&Arc<dyn Framing>> {
        self.framing.as_ref()
    }

    /// Returns the name that positions have in the lines around the text.
    pub(super) fn frame_file(&self) -> String {
        frame_file(self.framing.as_ref())
    }

    /// Returns whether a line, counted from 1, is its author's.
    pub fn is_authors(&self, expanded_line: usize) -> bool {
        let file = self.place(expanded_line).file;
        !file.starts_with('(') && !self.is_shared(&file)
    }

    /// Returns whether a file is the library's, or one that a frame added.
    fn is_shared(&self, file: &str) -> bool {
        embedded::is_display_name(file)
            || self.framing.as_ref().is_some_and(|framing| framing.has_file(file))
    }

    /// Refuses a text without a function `main`, or the entry point of its host: drivers report
    /// that without naming the file.
    ///
    /// # Errors
    /// [`Error::NoMain`].
    pub fn must_have_main(&self) -> Result<(), Error> {
        let main = self.framing.as_ref().map_or(Main::GLSL, |framing| framing.main());
        let lines = lines(&self.text);
        if self.has_word(&lines, main.name) {
            return Ok(());
        }
        let empty = tokens(&self.text).iter().all(|token| {
            let place = self.place(token.line());
            place.file.starts_with('(') || self.is_shared(&place.file)
        });
        let has_image = self.has_word(&lines, IMAGE);
        let read_as = self.framing.as_ref().map(|framing| framing.described());
        let (place, stage) = (Place::file(&self.name), self.stage);
        Err(Error::NoMain { place, stage, empty, main, read_as, has_image })
    }

    /// Returns whether a word stands outside of what its host expects around the text, in lines
    /// without comments, or may be pasted there.
    fn has_word(&self, lines: &[Line<'_>], word: &str) -> bool {
        let own = self.frame_file();
        let has = |line: &str| pastes(line) || names(line).any(|found| found == word);
        lines.iter().rev().any(|line| has(&line.text) && self.place(line.number).file != own)
    }

    /// Returns the `#include`s through which a line of [`text`](Self::text) came in, innermost
    /// first.
    pub fn included_from(&self, expanded_line: usize) -> Vec<Place> {
        self.table
            .origin(expanded_line)
            .map(|origin| self.table.trail(origin.file))
            .unwrap_or_default()
    }

    /// Returns the uniforms, inputs, outputs and buffers that the text declares.
    pub fn declarations(&self) -> &Declarations {
        &self.declarations
    }

    /// Returns the storage blocks and images of a compute shader, and its work groups.
    pub fn storage(&self) -> &Storage {
        &self.storage
    }

    /// Returns whether a word of the text, or of its author's vertex shader, is that of a loop,
    /// outside comments.
    pub fn may_loop(&self) -> bool {
        may_mention(&self.text, &LOOPS)
            || self.made.vertex.as_ref().is_some_and(|vertex| vertex.may_loop())
    }

    /// Returns whether the text may end a fragment without writing it.
    pub fn may_discard(&self) -> bool {
        may_mention(&self.text, &["discard"])
    }

    /// Returns the defines of the vertex shader that outputs this coordinate.
    pub(super) fn coordinate_defines(&self, coordinate: &str) -> Vec<&'static str> {
        let Some(framing) = &self.framing else { return Vec::new() };
        framing.coordinate_defines(&kept(&self.text, std::iter::empty()), coordinate)
    }

    /// Returns whether the text may have one of these words outside of the library's files.
    pub fn has_any_of(&self, words: &[&str]) -> bool {
        if !has_parts_of(&self.text, words) && !pastes(&self.text) {
            return false;
        }
        lines(&self.text).iter().any(|line| {
            let has = pastes(&line.text) || names(&line.text).any(|name| words.contains(&name));
            has && !self.is_shared(&self.place(line.number).file)
        })
    }

    /// Returns whether its author's lines have a word of the prelude, and not a meaning of their own
    /// for it.
    pub fn says(&self, word: &str) -> bool {
        let has = |line: &str| names(line).any(|name| name == word);
        let taken = format!("#undef {word}");
        self.text.contains(word)
            && !self.text.lines().any(|line| line == taken)
            && lines(&self.text).iter().any(|line| has(&line.text) && self.is_authors(line.number))
    }

    /// Returns how often each name stands in the text behind its macros, in all branches of its conditions.
    pub(crate) fn mentions(&self) -> HashMap<String, usize> {
        let mut mentions = HashMap::new();
        for token in candidates(&self.text, Interface::Whole) {
            if token.is_name() {
                *mentions.entry(token.text.to_string()).or_default() += 1;
            }
        }
        mentions
    }

    /// Returns whether the text samples textures other than by the words of the prelude and of the
    /// library's files. Those of old dialects are functions of the library that sample as the text
    /// asks.
    pub fn samples(&self) -> bool {
        let of_user = |line: usize| {
            let file = self.place(line).file;
            !self.is_shared(&file) && file != self.frame_file()
        };
        let samples = |word: &str| {
            let function = word.strip_prefix("texture");
            function.is_some_and(|rest| SAMPLING.contains(&rest))
                || self.framing.as_ref().is_some_and(|framing| framing.samples(word))
        };
        if self.framing.is_none() && !has_parts_of(&self.text, &["texture", "##"]) {
            return false;
        }
        let says = |text: &str| pastes(text) || names(text).any(samples);
        lines(&self.text).iter().any(|line| says(&line.text) && of_user(line.number))
    }

    /// Returns the samplers whose levels the text asks for.
    pub(crate) fn level_reads(&self) -> LevelReads {
        let mut own = self.text.lines().skip(self.made.parts.prelude);
        // The prelude's words read level 0, and one of these is in the name of each function that takes a level.
        let may_ask = |line: &str| line.contains("texture") || line.contains("texelFetch");
        match own.any(may_ask) || self.text.contains("##") {
            true => LevelReads::of(&self.text),
            false => LevelReads::default(),
        }
    }

    /// Returns what the preprocessor replaces a word of the text by.
    pub(in crate::shader) fn replaced(&self, word: &str) -> Replaced {
        let mut text = word.to_owned();
        // Macros may stand in macros.
        for _ in 0..8 {
            match self.define_of(&text) {
                None if text == word => return Replaced::Not,
                None => return Replaced::By(text),
                Some(meaning) => match meaning.trim() {
                    name if is_name(name) && !meaning.starts_with('(') => text = name.to_owned(),
                    _ => return Replaced::Unknown,
                },
            }
        }
        Replaced::Unknown
    }

    /// Returns a message with the words of the text for the library's own.
    pub(in crate::shader) fn in_own_words(&self, message: &str) -> String {
        if !message.contains("quadrille_") {
            return message.to_owned();
        }
        let letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let mut words: Vec<&str> = message.split(|c| !letter(c)).collect();
        words.retain(|word| word.starts_with("quadrille_"));
        let mut told = message.to_owned();
        for word in words {
            if let Some(own) = self.define_as(word) {
                told = told.replace(word, own);
            }
        }
        told
    }

    /// Returns the meaning of a name: the text of its `#define`, else itself.
    pub fn meaning<'a>(&'a self, name: &'a str) -> &'a str {
        self.define_of(name).map_or(name, str::trim)
    }

    /// Returns the replacement in the `#define` of this word.
    fn define_of(&self, word: &str) -> Option<&str> {
        let letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let defined = |line| {
            let rest = definition(line)?.strip_prefix(word)?;
            (!rest.starts_with(letter)).then_some(rest)
        };
        if word.is_empty() {
            return None;
        }
        self.text.lines().find_map(defined)
    }

    /// Returns the last macro whose replacement is this word.
    fn define_as(&self, word: &str) -> Option<&str> {
        let defined = |line| {
            let (name, meaning) = definition(line)?.split_once(' ')?;
            (meaning.trim() == word).then_some(name)
        };
        self.text.lines().rev().find_map(defined)
    }

    /// Returns a line of the text as it was written, with a column of it, both counted from 1.
    pub(in crate::shader) fn as_written(
        &self,
        expanded_line: usize,
        column: Option<usize>,
    ) -> (Option<&str>, Option<usize>) {
        let origin = self.table.origin(expanded_line);
        match origin.and_then(|origin| self.table.edited(origin)) {
            Some(edited) => (Some(&edited.written), column.map(|column| edited.column(column))),
            None => (self.line(expanded_line), column),
        }
    }

    /// Returns a line of the text, counted from 1.
    pub(in crate::shader) fn line(&self, expanded_line: usize) -> Option<&str> {
        self.text.lines().nth(expanded_line.checked_sub(1)?)
    }
}

/// The result of expanding a word as a macro.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Replaced {
    /// The word is no macro.
    Not,
    /// The word is replaced by this one.
    By(String),
    /// More than a word, or nothing.
    Unknown,
}

/// Returns the text behind `#define` in a line.
fn definition(line: &str) -> Option<&str> {
    let line = line.trim_start().strip_prefix('#')?.trim_start();
    Some(line.strip_prefix("define")?.trim_start())
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Returns the name that positions have in lines that a convention adds around a text.
pub(super) fn frame_file(framing: Option<&Arc<dyn Framing>>) -> String {
    format!("({})", framing.map_or("a plain shader", |framing| framing.described()))
}

/// The function of a text that `quadrille-run` reads as Shadertoy's.
const IMAGE: &str = "mainImage";

/// The rest, after `texture`, of the names of GLSL's sampling functions.
const SAMPLING: [&str; 27] = [
    "",
    "2D",
    "2DLod",
    "2DLodEXT",
    "2DLodARB",
    "2DProj",
    "2DProjLod",
    "2DProjLodEXT",
    "2DProjLodARB",
    "2DGradEXT",
    "2DGradARB",
    "2DProjGradEXT",
    "2DProjGradARB",
    "Lod",
    "Offset",
    "LodOffset",
    "Grad",
    "GradOffset",
    "Proj",
    "ProjLod",
    "ProjOffset",
    "ProjLodOffset",
    "ProjGrad",
    "ProjGradOffset",
    "Gather",
    "QueryLod",
    "QueryLOD",
];
