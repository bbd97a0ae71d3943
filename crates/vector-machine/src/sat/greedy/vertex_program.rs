//! Counting by a function of the vector machine, as in 2002: clauses in a vector, values in the
//! constants, v -> s.

use quadrille::memory;

use super::super::{Error, Result};
use super::Evaluator;
use super::groups::{Group, groups};
use super::program::constants_program;
use crate::cnf::Cnf;
use crate::vector_machine::{DFunction, DProgram, DVector, Machine, Profile, Semantics};

/// The evaluator of the paper, on any engine: 15 clauses for each invocation, of up to three
/// different literals. A formula of more than 47 variables takes several sets of constants, as the
/// paper says, and an evaluation for each: its clauses are in groups of up to 47 variables, whose
/// counts are added.
pub struct VertexProgramEvaluator {
    function: DFunction,
    groups: Vec<(Group, DVector<f32>)>,
    /// Clauses that are always true, which are in no group.
    always: usize,
}

impl VertexProgramEvaluator {
    /// Compiles the program, and makes the vectors of clauses.
    ///
    /// # Errors
    /// [`Error::VertexProgram`] for clauses of more than three different literals; errors of the
    /// device.
    pub fn new(machine: &Machine, cnf: &Cnf) -> Result<VertexProgramEvaluator> {
        let Some(groups) = groups(cnf)? else {
            let longest = cnf.simplified()?.clauses().map(<[i32]>::len).max().unwrap_or(0);
            return Err(Error::VertexProgram { longest });
        };
        // The period's limits hold, but a count of clauses would not come through its pixels.
        let text = constants_program();
        DProgram::parse("satisfied.vp", &text, Profile::Period)?;
        let program = DProgram::parse("satisfied.vp", &text, Profile::Modern)?;
        let mut function = DFunction::new(machine, &program, Semantics::VToS)?;
        function.set_padding(0.0);
        let clauses: usize = groups.iter().map(|group| group.quads.len() / 4).sum();
        let with_vector = |mut group: Group| {
            let vector = DVector::from(std::mem::take(&mut group.quads));
            (group, vector)
        };
        Ok(VertexProgramEvaluator {
            function,
            always: cnf.len() - clauses,
            groups: memory::collected(groups.len(), groups.into_iter().map(with_vector))?,
        })
    }

    /// Returns the number of sets of constants, and so of the function's evaluations for each
    /// count.
    pub fn sets(&self) -> usize {
        self.groups.len()
    }
}

impl Evaluator for VertexProgramEvaluator {
    fn satisfied(&mut self, assignment: &[bool]) -> Result<usize> {
        let mut count = self.always;
        for (group, clauses) in &self.groups {
            for (register, value) in group.constants(assignment).into_iter().enumerate() {
                self.function.set_constant(register, value)?;
            }
            // Whole numbers below 2^24: their sum is exact.
            count += self.function.total(&[clauses])? as usize;
        }
        Ok(count)
    }
}
