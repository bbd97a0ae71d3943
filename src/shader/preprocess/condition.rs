//! The conditions of `#if`.

use super::macros::Macros;
use super::pieces::{Piece, cut, name};

/// The operators of two numbers by their rank.
const RANKS: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", ">", "<=", ">="],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

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
        let Some(operators) = RANKS.get(rank) else { return self.single() };
        let mut value = self.ranked(rank + 1)?;
        while let Some(operator) = self.pieces.first().map(|piece| piece.text.clone())
            && operators.contains(&&*operator)
        {
            self.next();
            value = applied(value, &operator, self.ranked(rank + 1)?)?;
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
    let digits = word.trim_end_matches(['u', 'U']);
    match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(digits) => i64::from_str_radix(digits, 16).ok(),
        None if word.starts_with(|c: char| c.is_ascii_digit()) => digits.parse().ok(),
        // What is no macro.
        None => word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_').then_some(0),
    }
}

fn applied(left: i64, operator: &str, right: i64) -> Option<i64> {
    let shift = || u32::try_from(right).ok();
    Some(match operator {
        "||" => i64::from(left != 0 || right != 0),
        "&&" => i64::from(left != 0 && right != 0),
        "|" => left | right,
        "^" => left ^ right,
        "&" => left & right,
        "==" => i64::from(left == right),
        "!=" => i64::from(left != right),
        "<" => i64::from(left < right),
        ">" => i64::from(left > right),
        "<=" => i64::from(left <= right),
        ">=" => i64::from(left >= right),
        "<<" => left.checked_shl(shift()?)?,
        ">>" => left.checked_shr(shift()?)?,
        "+" => left.checked_add(right)?,
        "-" => left.checked_sub(right)?,
        "*" => left.checked_mul(right)?,
        "/" => left.checked_div(right)?,
        _ => left.checked_rem(right)?,
    })
}
