//! The options of a product over ranks.

use crate::linalg::matmul;

use super::RankGrid;

/// The options of a product over ranks. What is not set is chosen.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
#[must_use]
pub struct Options {
    /// The method of each rank, and its options.
    pub product: matmul::Options,
    /// The columns and rows of ranks.
    pub grid: Option<RankGrid>,
    /// The width of panels.
    pub width: Option<usize>,
    /// The bytes that this process may take beside what its sources and targets hold; by default
    /// half of what the machine has left.
    pub memory: Option<u64>,
}

impl Options {
    /// Sets the method of each rank, and its options.
    pub fn product(self, product: impl Into<matmul::Options>) -> Options {
        Options { product: product.into(), ..self }
    }

    /// Sets the columns and rows of ranks.
    pub fn grid(self, grid: RankGrid) -> Options {
        Options { grid: Some(grid), ..self }
    }

    /// Sets the width of panels.
    pub fn width(self, width: usize) -> Options {
        Options { width: Some(width), ..self }
    }

    /// Sets the bytes that this process may take.
    pub fn memory(self, bytes: u64) -> Options {
        Options { memory: Some(bytes), ..self }
    }
}
