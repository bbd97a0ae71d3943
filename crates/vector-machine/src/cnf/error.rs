//! The errors of formulas.

use quadrille::NoMemory;

/// A formula that is invalid or too large. Clauses count from 0.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The host has no memory for the clauses.
    #[error(transparent)]
    NoMemory(#[from] NoMemory),
    /// A literal that is 0 or names a variable that is not there.
    #[error(
        "clause {clause} (clauses count from 0) has the literal {literal}: expected the number of a variable, \
         1 to {variables}, or its negation"
    )]
    Literal {
        /// The clause, from 0.
        clause: usize,
        /// The literal.
        literal: i32,
        /// The number of variables.
        variables: usize,
    },
    /// A formula too large for quadrille's indices.
    #[error("{what} is {got}, the most is {most}: use a smaller formula")]
    TooLarge {
        /// The number that is too large.
        what: &'static str,
        /// The value that is too large.
        got: usize,
        /// The limit.
        most: usize,
    },
    /// Random clauses that would need more variables than there are.
    #[error("expected clauses of 1 to {variables} different variables, got a length of {length}")]
    ClauseLength {
        /// The length that was asked for.
        length: usize,
        /// The number of variables.
        variables: usize,
    },
}

quadrille::internal::failure!(Error: NoMemory);

/// The result of the constructors of formulas.
pub type Result<T, E = Error> = std::result::Result<T, E>;
