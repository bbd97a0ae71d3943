//! Advice on errors of lower layers, which know no method of higher ones: what else takes the data
//! that was refused. Front ends add it to their messages.

use crate::Failure;
use crate::data::{ArrayError, BandError, EntryError, Error};
#[cfg(feature = "files")]
use crate::io;

/// Returns the text of an error with the advice on it.
pub fn advised(error: &dyn Failure) -> String {
    match advice(error) {
        Some(advice) => format!("{error}; {advice}"),
        None => error.to_string(),
    }
}

/// Returns what takes data that this error, or one that it shows as its own, refuses.
pub fn advice(error: &dyn Failure) -> Option<&'static str> {
    #[cfg(feature = "files")]
    match error.find() {
        Some(io::Error::NotNineBanded { .. }) => return Some(WITHOUT_WIDTH),
        Some(io::Error::Data { reason, .. }) => return on_data(reason),
        _ => {}
    }
    error.find().and_then(on_data)
}

const WITHOUT_WIDTH: &str = "without a width, `solve` takes it as a general sparse matrix";

fn on_data(error: &Error) -> Option<&'static str> {
    Some(match error {
        Error::Bands(BandError::NotNineBanded { .. }) => WITHOUT_WIDTH,
        Error::Bands(BandError::Periodic { .. }) => {
            "solve by the method fft, or write the matrix by its rows"
        }
        Error::Entries(EntryError::NotNeighbours { .. }) => {
            "another shape of the grid may fit, or none, where any sparse matrix is solved"
        }
        Error::Array(ArrayError::FieldShape { .. }) => {
            "a storage block of numbers takes other shapes as one axis"
        }
        Error::Array(ArrayError::Bins { .. }) => "join bins, or sort the numbers",
        _ => return None,
    })
}
