//! What is decided for a level, on the device and on the host: its coarsening, its smoother, and the damping of sweeps. The
//! tests have these numbers once more.

use super::{CoarsenAlong, Options, Smoother};

/// A level with no more points than these is solved by its inverse.
pub const COARSEST: usize = 256;
/// The host computes the levels of a matrix of at most so many points, 255 squared are fewer: in less time than a driver takes to
/// compile the programs that compute them on the device, and in about the time that these then take on an H200.
pub(crate) const ON_HOST: usize = 1 << 16;

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

/// The factor by which couplings along one axis must be stronger for the grid to become coarser
/// along it alone: errors of point smoothers are smooth only along strong couplings.
const STRONGER: f64 = 2.0;

impl Coarsening {
    /// Chooses the coarsening of a grid whose couplings have these strengths along x and y;
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

/// An axis of the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Axis {
    /// The lines are rows.
    X,
    /// The lines are columns.
    Y,
}

impl Axis {
    /// Returns the offset of a point at this distance along the axis.
    pub fn by(self, distance: i32) -> [i32; 2] {
        match self {
            Axis::X => [distance, 0],
            Axis::Y => [0, distance],
        }
    }

    /// Returns the points of a line.
    pub fn of(self, (width, height): (usize, usize)) -> usize {
        match self {
            Axis::X => width,
            Axis::Y => height,
        }
    }
}

/// The sweeps of Jacobi's iteration in each half of a cycle.
pub(crate) const DAMPINGS: usize = 2;

/// The damping of the two sweeps of a matrix without symmetry, also in three dimensions.
pub(crate) const WITHOUT_SYMMETRY: [f64; DAMPINGS] = [1.2, 1.9];

/// Returns the damping of Jacobi's two sweeps.
///
/// The eigenvalues of a symmetric positive definite matrix whose rows are divided by the sums of
/// their magnitudes are between 0 and 1; the product of (1 - w t) over the two is Chebyshev's
/// polynomial that is the least from t = 1/4 to 1, at most 0.22 there. Between 0 and 1 it is above
/// -1 and below 1, so that a cycle is symmetric and positive definite. Without symmetry eigenvalues
/// are complex, and less is safer: these two were the best of a few on flows.
pub(crate) fn damping(is_symmetric: bool) -> [f64; DAMPINGS] {
    if is_symmetric { [1.123_4, 2.779_1] } else { WITHOUT_SYMMETRY }
}

/// The damping of Jacobi's sweeps by lines. Lines are coupled to those beside them alone, so that
/// the eigenvalues of T^-1 A, where T has the couplings within lines, are between 0 and 2 for a
/// symmetric positive definite A, in pairs around 1: sweeps with less than 1 converge (Young 1971,
/// on matrices with property A), and with 0.8 cycles took the fewest steps.
pub(crate) const LINE_DAMPING: f64 = 0.8;

/// The fraction of one-sided points from which on a stronger smoother is worth its time: sweeps by lines,
/// or eight in three dimensions, take several times that of two by points, which on a coarse level is little.
const ON_THE_FINEST: f64 = 0.5;
const ON_OTHERS: f64 = 0.1;

/// Returns whether so many points are one-sided that a stronger smoother is worth its time.
pub(crate) fn is_many(one_sided: f64, is_finest: bool) -> bool {
    one_sided > if is_finest { ON_THE_FINEST } else { ON_OTHERS }
}

/// Returns the smoother of a level that becomes coarser along both axes, though points are
/// one-sided: some along x, others along y. There points would leave errors that the coarser level
/// cannot have.
fn suits(one_sided: f64, is_finest: bool) -> Smoother {
    if is_many(one_sided, is_finest) { Smoother::LineJacobi } else { Smoother::Jacobi }
}

/// Sums over the points of a grid, by which a level is planned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measures {
    /// The strengths of the couplings along x and along y.
    pub strengths: (f64, f64),
    /// The number of points that are coupled much more strongly along one axis.
    pub one_sided: f64,
}

/// The coarsening and the smoother of a level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelPlan {
    /// The coarsening to the next level; `None` on the last.
    pub coarsening: Option<Coarsening>,
    /// The smoother of the options, or else the one that suits the level.
    pub smoother: Smoother,
}

impl LevelPlan {
    /// Returns whether the plan of a level depends on the measures of its matrix.
    pub(crate) fn is_open(points: (usize, usize), options: &Options) -> bool {
        let is_set = (options.coarsens(), options.smoother.is_some()) == (CoarsenAlong::Both, true);
        count(points) > COARSEST && !is_set
    }

    /// Plans a level of this many points; the measures are needed only if they decide something.
    pub(crate) fn of(
        points: (usize, usize),
        is_finest: bool,
        measures: Option<Measures>,
        options: &Options,
    ) -> LevelPlan {
        if count(points) <= COARSEST {
            return LevelPlan { coarsening: None, smoother: Smoother::Jacobi };
        }
        let coarsening = match (options.coarsens(), measures) {
            (CoarsenAlong::Strong, Some(measures)) => Coarsening::of(points, measures.strengths),
            _ => Coarsening::full(points),
        };
        let smoother = match (coarsening, options.smoother, measures) {
            (Some(_), Some(smoother), _) => smoother,
            (Some(Coarsening { x: 2, y: 2 }), None, Some(measures)) => {
                suits(measures.one_sided / count(points) as f64, is_finest)
            }
            _ => Smoother::Jacobi,
        };
        LevelPlan { coarsening, smoother }
    }
}

fn count((width, height): (usize, usize)) -> usize {
    width.saturating_mul(height)
}
