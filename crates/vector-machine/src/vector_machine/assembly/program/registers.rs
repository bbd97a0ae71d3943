//! Reads destinations and operands: registers, masks, swizzles, signs.

use super::error::Rule;
use super::parser::{Fault, Parsed, Parser};
use super::tokens::{Word, clipped};
use crate::vector_machine::assembly::isa::{
    Destination, INPUT_NAMES, OUTPUT_NAMES, Opcode, Operand, Register,
};

const LETTERS: &str = "xyzw";
const DESTINATIONS: &str = "R0, R1 ..., o[COL0] ..., or A0.x for ARL";
const OPERANDS: &str = "R0, R1 ..., v[1] ..., c[0] ... or c[A0.x]";
/// Offsets from the address register.
const OFFSETS: std::ops::RangeInclusive<i64> = -64..=63;

impl<'a> Parser<'a> {
    /// Returns the register that an instruction writes, and the components of it.
    pub(super) fn destination(&mut self, opcode: Opcode) -> Parsed<(Destination, [bool; 4])> {
        let start = self.token.start;
        let destination = self.written_register(opcode)?;
        if opcode == Opcode::Arl && destination != Destination::Address {
            let got = match destination {
                Destination::Temporary(_) => "a temporary register",
                _ => "an output",
            };
            return Err(Fault { at: start, rule: Rule::AddressOnly { got: got.into() } });
        }
        let mask = match destination {
            Destination::Address => [true, false, false, false],
            _ => self.mask()?,
        };
        Ok((destination, mask))
    }

    fn written_register(&mut self, opcode: Opcode) -> Parsed<Destination> {
        let Word::Name(name) = self.token.word else {
            return self.unexpected(format!("a register to write: {DESTINATIONS}"));
        };
        match name {
            "o" => self
                .by_name_or_number('o', &OUTPUT_NAMES, Rule::WritesPosition)
                .map(Destination::Output),
            "v" => self.refuse(Rule::WritesInput),
            "c" => self.refuse(Rule::WritesConstant),
            "A0" if opcode != Opcode::Arl => self.refuse(Rule::WritesAddress { opcode }),
            "A0" => {
                self.address()?;
                Ok(Destination::Address)
            }
            _ => self.temporary(name, DESTINATIONS).map(Destination::Temporary),
        }
    }

    /// Returns a register that is read, with its sign and its components.
    pub(super) fn operand(&mut self, opcode: Opcode) -> Parsed<Operand> {
        let negated = self.takes('-');
        let start = self.token.start;
        let register = self.read_register()?;
        let letters = self.letters("one letter of xyzw, or four")?;
        let count = letters.map_or(0, str::len);
        if opcode.is_scalar() && count != 1 {
            let got =
                letters.map_or("none".to_owned(), |letters| format!("{:?}", clipped(letters)));
            return Err(Fault { at: start, rule: Rule::NoComponent { opcode, register, got } });
        }
        let swizzle = match letters {
            None => [0, 1, 2, 3],
            Some(letters) => swizzle(letters).ok_or_else(|| self.bad_swizzle(letters))?,
        };
        if letters.is_some() {
            self.advance();
        }
        Ok(Operand { register, swizzle, negated })
    }

    fn bad_swizzle(&self, letters: &str) -> Fault {
        Fault { at: self.token.start, rule: Rule::BadSwizzle { got: clipped(letters) } }
    }

    fn read_register(&mut self) -> Parsed<Register> {
        let Word::Name(name) = self.token.word else {
            return self.unexpected(format!("a register to read: {OPERANDS}"));
        };
        match name {
            "v" => {
                self.by_name_or_number('v', &INPUT_NAMES, Rule::ReadsPosition).map(Register::Input)
            }
            "c" => self.constant(),
            "o" => self.refuse(Rule::ReadsOutput),
            "A0" => self.refuse(Rule::ReadsAddress),
            _ => self.temporary(name, OPERANDS).map(Register::Temporary),
        }
    }

    fn temporary(&mut self, name: &str, expected: &'static str) -> Parsed<u16> {
        let Some(number) = name.strip_prefix('R').and_then(number) else {
            return self.refuse(Rule::UnknownRegister { got: clipped(name), expected });
        };
        let last = self.profile.temporaries() - 1;
        let Some(register) = within(number, last) else {
            return self.beyond_profile(clipped(name), "R0", format!("R{last}"));
        };
        self.advance();
        Ok(register)
    }

    /// Returns the register that the brackets of `v[...]` and `o[...]` name; `position` is the error
    /// of the first one, which is the framework's.
    fn by_name_or_number(&mut self, file: char, names: &[&str], position: Rule) -> Parsed<u8> {
        let start = self.token.start;
        self.advance();
        self.expect('[', &format!("`[` behind {file}"))?;
        let Word::Name(word) = self.token.word else {
            return self.unexpected(format!("the number or the name of a register {file}[...]"));
        };
        let last = names.len() - 1;
        let named = names.iter().position(|&name| name == word).map(|index| index as u64);
        let Some(register) = named.or_else(|| number(word)) else {
            let names = names.iter().skip(1).filter(|name| !name.is_empty());
            let names = names.copied().collect::<Vec<_>>().join(" ");
            return self.refuse(Rule::UnknownName { file, got: clipped(word), last, names });
        };
        let Some(register) = u8::try_from(register).ok().filter(|&r| usize::from(r) <= last) else {
            return self.refuse(Rule::BeyondFile { file, got: clipped(word), last });
        };
        self.advance();
        self.expect(']', "`]` behind the register")?;
        if register == 0 { Err(Fault { at: start, rule: position }) } else { Ok(register) }
    }

