//! The conditions of `#if`.

use super::tokens::Word;

/// Whether a driver keeps a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kept {
    No,
    Maybe,
    Yes,
}

impl Kept {
    pub(super) fn not(self) -> Kept {
        match self {
            Kept::No => Kept::Yes,
            Kept::Maybe => Kept::Maybe,
            Kept::Yes => Kept::No,
        }
    }
}

/// The name that stands for what only the driver knows.
const UNKNOWN: &str = "GL_";

/// Replaces `defined NAME` and `defined(NAME)` by 1, 0 or a name for what is not known.
pub(super) fn with_defined(words: &[Word], is_defined: impl Fn(&str) -> Kept) -> Vec<Word> {
    let number = |kept| match kept {
        Kept::No => "0",
        Kept::Maybe => UNKNOWN,
        Kept::Yes => "1",
    };
    let is = |word: Option<&Word>, mark| word == Some(&Word::Mark(mark));
    let mut done = Vec::new();
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let asks = matches!(word, Word::Name(name) if name == "defined");
        let inner = usize::from(is(words.get(at + 1), '('));
        match words.get(at + 1 + inner) {
            Some(Word::Name(name)) if asks => {
                done.push(Word::Name(number(is_defined(name)).to_owned()));
                at += 2 + 2 * inner;
            }
            _ => {
                done.push(word.clone());
                at += 1;
            }
        }
    }
    done
}

/// Returns whether a condition holds whose macros are expanded.
pub(super) fn value(words: &[Word]) -> Kept {
    let mut reader = Reader { words, depth: 0 };
    match reader.binary(0) {
        Some(Some(number)) if reader.words.is_empty() => {
            if number == 0 {
                Kept::No
            } else {
                Kept::Yes
            }
        }
        _ => Kept::Maybe,
    }
}

/// A number, or `None` where only the driver knows it.
type Number = Option<i64>;

/// The operators from those that bind least, each list of one precedence; of two, the longer first.
pub(in crate::shader) const OPERATORS: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

const DEEPEST: usize = 64;

struct Reader<'a> {
    words: &'a [Word],
    depth: usize,
}

impl Reader<'_> {
    /// Reads operands joined by operators of this precedence or one that binds more; `None` for
    /// what is no expression.
    fn binary(&mut self, precedence: usize) -> Option<Number> {
        let Some(operators) = OPERATORS.get(precedence) else { return self.unary() };
        let mut left = self.binary(precedence + 1)?;
        while let Some(operator) = operators.iter().find(|operator| self.is_next(operator)) {
            self.words = self.words.get(operator.len()..)?;
            left = applied(operator, left, self.binary(precedence + 1)?);
        }
        Some(left)
    }

    fn is_next(&self, operator: &str) -> bool {
        let mark = |at: usize| match self.words.get(at) {
            Some(Word::Mark(mark)) => Some(*mark),
            _ => None,
        };
        let doubles = ["|", "&", "<", ">"].contains(&operator) && mark(0) == mark(1);
        !doubles && operator.chars().enumerate().all(|(at, wanted)| mark(at) == Some(wanted))
    }

    fn unary(&mut self) -> Option<Number> {
        let (word, rest) = self.words.split_first()?;
        self.words = rest;
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let number = match word {
            Word::Mark('!') => self.unary()?.map(|x| i64::from(x == 0)),
            Word::Mark('-') => self.unary()?.map(i64::wrapping_neg),
            Word::Mark('+') => self.unary()?,
            Word::Mark('~') => self.unary()?.map(|x| !x),
            Word::Mark('(') => {
                let inner = self.binary(0)?;
                let (close, rest) = self.words.split_first()?;
                self.words = rest;
                (*close == Word::Mark(')')).then_some(inner)?
            }
            Word::Name(name) => named(name)?,
            _ => return None,
        };
        self.depth -= 1;
        Some(number)
    }
}

/// Returns the value of a number, or of a name that is no macro; `None` for what is neither.
fn named(name: &str) -> Option<Number> {
    if !name.starts_with(|c: char| c.is_ascii_digit()) {
        let is_drivers = name.starts_with("GL_") || name.contains("__");
        return Some((!is_drivers).then_some(0));
    }
    literal(name).map(Some)
}

