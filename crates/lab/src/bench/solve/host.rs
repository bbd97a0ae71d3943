//! Solvers of the crate faer, in double precision on the host, as what a host can do.

use std::fmt::Debug;
use std::time::{Duration, Instant};

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::matrix_free::bicgstab::{BicgError, BicgParams, bicgstab, bicgstab_scratch};
use faer::matrix_free::conjugate_gradient::{
    CgError, CgParams, conjugate_gradient, conjugate_gradient_scratch,
};
use faer::matrix_free::{IdentityPrecond, InitialGuessStatus};
use faer::prelude::Solve;
use faer::sparse::{SparseColMat, SymbolicSparseColMat};
use faer::{Col, Mat, Par, Side};

use quadrille::data::{Band, NineBanded, SystemMatrix};
use quadrille::memory;

use super::method::Method;
use super::system::System;
use super::timed_solution::{Solved, Times};
use crate::{Error, MeasurementError, Result};

type Matrix = SparseColMat<usize, f64>;

/// Solves by a method of the host: the setup makes faer's matrix of the bands, and what the method
/// keeps for further right-hand sides. An iterative one gives up when the limit is over, by the
/// time of its first iterations.
pub(super) fn solve(
    method: Method,
    system: &System,
    tolerance: f64,
    limit: Option<Duration>,
) -> Result<Solved> {
    if system.is_singular {
        let reason = "the matrix is singular, which the host's solvers do not take";
        return Err(failed(reason));
    }
    match method {
        Method::Cholesky => direct(system, |matrix| matrix.sp_cholesky(Side::Lower)),
        Method::Lu => direct(system, Matrix::sp_lu),
        _ => iterative(method, system, tolerance, limit),
    }
}

fn direct<D: Solve<f64>, E: Debug>(
    system: &System,
    decompose: impl FnOnce(&Matrix) -> Result<D, E>,
) -> Result<Solved> {
    let begun = Instant::now();
    let matrix = matrix(bands(system)?)?;
    let decomposed = decompose(&matrix).map_err(|error| failed(format!("{error:?}")))?;
    let setup = begun.elapsed();
    let begun = Instant::now();
    let x = decomposed.solve(column(&system.b));
    let x = memory::collected(system.b.len(), x.iter().copied())?;
    let times = Times { setup, solve: begun.elapsed(), parts: None };
    let ending = "converged";
    let (iterations, multigrid, reached) = (None, None, None);
    Ok(Solved { times, x, iterations, multigrid, reached, converged: true, ending })
}

fn iterative(
    method: Method,
    system: &System,
    tolerance: f64,
    limit: Option<Duration>,
) -> Result<Solved> {
    let begun = Instant::now();
    let bands = bands(system)?;
    let matrix = matrix(bands)?;
    let diagonal = bands.band(Band::DD);
    let inverse = Col::from_fn(diagonal.len(), |row| diagonal[row].recip());
    let setup = begun.elapsed();
    let most = limit.map_or(usize::MAX, |limit| {
        let begun = Instant::now();
        let _ = iterate(method, &matrix, &inverse, system, tolerance, FEW);
        (FEW as f64 * limit.as_secs_f64() / begun.elapsed().as_secs_f64()).max(1.0) as usize
    });
    let begun = Instant::now();
    let (x, done) = iterate(method, &matrix, &inverse, system, tolerance, most)?;
    let x = memory::collected(system.b.len(), x.col(0).iter().copied())?;
    let times = Times { setup, solve: begun.elapsed(), parts: None };
    let (converged, ending) = match done {
        Some(_) => (true, "converged"),
        None => (false, "time limit"),
    };
    let iterations = Some(done.unwrap_or(most) as u64);
    let (multigrid, reached) = (None, None);
    Ok(Solved { times, x, iterations, multigrid, reached, converged, ending })
}

/// The iterations that show the time of one.
const FEW: usize = 10;
/// The part of the tolerance that is requested: these methods go by a recursive residual, and
/// rounding leads it away from the true one.
const ASKED: f64 = 0.98;

