//! Counting by a function of the vector machine, as in 2002: clauses in a vector, values in the constants, v -> s.

use crate::data::Cnf;
use crate::vector_machine::{DFunction, DProgram, DVector, Machine, Profile, Semantics};

use super::super::Error;
use super::Evaluator;
use super::program::{MAX_VARIABLES, constants, constants_program, quads};

/// The evaluator of the paper, on any engine: 15 clauses for each invocation, for formulas of up to 47 variables and
/// clauses of up to three different literals.
pub struct VertexProgramEvaluator {
    function: DFunction,
    clauses: DVector<f32>,
    /// Clauses that are always true, which are not in the vector.
    always: usize,
}

impl VertexProgramEvaluator {
    /// Compiles the program, and makes the vector of clauses.
    ///
    /// # Errors
    /// [`Error::VertexProgram`] for more than 47 variables or clauses of more than three different literals; errors of the
    /// device.
    pub fn new(machine: &Machine, cnf: &Cnf) -> Result<VertexProgramEvaluator, Error> {
        let Some(quads) = quads(cnf)? else {
            let longest = cnf.simplified()?.clauses().map(<[i32]>::len).max().unwrap_or(0);
            return Err(Error::VertexProgram {
                variables: cnf.variables(),
                longest,
                most: MAX_VARIABLES,
            });
        };
        // The period's limits hold, but a count of clauses would not come through its pixels.
        let text = constants_program();
        DProgram::parse("satisfied.vp", &text, Profile::Period)?;
        let program = DProgram::parse("satisfied.vp", &text, Profile::Modern)?;
        let mut function = DFunction::new(machine, &program, Semantics::VToS)?;
        function.set_padding(0.0);
        let always = cnf.len() - quads.len() / 4;
        Ok(VertexProgramEvaluator { function, clauses: DVector::from(quads), always })
    }
}

impl Evaluator for VertexProgramEvaluator {
    fn satisfied(&mut self, assignment: &[bool]) -> Result<usize, Error> {
        for (register, value) in constants(assignment).into_iter().flatten().enumerate() {
            self.function.set_constant(register, value)?;
        }
        // Whole numbers below 2^24: their sum is exact.
        Ok(self.always + self.function.total(&[&self.clauses])? as usize)
    }
}
