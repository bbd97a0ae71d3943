//! The conditions of `#if`.

use super::tokens::{Token, is_first_letter, words};
use super::verdict::Verdict;

/// Stands for a number that is not known.
const UNKNOWN: &str = "?";

/// Replaces `defined NAME` and `defined(NAME)` by their answers.
pub(super) fn with_defined(line: &str, is_defined: impl Fn(&str) -> Verdict) -> Vec<Token> {
    let mut done: Vec<Token> = Vec::new();
    let mut rest = words(line).map(|(_, text)| Token::bare(text)).peekable();
    while let Some(token) = rest.next() {
        if !token.is("defined") {
            done.push(token);
            continue;
        }
        let open = rest.next_if(|next| next.is("(")).is_some();
        let asked = rest.next_if(Token::is_name).map(|name| is_defined(&name.text));
        rest.next_if(|next| open && next.is(")"));
        done.push(Token::bare(match asked {
            Some(Verdict::Yes) => "1",
            Some(Verdict::No) => "0",
            _ => UNKNOWN,
        }));
    }
    done
}

/// Returns whether a condition holds whose macros are expanded; what is none may hold. A name that
/// is left has the value that it is given here.
pub(super) fn verdict(tokens: &[Token], value_of: &dyn Fn(&str) -> Option<i64>) -> Verdict {
    let mut reader = Reader { tokens, value_of, depth: 0 };
    match reader.binary(0) {
        Some(Some(number)) if reader.tokens.is_empty() => Verdict::of(number != 0),
        _ => Verdict::Maybe,
    }
}

/// A number, or `None` if only the driver knows it.
type Number = Option<i64>;

/// The operators from those that bind least, each list of one precedence.
const OPERATORS: [&[&str]; 10] = [
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

/// The most parentheses and signs within each other: each takes a part of the stack.
const DEEPEST: usize = 64;

/// The tokens of a condition that are still to be read.
struct Reader<'a> {
    tokens: &'a [Token],
    value_of: &'a dyn Fn(&str) -> Number,
    depth: usize,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Option<&'a str> {
        let (first, rest) = self.tokens.split_first()?;
        self.tokens = rest;
        Some(&first.text)
    }

    /// Reads operands joined by operators of this precedence or one that binds more; `None` for
    /// what is no expression.
    fn binary(&mut self, precedence: usize) -> Option<Number> {
        let Some(operators) = OPERATORS.get(precedence) else { return self.unary() };
        let mut left = self.binary(precedence + 1)?;
        while let Some(token) =
            self.tokens.first().filter(|token| operators.contains(&&*token.text))
        {
            self.next();
            left = applied(&token.text, left, self.binary(precedence + 1)?);
        }
        Some(left)
    }

    fn unary(&mut self) -> Option<Number> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let number = match self.next()? {
            "!" => self.unary()?.map(|x| i64::from(x == 0)),
            "-" => self.unary()?.and_then(i64::checked_neg),
            "+" => self.unary()?,
            "~" => self.unary()?.map(|x| !x),
            "(" => {
                let inner = self.binary(0)?;
                self.next().filter(|close| *close == ")").map(|_| inner)?
            }
            UNKNOWN => None,
            word if word.starts_with(|c: char| c.is_ascii_digit()) => Some(literal(word)?),
            word if word.starts_with(is_first_letter) => (self.value_of)(word),
            _ => return None,
        };
        self.depth -= 1;
        Some(number)
    }
}

/// Returns the value of a number: decimal, octal or hexadecimal.
fn literal(number: &str) -> Option<i64> {
    let digits = number.trim_end_matches(['u', 'U']);
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
fn computed(operator: &str, a: i64, b: i64) -> Option<i64> {
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
    use super::*;

    fn told(text: &str) -> Verdict {
        let is_defined = |name: &str| match name {
            "YES" => Verdict::Yes,
            "NO" => Verdict::No,
            _ => Verdict::Maybe,
        };
        let value_of = |name: &str| (!name.starts_with("GL_")).then_some(0);
        verdict(&with_defined(text, is_defined), &value_of)
    }

    #[test]
    fn conditions_are_computed_as_the_language_does() {
        for (text, wanted) in [
            ("1", Verdict::Yes),
            ("0", Verdict::No),
            ("1 + 2 * 3 == 7", Verdict::Yes),
            ("(1 + 2) * 3 == 9 && 0x10 == 16 && 010 == 8", Verdict::Yes),
            ("08", Verdict::Maybe),
            ("1 << 3 >> 1 == 4", Verdict::Yes),
            ("5 / 2 % 2 != 0 || -1 > 0", Verdict::No),
            ("!defined(NO) && defined YES", Verdict::Yes),
            ("defined(OTHER)", Verdict::Maybe),
            ("defined(OTHER) && defined(NO)", Verdict::No),
            ("defined(OTHER) || defined(YES)", Verdict::Yes),
            ("~0 == -1 && (3 & 1) == 1 && (2 | 1) == 3 && (3 ^ 1) == 2", Verdict::Yes),
            ("UNDEFINED", Verdict::No),
            ("GL_EXT_x > 0", Verdict::Maybe),
            ("1 / 0", Verdict::Maybe),
            ("9223372036854775807 + 1 > 0", Verdict::Maybe),
            ("9223372036854775808", Verdict::Maybe),
            ("-(-9223372036854775807 - 1)", Verdict::Maybe),
            ("1 << 64", Verdict::Maybe),
            ("1 +", Verdict::Maybe),
            ("", Verdict::Maybe),
            ("defined", Verdict::Maybe),
            ("defined()", Verdict::Maybe),
            ("2 ; 3", Verdict::Maybe),
            ("1.5", Verdict::Maybe),
        ] {
            assert_eq!(told(text), wanted, "{text}");
        }
        for sign in ["(", "!", "defined(", "1 + ("] {
            assert_eq!(told(&sign.repeat(100_000)), Verdict::Maybe, "{sign}");
        }
    }
}