    fn constant(&mut self) -> Parsed<Register> {
        self.advance();
        self.expect('[', "`[` behind c")?;
        let last = self.profile.constants() - 1;
        let Word::Name(name) = self.token.word else {
            return self.unexpected(format!("a number from 0 to {last}, or A0.x"));
        };
        let register = match number(name) {
            Some(number) => Register::Constant(self.constant_number(name, number, last)?),
            None if name == "A0" => Register::Relative(self.relative()?),
            None => return self.unexpected(format!("a number from 0 to {last}, or A0.x")),
        };
        self.expect(']', "`]` behind the constant's number")?;
        Ok(register)
    }

    fn constant_number(&mut self, digits: &str, number: u64, last: usize) -> Parsed<u16> {
        let Some(constant) = within(number, last) else {
            let got = format!("c[{}]", clipped(digits));
            return self.beyond_profile(got, "c[0]", format!("c[{last}]"));
        };
        self.advance();
        Ok(constant)
    }

    /// Reads the offset in `A0.x`, `A0.x + 5` or `A0.x - 5`.
    fn relative(&mut self) -> Parsed<i16> {
        self.address()?;
        let sign = match self.token.word {
            Word::Mark('+') => 1,
            Word::Mark('-') => -1,
            Word::Mark(']') => return Ok(0),
            _ => return self.unexpected("`+`, `-` or `]` behind A0.x"),
        };
        self.advance();
        let Word::Name(digits) = self.token.word else { return self.unexpected("a number") };
        let Some(number) = number(digits) else { return self.unexpected("a number") };
        let offset = i64::try_from(number).ok().map(|number| sign * number);
        let Some(offset) = offset.filter(|offset| OFFSETS.contains(offset)) else {
            let minus = if sign < 0 { "-" } else { "" };
            return self
                .refuse(Rule::OffsetTooLarge { got: format!("{minus}{}", clipped(digits)) });
        };
        self.advance();
        Ok(offset as i16)
    }

    /// Reads `A0.x` as a whole: the address register has no other component.
    fn address(&mut self) -> Parsed<()> {
        self.advance();
        self.expect('.', "`.x` behind A0")?;
        if self.token.word != Word::Name("x") {
            return self.unexpected("`x`, the one component of A0");
        }
        self.advance();
        Ok(())
    }

    fn mask(&mut self) -> Parsed<[bool; 4]> {
        let Some(letters) = self.letters("letters of xyzw")? else { return Ok([true; 4]) };
        let Some(mask) = mask(letters) else {
            let suggestion = LETTERS.chars().filter(|&letter| letters.contains(letter)).collect();
            return self.refuse(Rule::BadMask { got: clipped(letters), suggestion });
        };
        self.advance();
        Ok(mask)
    }

    /// Returns the letters behind a dot, if any, which the caller consumes.
    fn letters(&mut self, expected: &str) -> Parsed<Option<&'a str>> {
        if !self.takes('.') {
            return Ok(None);
        }
        match self.token.word {
            Word::Name(letters) => Ok(Some(letters)),
            _ => self.unexpected(format!("{expected} behind `.`")),
        }
    }

    fn beyond_profile<T>(&self, got: String, first: &'static str, last: String) -> Parsed<T> {
        self.refuse(Rule::BeyondProfile { got, first, last, profile: self.profile })
    }
}

/// Reads a number in digits. One that is too large for the type is too large for any register.
fn number(word: &str) -> Option<u64> {
    let is_number = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| word.parse().unwrap_or(u64::MAX))
}

/// Reads a register's number, up to the last.
fn within(number: u64, last: usize) -> Option<u16> {
    u16::try_from(number).ok().filter(|&register| usize::from(register) <= last)
}

fn component(letter: char) -> Option<usize> {
    LETTERS.find(letter)
}

fn swizzle(letters: &str) -> Option<[u8; 4]> {
    let mut components = [0; 4];
    let mut cycle = letters.chars().cycle();
    for place in &mut components {
        *place = component(cycle.next()?)? as u8;
    }
    matches!(letters.len(), 1 | 4).then_some(components)
}

fn mask(letters: &str) -> Option<[bool; 4]> {
    let mut mask = [false; 4];
    for letter in letters.chars() {
        let index = component(letter)?;
        if mask.iter().skip(index).any(|&later| later) {
            return None;
        }
        *mask.get_mut(index)? = true;
    }
    Some(mask)
}

#[cfg(test)]
mod tests {
    use super::{mask, number, swizzle};

    #[test]
    fn masks_keep_the_order_of_xyzw() {
        assert_eq!(mask("xyzw"), Some([true; 4]));
        assert_eq!(mask("yw"), Some([false, true, false, true]));
        for bad in ["yx", "xx", "xyzwx", "r", "X", "x1"] {
            assert_eq!(mask(bad), None, "{bad}");
        }
    }

    #[test]
    fn swizzles_have_one_letter_or_four() {
        assert_eq!(swizzle("w"), Some([3; 4]));
        assert_eq!(swizzle("wzyx"), Some([3, 2, 1, 0]));
        for bad in ["xy", "xyz", "xyzwx", "xyzq", "Q", "1"] {
            assert_eq!(swizzle(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_number_of_any_length_is_one() {
        assert_eq!(number("007"), Some(7));
        assert_eq!(number(&"9".repeat(1000)), Some(u64::MAX));
        assert_eq!([number(""), number("1x"), number("x")], [None; 3]);
    }
}