/// x, and the iterations up to the tolerance if it was met. They run on one core, on which they are
/// faster than on several.
fn iterate(
    method: Method,
    matrix: &Matrix,
    inverse: &Col<f64>,
    system: &System,
    tolerance: f64,
    most: usize,
) -> Result<(Mat<f64>, Option<usize>)> {
    let mut x = Mat::zeros(system.b.len(), 1);
    let (b, rel_tolerance, max_iters) = (column(&system.b).as_mat(), ASKED * tolerance, most);
    let (matrix, inverse, to) = (matrix.as_ref(), inverse.as_diagonal(), x.as_mut());
    let (initial_guess, par) = (GUESS, Par::Seq);
    let done = if method == Method::HostCg {
        let params = CgParams { initial_guess, rel_tolerance, max_iters, ..CgParams::default() };
        let mut room = MemBuffer::new(conjugate_gradient_scratch(inverse, matrix, 1, par));
        let room = MemStack::new(&mut room);
        match conjugate_gradient(to, inverse, matrix, b, params, |_| {}, par, room) {
            Ok(done) => Some(done.iter_count),
            Err(CgError::NoConvergence { .. }) => None,
            Err(error) => return Err(failed(format!("{error:?}"))),
        }
    } else {
        let params =
            BicgParams { initial_guess, rel_tolerance, max_iters, ..BicgParams::default() };
        let identity = IdentityPrecond { dim: b.nrows() };
        let mut room = MemBuffer::new(bicgstab_scratch(identity, inverse, matrix, 1, par));
        let room = MemStack::new(&mut room);
        match bicgstab(to, identity, inverse, matrix, b, params, |_| {}, par, room) {
            Ok(done) => Some(done.iter_count),
            Err(BicgError::NoConvergence { .. }) => None,
        }
    };
    Ok((x, done))
}

fn bands(system: &System) -> Result<&NineBanded<f64>> {
    match &system.matrix {
        SystemMatrix::NineBanded(bands) => Ok(bands),
        _ => Err(failed("the host's solvers are given nine bands, and the sides are periodic")),
    }
}

/// The guess status: with a guess of zero alone, the first residual would be undefined.
const GUESS: InitialGuessStatus = InitialGuessStatus::MaybeNonZero;

/// The bands by columns, without zeros.
fn matrix(bands: &NineBanded<f64>) -> Result<Matrix> {
    let (n, m) = (bands.n(), bands.m());
    let entries = || Band::ALL.into_iter().map(|band| bands.band(band));
    let count = entries().flatten().filter(|entry| **entry != 0.0).count();
    let mut columns = memory::with_room(n + 1)?;
    let (mut rows, mut values) = (memory::with_room(count)?, memory::with_room(count)?);
    let mut order = Band::ALL;
    // In the order of rows: the farther a band is above the diagonal, the smaller the row that it
    // has in a column.
    order.sort_by_key(|band| std::cmp::Reverse(band.offset(m)));
    columns.push(0);
    for column in 0..n {
        for band in order {
            let row = column.wrapping_add_signed(-band.offset(m));
            if let Some(value) = bands.band(band).get(row).filter(|value| **value != 0.0) {
                rows.push(row);
                values.push(*value);
            }
        }
        columns.push(rows.len());
    }
    let pattern = SymbolicSparseColMat::new_checked(n, n, columns, None, rows);
    Ok(Matrix::new(pattern, values))
}

fn column(numbers: &[f64]) -> faer::ColRef<'_, f64> {
    faer::ColRef::from_slice(numbers)
}

fn failed(reason: impl Into<String>) -> Error {
    MeasurementError::HostSolver { reason: reason.into() }.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const METHODS: [Method; 4] =
        [Method::Cholesky, Method::Lu, Method::HostCg, Method::HostBiCgStab];

    fn solved(method: Method, system: &System) -> Solved {
        solve(method, system, 1e-10, None).unwrap()
    }

    #[test]
    fn each_of_them_solves_awkward_systems() {
        for text in ["poisson5:3x1", "fe9:31x17:anisotropy=0.1:angle=30", "jump:13:cell=2"] {
            let system = System::new(text.parse().unwrap()).unwrap();
            for method in METHODS {
                let solved = solved(method, &system);
                let judged = system.residual(&solved.x).unwrap().judge(Some(1e-10), None);
                assert!(solved.converged && judged.is_right(), "{text} by {}", method.name());
                assert!(system.error(&solved.x) < 1e-7, "{text} by {}", method.name());
                assert_eq!(solved.iterations.is_none(), method.is_direct());
            }
        }
    }

    #[test]
    fn columns_hold_what_rows_of_a_nonsymmetric_matrix_do() {
        let system = System::new("convection:9x5:angle=30".parse().unwrap()).unwrap();
        let bands = bands(&system).unwrap();
        let columns = matrix(bands).unwrap();
        for row in 0..45 {
            for column in 0..45 {
                let held = columns.as_ref().get(row, column).copied().unwrap_or(0.0);
                assert_eq!(held, bands.entry(row, column), "{row}, {column}");
            }
        }
        for method in [Method::Lu, Method::HostBiCgStab] {
            assert!(system.error(&solved(method, &system).x) < 1e-8);
        }
    }

    #[test]
    fn what_takes_too_long_or_is_singular_is_told() {
        let system = System::new("poisson5:40".parse().unwrap()).unwrap();
        let solved = solve(Method::HostCg, &system, 1e-10, Some(Duration::ZERO)).unwrap();
        assert_eq!((solved.converged, solved.iterations), (false, Some(1)));
        let singular = System::new("neumann5:9".parse().unwrap()).unwrap();
        let error = solve(Method::Cholesky, &singular, 1e-10, None).err().map(|e| e.to_string());
        assert!(error.is_some_and(|text| text.contains("singular")));
    }
}
