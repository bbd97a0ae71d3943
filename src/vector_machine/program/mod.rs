//! Programs: parsed, checked, shown again as text.

use super::Profile;
use super::isa::Instruction;

/// A vertex program: instructions that were checked against the rules of the assembly and the
/// limits of a profile.
#[derive(Clone, Debug)]
pub struct DProgram {
    name: String,
    profile: Profile,
    instructions: Vec<Instruction>,
}

impl DProgram {
    /// The name by which errors call it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The machine that it was written for.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// The programmer's own instructions; the framework's are not among them.
    pub fn instructions(&self) -> &[Instruction] {
        &self.instructions
    }
}
