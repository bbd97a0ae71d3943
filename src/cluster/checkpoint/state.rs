//! The state that a computation continues from.

use super::Result;
use crate::io::checkpoint::Array;
use crate::memory;

/// The numbers of a block of a vector.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // Named after their precision.
pub enum Numbers {
    Single(Vec<f32>),
    Double(Vec<f64>),
}

impl Numbers {
    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        match self {
            Numbers::Single(numbers) => numbers.len(),
            Numbers::Double(numbers) => numbers.len(),
        }
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Makes `count` zeros of the type of an array, if there is such a type of vector.
    pub(super) fn zeros(array: &Array, count: usize) -> Result<Option<Numbers>> {
        Ok(match () {
            () if array.is_of(SINGLE) => Some(Numbers::Single(memory::zeroed(count)?)),
            () if array.is_of(DOUBLE) => Some(Numbers::Double(memory::zeroed(count)?)),
            () => None,
        })
    }

    /// Returns the name of the type in files, as NumPy defines it.
    pub(super) fn type_name(&self) -> &'static str {
        match self {
            Numbers::Single(_) => SINGLE,
            Numbers::Double(_) => DOUBLE,
        }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        match self {
            Numbers::Single(numbers) => bytemuck::cast_slice(numbers),
            Numbers::Double(numbers) => bytemuck::cast_slice(numbers),
        }
    }

    pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
        match self {
            Numbers::Single(numbers) => bytemuck::cast_slice_mut(numbers),
            Numbers::Double(numbers) => bytemuck::cast_slice_mut(numbers),
        }
    }

    /// Returns the bytes of one number.
    pub(super) fn size(&self) -> usize {
        match self {
            Numbers::Single(_) => size_of::<f32>(),
            Numbers::Double(_) => size_of::<f64>(),
        }
    }
}

const SINGLE: &str = "f4";
const DOUBLE: &str = "f8";

/// The state that is written and read again: numbers that all ranks know, and vectors of which each
/// rank has its part.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// The steps that were done.
    pub iteration: u64,
    /// Numbers that are the same on all ranks, by name.
    pub numbers: Vec<(String, f64)>,
    /// Vectors, by name: for each rank of this process the numbers of its block, row by row.
    pub vectors: Vec<(String, Vec<Numbers>)>,
}

impl State {
    /// Returns the state after this many steps.
    pub fn new(iteration: u64) -> State {
        State { iteration, ..State::default() }
    }

    /// Adds a number that all ranks know.
    #[must_use]
    pub fn number(mut self, name: impl Into<String>, number: f64) -> State {
        self.numbers.push((name.into(), number));
        self
    }

    /// Adds a vector: for each rank of this process, the numbers of its block.
    #[must_use]
    pub fn vector(mut self, name: impl Into<String>, of_ranks: Vec<Numbers>) -> State {
        self.vectors.push((name.into(), of_ranks));
        self
    }

    /// Returns the vector of this name.
    pub fn named(&self, name: &str) -> Option<&[Numbers]> {
        self.vectors.iter().find(|(known, _)| known == name).map(|(_, of_ranks)| &of_ranks[..])
    }

    /// Returns the arrays of a file for parts of this many numbers.
    pub(super) fn arrays(&self, count: usize) -> Vec<Array> {
        let array = |(name, of_ranks): &(String, Vec<Numbers>)| {
            of_ranks.first().map(|numbers| Array::new(name, numbers.type_name(), &[count]))
        };
        self.vectors.iter().filter_map(array).collect()
    }
}
