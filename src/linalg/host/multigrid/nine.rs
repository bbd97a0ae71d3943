//! Nine numbers at each point of a grid.

use crate::data::{Band, Float, NineBanded};
use crate::memory::host_threads;

/// The bands by the place of the neighbour: row by row from the lower left.
const ORDER: [Band; 9] =
    [Band::LL, Band::LD, Band::LU, Band::DL, Band::DD, Band::DU, Band::UL, Band::UD, Band::UU];

/// Nine numbers at each point of a grid, one for each neighbour and the middle one for the point
/// itself: the rows of a matrix, or the columns of an interpolation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Nine {
    width: usize,
    height: usize,
    numbers: Vec<[f64; 9]>,
}

/// The neighbours, and the point itself, in the order of the numbers.
const NEIGHBOURS: [(isize, isize); 9] =
    [(-1, -1), (0, -1), (1, -1), (-1, 0), (0, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

/// Returns the place of the neighbour that is i to the right and j above.
fn place(i: isize, j: isize) -> usize {
    (3 * (j + 1) + i + 1) as usize
}

/// Returns the neighbours, and the point itself, in the order of the numbers.
pub(super) fn neighbours() -> impl Iterator<Item = (isize, isize)> {
    NEIGHBOURS.into_iter()
}

impl Nine {
    /// Returns the numbers by a function of the point and the neighbour.
    pub fn new(
        extent: (usize, usize),
        number: impl Fn(isize, isize, isize, isize) -> f64 + Sync,
    ) -> Nine {
        Nine::by_points(extent, |x, y| NEIGHBOURS.map(|(i, j)| number(x, y, i, j)))
    }

    /// Returns the numbers by a function of the point, which threads call.
    pub(super) fn by_points(
        (width, height): (usize, usize),
        nine: impl Fn(isize, isize) -> [f64; 9] + Sync,
    ) -> Nine {
        let mut numbers = vec![[0.0; 9]; width * height];
        host_threads::fill(&mut numbers, 1, |first, numbers| {
            for (index, numbers) in (first..).zip(numbers) {
                *numbers = nine((index % width) as isize, (index / width) as isize);
            }
        });
        Nine { width, height, numbers }
    }

    /// Creates a matrix whose couplings do not cross the ends of rows. A short last row is
    /// completed by rows of zeros.
    pub fn of<T: Float>(matrix: &NineBanded<T>) -> Nine {
        let (n, m) = (matrix.n(), matrix.m());
        Nine::new((m, n.div_ceil(m)), |x, y, i, j| {
            let entry = matrix.band(ORDER[place(i, j)]).get(y as usize * m + x as usize);
            entry.map_or(0.0, |entry| (*entry).into())
        })
    }

    /// Returns the number of points along x and y.
    pub fn extent(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    /// Returns the index of a point, if it is on the grid.
    pub fn index(&self, x: isize, y: isize) -> Option<usize> {
        let (x, y) = (usize::try_from(x).ok()?, usize::try_from(y).ok()?);
        (x < self.width && y < self.height).then(|| y * self.width + x)
    }

    /// Returns the numbers of a point, if it is on the grid.
    pub(super) fn row(&self, x: isize, y: isize) -> Option<&[f64; 9]> {
        self.index(x, y).map(|index| &self.numbers[index])
    }

    /// Returns a number; 0 if the point is not on the grid.
    pub fn at(&self, x: isize, y: isize, i: isize, j: isize) -> f64 {
        self.row(x, y).map_or(0.0, |nine| nine[place(i, j)])
    }

    /// Returns the transpose of the matrix.
    pub fn transposed(&self) -> Nine {
        Nine::new(self.extent(), |x, y, i, j| self.at(x + i, y + j, -i, -j))
    }

    /// Returns half of the sum of the matrix and its transpose.
    pub fn symmetric_part(&self) -> Nine {
        Nine::new(self.extent(), |x, y, i, j| {
            0.5 * (self.at(x, y, i, j) + self.at(x + i, y + j, -i, -j))
        })
    }

    /// Returns the product A x.
    pub fn product(&self, x: &[f64]) -> Vec<f64> {
        let row = |(index, nine): (usize, &[f64; 9])| -> f64 {
            let (at_x, at_y) = ((index % self.width) as isize, (index / self.width) as isize);
            let terms = neighbours()
                .zip(nine)
                .filter_map(|((i, j), number)| Some(number * x[self.index(at_x + i, at_y + j)?]));
            terms.sum()
        };
        self.numbers.iter().enumerate().map(row).collect()
    }

    /// Returns the residual b - A x.
    pub fn residual(&self, b: &[f64], x: &[f64]) -> Vec<f64> {
        self.product(x).iter().zip(b).map(|(product, b)| b - product).collect()
    }

    /// Returns the numbers, row by row.
    pub fn rows(&self) -> &[[f64; 9]] {
        &self.numbers
    }

    /// Returns the matrix as a whole, row by row.
    pub fn dense(&self) -> Vec<f64> {
        let n = self.numbers.len();
        let mut dense = vec![0.0; n * n];
        for (index, nine) in self.numbers.iter().enumerate() {
            let (x, y) = ((index % self.width) as isize, (index / self.width) as isize);
            for ((i, j), number) in neighbours().zip(nine) {
                if let Some(column) = self.index(x + i, y + j) {
                    dense[index * n + column] += number;
                }
            }
        }
        dense
    }
}
