//! Finds the lines of a text that no preprocessor keeps, whatever the device: those behind `#if 0`,
//! and behind an `#ifdef` of a name that nothing defines, where authors put code for another host.
//!
//! Whatever a driver or this library may define is left open, and so is every other condition: such
//! lines count as kept.

use std::collections::{HashMap, HashSet};

use super::comments::strip;
use super::directive::{Directive, directive};
use crate::shader::source::embedded;

/// The `#if`s around a line, and the names that were defined before it.
#[derive(Default)]
pub(in crate::shader) struct Conditions {
    open: Vec<Open>,
    defined: HashSet<String>,
    /// The names whose value is known; `None` where two were given.
    numbers: HashMap<String, Option<i64>>,
    /// Whether the text is of OpenGL ES, where its version says so.
    es: Option<bool>,
    /// Whether a directive continued in the next line before its name, so that any name may be
    /// defined.
    is_any_defined: bool,
}

/// An `#if` whose `#endif` is still to come.
struct Open {
    /// Whether the lines of the present branch are never kept.
    never: bool,
    /// Whether an earlier or the present branch is kept for certain.
    taken: bool,
}

impl Conditions {
    /// Returns those of a text in front of which these names are defined.
    pub(in crate::shader) fn behind<'a>(names: impl Iterator<Item = &'a String>) -> Conditions {
        Conditions { defined: names.cloned().collect(), ..Conditions::default() }
    }

    /// Returns whether a line here is never kept.
    pub(in crate::shader) fn is_never(&self) -> bool {
        self.open.iter().any(|open| open.never)
    }

    /// Returns the number of open `#if`s.
    pub(in crate::shader) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Closes what a file left open.
    pub(in crate::shader) fn close_to(&mut self, depth: usize) {
        self.open.truncate(depth);
    }

    /// Goes on behind a line without comments, with its directive.
    pub(in crate::shader) fn pass(&mut self, found: Option<&Directive<'_>>, line: &str) {
        let (word, rest) = words(line);
        match found {
            Some(Directive::If) => {
                let verdict = self.verdict(word, rest);
                self.open
                    .push(Open { never: verdict == Some(false), taken: verdict == Some(true) });
            }
            Some(Directive::Else) => {
                let verdict = if word == "else" { None } else { self.verdict("if", rest) };
                if let Some(open) = self.open.last_mut() {
                    open.never = open.taken || verdict == Some(false);
                    open.taken |= verdict == Some(true);
                }
            }
            Some(Directive::Endif) => drop(self.open.pop()),
            Some(Directive::Other) if !self.is_never() => self.define(word, rest),
            _ => {}
        }
    }

    /// Goes on behind the `#version` that a driver sees; that of a source is not it.
    pub(in crate::shader) fn pass_version(&mut self, line: &str) {
        let (_, rest) = words(line);
        let number = rest.split_whitespace().next().and_then(|number| number.parse().ok());
        self.numbers.insert("__VERSION__".to_owned(), number);
        self.es = number.map(|_| rest.ends_with("es"));
    }

    fn define(&mut self, word: &str, rest: &str) {
        let (named, goes_on) = (name(rest), rest.ends_with('\\'));
        match word {
            "define" if !goes_on || rest.len() > named.len() + 1 => {
                let first = self.defined.insert(named.to_owned()) && self.open.is_empty();
                let value = rest.get(named.len()..).and_then(|value| value.trim().parse().ok());
                self.numbers.insert(named.to_owned(), value.filter(|_| first && !goes_on));
            }
            "undef" => drop(self.numbers.insert(named.to_owned(), None)),
            _ => self.is_any_defined |= goes_on,
        }
    }

    /// Returns whether a condition holds, where that is known.
    fn verdict(&self, word: &str, condition: &str) -> Option<bool> {
        // It continues in the next line.
        if condition.ends_with('\\') {
            return None;
        }
        match word {
            "ifdef" => self.is_defined(condition),
            "ifndef" => self.is_defined(condition).map(|is| !is),
            _ => self.any(condition),
        }
    }

    fn any(&self, condition: &str) -> Option<bool> {
        if let Some(inner) = enclosed(condition.trim()) {
            return self.any(inner);
        }
        let parts: Vec<_> = condition.split("||").map(|part| self.all(part)).collect();
        join(&parts, true)
    }

    fn all(&self, condition: &str) -> Option<bool> {
        let parts: Vec<_> = condition.split("&&").map(|part| self.one(part.trim())).collect();
        join(&parts, false)
    }

    fn one(&self, condition: &str) -> Option<bool> {
        if let Some(behind) = condition.strip_prefix('!') {
            return self.one(behind.trim()).map(|is| !is);
        }
        if let Ok(number) = condition.parse::<i64>() {
            return Some(number != 0);
        }
        if let Some(inner) = enclosed(condition) {
            return self.any(inner);
        }
        let Some(asked) = condition.strip_prefix("defined") else {
            return self.compared(condition);
        };
        let asked = asked.trim();
        let inner = asked.strip_prefix('(').map_or(Some(asked), |rest| rest.strip_suffix(')'))?;
        self.is_defined(inner)
    }

    /// Returns the result of a comparison of two numbers.
    fn compared(&self, condition: &str) -> Option<bool> {
        type Compare = fn(&i64, &i64) -> bool;
        let operators: [(&str, Compare); 6] = [
            (">=", i64::ge),
            ("<=", i64::le),
            ("==", i64::eq),
            ("!=", i64::ne),
            (">", i64::gt),
            ("<", i64::lt),
        ];
        let split = |(operator, compare)| Some((condition.split_once(operator)?, compare));
        let ((left, right), compare) = operators.into_iter().find_map(split)?;
        Some(compare(&self.number(left.trim())?, &self.number(right.trim())?))
    }

    fn number(&self, text: &str) -> Option<i64> {
        text.parse().ok().or_else(|| self.numbers.get(text).copied().flatten())
    }

    /// Returns `false` for a name that nothing defines; for any other name the answer is not known.
    fn is_defined(&self, text: &str) -> Option<bool> {
        let asked = name(text.trim());
        if asked == "GL_ES" && !self.is_any_defined && !self.defined.contains(asked) {
            return self.es;
        }
        let may = self.is_any_defined
            || asked.is_empty()
            || asked != text.trim()
            || self.defined.contains(asked)
            || ["GL_", "QUADRILLE_"].iter().any(|start| asked.starts_with(start))
            || asked.contains("__")
            || may_define(asked)
            || embedded::defines(asked);
        (!may).then_some(false)
    }
}

