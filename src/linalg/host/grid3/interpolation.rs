//! Interpolation along one axis that a matrix induces.

use std::ops::Range;

use crate::data::grid3::kinds::Kinds;
use crate::data::grid3::matrix::{GridMatrix, Row};
use crate::data::grid3::{MIDDLE, PLANES, neighbour, step};
use crate::data::{Grid3, Result};
use crate::memory::{self, host_threads};

/// A sum of couplings below this fraction of their magnitudes is rounding error in single precision, and no divisor.
const FLOOR: f64 = 1e-6;
/// The largest weight. Those of M-matrices are at most 1.
const LARGEST: f64 = 2.0;

/// The weights with which each point of a coarse grid enters the two points between it and its neighbours along an
/// axis: the one before it, and the one behind. Along that axis the point c of the coarse grid is the point 2c + 1 of
/// the fine one; along the others both are the same.
pub struct Weights {
    /// The coarse grid.
    pub grid: Grid3,
    numbers: WeightStorage,
}

enum WeightStorage {
    Kinds(Kinds<[f64; 2]>),
    Stored(Vec<[f64; 2]>),
}

impl Weights {
    /// Returns the weights of a point of the coarse grid.
    pub fn at(&self, place: [usize; 3]) -> [f64; 2] {
        match &self.numbers {
            WeightStorage::Kinds(kinds) => *kinds.at(place),
            WeightStorage::Stored(all) => all[self.grid.index(place)],
        }
    }

    /// Returns the weights of some slices along z.
    ///
    /// # Errors
    /// Out of memory.
    pub(crate) fn slab(&self, slices: Range<usize>) -> Result<Weights> {
        let [x, y, _] = self.grid.points();
        let grid = Grid3::new(x, y, slices.len())?;
        let numbers = match &self.numbers {
            WeightStorage::Kinds(kinds) => {
                let [along_x, along_y, _] = kinds.periodic();
                let periodic = [along_x, along_y, false];
                WeightStorage::Kinds(Kinds::new(grid, periodic, |[x, y, z]| {
                    *kinds.at([x, y, slices.start + z])
                }))
            }
            WeightStorage::Stored(all) => WeightStorage::Stored(memory::copied(
                &all[slices.start * x * y..slices.end * x * y],
            )?),
        };
        Ok(Weights { grid, numbers })
    }

    /// Returns the weights of each kind of points, if they depend on that alone.
    pub(crate) fn kinds(&self) -> Option<&Kinds<[f64; 2]>> {
        match &self.numbers {
            WeightStorage::Kinds(kinds) => Some(kinds),
            WeightStorage::Stored(_) => None,
        }
    }
}

/// Returns the grid that has every second point of another along an axis.
///
/// # Errors
/// The axis has a single point.
pub fn coarse(grid: Grid3, axis: usize) -> Result<Grid3> {
    let mut points = grid.points();
    points[axis] /= 2;
    let [x, y, z] = points;
    Grid3::new(x, y, z)
}

/// Returns the weights of interpolation along an axis for rows of this matrix, or of another with the same neighbours.
///
/// # Errors
/// Out of memory.
pub fn interpolation(
    matrix: &GridMatrix,
    row: impl Fn([usize; 3]) -> Row + Sync,
    axis: usize,
) -> Result<Weights> {
    let grid = coarse(matrix.grid(), axis)?;
    let at = |place: [usize; 3]| {
        let mut fine = place;
        fine[axis] = 2 * place[axis] + 1;
        [(-1, BEHIND), (1, BEFORE)].map(|(step, coarse_point)| {
            let mut by = [0; 3];
            by[axis] = step;
            matrix.beside(fine, by).map_or(0.0, |between| weight(&row(between), axis, coarse_point))
        })
    };
    let numbers = match matrix.is_stored() {
        true => {
            let mut numbers = memory::filled([0.0; 2], grid.n())?;
            host_threads::fill(&mut numbers, 1, |first, numbers| {
                (first..).zip(numbers).for_each(|(index, both)| *both = at(grid.place(index)));
            });
            WeightStorage::Stored(numbers)
        }
        false => WeightStorage::Kinds(Kinds::new(grid, matrix.periodic(), at)),
    };
    Ok(Weights { grid, numbers })
}

/// Returns the weight of the neighbour on a side of an axis for a point that is between two of the coarse grid. Its
/// couplings are added up across the axis, so that its row A u = 0 gives u from the two. At a point beside an edge across
/// the axis, the coupling that is missing there is counted as if it were there, like the opposite one.
///
/// Source: Dendy, "Black box multigrid", J. Comput. Phys. 48 (1982), along one axis.
fn weight(row: &Row, axis: usize, side: usize) -> f64 {
    let plane = |axis: usize, side: usize| PLANES[axis][side].map(|k| row[k]);
    let towards = |axis: usize, side: usize| plane(axis, side).iter().sum::<f64>();
    let magnitude: f64 = plane(axis, BESIDE).iter().map(|number| number.abs()).sum();
    if magnitude == 0.0 {
        return 0.0;
    }
    let all: f64 = row.iter().sum();
    let mut missing = 0.0;
    for across in (0..3).filter(|across| *across != axis) {
        for (side, other) in [(BEFORE, BEHIND), (BEHIND, BEFORE)] {
            if plane(across, side) == [0.0; 9] {
                missing -= towards(across, other);
            }
        }
    }
    let own = all - missing.clamp(0.0, all.max(0.0));
    let divisor = own - towards(axis, BEFORE) - towards(axis, BEHIND);
    match divisor.abs() <= FLOOR * magnitude {
        true => 0.5,
        false => (-towards(axis, side) / divisor).clamp(-LARGEST, LARGEST),
    }
}

/// The planes of neighbours across an axis.
const BEFORE: usize = 0;
const BESIDE: usize = 1;
const BEHIND: usize = 2;

/// Returns the couplings to a point of its neighbours: its row of the transposed matrix.
pub fn transposed(matrix: &GridMatrix, place: [usize; 3]) -> Row {
    std::array::from_fn(|k| {
        let back = neighbour(step(k).map(|along| -along));
        matrix.beside(place, step(k)).map_or(0.0, |there| matrix.row(there)[back])
    })
}

/// Returns a row of the matrix's symmetric part.
pub fn symmetric_part(matrix: &GridMatrix, place: [usize; 3]) -> Row {
    let (row, other) = (matrix.row(place), transposed(matrix, place));
    std::array::from_fn(|k| if k == MIDDLE { row[k] } else { 0.5 * (row[k] + other[k]) })
}
