//! The rows of a product: those of a matrix, or the pieces of its long rows.

use crate::data::Csr;

use super::plan::{Addresses, Cut, Terms};

/// Rows, and the terms of each.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a> {
    matrix: &'a Csr,
    cut: &'a Cut,
    pub(super) places: Addresses,
    of: Of,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    Matrix,
    Pieces,
}

impl<'a> Rows<'a> {
    /// Returns the rows of a matrix. Long ones are the sums of their pieces' sums.
    pub(super) fn of_matrix(matrix: &'a Csr, cut: &'a Cut, places: Addresses) -> Rows<'a> {
        Rows { matrix, cut, places, of: Of::Matrix }
    }

    /// Returns the pieces of its long rows.
    pub(super) fn of_pieces(matrix: &'a Csr, cut: &'a Cut, places: Addresses) -> Rows<'a> {
        Rows { matrix, cut, places, of: Of::Pieces }
    }

    /// Returns the terms of a row; beyond the last one there are none.
    fn terms(&self, row: usize) -> Terms {
        match self.of {
            Of::Matrix if row < self.matrix.shape().rows => {
                let starts = self.matrix.starts();
                self.cut.terms(row, starts[row]..starts[row + 1])
            }
            Of::Pieces if row < self.cut.pieces.len() => {
                Terms::Entries(self.cut.pieces[row].clone())
            }
            Of::Matrix | Of::Pieces => Terms::Entries(0..0),
        }
    }

    /// Returns the number of terms of a row.
    pub(super) fn length(&self, row: usize) -> usize {
        self.terms(row).len()
    }

    /// Returns the factors of each term of a row: a number, and the address of the other.
    pub(super) fn factors(&self, row: usize) -> impl Iterator<Item = (f32, u32)> + 'a {
        let (matrix, sums) = (self.matrix, self.places.sums());
        let (entries, pieces) = match self.terms(row) {
            Terms::Entries(entries) => (entries, 0..0),
            Terms::Pieces(pieces) => (0..0, pieces),
        };
        let entries = entries.map(|at| (matrix.values()[at], matrix.columns()[at]));
        entries.chain(pieces.map(move |piece| (1.0, (sums + piece) as u32)))
    }
}
