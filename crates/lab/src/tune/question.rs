//! The questions of tuning: operations, each at some sizes.

use quadrille::data::MIN_WIDTH;

use crate::bench::vector;
use crate::report::names::named_enum;

named_enum! {
    /// An operation that has tuned choices.
    pub enum Operation: "operation" {
        /// Element-wise operations on vectors, as axpy.
        Blas1 => "blas1",
        /// Sums of vectors, with their result on the host.
        Reduce => "reduce",
        /// A program of the vector machine.
        Vector => "vector",
        /// A step of Jacobi's iteration.
        Jacobi => "jacobi",
        /// A product of square matrices.
        Matmul => "matmul",
        /// A Fourier transform in two dimensions.
        Fft => "fft",
    }
}

/// An operation at a size.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// The operation.
    pub operation: Operation,
    /// Rows of matrices, of grids of unknowns, of vectors as textures of as many columns.
    pub side: usize,
}

/// The questions about operations. Without sides there are some for each operation, on a software
/// renderer smaller ones; what works on vectors has one choice for all lengths, and is measured at
/// the largest side.
pub fn questions(operations: &[Operation], sides: &[usize], software: bool) -> Vec<Question> {
    let question = |operation: &Operation| {
        let usual: &[usize] = match operation {
            Operation::Jacobi => &[256, 1024],
            Operation::Matmul => &[128, 512, 1024, 2048],
            Operation::Vector => &[1024],
            Operation::Fft if software => &[512],
            Operation::Fft => &[1024, 4096],
            _ if software => &[1024],
            _ => &[2048],
        };
        let mut sides = if sides.is_empty() { usual.to_vec() } else { sides.to_vec() };
        sides.sort_unstable();
        sides.dedup();
        if operation.is_on_vectors() {
            sides.drain(..sides.len().saturating_sub(1));
        }
        let operation = *operation;
        sides.into_iter().map(move |side| Question { operation, side })
    };
    operations.iter().flat_map(question).collect()
}

impl Operation {
    fn is_on_vectors(self) -> bool {
        matches!(self, Operation::Blas1 | Operation::Reduce | Operation::Vector)
    }
}

impl Question {
    /// The size as the tuned choice counts it.
    pub fn size(&self) -> usize {
        match self.operation {
            Operation::Matmul => self.side,
            Operation::Fft => self.side.pow(2),
            Operation::Jacobi => self.grid().pow(2),
            _ => 4 * self.side * self.side,
        }
    }

    /// The width and the height of a grid, which has a least one.
    pub(super) fn grid(&self) -> usize {
        self.side.max(MIN_WIDTH)
    }

    /// The operations in each run, as its rate counts them: a product and a sum of an axpy, 20 an
    /// unknown of a step of Jacobi as Göddeke counts them, 5 n log2 n of a transform as is the
    /// custom.
    pub(super) fn work(&self) -> f64 {
        let size = self.size() as f64;
        match self.operation {
            Operation::Blas1 => 2.0 * size,
            Operation::Reduce => size,
            Operation::Vector => vector::Subject::Exponents.opcodes() as f64 * size,
            Operation::Jacobi => 20.0 * size,
            Operation::Matmul => 2.0 * size.powi(3),
            Operation::Fft => 5.0 * size * size.log2().max(1.0),
        }
    }

    /// The share of the time, which grows with the time for compiling and checking its ways.
    pub(super) fn weight(&self) -> f64 {
        match (self.operation, self.side) {
            (Operation::Jacobi, 1024..) | (Operation::Matmul, 2048..) => 4.0,
            (Operation::Matmul, ..1024) => 1.0,
            _ => 2.0,
        }
    }
}
