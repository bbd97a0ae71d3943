//! Coefficients of diffusion: one at each point, or one at each face between points.

use std::ops::Range;
use std::sync::Arc;

use crate::data::Block;
use crate::memory::host_threads::in_ranges;

/// Coefficients that are known for the points of a block of a grid, row by row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Coefficients {
    /// One at each point; of a block that ends inside the grid also of the points around it.
    Points {
        /// The points along x and y of the grid.
        grid: [usize; 2],
        known: Block,
        k: Arc<Vec<f64>>,
        range: (f64, f64),
    },
    /// One at each face: between neighbours along x and at both sides, and the same along y. Those
    /// at the sides of the grid may be zero.
    Faces { known: Block, x: Arc<Vec<f64>>, y: Arc<Vec<f64>>, range: (f64, f64) },
}

/// What flows between a point and its neighbours below, to the left, to the right and above, in the
/// order in which it is added up: of points in a row of the grid.
pub(super) type Means<'a> = [&'a mut [f64]; 4];

impl Coefficients {
    /// Takes positive coefficients of points.
    pub(crate) fn of_points(grid: [usize; 2], known: Block, k: Vec<f64>) -> Coefficients {
        let range = range(&k);
        Coefficients::Points { grid, known, k: Arc::new(k), range }
    }

    /// Takes coefficients of faces, positive but for zeros.
    pub(crate) fn of_faces(known: Block, x: Vec<f64>, y: Vec<f64>) -> Coefficients {
        let (of_x, of_y) = (range(&x), range(&y));
        let range = (of_x.0.min(of_y.0), of_x.1.max(of_y.1));
        Coefficients::Faces { known, x: Arc::new(x), y: Arc::new(y), range }
    }

    /// Returns the least coefficient above zero, and the largest.
    pub(super) fn range(&self) -> (f64, f64) {
        match self {
            Coefficients::Points { range, .. } | Coefficients::Faces { range, .. } => *range,
        }
    }

    /// Returns whether they are the same in all directions that matter to the points of a block: at the points
    /// and around them, or at the faces inside along x and along y, and at each side.
    pub(super) fn is_uniform(&self, block: &Block) -> bool {
        match self {
            Coefficients::Points { range, .. } => range.0 == range.1,
            Coefficients::Faces { known, x, y, .. } => {
                let width = known.width();
                let at = |numbers: &[f64], across: usize, column: usize, row: usize| {
                    numbers[(row - known.rows.start) * across + column - known.columns.start]
                };
                let along_x = |column, row| at(x, width + 1, column, row);
                let along_y = |column, row| at(y, width, column, row);
                let Block { columns, rows } = block;
                let inner = |range: &Range<usize>| range.start + 1..range.end;
                let same =
                    |columns: Range<usize>,
                     rows: Range<usize>,
                     number: &(dyn Fn(usize, usize) -> f64 + Sync)| {
                        if columns.is_empty() || rows.is_empty() {
                            return true;
                        }
                        let first = number(columns.start, rows.start);
                        let line = |row| columns.clone().all(|column| number(column, row) == first);
                        let across = columns.len();
                        let parts = in_ranges(rows.len() * across, across, |part| {
                            let mut some = part.start / across..part.end / across;
                            some.all(|row| line(rows.start + row))
                        });
                        parts.into_iter().all(|same| same)
                    };
                let one = |at: usize| at..at + 1;
                same(inner(columns), rows.clone(), &along_x)
                    && same(columns.clone(), inner(rows), &along_y)
                    && [columns.start, columns.end]
                        .into_iter()
                        .all(|side| same(one(side), rows.clone(), &along_x))
                    && [rows.start, rows.end]
                        .into_iter()
                        .all(|side| same(columns.clone(), one(side), &along_y))
            }
        }
    }

    /// Computes what flows between points in a row of the grid and their neighbours.
    pub(super) fn means(&self, columns: Range<usize>, row: usize, means: Means<'_>) {
        match self {
            Coefficients::Points { grid, known, k, .. } => {
                of_points(*grid, known, k, columns, row, means);
            }
            Coefficients::Faces { known, x, y, .. } => {
                let (width, count) = (known.width(), columns.len());
                let (line, at) = (row - known.rows.start, columns.start - known.columns.start);
                let x = &x[line * (width + 1) + at..][..count + 1];
                let [below, left, right, above] = means;
                below.copy_from_slice(&y[line * width + at..][..count]);
                left.copy_from_slice(&x[..count]);
                right.copy_from_slice(&x[1..]);
                above.copy_from_slice(&y[(line + 1) * width + at..][..count]);
            }
        }
    }

