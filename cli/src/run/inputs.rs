//! The inputs of the shader: files, and values made on the spot.

use quadrille::data::Field;
use quadrille::experiment::{Error, Origin, fields};
use quadrille::io::field::Depth;

use super::super::prelude::*;
use super::assignment::Assignment;

pub(super) struct Input {
    pub(super) name: String,
    pub(super) from: String,
    pub(super) field: Field,
    /// The depth of the picture that it was; none for an array.
    pub(super) picture: Option<Depth>,
}

pub(super) fn read(
    context: &Context,
    assignments: &[Assignment<Origin>],
    seed: u64,
) -> Result<Vec<Input>, Error> {
    let named = assignments.iter().map(|Assignment { name, value }| (name.as_str(), value));
    let mut inputs = Vec::new();
    for ((name, origin), (field, notes)) in named.clone().zip(fields(context, named, seed)?) {
        if notes.rounded {
            output::note(&format!("note: {origin}: its 64-bit floats were rounded to 32 bits"));
        }
        let (name, from) = (name.to_owned(), origin.to_string());
        inputs.push(Input { name, from, field, picture: notes.picture });
    }
    Ok(inputs)
}
