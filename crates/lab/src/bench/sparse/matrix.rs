//! The matrices that products are timed with.

use quadrille::data::{Csr, NineBanded, SplitMix64};
use quadrille::{Shape, memory};

use crate::Result;
use crate::report::names::named_enum;

named_enum! {
    /// A matrix that is multiplied.
    pub enum Matrix: "matrix" {
        /// A point and its four neighbours on a square grid.
        Poisson5 => "poisson5",
        /// A point and its eight neighbours.
        Heat9 => "heat9",
        /// 16 columns at random in each row.
        Random16 => "random16",
        /// Rows of 4 to 1024 columns at random, of which twice as long ones are half as many.
        Power => "power",
    }
}

impl Matrix {
    /// Returns whether it has nine bands at most.
    pub(super) fn is_grid(self) -> bool {
        matches!(self, Matrix::Poisson5 | Matrix::Heat9)
    }

    /// Returns the matrix of about `n` rows: of the largest square grid with so many points.
    pub(super) fn csr(self, n: usize) -> Result<Csr> {
        let side = n.isqrt().max(3);
        let n = if self.is_grid() { side * side } else { n };
        let mut random = SplitMix64::new(n as u64);
        let mut starts = memory::with_room(n + 1)?;
        let mut columns: Vec<u32> = Vec::new();
        starts.push(0);
        let mut row_of = Vec::new();
        for row in 0..n {
            row_of.clear();
            match self {
                Matrix::Poisson5 => neighbours(row, side, false, &mut row_of),
                Matrix::Heat9 => neighbours(row, side, true, &mut row_of),
                Matrix::Random16 => at_random(16, n, &mut random, &mut row_of),
                Matrix::Power => {
                    let doublings = random.next().trailing_zeros().min(8);
                    at_random(4 << doublings, n, &mut random, &mut row_of);
                }
            }
            for column in &row_of {
                memory::push(&mut columns, *column)?;
            }
            starts.push(columns.len());
        }
        let mut values = memory::with_room(columns.len())?;
        for pair in starts.windows(2) {
            let length = pair[1] - pair[0];
            values.extend(std::iter::repeat_n(1.0 / length as f32, length));
        }
        Ok(Csr::new(Shape::new(n, n), starts, columns, values)?)
    }

    /// Returns the same matrix by its bands.
    pub(super) fn nine_banded(self, csr: &Csr) -> Result<NineBanded> {
        let n = csr.shape().rows;
        let entries = (0..n).flat_map(|row| {
            let (columns, values) = csr.row(row);
            columns
                .iter()
                .zip(values)
                .map(move |(column, a)| (row, *column as usize, f64::from(*a)))
        });
        Ok(NineBanded::from_entries(n, Some(n.isqrt()), entries)?.rounded()?.0)
    }
}

/// The points around one of a square grid, itself among them.
fn neighbours(row: usize, side: usize, diagonal: bool, columns: &mut Vec<u32>) {
    let (x, y) = ((row % side) as isize, (row / side) as isize);
    for (dy, dx) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dy, dx))) {
        let inside =
            (0..side as isize).contains(&(x + dx)) && (0..side as isize).contains(&(y + dy));
        if inside && (diagonal || dx == 0 || dy == 0) {
            columns.push(((y + dy) * side as isize + x + dx) as u32);
        }
    }
}

/// Different columns, ascending.
fn at_random(count: usize, n: usize, random: &mut SplitMix64, columns: &mut Vec<u32>) {
    columns.extend((0..count).map(|_| random.below(n as u64) as u32));
    columns.sort_unstable();
    columns.dedup();
}
