//! The part of a matrix that a rank has.

use std::ops::Range;

use super::{Entries, GridMatrix};
use crate::data::grid3::step;
use crate::data::{Grid3, Result};
use crate::memory;

impl GridMatrix {
    /// Returns the rows and columns of some slices along z; couplings to others are left out.
    ///
    /// # Errors
    /// Out of memory.
    pub(crate) fn slab(&self, slices: Range<usize>) -> Result<GridMatrix> {
        let [x, y, _] = self.grid.points;
        let grid = Grid3::new(x, y, slices.len())?;
        let periodic = [self.periodic[0], self.periodic[1], false];
        let last = slices.len() - 1;
        let leaves = |k: usize, slice: usize| match step(k)[2] {
            -1 => slice == 0,
            1 => slice == last,
            _ => false,
        };
        let Entries::Stored(bands) = &self.entries else {
            return GridMatrix::by_kinds(grid, periodic, |[x, y, z]| {
                let row = self.row([x, y, slices.start + z]);
                std::array::from_fn(|k| if leaves(k, z) { 0.0 } else { row[k] })
            });
        };
        let slice = x * y;
        let part = |(band, k): (&Vec<f64>, &usize)| -> Result<Vec<f64>> {
            let mut part = memory::copied(&band[slices.start * slice..slices.end * slice])?;
            for at in [0, last].into_iter().filter(|at| leaves(*k, *at)) {
                part[at * slice..(at + 1) * slice].fill(0.0);
            }
            Ok(part)
        };
        let parts = bands.iter().zip(self.neighbours()).map(part);
        GridMatrix::stored(grid, periodic, parts.collect::<Result<_>>()?)
    }
}
