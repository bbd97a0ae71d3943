//! The outcome of a step, on the model and on the device alike.

use quadrille::{gl, stream};

#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The step named objects that are not there, and was left out.
    Nothing,
    Done,
    /// Texels or elements, all whole numbers.
    Numbers(Vec<i32>),
    Sum(i64),
    /// An error that was due.
    Refused(Wrong),
    /// An error, a panic or a number that was not due.
    Failed(String),
}

/// The errors that steps provoke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    Foreign,
    Length,
    Outside,
    Empty,
    TooLarge,
    Name,
    Type,
    Missing,
    Targets,
    Compile,
}

impl From<gl::Error> for Outcome {
    fn from(error: gl::Error) -> Outcome {
        Outcome::Refused(match error {
            gl::Error::Foreign { .. } => Wrong::Foreign,
            gl::Error::Length { .. } => Wrong::Length,
            gl::Error::Outside { .. } => Wrong::Outside,
            gl::Error::Empty { .. } => Wrong::Empty,
            gl::Error::TooLarge { .. } => Wrong::TooLarge,
            other => return Outcome::Failed(other.to_string()),
        })
    }
}

impl From<stream::Error> for Outcome {
    fn from(error: stream::Error) -> Outcome {
        Outcome::Refused(match error {
            stream::Error::Gl(error) => return error.into(),
            stream::Error::NoSuchName { .. } => Wrong::Name,
            stream::Error::WrongType { .. } => Wrong::Type,
            stream::Error::Missing { .. } => Wrong::Missing,
            stream::Error::Targets { .. } => Wrong::Targets,
            stream::Error::Compile { .. } => Wrong::Compile,
            other => return Outcome::Failed(other.to_string()),
        })
    }
}