    /// Fills numbers as [`Diffusion::fill`](super::Diffusion::fill) says.
    pub(super) fn fill(
        &self,
        block: &Block,
        grid: usize,
        line: usize,
        first: isize,
        to: &mut [f64],
    ) {
        match self {
            Coefficients::Points { known, k, .. } => {
                let row = (block.rows.start + line).saturating_sub(1);
                let row = row.clamp(known.rows.start, known.rows.end - 1) - known.rows.start;
                let k = &k[row * known.width()..][..known.width()];
                let first = (block.columns.start as isize - 1) + first;
                let inside = copy(k, first - known.columns.start as isize, to);
                to[..inside.start].fill(k[0]);
                to[inside.end..].fill(k[k.len() - 1]);
            }
            Coefficients::Faces { known, x, y, .. } => {
                let (numbers, width) =
                    if grid == 0 { (x, known.width() + 1) } else { (y, known.width()) };
                let row = block.rows.start + line - known.rows.start;
                let of_line = numbers
                    .get(row * width..)
                    .map_or(&[][..], |rest| &rest[..width.min(rest.len())]);
                let first = block.columns.start as isize + first - known.columns.start as isize;
                let inside = copy(of_line, first, to);
                to[..inside.start].fill(0.0);
                to[inside.end..].fill(0.0);
            }
        }
    }
}

/// Copies the numbers of a line from a column on, which may be outside; returns the places that have
/// some.
fn copy(line: &[f64], first: isize, to: &mut [f64]) -> Range<usize> {
    let count = to.len();
    let start = first.min(0).unsigned_abs().min(count);
    let from = first.max(0) as usize;
    let end = (start + line.len().saturating_sub(from)).min(count);
    to[start..end].copy_from_slice(&line[from.min(line.len())..][..end - start]);
    start..end
}

/// Beyond the edge the coefficient is that of the point at it.
fn of_points(
    grid: [usize; 2],
    known: &Block,
    k: &[f64],
    columns: Range<usize>,
    row: usize,
    means: Means<'_>,
) {
    let (width, count) = (known.width(), columns.len());
    let start = (row - known.rows.start) * width + columns.start - known.columns.start;
    let here = &k[start..][..count];
    let below = if row > 0 { &k[start - width..][..count] } else { here };
    let above = if row + 1 < grid[1] { &k[start + width..][..count] } else { here };
    let [to_below, to_left, to_right, to_above] = means;
    for at in 0..count {
        to_below[at] = harmonic_mean(here[at], below[at]);
        to_above[at] = harmonic_mean(here[at], above[at]);
    }
    let before = if columns.start > 0 { k[start - 1] } else { here[0] };
    to_left[0] = harmonic_mean(here[0], before);
    for at in 1..count {
        to_left[at] = harmonic_mean(here[at], here[at - 1]);
    }
    to_right[..count - 1].copy_from_slice(&to_left[1..count]);
    let last = here[count - 1];
    let after = if columns.end < grid[0] { k[start + count] } else { last };
    to_right[count - 1] = harmonic_mean(last, after);
}

/// Returns the least number above zero, and the largest.
fn range(numbers: &[f64]) -> (f64, f64) {
    let of = |part: Range<usize>| {
        numbers[part].iter().fold((f64::INFINITY, 0.0_f64), |(least, most), k| {
            (if *k > 0.0 { least.min(*k) } else { least }, most.max(*k))
        })
    };
    let all = in_ranges(numbers.len(), 1, of).into_iter();
    all.fold((f64::INFINITY, 0.0), |all, part| (all.0.min(part.0), all.1.max(part.1)))
}

/// Returns 2 a b / (a + b), in the form that neither overflows nor becomes zero on the way; the
/// same for (b, a).
pub(crate) fn harmonic_mean(a: f64, b: f64) -> f64 {
    let (less, more) = (a.min(b), a.max(b));
    less / (0.5 + 0.5 * (less / more))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn harmonic_means_are_those_of_the_formula_at_every_scale() {
        for (a, b) in [(1.0, 1000.0), (0.3, 0.7), (5.0, 5.0), (1e-3, 1e3)] {
            let formula = 2.0 * a * b / (a + b);
            assert!((harmonic_mean(a, b) - formula).abs() <= 4.0 * f64::EPSILON * formula);
            assert_eq!(harmonic_mean(a, b), harmonic_mean(b, a));
        }
        assert_eq!(harmonic_mean(1e308, 1e308), 1e308);
        assert_eq!(harmonic_mean(1e-308, 1e-308), 1e-308);
        assert_eq!(harmonic_mean(1e-300, 1e300), 2e-300);
    }

    #[test]
    fn a_line_is_copied_where_it_is() {
        let line = [1.0, 2.0, 3.0];
        for (first, count, expected) in [
            (-2, 7, vec![9.0, 9.0, 1.0, 2.0, 3.0, 9.0, 9.0]),
            (1, 4, vec![2.0, 3.0, 9.0, 9.0]),
            (5, 2, vec![9.0, 9.0]),
            (-3, 2, vec![9.0, 9.0]),
        ] {
            let mut to = vec![9.0; count];
            let inside = copy(&line, first, &mut to);
            assert_eq!(to, expected);
            assert!(inside.start <= inside.end && inside.end <= count);
        }
    }
}
