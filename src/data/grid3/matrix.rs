//! The matrix of a stencil on a grid of three dimensions.

use std::ops::Range;
use std::sync::Arc;

use super::super::nine_banded::diffusion::coefficients::harmonic_mean;
use super::super::{Csr, Error, Result, Shape, Side};
use super::{ALL, Grid3, MIDDLE, NEIGHBOURS, STAR, neighbour, step};
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

/// What depends on the kind of a point alone: how far it is from both ends of each axis, if that is nearer than a
/// border. Along a periodic axis all points are alike.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Kinds<T> {
    grid: Grid3,
    periodic: [bool; 3],
    border: usize,
    all: Vec<T>,
}

/// The widest border. What is beside an edge changes what interpolation makes of its neighbours, once for each step to a
/// coarser grid until points are left out along this axis; each time by a small part of what it did before.
const WIDEST: usize = 4;
/// The part of the largest number by which numbers of one kind may differ: far less than rounding to 32-bit floats makes.
const ALIKE: f64 = 1e-10;

/// Numbers that kinds of points have.
pub(crate) trait Alike: Clone {
    /// Returns whether others are the same, up to rounding.
    fn is_like(&self, other: &Self) -> bool;
}

impl<const N: usize> Alike for [f64; N] {
    fn is_like(&self, other: &Self) -> bool {
        let largest = self.iter().fold(0.0, |most: f64, number| most.max(number.abs()));
        self.iter().zip(other).all(|(a, b)| (a - b).abs() <= ALIKE * largest)
    }
}

impl<T: Alike> Kinds<T> {
    /// Finds what each kind has by a function of points, and the least border.
    pub(crate) fn new(grid: Grid3, periodic: [bool; 3], of: impl Fn([usize; 3]) -> T) -> Kinds<T> {
        let mut kinds = Kinds { grid, periodic, border: WIDEST, all: Vec::new() };
        kinds.all = kinds.places().map(of).collect();
        while kinds.border > 0 {
            let less = Kinds { border: kinds.border - 1, all: Vec::new(), ..kinds.clone() };
            let all = less.places().map(|place| kinds.at(place).clone()).collect();
            let less = Kinds { all, ..less };
            if kinds.places().any(|place| !kinds.at(place).is_like(less.at(place))) {
                break;
            }
            kinds = less;
        }
        kinds
    }

    /// Returns what a point has.
    pub(crate) fn at(&self, place: [usize; 3]) -> &T {
        &self.all[self.kind(place)]
    }

    /// Returns what each kind along x has in each kind of lines, from those of the first line along y on.
    pub(crate) fn lines(&self) -> impl Iterator<Item = &[T]> {
        self.all.chunks(2 * self.border + 1)
    }

    /// Returns what each kind along x has in lines that are inside.
    pub(crate) fn line_inside(&self) -> &[T] {
        let across = 2 * self.border + 1;
        let from = self.all.len() / 2 - self.border;
        &self.all[from..from + across]
    }

    /// Returns how many kinds there are at each end of an axis.
    pub(crate) fn border(&self) -> usize {
        self.border
    }

    /// Returns the places along an axis that are inside.
    pub(crate) fn inside(&self, axis: usize) -> Range<usize> {
        match self.periodic[axis] {
            true => 0..self.grid.points[axis],
            false => self.border..self.grid.points[axis].saturating_sub(self.border),
        }
    }

    fn along(&self, axis: usize, place: usize) -> usize {
        let (points, border) = (self.grid.points[axis], self.border);
        match place {
            _ if self.periodic[axis] => border,
            _ if place < border => place,
            _ if place + border >= points => place + 2 * border + 1 - points,
            _ => border,
        }
    }

    pub(crate) fn kind(&self, place: [usize; 3]) -> usize {
        let along = |axis: usize| self.along(axis, place[axis]);
        let across = 2 * self.border + 1;
        (along(2) * across + along(1)) * across + along(0)
    }

    /// Returns a place of a kind along an axis, or any where none is of it.
    fn place(&self, axis: usize, kind: usize) -> usize {
        let (last, border) = (self.grid.points[axis] - 1, self.border);
        match kind {
            _ if self.periodic[axis] => 0,
            _ if kind <= border => kind.min(last),
            _ => last.saturating_sub(2 * border - kind),
        }
    }

