//! Selects the points of the coarse grid.

use super::Nine;

/// The coarsening of a grid: along an axis every second point stays, those of odd index, or all of
/// them. Of n points n / 2 stay, rounded down; the first and, for odd n, the last are interpolated
/// from one neighbour. An axis with one point keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Coarsening {
    /// The distance between the points that stay along x: 2 or 1.
    pub x: usize,
    /// The distance between the points that stay along y: 2 or 1.
    pub y: usize,
}

/// The axes along which levels become coarser.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CoarsenAlong {
    /// The one along which couplings are stronger, and both where they are about as strong: for
    /// smoothers by points.
    Strong,
    /// The grid becomes coarser along both axes.
    Both,
}

/// The factor by which couplings along one axis must be stronger for the grid to become coarser
/// along it alone: errors of point smoothers are smooth only along strong couplings.
const STRONGER: f64 = 2.0;

impl Coarsening {
    /// Chooses the coarsening of a grid whose couplings have these [`strengths`] along x and y;
    /// `None` for a single point.
    pub fn of((width, height): (usize, usize), (along_x, along_y): (f64, f64)) -> Option<Self> {
        let (x, y) = match (width > 1, height > 1) {
            (false, false) => return None,
            (true, true) if along_y > STRONGER * along_x => (1, 2),
            (true, true) if along_x > STRONGER * along_y => (2, 1),
            (wide, high) => (1 + usize::from(wide), 1 + usize::from(high)),
        };
        Some(Coarsening { x, y })
    }

    /// Returns the coarsening along both axes, where they have several points; `None` for a single
    /// point.
    pub fn full(points: (usize, usize)) -> Option<Self> {
        Coarsening::of(points, (0.0, 0.0))
    }

    /// Returns the extent of the coarse grid.
    pub fn coarse(self, (width, height): (usize, usize)) -> (usize, usize) {
        (width / self.x, height / self.y)
    }

    /// Returns the point of the fine grid where a point of the coarse one is.
    pub fn fine(self, x: isize, y: isize) -> (isize, isize) {
        let along = |step: usize, c: isize| step as isize * c + step as isize - 1;
        (along(self.x, x), along(self.y, y))
    }
}

/// The most that a point counts for: where no row is dominated by its couplings it has no effect.
const MOST: f64 = 4.0;

/// Returns the strengths of couplings along x and along y: sums over all points.
pub fn strengths(a: &Nine) -> (f64, f64) {
    let add = |(x, y): (f64, f64), (dx, dy): (f64, f64)| (x + dx, y + dy);
    a.rows().iter().map(strengths_at).fold((0.0, 0.0), add)
}

/// Returns the strengths of a point's couplings along x and along y: sums over both neighbours of
/// the magnitudes of couplings added up across the axis, over the diagonal.
pub fn strengths_at(nine: &[f64; 9]) -> (f64, f64) {
    if nine[4] == 0.0 {
        return (0.0, 0.0);
    }
    let column = |i: usize| (nine[i] + nine[i + 3] + nine[i + 6]).abs();
    let row = |j: usize| (nine[3 * j] + nine[3 * j + 1] + nine[3 * j + 2]).abs();
    let over = |sum: f64| (sum / nine[4].abs()).min(MOST);
    (over(column(0) + column(2)), over(row(0) + row(2)))
}