/// Returns what is in the parentheses that enclose all of a condition.
fn enclosed(condition: &str) -> Option<&str> {
    let inner = condition.strip_prefix('(')?.strip_suffix(')')?;
    let mut depth = 0_i32;
    let closes = |c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth < 0
    };
    (!inner.contains(closes)).then_some(inner)
}

/// Returns the disjunction of what is known and what is not, where `decides` is true, else the
/// conjunction.
fn join(parts: &[Option<bool>], decides: bool) -> Option<bool> {
    if parts.contains(&Some(decides)) {
        return Some(decides);
    }
    (!parts.contains(&None)).then_some(!decides)
}

/// Returns the word of a directive, and what is behind it.
fn words(line: &str) -> (&str, &str) {
    let after = line.trim_start().strip_prefix('#').unwrap_or_default().trim();
    let end = after.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(after.len());
    let (word, rest) = after.split_at(end);
    (word, rest.trim())
}

/// Returns the name at the beginning.
fn name(text: &str) -> &str {
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(text.len());
    &text[..end]
}

/// Returns a text without the lines that are never kept, which are empty in it.
pub fn kept<'a>(text: &str, names: impl Iterator<Item = &'a String>) -> String {
    let mut conditions = Conditions::behind(names);
    let mut kept = String::with_capacity(text.len());
    let mut continued = false;
    for (raw, bare) in text.lines().zip(&strip(text).lines) {
        let found = if continued { None } else { directive(bare) };
        continued = bare.ends_with('\\');
        conditions.pass(found.as_ref(), bare);
        if !conditions.is_never() {
            kept.push_str(raw);
        }
        kept.push('\n');
    }
    kept
}

