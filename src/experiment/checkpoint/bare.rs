//! Files of checkpoints without the experiments that they are of, for tests and fuzzers.

use std::path::Path;

use crate::experiment::Error;
use crate::experiment::checkpoint::file;
use crate::experiment::checkpoint::file::{Array, Head, Opened};

/// What a file has.
#[derive(Clone, Debug, PartialEq)]
pub struct Content {
    /// The steps that were done.
    pub iteration: u64,
    /// What tells experiments apart.
    pub facts: Vec<(String, String)>,
    /// The arrays.
    pub arrays: Vec<Texels>,
}

/// A name, a type, the height, the width and the channels, and the texels.
pub type Texels = (String, String, [usize; 3], Vec<u32>);

impl Content {
    fn described(&self) -> Vec<Array> {
        let described = |(name, of, shape, _): &Texels| Array::new(name, of, *shape);
        self.arrays.iter().map(described).collect()
    }
}

/// Writes a file.
///
/// # Errors
/// [`Error::Io`], where an older file stays.
pub fn write(path: &Path, content: &Content) -> Result<(), Error> {
    let head = Head::new(content.iteration, content.facts.clone(), content.described());
    file::write(path, &head, |index| Ok(content.arrays[index].3.clone()))
}

/// Reads a file whose arrays must be those of another content, whatever their texels.
///
/// # Errors
/// Those of a file that is none, is damaged, or has other arrays.
pub fn read(path: &Path, expected: &Content) -> Result<Content, Error> {
    let mut opened = Opened::open(path)?;
    let texels = opened.arrays(&expected.described())?;
    let mut content = expected.clone();
    content.arrays.iter_mut().zip(texels).for_each(|(array, texels)| array.3 = texels);
    (content.iteration, content.facts) = (opened.head.iteration, opened.head.facts);
    Ok(content)
}
