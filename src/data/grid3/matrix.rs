//! The matrix of a stencil on a grid of three dimensions.

#[cfg(feature = "cluster")]
mod slab;

use std::sync::Arc;

use super::super::nine_banded::diffusion::coefficients::harmonic_mean;
use super::super::{Csr, EntryError, Result, Shape, Side, StencilError};
use super::kinds::Kinds;
use super::{Grid3, MIDDLE, NEIGHBOURS, STAR, neighbour, neighbours, step};
use crate::memory::{self, host_threads};

/// The couplings of a point, with itself and its 26 neighbours, in the order of the grid.
pub(crate) type Row = [f64; NEIGHBOURS];

/// A square matrix that couples each point of a [`Grid3`] to its neighbours: the six along the axes, or all 26.
///
/// Couplings that are the same at all points with the same sides are not stored: there are few kinds of points, by
/// how near they are to the ends of the axes. Along a periodic axis the last point is a neighbour of the first.
///
/// ```
/// use quadrille::data::{Grid3, GridMatrix, Side};
///
/// let mut couplings = [0.0; 27];
/// couplings[13] = 6.0; // the point itself
/// [4, 10, 12, 14, 16, 22].map(|beside| couplings[beside] = -1.0);
/// let matrix = GridMatrix::constant(Grid3::new(3, 3, 3)?, couplings, [Side::Dirichlet; 3])?;
/// let mut y = vec![0.0; 27];
/// matrix.add_product(&[1.0; 27], &mut y);
/// assert_eq!((y[0], y[1], y[13]), (3.0, 2.0, 0.0));
/// # Ok::<(), quadrille::data::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct GridMatrix {
    grid: Grid3,
    periodic: [bool; 3],
    pub(super) entries: Entries,
    star: bool,
}

/// The couplings of all points.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Entries {
    /// Those of each kind of points.
    Kinds(Kinds<Row>),
    /// A number for each point, for the neighbours of [`STAR`] or for all.
    Stored(Arc<Vec<Vec<f64>>>),
}

impl GridMatrix {
    /// Creates a matrix of the same couplings at all points. Those that leave the grid are what its sides say, along
    /// x, y and z.
    ///
    /// # Errors
    /// A number is not finite.
    pub fn constant(grid: Grid3, couplings: [f64; 27], sides: [Side; 3]) -> Result<GridMatrix> {
        let periodic = sides.map(|side| side == Side::Periodic);
        GridMatrix::by_kinds(grid, periodic, |place| {
            let mut row = [0.0; NEIGHBOURS];
            for (k, coupling) in couplings.iter().enumerate() {
                let mut to = step(k);
                let stands = (0..3).all(|axis| {
                    let points = grid.points[axis];
                    let beside = place[axis].checked_add_signed(to[axis]);
                    let outside = beside.is_none_or(|beside| beside >= points);
                    // The point that stands for one beyond an edge without flux is the one inside next to it.
                    if outside && sides[axis] == Side::Neumann {
                        to[axis] = 0;
                    }
                    !outside || sides[axis] != Side::Dirichlet
                });
                if stands {
                    row[neighbour(to)] += coupling;
                }
            }
            row
        })
    }

    /// Creates a matrix whose couplings depend on the kind of a point alone, from the couplings at a point.
    pub(crate) fn by_kinds(
        grid: Grid3,
        periodic: [bool; 3],
        row: impl Fn([usize; 3]) -> Row + Sync,
    ) -> Result<GridMatrix> {
        let kinds = Kinds::new(grid, periodic, row);
        for (place, _) in kinds.representatives() {
            check(grid.index(place), kinds.at(place))?;
        }
        let is_star = |row: &Row| (0..NEIGHBOURS).all(|k| STAR.contains(&k) || row[k] == 0.0);
        let star = kinds.representatives().all(|(place, _)| is_star(kinds.at(place)));
        Ok(GridMatrix { grid, periodic, entries: Entries::Kinds(kinds), star })
    }

