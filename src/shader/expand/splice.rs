//! Splices included files into a shader's text and notes where every line came from.

use super::lines::{Line, LineTable, Origin};
use super::resolve::{Loaded, resolve};
use crate::error::Place;
use crate::shader::diagnostics::excerpt::Excerpt;
use crate::shader::error::Error;
use crate::shader::lexer::comments::{comments_around, strip};
use crate::shader::lexer::directive::{Directive, directive};
use crate::shader::lexer::interface::Interface;
use crate::shader::lexer::lines::lines_of;
use crate::shader::lexer::preprocess::Conditions;
use crate::shader::lexer::verdict::Verdict;
use crate::shader::source::{Home, Source};

/// The most files that can be open within each other: each takes a part of the stack, and a stack
/// that overflows ends the process.
const DEEPEST: usize = 200;

/// A file that was spliced, and the directive that did it.
struct Spliced {
    identity: Home,
    directive: Option<Place>,
    conditional: bool,
}

/// The expansion of one shader as it grows.
pub(crate) struct Splicer<'a> {
    source: &'a Source,
    pub(crate) table: LineTable,
    /// The text, includes spliced, `#version`, `#line` and `#extension` blanked.
    pub(crate) body: Vec<Line>,
    /// The `#extension` lines, which must come first.
    pub(super) extensions: Vec<Line>,
    spliced: Vec<Spliced>,
    /// The files that are open, outermost first, each with the directive that opened it.
    open: Vec<(Home, Option<Place>)>,
    conditions: Conditions<'a>,
}

/// The context of a line: its file.
struct Frame<'f> {
    file: usize,
    home: &'f Home,
    conditional: bool,
}

/// A line of a file, and what stays of it where a directive is not sent.
struct LineParts<'t> {
    raw: &'t str,
    /// The line without comments.
    bare: &'t str,
    /// Comments that begin before the directive, and those that continue behind it.
    before: String,
    behind: String,
    origin: Origin,
}

impl<'a> Splicer<'a> {
    /// Creates an empty splicer, which treats `already` as spliced.
    pub(crate) fn new(source: &'a Source, already: Home) -> Self {
        let already = Spliced { identity: already, directive: None, conditional: false };
        Splicer {
            source,
            table: LineTable::default(),
            body: Vec::new(),
            extensions: Vec::new(),
            spliced: vec![already],
            open: Vec::new(),
            conditions: Conditions::new(Interface::part(source.defined())),
        }
    }

    /// Splices what stands in front of the source's own text, that text, and all that they include.
    pub(super) fn run(&mut self) -> Result<(), Error> {
        for source in self.source.common.as_deref().into_iter().chain([self.source]) {
            let Source { name, text, home, .. } = source.clone();
            self.splice(Loaded { name, text, home }, None, false)?;
        }
        Ok(())
    }

    fn splice(
        &mut self,
        loaded: Loaded,
        from: Option<Origin>,
        conditional: bool,
    ) -> Result<(), Error> {
        let identity = loaded.identity();
        let directive = from.map(|origin| self.table.place(origin));
        let file = self.table.add_file(&loaded.name, from);
        self.spliced.push(Spliced {
            identity: identity.clone(),
            directive: directive.clone(),
            conditional,
        });
        self.open.push((identity, directive));
        self.lines(&loaded, Frame { file, home: &loaded.home, conditional })?;
        self.open.pop();
        Ok(())
    }

