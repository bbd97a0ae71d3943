//! A vertex program, from its file or a text.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use quadrille::Place;
use quadrille::io;
use quadrille_vp::vector_machine::program::LONGEST_TEXT;
use quadrille_vp::vector_machine::{
    DFunction, DProgram, Error as MachineError, Machine, Profile, Semantics,
};

use super::Error;

/// A vertex program of either language.
pub enum Program {
    Assembly(DProgram),
    Glsl { name: String, text: String, profile: Profile },
}

impl Program {
    /// Reads a program from a file: GLSL if `glsl` is set, or if the name ends in .glsl or .frag.
    pub fn read(path: &Path, glsl: bool, profile: Profile) -> Result<Program, Error> {
        Program::new(&path.display().to_string(), read(path)?, glsl || is_glsl(path), profile)
    }

    /// Makes a program from a text.
    pub fn new(name: &str, text: String, glsl: bool, profile: Profile) -> Result<Program, Error> {
        match glsl {
            true => Ok(Program::Glsl { name: name.to_owned(), text, profile }),
            false => Ok(Program::Assembly(DProgram::parse(name, &text, profile)?)),
        }
    }

    /// The name in error messages.
    pub fn name(&self) -> &str {
        match self {
            Program::Assembly(program) => program.name(),
            Program::Glsl { name, .. } => name,
        }
    }

    /// A function on a machine, its constants not yet set.
    pub fn function(
        &self,
        machine: &Machine,
        semantics: Semantics,
    ) -> Result<DFunction, MachineError> {
        match self {
            Program::Assembly(program) => DFunction::new(machine, program, semantics),
            Program::Glsl { name, text, profile } => {
                DFunction::from_glsl(machine, name, text, *profile, semantics)
            }
        }
    }

    /// The fewest vectors whose quads are all that it reads; one for GLSL, which is not looked into.
    pub fn vectors(&self, to_scalar: bool) -> usize {
        let Program::Assembly(program) = self else { return 1 };
        let last = program.inputs_read().max().map_or(0, usize::from);
        let holds = |vectors: &usize| {
            Semantics::of(*vectors, to_scalar).is_some_and(|semantics| semantics.inputs() >= last)
        };
        (1..=3).find(holds).unwrap_or(1)
    }
}

fn is_glsl(path: &Path) -> bool {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    matches!(ending.as_deref(), Some("glsl" | "frag"))
}

/// The text of a file, no further than a little beyond what a program may be long.
fn read(path: &Path) -> Result<String, io::Error> {
    let place = || Place::file(path.display().to_string());
    let reading = |reason| io::Error::Read { place: place(), reason };
    let mut bytes = Vec::new();
    let limit = LONGEST_TEXT as u64 + 4;
    File::open(path).map_err(reading)?.take(limit).read_to_end(&mut bytes).map_err(reading)?;
    // A character that the limit cuts is no mistake of the file's.
    let cut = bytes.len() > LONGEST_TEXT;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text),
        Err(error) if cut => Ok(String::from_utf8_lossy(error.as_bytes()).into_owned()),
        Err(error) => Err(io::Error::Syntax {
            place: place(),
            expected: "the text of a program".into(),
            got: format!(
                "bytes that are no text, the first at {}",
                error.utf8_error().valid_up_to()
            ),
        }),
    }
}