    /// Creates a matrix of a number for each point and each of the seven couplings along the axes, or of all 27.
    /// What leaves the grid must be zero.
    pub(crate) fn stored(
        grid: Grid3,
        periodic: [bool; 3],
        bands: Vec<Vec<f64>>,
    ) -> Result<GridMatrix> {
        let star = bands.len() == STAR.len();
        let matrix = GridMatrix { grid, periodic, entries: Entries::Stored(Arc::new(bands)), star };
        let Entries::Stored(bands) = &matrix.entries else { return Ok(matrix) };
        for (band, k) in bands.iter().zip(matrix.neighbours()) {
            if let Some(row) = band.iter().position(|number| !number.is_finite()) {
                return Err(EntryError::CouplingNotFinite {
                    row,
                    step: step(*k),
                    value: band[row],
                }
                .into());
            }
        }
        Ok(matrix)
    }

    /// Creates a matrix from the couplings of each point.
    pub(crate) fn by_rows(
        grid: Grid3,
        periodic: [bool; 3],
        row: impl Fn([usize; 3]) -> Row + Sync,
    ) -> Result<GridMatrix> {
        let mut bands: Vec<Vec<f64>> = Vec::new();
        for _ in 0..NEIGHBOURS {
            bands.push(memory::zeroed(grid.n())?);
        }
        fill_together(&mut bands, 1 << 12, |first, bands| {
            for at in 0..bands[0].len() {
                let row = row(grid.place(first + at));
                bands.iter_mut().zip(row).for_each(|(band, number)| band[at] = number);
            }
        });
        let is_zero = |k: usize| bands[k].iter().all(|number| *number == 0.0);
        if (0..NEIGHBOURS).all(|k| STAR.contains(&k) || is_zero(k)) {
            bands = STAR.map(|k| std::mem::take(&mut bands[k])).into();
        }
        GridMatrix::stored(grid, periodic, bands)
    }

    /// Creates -div(k grad u) by 7 points from a coefficient at each point, above 0. The coefficient at a face is the
    /// harmonic mean of those at both sides of it. Beyond the grid u is zero, and the coefficient that of the point
    /// at the edge.
    ///
    /// # Errors
    /// There are not as many coefficients as points, or one is not above zero or not finite.
    pub fn diffusion(grid: Grid3, k: &[f64]) -> Result<GridMatrix> {
        if k.len() != grid.n() {
            return Err(StencilError::CoefficientsOfGrid { grid: grid.points, got: k.len() }.into());
        }
        if let Some(index) = k.iter().position(|k| !(*k > 0.0 && k.is_finite())) {
            return Err(
                StencilError::CoefficientAt { place: grid.place(index), value: k[index] }.into()
            );
        }
        let mut bands = Vec::new();
        for neighbour in STAR {
            let mut band: Vec<f64> = memory::zeroed(grid.n())?;
            host_threads::fill(&mut band, grid.points[0], |first, band| {
                for (index, number) in (first..).zip(band) {
                    *number = diffusive(grid, k, grid.place(index), neighbour);
                }
            });
            bands.push(band);
        }
        GridMatrix::stored(grid, [false; 3], bands)
    }

    /// Creates a matrix from its entries, each with its row and its column, from 0. Entries at the same place are
    /// summed. An entry that couples the two ends of an axis of more than two points makes that axis periodic.
    /// Couplings that depend on the kind of a point alone are not stored.
    ///
    /// # Errors
    /// An entry couples points that are no neighbours, or is outside, or not finite; out of memory.
    pub fn from_entries<I: IntoIterator<Item = (usize, usize, f64)>>(
        grid: Grid3,
        entries: impl Fn() -> I,
    ) -> Result<GridMatrix> {
        let n = grid.n();
        let mut periodic = [false; 3];
        let mut bands: Vec<Vec<f64>> = vec![Vec::new(); NEIGHBOURS];
        for (row, column, value) in entries() {
            if row >= n {
                return Err(EntryError::RowOutside { row, column, rows: n }.into());
            }
            if column >= n {
                return Err(EntryError::ColumnOutside { row, column, columns: n }.into());
            }
            if value == 0.0 {
                continue;
            }
            let (from, to) = (grid.place(row), grid.place(column));
            let mut between = [0; 3];
            for axis in 0..3 {
                let (points, by) =
                    (grid.points[axis] as isize, to[axis] as isize - from[axis] as isize);
                between[axis] = match by {
                    -1..=1 => by,
                    _ if by.abs() == points - 1 => {
                        periodic[axis] = true;
                        -by.signum()
                    }
                    _ => {
                        return Err(EntryError::NotNeighbours {
                            row,
                            column,
                            from,
                            to,
                            grid: grid.points,
                        }
                        .into());
                    }
                };
            }
            let band = &mut bands[neighbour(between)];
            if band.is_empty() {
                *band = memory::zeroed(n)?;
            }
            band[row] += value;
        }
        let is_star = (0..NEIGHBOURS).all(|k| STAR.contains(&k) || bands[k].is_empty());
        let mut all = Vec::new();
        for k in neighbours(is_star) {
            let band = std::mem::take(&mut bands[*k]);
            all.push(if band.is_empty() { memory::zeroed(n)? } else { band });
        }
        Ok(GridMatrix::stored(grid, periodic, all)?.in_least_form())
    }

