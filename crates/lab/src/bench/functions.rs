//! Functions of the vector machine from assembly.

use quadrille_vp::vector_machine::bundled::BundledProgram;
use quadrille_vp::vector_machine::{DFunction, DProgram, Machine, Profile, Semantics};

use crate::Result;

/// The function of a program's text.
pub fn assembled(
    machine: &Machine,
    text: &str,
    profile: Profile,
    semantics: Semantics,
) -> Result<DFunction> {
    let program = DProgram::parse("program.vp", text, profile)?;
    Ok(DFunction::new(machine, &program, semantics)?)
}

/// Assembles a function from vectors to a vector, in the modern profile.
pub fn modern(machine: &Machine, text: &str) -> Result<DFunction> {
    assembled(machine, text, Profile::Modern, Semantics::VToV)
}

/// The function of a program of `crates/vector-machine/programs/`, its constants set.
#[cfg(feature = "reports")]
pub fn bundled(machine: &Machine, program: &BundledProgram) -> Result<DFunction> {
    let mut function = assembled(machine, program.text, Profile::Modern, program.semantics)?;
    set_constants(&mut function, program)?;
    Ok(function)
}

/// Sets the constants that a program of `crates/vector-machine/programs/` reads.
pub fn set_constants(function: &mut DFunction, program: &BundledProgram) -> Result<()> {
    for (register, quad) in program.constants {
        function.set_constant(usize::from(*register), *quad)?;
    }
    Ok(())
}
