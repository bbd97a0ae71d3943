//! The numbers of inputs, read or made.

use crate::data::{Field, SplitMix64};
use crate::io::field::Notes;

use crate::experiment::{Error, Frames, Origin, Setup};

/// The numbers of an input, or those that a buffer begins with.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Array {
    /// The input or the buffer.
    pub name: String,
    /// Where they come from, as text.
    pub from: String,
    /// The numbers.
    pub field: Field,
    /// What was noticed as they were read.
    pub notes: Notes,
    /// The sequence whose first frame the numbers are, if it is one.
    pub frames: Option<Frames>,
}

/// Reads or makes the numbers of named inputs, in their order: one generator of this seed fills the random ones.
///
/// # Errors
/// [`Error::Io`] of a file, also of a sequence that has none or a gap; [`Error::Data`] for more than the host has memory for.
pub fn arrays<'a>(
    inputs: impl IntoIterator<Item = (&'a str, &'a Origin)>,
    seed: u64,
) -> Result<Vec<Array>, Error> {
    let mut generator = SplitMix64::new(seed);
    let array = |(name, origin): (&str, &Origin)| {
        let (field, notes, frames) = origin.read(&mut generator)?;
        Ok(Array { name: name.to_owned(), from: origin.to_string(), field, notes, frames })
    };
    inputs.into_iter().map(array).collect()
}

impl Setup {
    /// Gives an array to read, or a sequence of them.
    pub fn array(self, array: Array) -> Setup {
        let Array { name, field, frames, .. } = array;
        match frames {
            Some(frames) => self.frames(name, frames, field),
            None => self.input(name, field),
        }
    }
}
