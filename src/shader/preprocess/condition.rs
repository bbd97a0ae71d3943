//! The conditions of `#if`.

use super::macros::Macros;
use super::pieces::{Piece, cut, name};
use crate::shader::lexer::condition::{OPERATORS, computed, literal};

impl Macros {
    /// Returns whether the condition of a directive holds: a name that is no macro counts as 0, and
    /// what is no condition does not hold.
    pub(super) fn holds(&mut self, directive: &str, text: &str) -> bool {
        match directive {
            "ifdef" => self.knows(&text[..name(text)]),
            "ifndef" => !self.knows(&text[..name(text)]),
            _ => self.value(text).is_some_and(|value| value != 0),
        }
    }

    fn value(&mut self, text: &str) -> Option<i64> {
        let mut pieces = Vec::new();
        cut(text, 0, &mut pieces);
        let told = self.told(pieces);
        let pieces = self.expanded(told)?;
        let mut reader = Reader { pieces: &pieces };
        reader.ranked(0)
    }

    /// Replaces each `defined(NAME)` by its answer.
    fn told(&self, pieces: Vec<Piece>) -> Vec<Piece> {
        let mut told: Vec<Piece> = Vec::new();
        let mut rest = pieces.into_iter().peekable();
        while let Some(mut piece) = rest.next() {
            if &*piece.text == "defined" {
                let open = rest.next_if(|next| &*next.text == "(").is_some();
                let is = rest.next().is_some_and(|asked| self.knows(&asked.text));
                rest.next_if(|next| open && &*next.text == ")");
                piece.text = if is { "1" } else { "0" }.into();
            }
            told.push(piece);
        }
        told
    }
}

/// The tokens of a condition that are still to be read.
struct Reader<'a> {
    pieces: &'a [Piece],
}

impl Reader<'_> {
    fn next(&mut self) -> Option<&str> {
        let (first, rest) = self.pieces.split_first()?;
        self.pieces = rest;
        Some(&first.text)
    }

    /// Reads an expression of operators from this rank on.
    fn ranked(&mut self, rank: usize) -> Option<i64> {
        let Some(operators) = OPERATORS.get(rank) else { return self.single() };
        let mut value = self.ranked(rank + 1)?;
        while let Some(operator) = self.pieces.first().map(|piece| piece.text.clone())
            && operators.contains(&&*operator)
        {
            self.next();
            value = computed(&operator, value, self.ranked(rank + 1)?)?;
        }
        Some(value)
    }

    fn single(&mut self) -> Option<i64> {
        match self.next()? {
            "(" => {
                let value = self.ranked(0)?;
                self.next().filter(|close| *close == ")").map(|_| value)
            }
            "!" => Some(i64::from(self.single()? == 0)),
            "-" => self.single()?.checked_neg(),
            "+" => self.single(),
            "~" => Some(!self.single()?),
            word => number(word),
        }
    }
}

fn number(word: &str) -> Option<i64> {
    match word.starts_with(|c: char| c.is_ascii_digit()) {
        true => literal(word),
        // What is no macro.
        false => word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_').then_some(0),
    }
}
