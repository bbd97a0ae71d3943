//! The arrays that an experiment is given: their numbers, read or made, or their shapes alone.

use crate::io::field::Notes;
use quadrille::data::{self, Field, SplitMix64};
use quadrille::internal::data::Layout;

use crate::{Frames, Origin, Result};

/// An array for an input, or for what a buffer begins with.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Array {
    /// The input or the buffer.
    pub name: String,
    /// The source of the numbers, as text.
    pub from: String,
    /// The facts noticed while the numbers were read.
    pub notes: Notes,
    /// The sequence whose first frame the numbers are, if it is one.
    pub frames: Option<Frames>,
    /// The numbers, unless they come later.
    pub(crate) field: Option<Field>,
    pub(crate) layout: Layout,
}

impl Array {
    /// Creates an array with these numbers.
    pub fn new(name: impl Into<String>, field: Field) -> Array {
        let layout = field.layout();
        Array { field: Some(field), ..Array::empty(name.into(), layout) }
    }

    /// Creates an array of which only the shape is known: see
    /// [`Setup::shape`](crate::Setup::shape).
    ///
    /// # Errors
    /// [`data::ArrayError::FieldShape`] and [`data::ArrayError::FieldEmpty`] for a shape that no array has.
    pub fn shaped(name: impl Into<String>, shape: &[usize]) -> Result<Array, data::Error> {
        Ok(Array::empty(name.into(), Layout::of_any_shape(shape)?))
    }

    /// Returns the shape, as NumPy defines it.
    pub fn shape(&self) -> Vec<usize> {
        self.layout.shape()
    }

    fn empty(name: String, layout: Layout) -> Array {
        let (from, notes) = ("an array".to_owned(), Notes::default());
        Array { name, from, notes, frames: None, field: None, layout }
    }
}

/// Reads or makes the numbers of named inputs, in their order: one generator of this seed fills the
/// random ones.
///
/// # Errors
/// [`Error::Io`](crate::Error::Io) for a file, also for a sequence without files or with a gap; [`Error::Data`](crate::Error::Data) for
/// more numbers than fit in the host's memory.
pub fn arrays<'a>(
    inputs: impl IntoIterator<Item = (&'a str, &'a Origin)>,
    seed: u64,
) -> Result<Vec<Array>> {
    let mut generator = SplitMix64::new(seed);
    let array = |(name, origin): (&str, &Origin)| {
        let (field, notes, frames) = origin.read(&mut generator)?;
        Ok(Array { from: origin.to_string(), notes, frames, ..Array::new(name, field) })
    };
    inputs.into_iter().map(array).collect()
}