    /// Returns the matrix with a number stored for each point and coupling, as one has it whose couplings vary.
    ///
    /// # Errors
    /// Out of memory.
    pub fn in_stored_form(&self) -> Result<GridMatrix> {
        GridMatrix::by_rows(self.grid, self.periodic, |place| self.row(place))
    }

    /// Returns the matrix without stored couplings, if these are the same at all points but those at the edges.
    fn in_least_form(self) -> GridMatrix {
        let by_kinds = GridMatrix::by_kinds(self.grid, self.periodic, |place| self.row(place));
        let Ok(other) = by_kinds else { return self };
        let is_constant = other.kinds().is_some_and(|kinds| kinds.border() < 2);
        match is_constant && (0..self.n()).all(|at| other.row_at(at) == self.row_at(at)) {
            true => other,
            false => self,
        }
    }

    /// Returns the grid.
    pub fn grid(&self) -> Grid3 {
        self.grid
    }

    /// Returns the number of rows, and of columns.
    pub fn n(&self) -> usize {
        self.grid.n()
    }

    /// Returns whether the ends of the axes x, y and z are neighbours.
    pub fn periodic(&self) -> [bool; 3] {
        self.periodic
    }

    /// Returns whether points are coupled along the axes alone: by seven numbers each, else by 27.
    pub fn is_star(&self) -> bool {
        self.star
    }

    /// Returns whether a number for each point and each coupling is stored.
    pub fn is_stored(&self) -> bool {
        matches!(self.entries, Entries::Stored(_))
    }

    /// Returns the couplings of each kind of points, if they depend on that alone.
    pub(crate) fn kinds(&self) -> Option<&Kinds<Row>> {
        match &self.entries {
            Entries::Kinds(kinds) => Some(kinds),
            Entries::Stored(_) => None,
        }
    }

    /// Returns the neighbour of a point, if there is one.
    pub(crate) fn beside(&self, place: [usize; 3], step: [isize; 3]) -> Option<[usize; 3]> {
        self.grid.beside(self.periodic, place, step)
    }

    /// Returns the couplings of a point.
    pub(crate) fn row(&self, place: [usize; 3]) -> Row {
        match &self.entries {
            Entries::Kinds(kinds) => *kinds.at(place),
            Entries::Stored(_) => self.row_at(self.grid.index(place)),
        }
    }

    /// Returns the couplings of the point of this number.
    #[doc(hidden)]
    pub fn row_at(&self, index: usize) -> [f64; 27] {
        let mut row = [0.0; NEIGHBOURS];
        match &self.entries {
            Entries::Kinds(kinds) => row = *kinds.at(self.grid.place(index)),
            Entries::Stored(bands) if self.star => {
                STAR.iter().zip(bands.iter()).for_each(|(k, band)| row[*k] = band[index]);
            }
            Entries::Stored(bands) => {
                row.iter_mut().zip(bands.iter()).for_each(|(number, band)| *number = band[index]);
            }
        }
        row
    }

