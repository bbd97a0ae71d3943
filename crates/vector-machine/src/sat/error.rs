//! The errors of a search.

use quadrille::error::Kind;
use quadrille::{NoMemory, gl, stream};

use crate::cnf::{self, Cnf};
use crate::vector_machine;

/// The result of a search.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of a search for a model.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // The text above each variant is its documentation.
pub enum Error {
    #[error(transparent)]
    Stream(#[from] stream::Error),

    #[error(transparent)]
    Machine(#[from] vector_machine::Error),

    #[error(transparent)]
    Formula(#[from] cnf::Error),

    #[error(
        "the vertex program of 2002 counts clauses of up to three literals; this formula has clauses of up to {longest} \
         literals"
    )]
    VertexProgram { longest: usize },

    #[error(
        "{clauses} clauses of {variables} variables need a texture {height} texels high, but this device's limit is \
         {limit}; the evaluator on the CPU has no limit"
    )]
    FormulaTooLarge { clauses: usize, variables: usize, height: usize, limit: u32 },

    #[error(
        "{candidates} candidates need a texture {height} texels high, but this device's limit is {limit}; {most} \
         candidates fit"
    )]
    TooManyCandidates { candidates: usize, height: usize, limit: u32, most: usize },

    #[error(
        "{clauses} clauses of up to {longest} literals take {iterations} loop iterations in a fragment, but this \
         device ends long loops early and is given {limit} at most; the evaluator on the CPU has no limit"
    )]
    LongLoop { clauses: usize, longest: usize, iterations: u64, limit: u32 },

    #[error("expected a noise from 0 to 1, which is a probability; got {noise}")]
    Noise { noise: f64 },

    #[error(
        "the engine {engine} works on one candidate: set the number of candidates to 1, or leave the engine open"
    )]
    OneCandidate { engine: &'static str },

    #[error("expected 1 to {most} candidates, got {got}")]
    Candidates { got: usize, most: usize },

    #[error(
        "{evaluator} reported a model, but the assignment does not satisfy clause {clause} (clauses are numbered \
         from 0): its arithmetic is wrong"
    )]
    WrongModel { clause: usize, evaluator: String },
}

quadrille::internal::failure!(Error: Stream(gl::Error, NoMemory), Machine(vector_machine::AssemblyError), Formula; kinds {
    Error::FormulaTooLarge { .. } | Error::TooManyCandidates { .. } | Error::LongLoop { .. } => Kind::Limit,
    Error::WrongModel { .. } => Kind::Failed,
});

impl Error {
    /// Creates the error of a wrong model, which names the evaluator, or the device, that reported
    /// it.
    pub(super) fn wrong_model(cnf: &Cnf, assignment: &[bool], evaluator: &str) -> Error {
        let clause = cnf::first_unsatisfied(cnf, assignment).unwrap_or_default();
        Error::WrongModel { clause, evaluator: evaluator.to_owned() }
    }
}
