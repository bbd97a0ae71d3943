//! The grammar: a header or none, instructions, an end. Registers are read in `registers.rs`.

use super::assembled::OWN_INSTRUCTIONS;
use super::error::Rule;
use super::nearest::nearest;
use super::ports::one_register_of_each_file;
use super::tokens::{Token, Tokens, Word, clipped};
use crate::vector_machine::assembly::isa::{Instruction, Opcode};
use crate::vector_machine::assembly::profile::Profile;

/// A broken rule, and the byte of the text at which it shows.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) at: usize,
    pub(super) rule: Rule,
}

pub(super) type Parsed<T> = Result<T, Fault>;

/// The positions of an instruction in the text: its opcode, its operands.
#[derive(Clone, Debug, Default)]
pub(super) struct Site {
    pub(super) opcode: usize,
    pub(super) operands: [usize; 3],
}

/// The header of a text, which decides what it may contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// No header: the form of the paper, of all instructions, with END or without.
    Bare,
    Version1_0,
    Version1_1,
}

impl Form {
    fn header(self) -> Option<&'static str> {
        match self {
            Form::Bare => None,
            Form::Version1_0 => Some("!!VP1.0"),
            Form::Version1_1 => Some("!!VP1.1"),
        }
    }
}

/// Reads a text from its first token to its last; no token is looked at twice.
pub(super) struct Parser<'a> {
    tokens: Tokens<'a>,
    pub(super) token: Token<'a>,
    /// The byte behind the token before.
    behind: usize,
    pub(super) profile: Profile,
    form: Form,
    instructions: Vec<Instruction>,
    sites: Vec<Site>,
}

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str, profile: Profile) -> Self {
        let mut tokens = Tokens::new(text);
        let token = tokens.next();
        let (instructions, sites) = (Vec::new(), Vec::new());
        Parser { tokens, token, behind: 0, profile, form: Form::Bare, instructions, sites }
    }

    /// Parses the whole program.
    pub(super) fn program(mut self) -> Parsed<(Vec<Instruction>, Vec<Site>)> {
        self.header()?;
        loop {
            match self.token.word {
                Word::End => break self.end_of_text()?,
                Word::Name("END") => break self.end()?,
                Word::Name("OPTION") => return self.option(),
                _ => self.instruction()?,
            }
        }
        Ok((self.instructions, self.sites))
    }

    fn header(&mut self) -> Parsed<()> {
        let Word::Header(header) = self.token.word else { return Ok(()) };
        self.form = match header {
            "!!VP1.0" => Form::Version1_0,
            "!!VP1.1" => Form::Version1_1,
            "!!VSP1.0" => return self.refuse(Rule::StateProgram),
            other => return self.refuse(Rule::UnknownHeader { got: clipped(other) }),
        };
        self.advance();
        Ok(())
    }

    fn end_of_text(&self) -> Parsed<()> {
        let at = self.behind;
        if let Some(header) = self.form.header() {
            return Err(Fault { at, rule: Rule::NoEnd { header } });
        }
        self.some_instruction(at)
    }

    fn end(&mut self) -> Parsed<()> {
        self.some_instruction(self.token.start)?;
        self.advance();
        match self.token.word {
            Word::End => Ok(()),
            got => self.refuse(Rule::TextAfterEnd { got: got.to_string() }),
        }
    }

    fn some_instruction(&self, at: usize) -> Parsed<()> {
        if self.instructions.is_empty() {
            return Err(Fault { at, rule: Rule::NoInstruction });
        }
        Ok(())
    }

    /// Refuses an option, with the reason why it is not supported.
    fn option<T>(&mut self) -> Parsed<T> {
        self.advance();
        match self.token.word {
            Word::Name("NV_position_invariant") => self.refuse(Rule::PositionInvariant),
            Word::Name(other) => self.refuse(Rule::UnknownOption { got: clipped(other) }),
            _ => self.unexpected("the option's name"),
        }
    }

    fn instruction(&mut self) -> Parsed<()> {
        let start = self.token.start;
        let opcode = self.opcode()?;
        self.room_for_one_more(start)?;
        let (destination, mask) = self.destination(opcode)?;
        let mut site = Site { opcode: start, ..Site::default() };
        let mut operands = Vec::with_capacity(opcode.operands());
        for (count, place) in site.operands.iter_mut().enumerate().take(opcode.operands()) {
            self.comma(opcode, count)?;
            *place = self.token.start;
            operands.push(self.operand(opcode)?);
        }
        self.semicolon(opcode)?;
        one_register_of_each_file(&operands, &site)?;
        self.instructions.push(Instruction { opcode, destination, mask, operands });
        self.sites.push(site);
        Ok(())
    }

    fn opcode(&mut self) -> Parsed<Opcode> {
        let Word::Name(name) = self.token.word else { return self.unexpected("an instruction") };
        let Some(opcode) = Opcode::ALL.into_iter().find(|opcode| opcode.name() == name) else {
            let rule = Rule::UnknownOpcode { got: clipped(name), nearest: nearest(name) };
            return self.refuse(rule);
        };
        if self.form == Form::Version1_0 && opcode.is_of_1_1() {
            return self.refuse(Rule::NeedsVersion1_1 { opcode });
        }
        self.advance();
        Ok(opcode)
    }

    fn room_for_one_more(&self, at: usize) -> Parsed<()> {
        let (profile, own) = (self.profile, OWN_INSTRUCTIONS);
        if self.instructions.len() + own < profile.instructions() {
            return Ok(());
        }
        Err(Fault { at, rule: Rule::TooManyInstructions { profile, own } })
    }

    /// Returns the comma before an operand; `count` operands were read.
    fn comma(&mut self, opcode: Opcode, count: usize) -> Parsed<()> {
        match self.token.word {
            Word::Mark(',') => self.advance(),
            Word::Mark(';') => {
                return self.refuse(Rule::TooFewOperands { opcode, got: count });
            }
            _ => {
                let (operand, name) = (count + 1, opcode.name());
                return self.unexpected(format!("`,` and operand {operand} of {name}"));
            }
        }
        Ok(())
    }

    fn semicolon(&mut self, opcode: Opcode) -> Parsed<()> {
        match self.token.word {
            Word::Mark(';') => self.advance(),
            Word::Mark(',') => return self.refuse(Rule::TooManyOperands { opcode }),
            Word::Other(_) | Word::Comment(_) => {
                return self.unexpected("`;` behind this instruction");
            }
            got => {
                let rule = Rule::MissingSemicolon { got: got.to_string() };
                return Err(Fault { at: self.behind, rule });
            }
        }
        Ok(())
    }

    pub(super) fn advance(&mut self) {
        self.behind = self.token.end;
        self.token = self.tokens.next();
    }

    /// Takes a mark if it is the next token.
    pub(super) fn takes(&mut self, mark: char) -> bool {
        let is_next = self.token.word == Word::Mark(mark);
        if is_next {
            self.advance();
        }
        is_next
    }

    pub(super) fn expect(&mut self, mark: char, expected: &str) -> Parsed<()> {
        if self.takes(mark) { Ok(()) } else { self.unexpected(expected) }
    }

    /// Returns the error that the current token breaks a rule.
    pub(super) fn refuse<T>(&self, rule: Rule) -> Parsed<T> {
        Err(Fault { at: self.token.start, rule })
    }

    /// Returns the error that the current token violates the grammar.
    pub(super) fn unexpected<T>(&self, expected: impl Into<String>) -> Parsed<T> {
        let expected = expected.into();
        self.refuse(match self.token.word {
            Word::Other(got) => Rule::Character { got, expected },
            Word::Comment(got) => Rule::Comment { got },
            got => Rule::Unexpected { expected, got: got.to_string() },
        })
    }
}
