//! The errors of a program's text.

use quadrille::error::Place;
use quadrille::shader::Excerpt;

use crate::vector_machine::assembly::isa::{Opcode, Register};
use crate::vector_machine::assembly::profile::Profile;

/// A program that the assembler does not take: the rule that is broken, and where. A text's first
/// error is reported; later ones are often its consequences.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {rule}\n{excerpt}")]
#[non_exhaustive]
pub struct AssemblyError {
    /// The file, line and column of the wrong token.
    pub place: Place,
    /// The line of the error.
    pub excerpt: Box<Excerpt>,
    /// The violated rule.
    pub rule: Box<Rule>,
}

quadrille::internal::failure!(AssemblyError; places {
    AssemblyError { place, .. } => Some(place),
});

/// The rules of the assembly, as errors state them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // The fields are what the messages, which stand above each, say.
pub enum Rule {
    /// The limit of the text's length, so that reading a file that is not a program ends soon.
    #[error(
        "expected a program of at most {limit} bytes, got more than that: split it into several functions"
    )]
    TextTooLong { limit: usize },
    /// Comments may hold any character, the assembly only some.
    #[error(
        "the character {got:?} (U+{:04X}) is not part of the assembly: expected {expected}; only comments, which \
         begin with #, hold any character",
        u32::from(*got)
    )]
    Character { got: char, expected: String },
    /// A comment of another language.
    #[error(
        "{got} begins no comment in the assembly: comments begin with #, and end with their line"
    )]
    Comment { got: &'static str },
    /// A token at a wrong position.
    #[error("expected {expected}, got {got}")]
    Unexpected { expected: String, got: String },
    /// A header of another kind of program.
    #[error(
        "programs that begin with {got} are not supported: expected !!VP1.0, !!VP1.1, or no header at all"
    )]
    UnknownHeader { got: String },
    /// A state program, which writes constants and runs once, not for each vertex.
    #[error(
        "!!VSP1.0 begins a vertex state program, which writes constants and runs once: expected a \
         vertex program, which begins with !!VP1.0, !!VP1.1, or no header at all"
    )]
    StateProgram,
    /// An option for the position, which belongs to the framework.
    #[error(
        "OPTION NV_position_invariant asks for the position of fixed vertex processing, but here the \
         position says where a result is stored, and the framework writes it: remove the line"
    )]
    PositionInvariant,
    /// An unknown option.
    #[error("there is no option {got} for these programs: remove the line")]
    UnknownOption { got: String },
    /// A word that is neither an opcode nor END.
    #[error("there is no instruction {got}: {}", expected_opcode(*nearest))]
    UnknownOpcode { got: String, nearest: Option<Opcode> },
    /// An opcode of 1.1 in a program of 1.0.
    #[error("{} is not among the instructions of !!VP1.0: begin the program with !!VP1.1", opcode.name())]
    NeedsVersion1_1 { opcode: Opcode },
    /// An instruction with too few operands.
    #[error(
        "{} takes {} behind its destination, got {got}",
        opcode.name(), operands(opcode.operands())
    )]
    TooFewOperands { opcode: Opcode, got: usize },
    /// An instruction with too many operands.
    #[error(
        "{} takes {} behind its destination, got more: expected `;` here",
        opcode.name(), operands(opcode.operands())
    )]
    TooManyOperands { opcode: Opcode },
    /// An instruction that does not end.
    #[error("expected `;` behind this instruction, got {got}")]
    MissingSemicolon { got: String },
    /// A name that is not a register's.
    #[error("there is no register {got}: expected {expected}")]
    UnknownRegister { got: String, expected: &'static str },
    /// A name in brackets that is not of the register file.
    #[error("there is no {file}[{got}]: expected a number from 1 to {last}, or one of {names}")]
    UnknownName { file: char, got: String, last: usize, names: String },
    /// A register beyond the profile's last.
    #[error("there is no {got}: the {profile} profile has {first} to {last}{}", remedy(*profile))]
    BeyondProfile { got: String, first: &'static str, last: String, profile: Profile },
    /// An input or an output beyond the last.
    #[error("there is no {file}[{got}]: expected {file}[1] to {file}[{last}]")]
    BeyondFile { file: char, got: String, last: usize },
    /// An offset from the address register beyond the range of an instruction.
    #[error("expected an offset from -64 to 63 behind A0.x, got {got}")]
    OffsetTooLarge { got: String },
    /// An invalid write mask.
    #[error(
        "{got:?} is no write mask: expected letters of xyzw in this order, each at most once{}",
        instead(suggestion)
    )]
    BadMask { got: String, suggestion: String },
    /// An invalid swizzle.
    #[error("{got:?} is no swizzle: expected one letter of xyzw, or four")]
    BadSwizzle { got: String },
    /// An opcode of one component without one.
    #[error(
        "{} reads one component, which must be named: expected one letter of xyzw, as in {register}.x, got {got}",
        opcode.name()
    )]
    NoComponent { opcode: Opcode, register: Register, got: String },
    /// An instruction that reads an output.
    #[error(
        "outputs cannot be read: compute the value in a temporary register, and MOV it to o[...] at the end"
    )]
    ReadsOutput,
    /// An instruction that reads the framework's input.
    #[error(
        "v[0], also called v[OPOS], holds the framework's position: the vectors' quads begin at v[1]"
    )]
    ReadsPosition,
    /// A use of the address register outside a constant's brackets.
    #[error("A0.x can be read only as the index of a constant: c[A0.x], c[A0.x + 1]")]
    ReadsAddress,
    /// An instruction that writes an input.
    #[error("inputs cannot be written: write a temporary register R0, R1 ... or an output")]
    WritesInput,
    /// An instruction that writes a constant.
    #[error(
        "constants cannot be written by a program: they are set from outside, before the function runs"
    )]
    WritesConstant,
    /// An instruction that writes the framework's output.
    #[error(
        "o[0], also called o[HPOS], is the position, which says where the result is stored: the \
         framework writes it. A result goes to o[1], also called o[COL0]"
    )]
    WritesPosition,
    /// An instruction other than ARL that writes the address register.
    #[error("only ARL writes A0.x, got {}: write ARL A0.x, with one component", opcode.name())]
    WritesAddress { opcode: Opcode },
    /// An ARL with another destination than the address register.
    #[error("ARL writes only A0.x, got {got}: use MOV for other registers")]
    AddressOnly { got: String },
    /// An instruction that reads two input registers.
    #[error(
        "an instruction can read one input register, got {first} and {second}: MOV one of them to a \
         temporary register first"
    )]
    TwoInputs { first: Register, second: Register },
    /// An instruction that reads two constant registers.
    #[error(
        "an instruction can read one constant register, got {first} and {second}: MOV one of them to a \
         temporary register first"
    )]
    TwoConstants { first: Register, second: Register },
    /// A program with more instructions than the profile runs.
    #[error(
        "this is instruction {}, and the {profile} profile runs {}, {own} of them the framework's own: \
         shorten the program, or take the modern profile",
        profile.instructions() - own + 1,
        profile.instructions()
    )]
    TooManyInstructions { profile: Profile, own: usize },
    /// A program without an instruction.
    #[error("expected instructions, such as `MOV o[COL0], v[1];`, got none")]
    NoInstruction,
    /// A header promises an end.
    #[error(
        "expected END behind the last instruction of a program that begins with {header}, got the end of the text"
    )]
    NoEnd { header: &'static str },
    /// Text behind the end.
    #[error("expected nothing behind END, got {got}: a text holds one program")]
    TextAfterEnd { got: String },
}

fn operands(count: usize) -> &'static str {
    match count {
        1 => "1 operand",
        2 => "2 operands",
        _ => "3 operands",
    }
}

fn expected_opcode(nearest: Option<Opcode>) -> String {
    match nearest {
        Some(opcode) => format!("perhaps {} is meant", opcode.name()),
        None => format!("expected one of {}", Opcode::ALL.map(Opcode::name).join(" ")),
    }
}

fn remedy(profile: Profile) -> &'static str {
    match profile {
        Profile::Modern => "",
        Profile::Period => "; the modern profile has more",
    }
}

fn instead(suggestion: &str) -> String {
    if suggestion.is_empty() { String::new() } else { format!("; write .{suggestion}") }
}
