//! What a preprocessor leaves of a text: its macros expanded, and of each `#if` the branches that a
//! driver may keep.

use std::collections::HashMap;

use super::condition::{verdict, with_defined};
use super::directive::split;
use super::expansion::{MOST, expand};
use super::interface::Interface;
use super::lines::{Position, lines};
use super::macros::{Macros, Several};
use super::tokens::{Span, Token, branch, cut, name, words};
use super::verdict::Verdict;

/// The macros and the `#if`s at a line of a text, and what is known of names around it.
pub(crate) struct Conditions<'a> {
    interface: Interface<'a>,
    macros: Macros,
    /// The tokens that may still be looked at for macros.
    budget: usize,
    branches: Vec<Branch>,
}

/// An `#if` whose `#endif` is still to come.
struct Branch {
    /// Whether what stands around it is kept.
    outer: Verdict,
    /// Whether an earlier branch is, or the present one.
    taken: Verdict,
    /// Whether the present one is.
    now: Verdict,
}

impl<'a> Conditions<'a> {
    /// Returns those at the beginning of a text.
    pub(crate) fn new(interface: Interface<'a>) -> Conditions<'a> {
        let mut macros = Macros::default();
        if let Interface::Exact { given, .. } = interface {
            given.iter().for_each(|(name, value)| macros.define(&format!("{name} {value}"), true));
        }
        Conditions { interface, macros, budget: MOST, branches: Vec::new() }
    }

    /// Returns whether a line here is kept.
    pub(crate) fn kept(&self) -> Verdict {
        self.branches.last().map_or(Verdict::Yes, |branch| branch.now)
    }

    /// Returns the number of open `#if`s.
    pub(crate) fn depth(&self) -> usize {
        self.branches.len()
    }

    /// Closes what a file left open.
    pub(crate) fn close_to(&mut self, depth: usize) {
        self.branches.truncate(depth);
    }

    /// Goes on behind a line.
    pub(crate) fn pass(&mut self, line: &str) {
        if let Some((word, rest)) = split(line) {
            self.directive(word, rest.trim());
        }
    }

    fn directive(&mut self, word: &str, rest: &str) {
        let kept = self.kept();
        let is_certain = kept == Verdict::Yes;
        match word {
            "if" | "ifdef" | "ifndef" => {
                let holds = match kept {
                    Verdict::No => Verdict::No,
                    _ => self.holds(word, rest),
                };
                self.branches.push(Branch { outer: kept, taken: holds, now: kept.min(holds) });
            }
            "elif" | "else" => {
                let Some(Branch { outer, taken, .. }) = self.branches.pop() else { return };
                let holds = match (word, outer.min(taken.not())) {
                    (_, Verdict::No) => Verdict::No,
                    ("else", _) => Verdict::Yes,
                    _ => self.holds("if", rest),
                };
                let now = outer.min(taken.not()).min(holds);
                self.branches.push(Branch { outer, taken: taken.max(holds), now });
            }
            "endif" => drop(self.branches.pop()),
            _ if kept == Verdict::No => {}
            "define" if !self.leaves(rest) => self.macros.define(rest, is_certain),
            "undef" => self.macros.undefine(rest, is_certain),
            "version" if matches!(self.interface, Interface::Whole) => self.version(rest),
            _ => {}
        }
    }

    /// Returns whether a word is not replaced.
    fn leaves(&self, definition: &str) -> bool {
        let name = name(definition);
        matches!(&self.interface, Interface::Exact { left, .. } if left.contains(&name))
    }

    fn version(&mut self, rest: &str) {
        let number = rest.split_whitespace().next().unwrap_or_default();
        self.macros.define(&format!("__VERSION__ {number}"), true);
        match rest.ends_with("es") {
            true => self.macros.define("GL_ES 1", true),
            false => self.macros.forget("GL_ES"),
        }
    }

    /// Returns whether the condition of a directive holds. Where everything is known, what is no
    /// condition does not.
    fn holds(&mut self, word: &str, condition: &str) -> Verdict {
        let holds = match word {
            "if" => self.value(condition),
            _ => match (words(condition).next(), word) {
                (None, _) => Verdict::Maybe,
                (Some((_, name)), "ifdef") => self.is_defined(name),
                (Some((_, name)), _) => self.is_defined(name).not(),
            },
        };
        match (holds, &self.interface) {
            (Verdict::Maybe, Interface::Exact { .. }) => Verdict::No,
            _ => holds,
        }
    }

    fn value(&mut self, condition: &str) -> Verdict {
        let mut asked = with_defined(condition, |name| self.is_defined(name));
        let mut tokens = Vec::new();
        self.expand(&mut asked, Several::Each, &mut tokens);
        if self.budget == 0 {
            return Verdict::Maybe;
        }
        // Some drivers refuse a name that is no macro, others take it for 0: a part of a text may
        // not be meant for them.
        let value_of = |name: &str| match (&self.interface, self.is_defined(name)) {
            (Interface::Part { .. }, _) | (_, Verdict::Maybe) => None,
            _ => Some(0),
        };
        verdict(&tokens, &value_of)
    }

    fn expand(&mut self, tokens: &mut Vec<Token>, several: Several, done: &mut Vec<Token>) {
        expand(tokens, &self.macros, several, &mut self.budget, done);
    }

    fn is_defined(&self, name: &str) -> Verdict {
        self.macros.is_defined(name).unwrap_or_else(|| self.interface.defines(name))
    }
}

/// Returns the tokens of a whole text as a compiler gets them. Those of all branches that a driver
/// may keep are here, and a macro with several meanings stands for each of them, with `;` between.
/// `None` if macros make more of it than any shader has.
pub fn preprocessed(text: &str) -> Option<Vec<Token>> {
    let (tokens, is_whole) = read(text, Interface::Whole, Several::Each);
    is_whole.then_some(tokens)
}

/// Returns the tokens of a text in front of which these macros are defined, and no others. The
/// words of `left` are not replaced. `None` if macros make more of it than a compiler would take.
pub fn preprocess(text: &str, given: &[(&str, u32)], left: &[&str]) -> Option<Vec<Token>> {
    let (tokens, is_whole) = read(text, Interface::Exact { given, left }, Several::Each);
    is_whole.then(|| joined_spans(tokens))
}

/// Returns the tokens from which declarations are read: of all branches, with the directives that
/// begin and end them. A macro with several meanings is replaced by the last if that begins a
/// declaration. What is more than any shader has is not expanded.
pub(crate) fn candidates(text: &str, interface: Interface<'_>) -> Vec<Token> {
    read(text, interface, Several::Declaring).0
}

/// Returns the tokens of a text, and whether all of its macros are expanded.
fn read(text: &str, interface: Interface<'_>, several: Several) -> (Vec<Token>, bool) {
    let has_branches = several == Several::Declaring;
    let mut conditions = Conditions::new(interface);
    // The second are those since the last `#define`: a call may have several lines.
    let (mut tokens, mut pending) = (Vec::new(), Vec::new());
    for line in lines(text) {
        let kept = conditions.kept();
        let Some((word, rest)) = split(&line.text) else {
            if has_branches || kept != Verdict::No {
                cut(&line, kept, &mut pending);
            }
            continue;
        };
        if kept != Verdict::No && ["define", "undef"].contains(&word) {
            conditions.expand(&mut pending, several, &mut tokens);
        }
        conditions.directive(word, rest.trim());
        pending.extend(branch(word, &line, kept).filter(|_| has_branches));
    }
    conditions.expand(&mut pending, several, &mut tokens);
    (tokens, conditions.budget > 0)
}

/// Lets what begins at one place be one part of the text: a macro that leaves the name of another
/// one takes that one's arguments too.
fn joined_spans(mut tokens: Vec<Token>) -> Vec<Token> {
    let mut widest: HashMap<Position, Span> = HashMap::new();
    for Token { from, .. } in tokens.iter().filter(|token| token.from.is_macro) {
        let known = widest.entry(from.start).or_insert(*from);
        known.end = known.end.max(from.end);
    }
    for token in &mut tokens {
        if let Some(span) = widest.get(&token.from.start) {
            token.from = *span;
        }
    }
    tokens
}

/// Returns a part of a text without the lines that no preprocessor keeps, whatever the device,
/// which are empty in it: those behind `#if 0`, and behind an `#ifdef` of a name that nothing
/// defines, where authors put code for another host.
pub fn kept<'a>(text: &str, names: impl Iterator<Item = &'a String>) -> String {
    let mut conditions = Conditions::new(Interface::part(names));
    let mut kept = String::with_capacity(text.len());
    let mut raw = text.lines();
    for line in lines(text) {
        conditions.pass(&line.text);
        for raw in raw.by_ref().take(line.count()) {
            if conditions.kept() != Verdict::No {
                kept.push_str(raw);
            }
            kept.push('\n');
        }
    }
    kept
}

#[cfg(test)]
#[path = "preprocess/tests.rs"]
mod tests;