    /// Returns points whose rows stand for all, each with how many it stands for: of each kind one, or every point.
    pub(crate) fn representatives(&self) -> Box<dyn Iterator<Item = ([usize; 3], usize)> + '_> {
        match &self.entries {
            Entries::Kinds(kinds) => Box::new(kinds.representatives()),
            Entries::Stored(_) => Box::new(self.grid.places().map(|place| (place, 1))),
        }
    }

    /// Returns the numbers of the neighbours that a point may be coupled to.
    pub(crate) fn neighbours(&self) -> &'static [usize] {
        neighbours(self.star)
    }

    /// Returns the stored numbers of all points, for each of the [neighbours](Self::neighbours).
    pub(crate) fn bands(&self) -> Option<&[Vec<f64>]> {
        match &self.entries {
            Entries::Kinds(_) => None,
            Entries::Stored(bands) => Some(bands),
        }
    }

    /// Returns the coupling of a point to one of the [neighbours](Self::neighbours), by its place in their list.
    pub(crate) fn number(&self, place: [usize; 3], at: usize) -> f64 {
        match &self.entries {
            Entries::Kinds(kinds) => kinds.at(place)[self.neighbours()[at]],
            Entries::Stored(bands) => bands[at][self.grid.index(place)],
        }
    }

    /// Returns the matrix by its rows.
    ///
    /// # Errors
    /// Those of [`Csr::from_entries`].
    pub fn csr(&self) -> Result<Csr<f64>> {
        let entries = self.grid.places().enumerate().flat_map(|(row, place)| {
            let numbers = self.row(place);
            (0..NEIGHBOURS).filter_map(move |k| {
                let column = self.grid.index(self.beside(place, step(k))?);
                Some((row, column, numbers[k]))
            })
        });
        Csr::from_entries(Shape::new(self.n(), self.n()), entries)
    }

    /// Returns the matrix times a factor.
    pub(crate) fn times(&self, factor: f64) -> Result<GridMatrix> {
        if factor == 1.0 {
            return Ok(self.clone());
        }
        let entries = match &self.entries {
            Entries::Kinds(kinds) => {
                let mut kinds = kinds.clone();
                kinds.all_mut().iter_mut().flatten().for_each(|number| *number *= factor);
                Entries::Kinds(kinds)
            }
            Entries::Stored(bands) => {
                let times = |band: &Vec<f64>| {
                    memory::collected(band.len(), band.iter().map(|a| factor * a))
                };
                Entries::Stored(Arc::new(
                    bands.iter().map(times).collect::<std::result::Result<_, _>>()?,
                ))
            }
        };
        Ok(GridMatrix { entries, ..self.clone() })
    }

    /// Returns the diagonal entry of a point.
    pub(crate) fn diagonal(&self, place: [usize; 3]) -> f64 {
        self.row(place)[MIDDLE]
    }
}

fn check(row: usize, numbers: &Row) -> Result<()> {
    match numbers.iter().position(|number| !number.is_finite()) {
        Some(k) => {
            Err(EntryError::CouplingNotFinite { row, step: step(k), value: numbers[k] }.into())
        }
        None => Ok(()),
    }
}

/// Returns a coupling of diffusion with these coefficients.
fn diffusive(grid: Grid3, k: &[f64], place: [usize; 3], to: usize) -> f64 {
    let here = k[grid.index(place)];
    let face = |step: [isize; 3]| match grid.beside([false; 3], place, step) {
        Some(there) => (harmonic_mean(here, k[grid.index(there)]), true),
        None => (here, false),
    };
    match to {
        MIDDLE => STAR.iter().filter(|k| **k != MIDDLE).map(|k| face(step(*k)).0).sum(),
        to => match face(step(to)) {
            (mean, true) => -mean,
            _ => 0.0,
        },
    }
}

/// Fills lists of one length together, in parts of whole blocks, each by a thread: `work` is given the place of the first
/// of a part, and that part of each list.
fn fill_together<B: Send>(
    lists: &mut [Vec<B>],
    block: usize,
    work: impl Fn(usize, &mut [&mut [B]]) + Sync,
) {
    let length = lists.first().map_or(0, Vec::len);
    let size = host_threads::share(length, block);
    let mut chunks: Vec<_> = lists.iter_mut().map(|list| list.chunks_mut(size)).collect();
    let parts = (0..length).step_by(size).map(|first| {
        let part: Vec<_> = chunks.iter_mut().filter_map(Iterator::next).collect();
        (first, part)
    });
    host_threads::shared(parts, |(first, mut part)| work(first, &mut part));
}
