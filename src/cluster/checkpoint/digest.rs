//! A checksum that distinguishes systems, whatever parts they are cut into.

use super::super::{Communicator, Result, collective};
use crate::data::{Band, Block, Float, GridMatrix, NineBanded, SplitMix64};

/// Returns the digest of the rows of an owned block, from the matrix of the block that is stored
/// around it, as [`Properties::of_part`](crate::linalg::solve::Properties::of_part) takes them: of
/// a grid of `n` numbers in rows of `m`.
pub fn of_matrix<T: Float>(
    matrix: &NineBanded<T>,
    stored: &Block,
    owned: &Block,
    n: usize,
    m: usize,
) -> u64 {
    let (mut sum, mut numbers) = (0_u64, vec![T::default(); owned.width()]);
    for row in owned.rows.clone() {
        let whole = owned.in_row(row, n, m);
        if whole.is_empty() {
            continue; // The last row of the grid may end before the block.
        }
        let first =
            (row - stored.rows.start) * stored.width() + owned.columns.start - stored.columns.start;
        let numbers = &mut numbers[..whole.len()];
        for band in Band::ALL {
            matrix.fill(band, first..first + numbers.len(), numbers);
            for (index, number) in whole.clone().zip(&*numbers) {
                let place = 9 * index as u64 + band.index() as u64;
                sum = sum.wrapping_add(mixed(place, (*number).into()));
            }
        }
    }
    sum
}

/// Returns the digest of the rows of an owned block of lines, of the whole matrix on a grid of three dimensions.
pub fn of_grid(matrix: &GridMatrix, owned: &Block) -> u64 {
    let width = matrix.grid().points()[0];
    let rows = owned.rows.start * width..owned.rows.end * width;
    let of_row = |row: usize| {
        let place = move |k: usize| 27 * row as u64 + k as u64;
        let numbers = matrix.row_at(row).into_iter().enumerate();
        numbers.map(move |(k, number)| mixed(place(k), number)).fold(0, u64::wrapping_add)
    };
    rows.map(of_row).fold(0, u64::wrapping_add)
}

/// Returns the digest of the numbers of a vector in a block of such a grid.
pub fn of_vector<T: Float>(numbers: &[T], block: &Block, n: usize, m: usize) -> u64 {
    let indices = block.rows.clone().flat_map(|row| block.in_row(row, n, m));
    let each = indices.zip(numbers).map(|(index, number)| mixed(index as u64, (*number).into()));
    each.fold(0, u64::wrapping_add)
}

/// Returns the digest of the whole, from those of the parts of each rank of this process: equal
/// wherever all numbers are equal as doubles, in any parts. Zeros are ignored.
///
/// # Errors
///
/// Errors of the communicator.
pub fn digest(ranks: &dyn Communicator, local: &[u64]) -> Result<String> {
    let sum = collective::gathered(ranks, local)?.into_iter().fold(0, u64::wrapping_add);
    Ok(format!("{sum:016x}"))
}

/// Returns a number at a place as random bits, which follow from both.
fn mixed(place: u64, number: f64) -> u64 {
    match number == 0.0 {
        true => 0,
        false => SplitMix64::new(SplitMix64::new(place).next() ^ number.to_bits()).next(),
    }
}
