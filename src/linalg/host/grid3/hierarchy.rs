//! Levels and cycles.

use std::ops::Range;

use crate::data::grid3::matrix::GridMatrix;
use crate::data::{Grid3, Result};
use crate::linalg::grid3::plan::LevelPlan;
use crate::linalg::host::multigrid::inverse;
use crate::linalg::multigrid::COARSEST;
use crate::memory::{self, NoMemory};

use super::{Weights, coarser, interpolation, symmetric_part, transposed};

/// Returns the plan of a level, by its matrix and whether it is the finest.
pub type Decide<'a> = &'a dyn Fn(&GridMatrix, bool) -> LevelPlan;

/// The way from a grid to one that is coarser along an axis.
pub struct Transfer {
    /// The axis: 0, 1 or 2.
    pub axis: usize,
    /// The finer grid.
    pub fine: Grid3,
    /// The weights of interpolation.
    pub p: Weights,
    /// Those whose transpose restricts, if they are others.
    pub r: Option<Weights>,
}

impl Transfer {
    /// Returns the weights of restriction.
    pub fn r(&self) -> &Weights {
        self.r.as_ref().unwrap_or(&self.p)
    }

    /// Returns the way of some slices along z of the finer grid, from an even one on.
    ///
    /// # Errors
    /// Out of memory.
    pub(crate) fn slab(&self, slices: Range<usize>) -> Result<Transfer> {
        let [x, y, _] = self.fine.points();
        let of_coarse =
            if self.axis == 2 { slices.start / 2..slices.end / 2 } else { slices.clone() };
        Ok(Transfer {
            axis: self.axis,
            fine: Grid3::new(x, y, slices.len())?,
            p: self.p.slab(of_coarse.clone())?,
            r: self.r.as_ref().map(|r| r.slab(of_coarse)).transpose()?,
        })
    }
}

/// A grid on which errors are smoothed.
pub struct Level {
    /// Its matrix.
    pub matrix: GridMatrix,
    /// The factors of the sweeps in each half of a cycle.
    pub dampings: Vec<f64>,
    /// The way to the next level, axis by axis; none of the last.
    pub transfers: Vec<Transfer>,
}

/// A matrix on its levels.
pub struct Hierarchy {
    levels: Vec<Level>,
    inverse: Vec<f64>,
}

/// Makes the transfer of a matrix along an axis, and the matrix of the coarser grid.
fn transfer(matrix: &GridMatrix, axis: usize, symmetric: bool) -> Result<(Transfer, GridMatrix)> {
    let (p, r) = match symmetric {
        true => (interpolation(matrix, |place| matrix.row(place), axis)?, None),
        false => {
            let p = interpolation(matrix, |place| symmetric_part(matrix, place), axis)?;
            (p, Some(interpolation(matrix, |place| transposed(matrix, place), axis)?))
        }
    };
    let transfer = Transfer { axis, fine: matrix.grid(), p, r };
    let next = coarser(matrix, transfer.r(), &transfer.p, axis)?;
    Ok((transfer, next))
}

/// Returns the levels of a matrix, from the finest. For a nonsymmetric one the interpolation comes from its symmetric
/// part, and restriction from its transpose (Dendy 1983).
///
/// # Errors
/// Out of memory, and numbers that are not finite.
pub fn levels(matrix: &GridMatrix, symmetric: bool, decide: Decide<'_>) -> Result<Vec<Level>> {
    let mut levels = Vec::new();
    let mut next = matrix.clone();
    loop {
        let (level, coarse) = level(next, symmetric, decide, levels.is_empty())?;
        levels.push(level);
        match coarse {
            Some(coarse) => next = coarse,
            None => return Ok(levels),
        }
    }
}

/// Returns a level, and the matrix of the next one, unless it is the last.
///
/// # Errors
/// Those of [`levels`].
pub fn level(
    matrix: GridMatrix,
    symmetric: bool,
    decide: Decide<'_>,
    is_finest: bool,
) -> Result<(Level, Option<GridMatrix>)> {
    let LevelPlan { steps, dampings } = decide(&matrix, is_finest);
    let mut level = Level { matrix, dampings, transfers: Vec::new() };
    let Some(chosen) = steps else { return Ok((level, None)) };
    let mut next = None;
    for axis in (0..3).filter(|axis| chosen[*axis] == 2) {
        let (way, coarse) = transfer(next.as_ref().unwrap_or(&level.matrix), axis, symmetric)?;
        level.transfers.push(way);
        next = Some(coarse);
    }
    Ok((level, next))
}

impl Hierarchy {
    /// Computes the levels of a matrix; `None` where the last one has too many
    /// points to be solved. `singular` says that the constants are its null space.
    ///
    /// # Errors
    /// Those of [`levels`].
    pub fn new(
        matrix: &GridMatrix,
        symmetric: bool,
        singular: bool,
        decide: Decide<'_>,
    ) -> Result<Option<Hierarchy>> {
        let levels = levels(matrix, symmetric, decide)?;
        match levels.last().map(|last| &last.matrix) {
            Some(last) if last.n() <= COARSEST => {
                Ok(Some(Hierarchy { inverse: inverse(dense(last)?, singular), levels }))
            }
            _ => Ok(None),
        }
    }

