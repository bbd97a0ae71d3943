//! Systems for the tests of solvers on the host.

use quadrille::Shape;
use quadrille::data::{Csr, GridMatrix, SplitMix64, SystemMatrix};
use quadrille::linalg::solve::{Options, Solver};

/// Numbers in -1 to 1.
pub(crate) fn random(count: usize, seed: u64) -> Vec<f64> {
    let mut bits = SplitMix64::new(seed);
    (0..count).map(|_| (bits.next() >> 11) as f64 / 2.0_f64.powi(52) - 1.0).collect()
}

pub(crate) fn norm(numbers: impl IntoIterator<Item = f64>) -> f64 {
    numbers.into_iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// The residual of an x, relative to b.
pub(crate) fn residual(matrix: &SystemMatrix, x: &[f64], b: &[f64]) -> f64 {
    norm(b.iter().zip(product(matrix, x)).map(|(b, p)| b - p)) / norm(b.iter().copied())
}

/// How far rounding may lead a residual that is computed in double precision from another one.
pub(crate) fn rounding(matrix: &SystemMatrix, x: &[f64], b: &[f64]) -> f64 {
    let n = x.len();
    let largest = x.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    let rows = (0..n).map(|column| {
        let mut unit = vec![0.0; n];
        unit[column] = 1.0;
        norm(product(matrix, &unit))
    });
    let size = norm(rows) * largest * (n as f64).sqrt() + norm(b.iter().copied());
    n.min(64) as f64 * f64::EPSILON * size / norm(b.iter().copied())
}

pub(crate) fn rows(
    n: usize,
    entries: impl IntoIterator<Item = (usize, usize, f64)>,
) -> SystemMatrix {
    SystemMatrix::Csr(Csr::from_entries(Shape::new(n, n), entries).unwrap())
}

/// A solver on the host, unless the options do not suit the matrix.
pub(crate) fn solver(matrix: &SystemMatrix, options: Options) -> Option<Solver<f64>> {
    match matrix {
        SystemMatrix::Csr(matrix) => Solver::of_csr_on_host(matrix, options).ok(),
        SystemMatrix::NineBanded(matrix) => Solver::on_host(matrix, options).ok(),
        SystemMatrix::Grid(matrix) => Solver::of_grid_on_host(matrix, options).ok(),
        _ => None,
    }
}

pub(crate) fn product(matrix: &SystemMatrix, x: &[f64]) -> Vec<f64> {
    let mut b = vec![0.0; x.len()];
    matrix.add_product(x, &mut b);
    b
}

/// A matrix with a number added to its diagonal, unless that is lost in it.
pub(crate) fn added(matrix: &SystemMatrix, shift: f64) -> Option<SystemMatrix> {
    let n = matrix.n();
    let mut entries = Vec::new();
    for column in 0..n {
        let mut unit = vec![0.0; n];
        unit[column] = 1.0;
        let numbers = product(matrix, &unit);
        for (row, number) in numbers.into_iter().enumerate().filter(|(_, number)| *number != 0.0) {
            let with = if row == column { number + shift } else { number };
            if row == column && with == number {
                return None;
            }
            entries.push((row, column, with));
        }
    }
    Some(match matrix {
        SystemMatrix::NineBanded(matrix) => {
            SystemMatrix::from_entries(n, Some(matrix.m()), || entries.clone()).unwrap()
        }
        SystemMatrix::Grid(matrix) => {
            GridMatrix::from_entries(matrix.grid(), || entries.clone()).unwrap().into()
        }
        _ => rows(n, entries),
    })
}
