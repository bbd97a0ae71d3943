//! Grids of three dimensions, and the matrices of stencils on them.

pub(crate) mod any_stencil;
pub(crate) mod kinds;
pub(crate) mod matrix;
mod product;
pub(crate) mod stencil;

use super::{EntryError, Error, MAX_UNKNOWNS, Result};

/// The points of a three-dimensional grid along x, y and z. They are numbered line by line along x, the lines of
/// a slice one after the other, and slice by slice along z: the order of an array of shape (z, y, x).
///
/// ```
/// use quadrille::data::Grid3;
/// let grid = Grid3::new(5, 4, 3)?;
/// assert_eq!((grid.n(), grid.index([4, 0, 1])), (60, 24));
/// assert_eq!(grid.place(24), [4, 0, 1]);
/// # Ok::<(), quadrille::data::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Grid3 {
    points: [usize; 3],
}

impl Grid3 {
    /// Creates a grid of this many points along each axis.
    ///
    /// # Errors
    /// There are no points, or more than [`MAX_UNKNOWNS`].
    pub fn new(x: usize, y: usize, z: usize) -> Result<Grid3> {
        let n = x.saturating_mul(y).saturating_mul(z);
        match n {
            0 => Err(EntryError::EmptyGrid { points: [x, y, z] }.into()),
            _ if n > MAX_UNKNOWNS => {
                Err(Error::TooLarge { what: "the number of unknowns", got: n })
            }
            _ => Ok(Grid3 { points: [x, y, z] }),
        }
    }

    /// Returns the points along x, y and z.
    pub fn points(self) -> [usize; 3] {
        self.points
    }

    /// Returns the number of points.
    pub fn n(self) -> usize {
        self.points.iter().product()
    }

    /// Returns the number of a point.
    pub fn index(self, [x, y, z]: [usize; 3]) -> usize {
        let [width, height, _] = self.points;
        (z * height + y) * width + x
    }

    /// Returns the point of a number.
    pub fn place(self, index: usize) -> [usize; 3] {
        let [width, height, _] = self.points;
        let line = index / width;
        [index % width, line % height, line / height]
    }

    /// Returns the neighbour of a point at a step, if there is one.
    pub(crate) fn beside(
        self,
        periodic: [bool; 3],
        place: [usize; 3],
        step: [isize; 3],
    ) -> Option<[usize; 3]> {
        let mut there = place;
        for axis in 0..3 {
            let points = self.points[axis];
            let along = there[axis] as isize + step[axis];
            there[axis] = match usize::try_from(along) {
                Ok(inside) if inside < points => inside,
                _ if periodic[axis] => along.rem_euclid(points as isize) as usize,
                _ => return None,
            };
        }
        Some(there)
    }

    /// Returns all points in their order.
    pub(crate) fn places(self) -> impl Iterator<Item = [usize; 3]> {
        (0..self.n()).map(move |index| self.place(index))
    }
}

impl std::fmt::Display for Grid3 {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [x, y, z] = self.points;
        write!(f, "{x} x {y} x {z}")
    }
}

/// The number of points that a point is coupled to, with itself.
pub(crate) const NEIGHBOURS: usize = 27;
/// The number of the point itself among them.
pub(crate) const MIDDLE: usize = 13;
/// The numbers of the point and of the six beside it along the axes.
pub(crate) const STAR: [usize; 7] = [4, 10, 12, MIDDLE, 14, 16, 22];

/// Returns the numbers of the neighbours that couplings along the axes alone have, or all.
pub(crate) fn neighbours(star: bool) -> &'static [usize] {
    if star { &STAR } else { &ALL }
}

/// The numbers of all.
const ALL: [usize; NEIGHBOURS] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
    26,
];

/// The steps along x, y and z to all.
const STEPS: [[isize; 3]; NEIGHBOURS] = {
    let (mut steps, mut k) = ([[0; 3]; NEIGHBOURS], 0);
    while k < NEIGHBOURS {
        steps[k] = [k as isize % 3 - 1, k as isize / 3 % 3 - 1, k as isize / 9 - 1];
        k += 1;
    }
    steps
};

/// The numbers of the nine that are before the point along each axis, beside it, and behind it.
pub(crate) const PLANES: [[[usize; 9]; 3]; 3] = {
    let (mut planes, mut counts, mut k) = ([[[0; 9]; 3]; 3], [[0; 3]; 3], 0);
    while k < NEIGHBOURS {
        let mut axis = 0;
        while axis < 3 {
            let plane = (STEPS[k][axis] + 1) as usize;
            planes[axis][plane][counts[axis][plane]] = k;
            counts[axis][plane] += 1;
            axis += 1;
        }
        k += 1;
    }
    planes
};

/// Returns the step along x, y and z to a neighbour.
pub(crate) fn step(neighbour: usize) -> [isize; 3] {
    STEPS[neighbour]
}

/// Returns the number of the neighbour at a step.
pub(crate) fn neighbour([x, y, z]: [isize; 3]) -> usize {
    (9 * (z + 1) + 3 * (y + 1) + x + 1) as usize
}
