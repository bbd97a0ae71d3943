//! Smoothers.

use super::Nine;

/// A smoother of a level's error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Smoother {
    /// Two sweeps of Jacobi's iteration, each row divided by the sum of its magnitudes.
    #[default]
    Jacobi,
    /// A damped sweep of Jacobi's iteration by rows, and one by columns: all lines at once, each
    /// solved as a whole.
    LineJacobi,
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
pub const DAMPINGS: usize = 2;

/// Returns the damping of Jacobi's two sweeps.
///
/// The eigenvalues of a symmetric positive definite matrix whose rows are divided by the sums of
/// their magnitudes are between 0 and 1; the product of (1 - w t) over the two is Chebyshev's
/// polynomial that is the least from t = 1/4 to 1, at most 0.22 there. Between 0 and 1 it is above
/// -1 and below 1, so that a cycle is symmetric and positive definite. Without symmetry eigenvalues
/// are complex, and less is safer: these two were the best of a few on flows.
pub fn damping(is_symmetric: bool) -> [f64; DAMPINGS] {
    if is_symmetric { [1.123_4, 2.779_1] } else { [1.2, 1.9] }
}

/// Returns the sums of magnitudes of the rows.
pub fn magnitudes(a: &Nine) -> Vec<f64> {
    a.rows().iter().map(|nine| nine.iter().map(|number| number.abs()).sum()).collect()
}

/// Runs a sweep of Jacobi's iteration with the sums of magnitudes of the rows in the diagonal's
/// place.
pub fn jacobi(a: &Nine, damping: f64, b: &[f64], x: &mut [f64]) {
    let residual = a.residual(b, x);
    for ((x, r), divisor) in x.iter_mut().zip(residual).zip(magnitudes(a)) {
        if divisor != 0.0 {
            *x += damping * r / divisor;
        }
    }
}
