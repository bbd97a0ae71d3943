//! Programs: parsed, checked, shown again as text.
//!
//! The language is that of `GL_NV_vertex_program` and, with `!!VP1.1` or without a header,
//! `GL_NV_vertex_program1_1`. Three things differ, as in the paper: a text may go without a header,
//! and then without END; outputs may be named by number, `o[1]` for `o[COL0]`; and the position,
//! `v[OPOS]` and `o[HPOS]`, is the framework's, which inserts the instructions that need it. `A0.x`
//! is zero until ARL loads it, temporaries are zeros, as the extension says, so a program may read
//! them unwritten.
//!
//! ```
//! use quadrille_vp::vector_machine::{DProgram, Profile};
//!
//! let text = "MUL R1, v[1], v[1]; # x squared
//!             MOV o[COL0], R1;";
//! let program = DProgram::parse("square.vp", text, Profile::Period)?;
//! assert_eq!(program.instructions().len(), 2);
//! assert_eq!(program.to_string(), "!!VP1.1\nMUL R1, v[1], v[1];\nMOV o[COL0], R1;\nEND\n");
//! # Ok::<(), quadrille_vp::vector_machine::AssemblyError>(())
//! ```

mod assembled;
mod display;
mod error;
mod listing;
mod nearest;
mod parser;
mod ports;
mod reads;
mod registers;
mod tokens;

use quadrille::error::Place;
use quadrille::shader::Excerpt;

use super::isa::Instruction;
use crate::vector_machine::Profile;
pub use assembled::{Assembled, OWN_INSTRUCTIONS, Read};
pub use error::{AssemblyError, Rule};
use listing::Listing;
use parser::{Fault, Parser, Site};

/// The longest text of a program in bytes: about 50,000 instructions.
pub const LONGEST_TEXT: usize = 1 << 20;

/// A vertex program: instructions that were checked against the rules of the assembly and the
/// limits of a profile.
#[derive(Clone, Debug)]
pub struct DProgram {
    listing: Listing,
    profile: Profile,
    instructions: Vec<Instruction>,
    sites: Vec<Site>,
}

impl DProgram {
    /// Parses a program. `name`, usually of the file, is its name in errors.
    ///
    /// # Errors
    /// The first rule that the text breaks, with its line and column.
    pub fn parse(name: &str, text: &str, profile: Profile) -> Result<Self, AssemblyError> {
        // Some editors write a byte order mark.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let listing = Listing { name: name.to_owned(), text: text.to_owned() };
        match parsed(text, profile) {
            Ok((instructions, sites)) => Ok(DProgram { listing, profile, instructions, sites }),
            Err(Fault { at, rule }) => {
                let place = listing.place(at);
                let excerpt = Box::new(listing.excerpt(&place));
                Err(AssemblyError { place, excerpt, rule: Box::new(rule) })
            }
        }
    }

    /// Reads a program from an array of strings, as the paper's framework does. They are lines of
    /// one text: a string may hold several instructions, as where C joined two literals, or a part
    /// of one; each instruction ends in `;`, in any of the strings.
    ///
    /// # Errors
    /// Those of [`parse`](DProgram::parse).
    pub fn from_lines(
        name: &str,
        lines: &[impl AsRef<str>],
        profile: Profile,
    ) -> Result<Self, AssemblyError> {
        let lines: Vec<&str> = lines.iter().map(AsRef::as_ref).collect();
        Self::parse(name, &lines.join("\n"), profile)
    }

    /// Returns the name by which errors call it.
    pub fn name(&self) -> &str {
        &self.listing.name
    }

    /// Returns the machine that it was written for.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// Returns the programmer's own instructions; the framework's are not among them.
    pub fn instructions(&self) -> &[Instruction] {
        &self.instructions
    }

    /// Returns the position of an instruction in the text; instructions are counted from 0.
    pub fn place(&self, instruction: usize) -> Option<Place> {
        Some(self.listing.place(self.sites.get(instruction)?.opcode))
    }

    /// Returns the position of an operand of an instruction in the text, both counted from 0.
    pub fn place_of_operand(&self, instruction: usize, operand: usize) -> Option<Place> {
        let read = self.instructions.get(instruction)?.operands.len();
        let places = self.sites.get(instruction)?.operands;
        Some(self.listing.place(*places.get(..read)?.get(operand)?))
    }

    /// Returns the line of a position in this program, for errors.
    pub fn excerpt(&self, place: &Place) -> Excerpt {
        self.listing.excerpt(place)
    }
}

fn parsed(text: &str, profile: Profile) -> Result<(Vec<Instruction>, Vec<Site>), Fault> {
    if text.len() > LONGEST_TEXT {
        let rule = Rule::TextTooLong { limit: LONGEST_TEXT };
        return Err(Fault { at: 0, rule });
    }
    Parser::new(text, profile).program()
}
