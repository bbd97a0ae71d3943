//! What the preprocessor leaves of a text: the tokens that a compiler sees, each with the part of
//! the text that it came from. Declarations are found there whatever macros hold them.
//!
//! A macro that only a driver knows counts as undefined.

mod condition;
mod macros;
mod pieces;

use std::borrow::Cow;
use std::collections::HashMap;

use super::lexer::comments::strip;
use macros::Macros;
use pieces::cut;

pub use pieces::{Piece, Position, Span};

/// Returns the tokens of a text in front of which these macros are defined. The words of `left` are
/// not replaced. `None` if macros make more of it than a compiler would take.
pub fn preprocess(text: &str, given: &[(&str, u32)], left: &[&str]) -> Option<Vec<Piece>> {
    let mut macros = Macros::leaving(left);
    given.iter().for_each(|(name, value)| macros.define(&format!("{name} {value}")));
    let mut open: Vec<Open> = Vec::new();
    let (mut whole, mut part) = (Vec::new(), Vec::new());
    let stripped = strip(text).lines;
    let mut lines = stripped.iter().zip(1..);
    while let Some((line, number)) = lines.next() {
        let is_kept = open.iter().all(|open| open.kept);
        if !line.trim_start().starts_with('#') {
            if is_kept {
                cut(line, number, &mut part);
            }
            continue;
        }
        let mut joined = line.clone();
        while joined.ends_with('\\') {
            let next = lines.next().map(|(line, _)| &**line).unwrap_or_default();
            joined = Cow::Owned(format!("{}{next}", joined.trim_end_matches('\\')));
        }
        let (word, rest) = words(&joined);
        if is_kept && ["define", "undef"].contains(&word) {
            whole.extend(macros.expanded(std::mem::take(&mut part))?);
        }
        match word {
            "define" if is_kept => macros.define(rest),
            "undef" if is_kept => macros.forget(rest),
            "if" | "ifdef" | "ifndef" => {
                let kept = is_kept && macros.holds(word, rest);
                open.push(Open { kept, taken: kept || !is_kept });
            }
            "elif" => {
                if let Some(last) = open.last_mut() {
                    last.kept = !last.taken && macros.holds("if", rest);
                    last.taken |= last.kept;
                }
            }
            "else" => {
                if let Some(last) = open.last_mut() {
                    last.kept = !std::mem::replace(&mut last.taken, true);
                }
            }
            "endif" => drop(open.pop()),
            _ => {}
        }
    }
    whole.extend(macros.expanded(part)?);
    Some(joined_spans(whole))
}

/// An `#if` whose `#endif` is still to come.
struct Open {
    /// Whether the present branch is kept.
    kept: bool,
    /// Whether an earlier branch or this one is, or none is to be.
    taken: bool,
}

/// Returns the word of a directive, and what is behind it.
fn words(line: &str) -> (&str, &str) {
    let after = line.trim_start().strip_prefix('#').unwrap_or_default().trim();
    let end = after.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(after.len());
    let (word, rest) = after.split_at(end);
    (word, rest.trim())
}

/// Lets what begins at one place be one part of the text: a macro that leaves the name of another
/// one takes that one's arguments too.
fn joined_spans(mut pieces: Vec<Piece>) -> Vec<Piece> {
    let mut widest: HashMap<Position, Span> = HashMap::new();
    for Piece { from, .. } in pieces.iter().filter(|piece| piece.from.is_macro) {
        let known = widest.entry(from.start).or_insert(*from);
        known.end = known.end.max(from.end);
    }
    for piece in &mut pieces {
        if let Some(span) = widest.get(&piece.from.start) {
            piece.from = *span;
        }
    }
    pieces
}

#[cfg(test)]
#[path = "preprocess/tests.rs"]
mod tests;
