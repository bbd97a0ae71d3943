//! The functions of a text behind its macros, and their calls.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::shader::lexer::tokens::Token;

/// A function of the text.
pub(super) struct Function<'a> {
    pub(super) name: &'a str,
    pub(super) parameters: Vec<Parameter<'a>>,
    pub(super) body: Range<usize>,
}

pub(super) struct Parameter<'a> {
    pub(super) name: &'a str,
    pub(super) is_sampler: bool,
    is_written: bool,
}

/// The calls of a text without macros.
pub(super) struct Calls<'a> {
    tokens: &'a [Token],
    /// For each opening parenthesis the closing one.
    pub(super) closing: HashMap<usize, usize>,
    pub(super) functions: Vec<Function<'a>>,
    /// The names of constants that are 0.
    zeros: HashSet<&'a str>,
}

const KEYWORDS: [&str; 5] = ["if", "for", "while", "switch", "return"];

const ASSIGNMENTS: [&str; 11] = ["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="];

const STEPS: [&str; 2] = ["++", "--"];

impl<'a> Calls<'a> {
    pub(super) fn of(tokens: &'a [Token]) -> Calls<'a> {
        let mut calls = Calls {
            tokens,
            closing: closing(tokens),
            functions: Vec::new(),
            zeros: HashSet::new(),
        };
        calls.functions = calls.find_functions();
        calls.zeros = calls.find_zeros();
        calls
    }

    pub(super) fn name(&self, at: usize) -> Option<&'a str> {
        self.tokens.get(at)?.word()
    }

    pub(super) fn is(&self, at: usize, text: &str) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is(text))
    }

    /// Returns the functions in their order, the first what stands before all of them.
    fn find_functions(&self) -> Vec<Function<'a>> {
        let end = self.tokens.len();
        let mut functions = vec![Function { name: "", parameters: Vec::new(), body: 0..end }];
        for at in 0..end {
            let (Some(name), Some(close)) = (self.name(at), self.closing.get(&(at + 1))) else {
                continue;
            };
            if KEYWORDS.contains(&name) || !self.is(close + 1, "{") {
                continue;
            }
            if let Some(last) = functions.last_mut() {
                last.body.end = at;
            }
            let parameters = self.arguments(at + 1, *close).into_iter();
            let parameters = parameters.map(|range| self.parameter(range)).collect();
            functions.push(Function { name, parameters, body: close + 1..end });
        }
        functions
    }

    fn parameter(&self, range: Range<usize>) -> Parameter<'a> {
        let all: Vec<&str> = range.clone().filter_map(|at| self.name(at)).collect();
        let array = range.clone().find(|at| self.is(*at, "[")).unwrap_or(range.end);
        let name = (range.start..array).rev().find_map(|at| self.name(at)).unwrap_or_default();
        let is_sampler = all.iter().any(|word| word.contains("sampler"));
        Parameter { name, is_sampler, is_written: all.contains(&"out") || all.contains(&"inout") }
    }

    /// Returns the ranges between the commas of the parentheses that open and close here.
    pub(super) fn arguments(&self, open: usize, close: usize) -> Vec<Range<usize>> {
        let (mut arguments, mut start, mut at) = (Vec::new(), open + 1, open + 1);
        while at < close {
            if self.is(at, ",") {
                arguments.push(start..at);
                start = at + 1;
            }
            at = self.closing.get(&at).map_or(at, |inner| *inner) + 1;
        }
        if start < close || !arguments.is_empty() {
            arguments.push(start..close);
        }
        arguments
    }

    /// Returns the names of constants that are 0 and of nothing else.
    fn find_zeros(&self) -> HashSet<&'a str> {
        let mut zeros = HashSet::new();
        for at in 0..self.tokens.len() {
            if self.name(at) != Some("const") {
                continue;
            }
            let Some(equals) = (at..at + 6).find(|at| self.is(*at, "=")) else { continue };
            let Some(name) = self.name(equals - 1) else { continue };
            let ends = |at: &usize| self.is(*at, ";") || self.is(*at, ",");
            let end = (equals..self.tokens.len()).find(ends).unwrap_or(self.tokens.len());
            if self.is_zero(equals + 1..end) && self.is_declared_once(name) {
                zeros.insert(name);
            }
        }
        zeros
    }

    fn is_declared_once(&self, name: &str) -> bool {
        let declared = |at: &usize| {
            let typed = at.checked_sub(1).and_then(|before| self.name(before));
            self.name(*at) == Some(name) && typed.is_some_and(|before| !KEYWORDS.contains(&before))
        };
        (0..self.tokens.len()).filter(declared).count() == 1
    }

    /// Returns whether words are 0 written as a number, or a constant that is.
    pub(super) fn is_zero(&self, range: Range<usize>) -> bool {
        let mut text = String::new();
        for token in self.tokens.get(range).unwrap_or_default() {
            match &*token.text {
                "float" | "int" | "uint" | "(" | ")" | "+" | "-" => {}
                name if self.zeros.contains(name) => text.push('0'),
                number => text.push_str(number.trim_end_matches(['f', 'F', 'u', 'U'])),
            }
        }
        text.parse() == Ok(0.0_f64)
    }

    /// Returns whether a name is assigned to here, or given to a function that may do so.
    pub(super) fn is_written(&self, at: usize) -> bool {
        let is_one = |at: usize, of: &[&str]| of.iter().any(|text| self.is(at, text));
        let before = |of: &[&str]| at.checked_sub(1).is_some_and(|before| is_one(before, of));
        is_one(at + 1, &ASSIGNMENTS)
            || is_one(at + 1, &STEPS)
            || before(&STEPS)
            || before(&[",", "("]) && is_one(at + 1, &[",", ")"]) && self.is_given_to_a_writer(at)
    }

    /// Returns whether the call around an argument is of a function of the text that writes some
    /// of its parameters.
    fn is_given_to_a_writer(&self, at: usize) -> bool {
        let writes = |name: &str| {
            let mut called = self.functions.iter().filter(|function| function.name == name);
            called.any(|function| function.parameters.iter().any(|known| known.is_written))
        };
        let around = self.closing.iter().filter(|(open, close)| (**open..**close).contains(&at));
        let inner = around.map(|(open, _)| *open).max().and_then(|open| open.checked_sub(1));
        inner.and_then(|at| self.name(at)).is_some_and(writes)
    }
}

/// Returns for each opening parenthesis the closing one.
fn closing(tokens: &[Token]) -> HashMap<usize, usize> {
    let (mut open, mut closing) = (Vec::new(), HashMap::new());
    for (at, token) in tokens.iter().enumerate() {
        match &*token.text {
            "(" => open.push(at),
            ")" => drop(open.pop().and_then(|opened| closing.insert(opened, at))),
            _ => {}
        }
    }
    closing
}
