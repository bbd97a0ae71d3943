//! What is decided for the levels of multigrid, once more: the coarsening, the smoother and the damping, by which tests make levels
//! on the host. The numbers are those of the sources, not the library's constants: what is wrong there differs from here.

use quadrille::data::GridMatrix;
use quadrille::internal::host::grid3::{self, one_sided, strengths};
use quadrille::internal::host::multigrid::{Decisions, Hierarchy, Nine, measures};
use quadrille::internal::plan::{LevelPlan, SpaceLevelPlan};
use quadrille::linalg::multigrid::{CoarsenAlong, Coarsening, Smoother};

/// Lines are damped by less than 1, at which eigenvalues between 0 and 2 in pairs around 1 would stay (Young 1971).
pub(crate) const LINES: f64 = 0.8;

/// The factors of Richardson's iteration that are the best from `least` to 1: the reciprocals of the roots of Chebyshev's
/// polynomial there.
fn best(least: f64, sweeps: u32) -> Vec<f64> {
    let root = |i: u32| (std::f64::consts::PI * (f64::from(i) + 0.5) / f64::from(sweeps)).cos();
    (0..sweeps).map(|i| 2.0 / (1.0 + least + (1.0 - least) * root(i))).collect()
}

/// Returns whether many points are coupled four times as strongly along one axis: half of the finest level's, a tenth of others.
fn is_many(one_sided: f64, is_finest: bool) -> bool {
    one_sided > if is_finest { 0.5 } else { 0.1 }
}

/// Makes the levels of a matrix, smoothed as the options say, or as suits each.
pub(crate) fn hierarchy(
    a: Nine,
    (along, smoother): (CoarsenAlong, Option<Smoother>),
    symmetric: bool,
    singular: bool,
) -> Hierarchy {
    let level = |a: &Nine, is_finest: bool| {
        let ((width, height), sums) = (a.extent(), measures(a));
        let (x, y) = match sums.strengths {
            _ if width * height <= 256 => (1, 1),
            (_, _) if along == CoarsenAlong::Both || width == 1 || height == 1 => {
                (1 + usize::from(width > 1), 1 + usize::from(height > 1))
            }
            // An axis stays where it is coupled less than half as strongly.
            (x, y) => (1 + usize::from(2.0 * x >= y), 1 + usize::from(2.0 * y >= x)),
        };
        let suits = match is_many(sums.one_sided / (width * height) as f64, is_finest) {
            true if x == y => Smoother::LineJacobi,
            _ => Smoother::Jacobi,
        };
        let is_last = (x, y) == (1, 1);
        LevelPlan {
            coarsening: (!is_last).then_some(Coarsening { x, y }),
            smoother: if is_last { Smoother::Jacobi } else { smoother.unwrap_or(suits) },
        }
    };
    let points = match symmetric {
        // Sweeps by points reduce the upper three quarters of the spectrum.
        true => best(0.25, 2),
        false => vec![1.2, 1.9],
    };
    let decisions = Decisions { level: &level, points: [points[0], points[1]], lines: LINES };
    Hierarchy::new(a, symmetric, singular, &decisions)
}

/// Plans a level of a grid of three dimensions.
fn in_space(
    matrix: &GridMatrix,
    along: CoarsenAlong,
    symmetric: bool,
    is_finest: bool,
) -> SpaceLevelPlan {
    let (points, periodic, sums) = (matrix.grid().points(), matrix.periodic(), strengths(matrix));
    let can = |axis: &usize| points[*axis] > 1 && !(periodic[*axis] && points[*axis] % 2 == 1);
    let most = (0..3).filter(can).map(|axis| sums[axis]).fold(0.0, f64::max);
    let halves =
        |axis: usize| can(&axis) && (along == CoarsenAlong::Both || 2.0 * sums[axis] >= most);
    let steps = [0, 1, 2].map(|axis| if halves(axis) { 2 } else { 1 });
    if steps == [1; 3] || points.iter().product::<usize>() <= 256 {
        return SpaceLevelPlan { steps: None, dampings: Vec::new() };
    }
    let is_full = (0..3).all(|axis| steps[axis] == 2 || points[axis] == 1);
    let dampings = match is_full && is_many(one_sided(matrix), is_finest) {
        _ if !symmetric => vec![1.2, 1.9],
        true => best(1.0 / 50.0, 8),
        false => best(1.0 / 6.0, 2),
    };
    SpaceLevelPlan { steps: Some(steps), dampings }
}

/// Makes the levels of a matrix on a grid of three dimensions.
pub(crate) fn space_levels(
    matrix: &GridMatrix,
    along: CoarsenAlong,
    symmetric: bool,
) -> Vec<grid3::Level> {
    let decide = |matrix: &GridMatrix, is_finest| in_space(matrix, along, symmetric, is_finest);
    grid3::levels(matrix, symmetric, &decide).unwrap()
}

/// Makes a hierarchy of one.
pub(crate) fn space_hierarchy(
    matrix: &GridMatrix,
    along: CoarsenAlong,
    symmetric: bool,
) -> grid3::Hierarchy {
    let decide = |matrix: &GridMatrix, is_finest| in_space(matrix, along, symmetric, is_finest);
    grid3::Hierarchy::new(matrix, symmetric, false, &decide).unwrap().unwrap()
}
