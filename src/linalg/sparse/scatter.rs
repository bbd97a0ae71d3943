//! Whether the rows of a matrix are too unlike each other for invocations that each take one.

use crate::data::Csr;

/// How many times the entries of a matrix its quads of rows may have, filled up.
const FILLING: f64 = 1.25;
/// How far from each other the columns may be, on average, that rows beside each other begin with,
/// go on with, and so on. Random access to a buffer of more than a megabyte is slow on an H200 by
/// OpenGL, where access to what is near is not.
const APART: f64 = 4096.0;

/// Returns whether rows beside each other are of different lengths, or have columns far from each
/// other.
pub(super) fn is_scattered(matrix: &Csr) -> bool {
    let (starts, columns) = (matrix.starts(), matrix.columns());
    let (mut filled, mut apart, mut pairs) = (0, 0.0, 0);
    for quad in starts.windows(5).step_by(4) {
        let longest = quad.windows(2).map(|row| row[1] - row[0]).max().unwrap_or(0);
        filled += 4 * longest;
        let rows = columns[quad[0]..quad[1]].iter().zip(&columns[quad[1]..quad[2]]);
        pairs += rows.len();
        apart += rows.map(|(one, other)| f64::from(one.abs_diff(*other))).sum::<f64>();
    }
    let uneven = filled as f64 > FILLING * matrix.entries() as f64;
    uneven || apart > APART * pairs as f64
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::Shape;

    fn of(rows: usize, columns: usize, entries: impl Fn(usize) -> Vec<usize>) -> bool {
        let all = (0..rows).flat_map(|row| entries(row).into_iter().map(move |c| (row, c, 1.0)));
        is_scattered(&Csr::from_entries(Shape::new(rows, columns), all).unwrap())
    }

    #[test]
    fn grids_are_not_scattered_and_random_columns_are() {
        assert!(!of(0, 0, |_| vec![]));
        assert!(!of(100, 100, |_| vec![]));
        assert!(!of(400, 400, |row| vec![row, (row + 20).min(399)]));
        assert!(!of(4000, 1 << 20, |row| vec![row, 100_000 + row, 1_000_000 + row]));
        assert!(of(4000, 1 << 20, |row| vec![row * 7919 % (1 << 20)]));
        assert!(of(400, 400, |row| (0..if row % 4 == 0 { 100 } else { 1 }).collect()));
    }
}