/// Returns whether what a dialect puts around a text may define a word as a macro.
fn may_define(word: &str) -> bool {
    let starts = ["gl_", "texture", "IMG_", "isf_", "vv_"];
    let words = [
        "main",
        "out",
        "varying",
        "mediump",
        "lowp",
        "discard",
        "sampler2DRect",
        "PASSINDEX",
        "HW_PERFORMANCE",
    ];
    let ends = ["_imgRect", "_imgSize", "_flip"];
    starts.iter().any(|start| word.starts_with(start))
        || words.contains(&word)
        || ends.iter().any(|end| word.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn is(text: &str, wanted: &str) {
        let named = "GIVEN".to_owned();
        let kept = kept(text, [&named].into_iter());
        let words: Vec<&str> = kept.lines().filter(|line| !line.starts_with('#')).collect();
        assert_eq!(words.concat(), wanted, "{text}");
    }

    #[test]
    fn what_no_preprocessor_keeps_is_left_out() {
        for (text, wanted) in [
            ("#if 0\na\n#else\nb\n#endif\nc", "bc"),
            ("#ifdef HOST\na\n#else\nb\n#endif", "b"),
            ("#ifndef HOST\na\n#else\nb\n#endif", "a"),
            ("#if defined(HOST) && X > 1\na\n#endif", ""),
            ("#if defined HOST || 0\na\n#elif 1\nb\n#else\nc\n#endif", "b"),
            ("#if !defined(HOST)\na\n#else\nb\n#endif", "a"),
            ("#ifdef HOST\n#define X\n#endif\n#ifdef X\na\n#endif", ""),
            ("#define X 1 + \\\n1\n#ifdef HOST\na\n#endif\nb", "1b"),
            ("#define LEVEL 2\n#if (LEVEL > 1)\na\n#elif LEVEL == 1\nb\n#endif", "a"),
            ("#ifdef HOST // GIVEN\n#ifdef GIVEN\na\n#endif\nb\n#endif\nc", "c"),
        ] {
            is(text, wanted);
        }
    }

    #[test]
    fn what_may_be_kept_is_kept() {
        for text in [
            "#ifdef GIVEN\na\n#else\nb\n#endif",
            "#ifdef GL_ES\na\n#else\nb\n#endif",
            "#version 120\n#if __VERSION__ < 130\na\n#else\nb\n#endif",
            "#if __VERSION__ < 130\na\n#elif X\nb\n#endif",
            "#define X\n#ifdef X\na\n#else\nb\n#endif",
            "#ifdef GIVEN\n#define N 1\n#endif\n#if N == 1\na\n#else\nb\n#endif",
            "#define N 1\n#undef N\n#if N == 1\na\n#else\nb\n#endif",
            "#if (1) || (N)\na\n#endif\nb",
            "#if (N || 0) && 1\na\n#else\nb\n#endif",
            "#ifdef READ\na\n#else\nb\n#endif",
            "#ifdef texture2D\na\n#else\nb\n#endif",
            "#if defined(HOST) || X\na\n#else\nb\n#endif",
            "#if \\\n0\na\n#endif\nb",
            "#define \\\nX\n#ifdef X\na\n#endif",
            "#define X\\\nY\n#ifdef XY\na\n#endif",
            "#def\\\nine X\n#ifdef X\na\n#endif",
            "#define X 1 + \\\n1\n#ifdef X\na\n#endif",
        ] {
            let wanted: String = text.lines().filter(|line| ["a", "b"].contains(line)).collect();
            let named = "GIVEN".to_owned();
            let kept = kept(text, [&named].into_iter());
            let words: String = kept.lines().filter(|line| ["a", "b"].contains(line)).collect();
            assert_eq!(words, wanted, "{text}");
        }
    }
}