    /// Returns the levels, from the finest.
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// Runs a cycle from x = 0, which is an approximate inverse times b.
    ///
    /// # Errors
    /// Out of memory.
    pub fn apply(&self, b: &[f64]) -> Result<Vec<f64>, NoMemory> {
        let mut x = memory::zeroed(b.len())?;
        self.run_cycle(0, b, &mut x)?;
        Ok(x)
    }

    fn run_cycle(&self, at: usize, b: &[f64], x: &mut [f64]) -> Result<(), NoMemory> {
        if at + 1 == self.levels.len() {
            for (x, row) in x.iter_mut().zip(self.inverse.chunks(b.len())) {
                *x = row.iter().zip(b).map(|(a, b)| a * b).sum();
            }
            return Ok(());
        }
        self.smooth(at, b, x)?;
        let coarse_b = self.restrict(at, self.residual(at, b, x)?)?;
        let mut e = memory::zeroed(coarse_b.len())?;
        self.run_cycle(at + 1, &coarse_b, &mut e)?;
        x.iter_mut().zip(self.prolong(at, e)?).for_each(|(x, e)| *x += e);
        self.smooth(at, b, x)
    }

    /// Returns the work of a cycle's matrix products on all levels, in products with the finest matrix.
    pub fn products(&self) -> u64 {
        let whole = self.levels[0].matrix.n() as f64;
        let sweeps =
            |level: &Level| 2.0 * level.dampings.len() as f64 * level.matrix.n() as f64 / whole;
        self.levels.iter().map(sweeps).sum::<f64>().round() as u64
    }

    fn residual(&self, at: usize, b: &[f64], x: &[f64]) -> Result<Vec<f64>, NoMemory> {
        let mut r = memory::copied(b)?;
        self.levels[at].matrix.add_product_of_rows(-1.0, x, 0, &mut r);
        Ok(r)
    }

    fn smooth(&self, at: usize, b: &[f64], x: &mut [f64]) -> Result<(), NoMemory> {
        let level = &self.levels[at];
        for factor in &level.dampings {
            let r = self.residual(at, b, x)?;
            for (index, (x, r)) in x.iter_mut().zip(r).enumerate() {
                let sum: f64 = level.matrix.row_at(index).iter().map(|a| a.abs()).sum();
                *x += if sum == 0.0 { 0.0 } else { factor * r / sum };
            }
        }
        Ok(())
    }

    fn restrict(&self, at: usize, fine: Vec<f64>) -> Result<Vec<f64>, NoMemory> {
        let level = &self.levels[at];
        level
            .transfers
            .iter()
            .try_fold(fine, |fine, transfer| transfer.restrict(&fine, &level.matrix))
    }

    fn prolong(&self, at: usize, coarse: Vec<f64>) -> Result<Vec<f64>, NoMemory> {
        let level = &self.levels[at];
        let back = level.transfers.iter().rev();
        back.into_iter()
            .try_fold(coarse, |coarse, transfer| transfer.prolong(&coarse, &level.matrix))
    }
}

/// Returns all numbers of a matrix of few rows.
///
/// # Errors
/// Out of memory.
pub fn dense(matrix: &GridMatrix) -> Result<Vec<f64>> {
    let (n, csr) = (matrix.n(), matrix.csr()?);
    let mut all = memory::zeroed(n * n)?;
    for row in 0..n {
        let (columns, values) = csr.row(row);
        columns
            .iter()
            .zip(values)
            .for_each(|(column, value)| all[row * n + *column as usize] = *value);
    }
    Ok(all)
}

impl Transfer {
    /// Calls with the numbers of each coarse point and of the fine points before it, at it and behind it.
    fn each(&self, matrix: &GridMatrix, mut call: impl FnMut(usize, [Option<usize>; 3])) {
        let (axis, coarse) = (self.axis, self.p.grid);
        let points = self.fine.points()[axis];
        for (index, place) in coarse.places().enumerate() {
            call(
                index,
                [0, 1, 2].map(|by| {
                    let mut fine = place;
                    fine[axis] = 2 * place[axis] + by;
                    if fine[axis] >= points && matrix.periodic()[axis] {
                        fine[axis] -= points;
                    }
                    (fine[axis] < points).then(|| self.fine.index(fine))
                }),
            );
        }
    }

    /// Returns the restriction of a vector of the finer grid.
    ///
    /// # Errors
    /// Out of memory.
    pub fn restrict(&self, fine: &[f64], matrix: &GridMatrix) -> Result<Vec<f64>, NoMemory> {
        let mut coarse = memory::zeroed(self.p.grid.n())?;
        self.each(matrix, |index, around| {
            let [before, behind] = self.r().at(self.p.grid.place(index));
            let weights = [before, 1.0, behind];
            let terms = around.iter().zip(weights);
            coarse[index] = terms.filter_map(|(at, weight)| Some(weight * fine[(*at)?])).sum();
        });
        Ok(coarse)
    }

    /// Returns the interpolation of a vector of the coarser grid.
    ///
    /// # Errors
    /// Out of memory.
    pub fn prolong(&self, coarse: &[f64], matrix: &GridMatrix) -> Result<Vec<f64>, NoMemory> {
        let mut fine = memory::zeroed(self.fine.n())?;
        self.each(matrix, |index, around| {
            let [before, behind] = self.p.at(self.p.grid.place(index));
            for (at, weight) in around.iter().zip([before, 1.0, behind]) {
                if let Some(at) = at {
                    fine[*at] += weight * coarse[index];
                }
            }
        });
        Ok(fine)
    }
}
