//! The eigenvalues of a constant operator: plain arithmetic, no GL.

use crate::NoMemory;
use crate::data::{ConstantOperator, Side};
use crate::memory;

/// The squared sines of half the angle of each mode, along x and along y.
pub(crate) struct Modes {
    operator: ConstantOperator,
    pub(super) squares: [Vec<f64>; 2],
}

/// An eigenvalue, and the mode along x and along y that has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Eigenvalue {
    pub(crate) value: f64,
    pub(crate) mode: [usize; 2],
}

impl Modes {
    pub(crate) fn new(operator: ConstantOperator) -> Result<Modes, NoMemory> {
        let (width, height) = operator.points();
        let of = |side: Side, points: usize| {
            let square = |k| (0.5 * side.angle(k, points)).sin().powi(2);
            memory::collected(points, (0..points).map(square))
        };
        let [x, y] = operator.sides();
        Ok(Modes { operator, squares: [of(x, width)?, of(y, height)?] })
    }

    fn at(&self, mode: [usize; 2]) -> Eigenvalue {
        let [k, l] = mode;
        let value = self.operator.eigenvalue(self.squares[0][k], self.squares[1][l]);
        Eigenvalue { value, mode }
    }

    /// Returns how many modes along an axis have squares of their own, which grow from the first.
    fn growing(&self, axis: usize) -> usize {
        let count = self.squares[axis].len();
        if self.operator.sides()[axis] == Side::Periodic { count / 2 + 1 } else { count }
    }

    /// Returns the eigenvalue of the largest magnitude: an eigenvalue is linear in both squares, so
    /// that it is at a corner.
    pub(crate) fn largest(&self) -> Eigenvalue {
        let ends = [0, 1].map(|axis| [0, self.growing(axis) - 1]);
        let corners = ends[0].into_iter().flat_map(|k| ends[1].map(|l| self.at([k, l])));
        corners.fold(
            self.at([0, 0]),
            |most, one| {
                if one.value.abs() > most.value.abs() { one } else { most }
            },
        )
    }

    /// Returns the eigenvalue of the constants, unless they are no mode.
    pub(crate) fn of_constants(&self) -> Option<Eigenvalue> {
        (!self.operator.sides().contains(&Side::Dirichlet)).then(|| self.at([0, 0]))
    }

    /// Returns the eigenvalue next to zero, without that of the first mode if `without_first`; `None`
    /// if there is no other.
    pub(crate) fn least(&self, without_first: bool) -> Option<Eigenvalue> {
        let squares = &self.squares[1][..self.growing(1)];
        let mut least: Option<Eigenvalue> = None;
        for k in 0..self.growing(0) {
            let p = self.squares[0][k];
            // Along y it is a constant and a factor of the square.
            let (constant, with_one) =
                (self.operator.eigenvalue(p, 0.0), self.operator.eigenvalue(p, 1.0));
            let root = -constant / (with_one - constant);
            let next = squares.partition_point(|q| *q < root);
            let first = usize::from(without_first && k == 0);
            let last = squares.len() - 1;
            for l in [first, next.saturating_sub(1), next.min(last), last] {
                if l < first || l > last {
                    continue;
                }
                let one = self.at([k, l]);
                if least.is_none_or(|least| one.value.abs() < least.value.abs()) {
                    least = Some(one);
                }
            }
        }
        least
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn the_least_and_the_largest_are_those_of_all_modes() {
        let sides = Side::ALL.into_iter().flat_map(|x| Side::ALL.map(|y| [x, y]));
        for (sides, (width, height)) in
            sides.flat_map(|sides| [(3, 1), (5, 8), (8, 5)].map(|size| (sides, size)))
        {
            // Definite, indefinite, singular, and with the same eigenvalue along y.
            for couplings in [
                [5.0, -1.0, -1.0, -0.25],
                [1.3, -1.0, -0.7, 0.2],
                [4.0, -1.0, -1.0, 0.0],
                [2.5, -1.0, 0.0, 0.0],
                [-4.0, 1.0, 1.0, 0.0],
            ] {
                let operator = ConstantOperator::new(width, height, couplings, sides).unwrap();
                let modes = Modes::new(operator).unwrap();
                let all: Vec<f64> = (0..width)
                    .flat_map(|k| (0..height).map(move |l| [k, l]))
                    .map(|mode| modes.at(mode).value.abs())
                    .collect();
                let least = |numbers: &[f64]| numbers.iter().copied().fold(f64::INFINITY, f64::min);
                let what = format!("{sides:?} {width} x {height} {couplings:?}");
                assert_eq!(modes.least(false).unwrap().value.abs(), least(&all), "{what}");
                if all.len() > 1 {
                    assert_eq!(modes.least(true).unwrap().value.abs(), least(&all[1..]), "{what}");
                }
                let largest = all.iter().copied().fold(0.0, f64::max);
                assert_eq!(modes.largest().value.abs(), largest, "{what}");
            }
        }
    }
}