    /// Returns a point of each kind, or any where none is of it.
    fn places(&self) -> impl Iterator<Item = [usize; 3]> + use<T> {
        let across = 2 * self.border + 1;
        let along = |axis: usize| -> Vec<usize> {
            (0..across).map(|kind| self.place(axis, kind)).collect()
        };
        let [x, y, z] = [0, 1, 2].map(along);
        (0..across.pow(3)).map(move |kind| {
            [x[kind % across], y[kind / across % across], z[kind / across / across]]
        })
    }

    /// Returns a point of each kind that there is, and how many are of it.
    fn representatives(&self) -> impl Iterator<Item = ([usize; 3], usize)> + '_ {
        let across = 2 * self.border + 1;
        let count = move |axis: usize, kind: usize| {
            let points = self.grid.points[axis];
            match kind == self.border {
                true if self.periodic[axis] => points,
                true => points.saturating_sub(2 * self.border),
                false => usize::from(
                    !self.periodic[axis] && self.along(axis, self.place(axis, kind)) == kind,
                ),
            }
        };
        self.places().enumerate().filter_map(move |(kind, place)| {
            let count = count(0, kind % across)
                * count(1, kind / across % across)
                * count(2, kind / across / across);
            (count > 0).then_some((place, count))
        })
    }
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
        row: impl Fn([usize; 3]) -> Row,
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
                return Err(Error::CouplingNotFinite { row, step: step(*k), value: band[row] });
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
        let mut bands = Vec::new();
        for k in 0..NEIGHBOURS {
            let mut band = memory::zeroed(grid.n())?;
            host_threads::fill(&mut band, grid.points[0], |first, band| {
                for (index, number) in (first..).zip(band) {
                    *number = row(grid.place(index))[k];
                }
            });
            bands.push(band);
        }
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
            return Err(Error::CoefficientsOfGrid { grid: grid.points, got: k.len() });
        }
        if let Some(index) = k.iter().position(|k| !(*k > 0.0 && k.is_finite())) {
            return Err(Error::CoefficientAt { place: grid.place(index), value: k[index] });
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
                return Err(Error::RowOutside { row, column, rows: n });
            }
            if column >= n {
                return Err(Error::ColumnOutside { row, column, columns: n });
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
                        return Err(Error::NotNeighbours {
                            row,
                            column,
                            from,
                            to,
                            grid: grid.points,
                        });
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
        let kept: Vec<usize> = if is_star { STAR.into() } else { (0..NEIGHBOURS).collect() };
        let mut all = Vec::new();
        for k in kept {
            let band = std::mem::take(&mut bands[k]);
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

    /// Returns the matrix without stored couplings, if these depend on the kinds of points alone.
    fn in_least_form(self) -> GridMatrix {
        let by_kinds = GridMatrix::by_kinds(self.grid, self.periodic, |place| self.row(place));
        match by_kinds {
            Ok(other) if (0..self.n()).all(|at| other.row_at(at) == self.row_at(at)) => other,
            _ => self,
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
        let mut there = place;
        for axis in 0..3 {
            let points = self.grid.points[axis];
            let along = there[axis] as isize + step[axis];
            there[axis] = match usize::try_from(along) {
                Ok(inside) if inside < points => inside,
                _ if self.periodic[axis] => along.rem_euclid(points as isize) as usize,
                _ => return None,
            };
        }
        Some(there)
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
        if self.star { &STAR } else { &ALL }
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
                kinds.all.iter_mut().flatten().for_each(|number| *number *= factor);
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
        Some(k) => Err(Error::CouplingNotFinite { row, step: step(k), value: numbers[k] }),
        None => Ok(()),
    }
}

/// Returns a coupling of diffusion with these coefficients.
fn diffusive(grid: Grid3, k: &[f64], place: [usize; 3], to: usize) -> f64 {
    let here = k[grid.index(place)];
    let face = |step: [isize; 3]| {
        let mut there = place;
        for axis in 0..3 {
            match there[axis].checked_add_signed(step[axis]) {
                Some(beside) if beside < grid.points[axis] => there[axis] = beside,
                _ => return (here, false),
            }
        }
        (harmonic_mean(here, k[grid.index(there)]), true)
    };
    match to {
        MIDDLE => STAR.iter().filter(|k| **k != MIDDLE).map(|k| face(step(*k)).0).sum(),
        to => match face(step(to)) {
            (mean, true) => -mean,
            _ => 0.0,
        },
    }
}
