//! A vertex program in either language, from its file or a text.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use quadrille::Place;

use super::program::LONGEST_TEXT;
use super::{DFunction, DProgram, Error, Machine, Profile, Result, Semantics};

/// A vertex program in either language.
#[derive(Clone, Debug)]
pub enum Program {
    /// Assembly, parsed and checked.
    Assembly(DProgram),
    /// GLSL, which is checked when a machine compiles it.
    Glsl {
        /// The name in error messages.
        name: String,
        /// The text.
        text: String,
        /// The profile whose registers it has.
        profile: Profile,
    },
}

impl Program {
    /// Reads a program from a file: GLSL if `glsl` is set, or if the name ends in .glsl or .frag.
    ///
    /// # Errors
    /// [`Error::Read`] if the file cannot be read, [`Error::NotText`] if it is not UTF-8,
    /// [`Error::Assembly`] if it is assembly and wrong.
    pub fn read(path: &Path, glsl: bool, profile: Profile) -> Result<Program> {
        Program::new(&path.display().to_string(), read(path)?, glsl || is_glsl(path), profile)
    }

    /// Makes a program from a text.
    ///
    /// # Errors
    /// [`Error::Assembly`] if it is assembly and wrong.
    pub fn new(name: &str, text: String, glsl: bool, profile: Profile) -> Result<Program> {
        match glsl {
            true => Ok(Program::Glsl { name: name.to_owned(), text, profile }),
            false => Ok(Program::Assembly(DProgram::parse(name, &text, profile)?)),
        }
    }

    /// Returns the name in error messages.
    pub fn name(&self) -> &str {
        match self {
            Program::Assembly(program) => program.name(),
            Program::Glsl { name, .. } => name,
        }
    }

    /// Makes a function on a machine. Its constants are not yet set.
    ///
    /// # Errors
    /// As [`DFunction::new`] or [`DFunction::from_glsl`].
    pub fn function(&self, machine: &Machine, semantics: Semantics) -> Result<DFunction> {
        match self {
            Program::Assembly(program) => DFunction::new(machine, program, semantics),
            Program::Glsl { name, text, profile } => {
                DFunction::from_glsl(machine, name, text, *profile, semantics)
            }
        }
    }

    /// Returns the smallest number of vectors that have all quads that it reads; 1 for GLSL, which
    /// is not searched.
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
fn read(path: &Path) -> Result<String> {
    let place = || Place::file(path.display().to_string());
    let reading = |reason| Error::Read { place: place(), reason };
    let mut bytes = Vec::new();
    let limit = LONGEST_TEXT as u64 + 4;
    File::open(path).map_err(reading)?.take(limit).read_to_end(&mut bytes).map_err(reading)?;
    // A character that the limit cuts is no mistake of the file's.
    let cut = bytes.len() > LONGEST_TEXT;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text),
        Err(error) if cut => Ok(String::from_utf8_lossy(error.as_bytes()).into_owned()),
        Err(error) => Err(Error::NotText { place: place(), at: error.utf8_error().valid_up_to() }),
    }
}