    fn lines(&mut self, loaded: &Loaded, mut frame: Frame<'_>) -> Result<(), Error> {
        let text = loaded.text.strip_prefix('\u{feff}').unwrap_or(&loaded.text);
        let stripped = strip(text);
        if let Some((line, column)) = stripped.open {
            let raw = text.lines().nth(line - 1).unwrap_or_default();
            let (place, excerpt) = self.point(Origin { file: frame.file, line }, raw, column);
            return Err(Error::OpenComment { place, excerpt });
        }
        self.must_have_no_nul(text, frame.file)?;
        let outside = frame.conditional;
        let opened = self.conditions.depth();
        let mut lines = lines_of(text, &stripped).into_iter().peekable();
        for (index, (raw, bare)) in text.lines().zip(&stripped.lines).enumerate() {
            let origin = Origin { file: frame.file, line: index + 1 };
            let begins = lines.next_if(|line| line.number == origin.line);
            if let Some(line) = &begins {
                self.conditions.pass(&line.text);
            }
            frame.conditional = outside || self.conditions.depth() > opened;
            let is_kept = begins.is_some() && self.conditions.kept() != Verdict::No;
            let found = directive(bare).filter(|_| is_kept);
            // What is not sent of a line leaves comments that reach over its ends, in front of an
            // included text and behind it.
            let (before, behind) = match (found.is_some(), stripped.carries(index)) {
                (true, true) => comments_around(raw, bare),
                _ => Default::default(),
            };
            let line = LineParts { raw, bare, before, behind, origin };
            self.line(line, found, &frame)?;
        }
        self.conditions.close_to(opened);
        if text.lines().last().is_some_and(|last| last.ends_with('\\')) {
            // It would continue in the line behind the `#include`.
            let line = text.lines().count();
            self.body.push((String::new(), Origin { file: frame.file, line }));
        }
        Ok(())
    }

    /// Refuses a NUL, at which a driver ends the text, and ignores the rest silently.
    fn must_have_no_nul(&self, text: &str, file: usize) -> Result<(), Error> {
        let Some(at) = text.find('\0') else { return Ok(()) };
        let line = text[..at].matches('\n').count() + 1;
        let raw = text.lines().nth(line - 1).unwrap_or_default();
        let column = raw.split('\0').next().unwrap_or_default().chars().count() + 1;
        let shown = raw.replace('\0', "\u{2400}");
        let (place, excerpt) = self.point(Origin { file, line }, &shown, column);
        Err(Error::Nul { place, excerpt })
    }

    fn line(
        &mut self,
        line: LineParts<'_>,
        found: Option<Directive<'_>>,
        frame: &Frame<'_>,
    ) -> Result<(), Error> {
        let LineParts { raw, bare, before, behind, origin } = line;
        match found {
            Some(Directive::Include { name, column }) => {
                self.body.push((before, origin));
                let (place, excerpt) = self.point(origin, raw, column);
                self.include(name, origin, place, excerpt, frame)?;
                if !behind.is_empty() {
                    self.body.push((behind, origin));
                }
            }
            Some(Directive::Malformed { expected, column }) => {
                let (place, excerpt) = self.point(origin, raw, column);
                return Err(Error::MalformedDirective { expected, place, excerpt });
            }
            Some(Directive::Extension) => {
                self.extensions.push((bare.trim_end().to_owned(), origin));
                self.body.push((before + &behind, origin));
            }
            Some(Directive::Version | Directive::Line) => {
                self.body.push((before + &behind, origin));
            }
            _ => self.body.push((raw.to_owned(), origin)),
        }
        Ok(())
    }

    fn include(
        &mut self,
        wanted: &str,
        origin: Origin,
        place: Place,
        excerpt: Box<Excerpt>,
        frame: &Frame<'_>,
    ) -> Result<(), Error> {
        if self.open.len() >= DEEPEST {
            let wanted = wanted.to_owned();
            return Err(Error::IncludeDepth { wanted, most: DEEPEST, place, excerpt });
        }
        let found = resolve(self.source, frame.home, wanted, &place)?;
        let loaded = found.file(wanted, &place, &excerpt)?;
        let identity = loaded.identity();
        if let Some(start) = self.open.iter().position(|(open, _)| *open == identity) {
            let inner = self.open.iter().skip(start + 1).filter_map(|(_, from)| from.clone());
            let chain = inner.chain([place.clone()]).collect();
            return Err(Error::IncludeCycle { file: loaded.name, place, excerpt, chain });
        }
        match self.spliced.iter().find(|spliced| spliced.identity == identity) {
            None => self.splice(loaded, Some(origin), frame.conditional),
            Some(Spliced { conditional: true, directive: Some(first), .. }) => {
                let first = Box::new(first.clone());
                Err(Error::ConditionalInclude { file: loaded.name, first, place, excerpt })
            }
            Some(_) => Ok(()),
        }
    }

    fn point(&self, origin: Origin, raw: &str, column: usize) -> (Place, Box<Excerpt>) {
        let place = self.table.place(origin).at_column(column);
        let text = raw.to_owned();
        (place, Box::new(Excerpt { line: origin.line, text, column: Some(column) }))
    }
}