/// Returns the value of a number: decimal, octal or hexadecimal.
pub(in crate::shader) fn literal(name: &str) -> Option<i64> {
    let digits = name.trim_end_matches(['u', 'U']);
    let hexadecimal = digits.strip_prefix("0x").or(digits.strip_prefix("0X"));
    let number = match hexadecimal {
        Some(digits) => i64::from_str_radix(digits, 16),
        None if digits.len() > 1 && digits.starts_with('0') => i64::from_str_radix(digits, 8),
        None => digits.parse(),
    };
    number.ok()
}

fn applied(operator: &str, left: Number, right: Number) -> Number {
    match (operator, left, right) {
        ("||", Some(known), _) | ("||", _, Some(known)) if known != 0 => return Some(1),
        ("&&", Some(0), _) | ("&&", _, Some(0)) => return Some(0),
        _ => {}
    }
    computed(operator, left?, right?)
}

/// Returns the result of an operator; `None` where there is none, as of a division by 0.
pub(in crate::shader) fn computed(operator: &str, a: i64, b: i64) -> Option<i64> {
    let shift = || u32::try_from(b).ok();
    Some(match operator {
        "||" => i64::from(a != 0 || b != 0),
        "&&" => i64::from(a != 0 && b != 0),
        "|" => a | b,
        "^" => a ^ b,
        "&" => a & b,
        "==" => i64::from(a == b),
        "!=" => i64::from(a != b),
        "<=" => i64::from(a <= b),
        ">=" => i64::from(a >= b),
        "<" => i64::from(a < b),
        ">" => i64::from(a > b),
        "<<" => a.checked_shl(shift()?)?,
        ">>" => a.checked_shr(shift()?)?,
        "+" => a.checked_add(b)?,
        "-" => a.checked_sub(b)?,
        "*" => a.checked_mul(b)?,
        "/" => a.checked_div(b)?,
        _ => a.checked_rem(b)?,
    })
}

#[cfg(test)]
mod tests {
    use super::super::tokens::cut;
    use super::*;

    fn kept(text: &str) -> Kept {
        let mut tokens = Vec::new();
        cut(text, 0, &mut tokens);
        let words: Vec<Word> = tokens.into_iter().map(|token| token.word).collect();
        let is_defined = |name: &str| match name {
            "YES" => Kept::Yes,
            "NO" => Kept::No,
            _ => Kept::Maybe,
        };
        value(&with_defined(&words, is_defined))
    }

    #[test]
    fn conditions_are_computed_as_the_language_does() {
        for (text, wanted) in [
            ("1", Kept::Yes),
            ("0", Kept::No),
            ("1 + 2 * 3 == 7", Kept::Yes),
            ("(1 + 2) * 3 == 9 && 0x10 == 16 && 010 == 8", Kept::Yes),
            ("1 << 3 >> 1 == 4", Kept::Yes),
            ("5 / 2 % 2 != 0 || -1 > 0", Kept::No),
            ("!defined(NO) && defined YES", Kept::Yes),
            ("defined(OTHER)", Kept::Maybe),
            ("defined(OTHER) && defined(NO)", Kept::No),
            ("defined(OTHER) || defined(YES)", Kept::Yes),
            ("~0 == -1 && (3 & 1) == 1 && (2 | 1) == 3 && (3 ^ 1) == 2", Kept::Yes),
            ("UNDEFINED", Kept::No),
            ("GL_EXT_x > 0", Kept::Maybe),
            ("1 / 0", Kept::Maybe),
            ("1 +", Kept::Maybe),
            ("", Kept::Maybe),
            ("2 ; 3", Kept::Maybe),
        ] {
            assert_eq!(kept(text), wanted, "{text}");
        }
        assert_eq!(kept(&"(".repeat(10_000)), Kept::Maybe);
        assert_eq!(kept(&"!".repeat(100_000)), Kept::Maybe);
    }
}
