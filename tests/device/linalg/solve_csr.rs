//! Systems with general sparse matrices: each is solved to its tolerance, by the residual that this
//! test computes itself, or refused with numbers.

use crate::common::by_turns;
use quadrille::data::Csr;
use quadrille::grid::DeviceGrid;
use quadrille::linalg::multigrid;
use quadrille::linalg::solve::{
    Ending, Error, Method, Options, Preconditioner, ResidualOn, Solution, Solver, Why,
};
use quadrille::{Context, Kind, Shape};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

const TOLERANCE: f64 = 1e-12;

type Entries = Vec<(usize, usize, f64)>;

fn matrix(n: usize, entries: Entries) -> Csr<f64> {
    Csr::from_entries(Shape::new(n, n), entries).unwrap()
}

/// Random couplings with a diagonal that exceeds them together; mirrored if symmetric.
fn dominant(n: usize, symmetric: bool) -> Csr<f64> {
    let mut random = Pcg64Mcg::seed_from_u64(n as u64);
    let mut entries = Vec::new();
    let mut sums = vec![0.5; n];
    for row in 0..n {
        for _ in 0..3 {
            let (column, value) = (random.random_range(0..n), random.random_range(-1.0..1.0_f64));
            if column == row {
                continue;
            }
            entries.push((row, column, value));
            sums[row] += value.abs();
            if symmetric {
                entries.push((column, row, value));
                sums[column] += value.abs();
            }
        }
    }
    entries.extend(sums.into_iter().enumerate().map(|(row, sum)| (row, row, sum)));
    matrix(n, entries)
}

/// A dominant matrix whose rows have units of their own, 10^-6 to 10^6.
fn badly_scaled(n: usize) -> Csr<f64> {
    let unit = |row: usize| 10.0_f64.powi((row * 7 % 13) as i32 - 6);
    dominant(n, false).map(|row, _, entry| unit(row) * entry).unwrap()
}

/// The Laplacian of a random graph, whose constants are its null space, and a shift.
fn laplacian(n: usize, shift: f64) -> Csr<f64> {
    let mut random = Pcg64Mcg::seed_from_u64(7);
    let mut entries = Vec::new();
    for node in 0..n {
        for other in [(node + 1) % n, random.random_range(0..n)] {
            if other != node {
                entries.extend([(node, node, 1.0), (other, other, 1.0)]);
                entries.extend([(node, other, -1.0), (other, node, -1.0)]);
            }
        }
        entries.push((node, node, shift));
    }
    matrix(n, entries)
}

fn right_side(a: &Csr<f64>) -> Vec<f64> {
    let n = a.shape().rows;
    let x: Vec<f64> = (0..n).map(|row| 1.0 + (row % 7) as f64).collect();
    (0..n).map(|row| product(a, row, &x)).collect()
}

fn product(a: &Csr<f64>, row: usize, x: &[f64]) -> f64 {
    let (columns, values) = a.row(row);
    columns.iter().zip(values).map(|(column, value)| value * x[*column as usize]).sum()
}

/// The residual over the right-hand side, in 2-norms.
fn residual(a: &Csr<f64>, x: &[f64], b: &[f64]) -> f64 {
    let squares = |numbers: Vec<f64>| numbers.iter().map(|x| x * x).sum::<f64>().sqrt();
    let r = b.iter().enumerate().map(|(row, b)| b - product(a, row, x)).collect();
    squares(r) / squares(b.to_vec())
}

fn solved(a: &Csr<f64>, options: Options) -> [Solution; 2] {
    let context = Context::headless().unwrap();
    let b = right_side(a);
    let mut on_device = Solver::of_csr(&context, a, options).unwrap();
    let mut on_host = Solver::of_csr_on_host(a, options).unwrap();
    [on_device.solve(&b), on_host.solve(&b)]
        .map(|solution| solution.or_else(Error::into_nearest).unwrap())
}

fn must_be_solved(what: &str, a: &Csr<f64>, options: Options) {
    for solution in solved(a, options.tolerance(TOLERANCE)) {
        let own = residual(a, &solution.x, &right_side(a));
        let Solution { ending, residual, .. } = solution;
        assert!(solution.converged(), "{what}: {ending}, {residual:e}");
        assert!(own <= 1.01 * TOLERANCE, "{what}: {own:e}");
        assert!((own - residual).abs() < 1e-14, "{what}: {own:e} {residual:e}");
    }
}

#[test]
fn matrices_of_several_kinds_are_solved_to_double_precision() {
    for n in [1, 2, 3, 17, 257, 1021] {
        must_be_solved("dominant", &dominant(n, false), Options::new());
        must_be_solved("symmetric", &dominant(n, true), Options::new());
        must_be_solved("badly scaled", &badly_scaled(n), Options::new());
        must_be_solved("laplacian", &laplacian(n, 0.1), Options::new());
    }
}

/// Pairs of unknowns far from each other, each with a positive and a negative eigenvalue, of five
/// kinds: symmetric with a positive diagonal. The right-hand side is of the negative ones, so that every
/// direction shows them.
fn indefinite(n: usize) -> (Csr<f64>, Vec<f64>) {
    let pair = |row: usize| row % (n / 2);
    let scale = |row: usize| 1.0 + (pair(row) % 4) as f64 / 4.0;
    let entries = (0..n).flat_map(|row| {
        let coupling = scale(row) * (1.5 + (pair(row) % 5) as f64 / 2.0);
        [(row, row, scale(row)), (row, (row + n / 2) % n, coupling)]
    });
    let side = |row: usize| {
        let size = 1.0 + (pair(row) % 7) as f64;
        if row < n / 2 { size } else { -size }
    };
    (matrix(n, entries.collect()), (0..n).map(side).collect())
}

#[test]
fn a_symmetric_matrix_that_turns_out_indefinite_is_solved_by_bicgstab() {
    let (a, b) = indefinite(1022);
    let context = Context::headless().unwrap();
    let options = Options::new().tolerance(TOLERANCE);
    let on_device = Solver::of_csr(&context, &a, options).unwrap();
    for mut solver in [on_device, Solver::of_csr_on_host(&a, options).unwrap()] {
        assert_eq!(solver.choice().method, Method::Cg);
        let solution = solver.solve(&b).unwrap();
        assert!(residual(&a, &solution.x, &b) <= 1.01 * TOLERANCE);
        let Some(Why::NotDefinite { curvature }) = solver.choice().why else { panic!() };
        assert!(curvature <= 0.0 && solution.curvature == Some(curvature));
        assert_eq!(solver.choice().method, Method::BiCgStab);
    }
}

#[test]
fn every_method_with_every_preconditioner_solves() {
    for preconditioner in
        [Preconditioner::Identity, Preconditioner::Jacobi, Preconditioner::Chebyshev]
    {
        let options = Options::new().preconditioner(preconditioner);
        let what = preconditioner.name();
        must_be_solved(what, &dominant(523, true), options.method(Method::Cg));
        must_be_solved(what, &dominant(523, true), options.method(Method::BiCgStab));
    }
    for preconditioner in [Preconditioner::Identity, Preconditioner::Jacobi] {
        let options = Options::new().preconditioner(preconditioner);
        must_be_solved(preconditioner.name(), &dominant(523, false), options);
    }
    let stationary = Options::new().method(Method::Jacobi);
    must_be_solved("jacobi", &dominant(101, false), stationary);
}

/// The polynomial saves steps, each of which takes more products.
#[test]
fn chebyshevs_polynomial_saves_iterations() {
    let a = laplacian(2003, 1e-3);
    let of = |preconditioner| {
        let options = Options::new().preconditioner(preconditioner).tolerance(TOLERANCE);
        solved(&a, options).map(|solution| solution.iterations)
    };
    let (jacobi, chebyshev) = (of(Preconditioner::Jacobi), of(Preconditioner::Chebyshev));
    assert!((0..2).all(|at| 2 * chebyshev[at] < jacobi[at]), "{chebyshev:?} {jacobi:?}");
}

#[test]
fn a_matrix_whose_constants_are_its_null_space_is_solved_without_a_mean() {
    let a = laplacian(419, 0.0);
    let b: Vec<f64> = (0..419).map(|row| f64::from(row % 5)).collect();
    let context = Context::headless().unwrap();
    let options = Options::new().tolerance(1e-10);
    let mut refusing = Solver::of_csr(&context, &a, options).unwrap();
    let error = refusing.solve(&b).unwrap_err();
    assert!(matches!(error, Error::Inconsistent { .. }), "{error}");
    let mut solver = Solver::of_csr(&context, &a, options.project(true)).unwrap();
    assert!(solver.has_constant_null_space());
    let solution = solver.solve(&b).unwrap();
    assert!(solution.converged() && solution.removed_mean.is_some(), "{solution:?}");
    let mean = b.iter().sum::<f64>() / 419.0;
    let without: Vec<f64> = b.iter().map(|b| b - mean).collect();
    assert!(residual(&a, &solution.x, &without) < 1e-9);
    let own = residual(&a, &solution.x, &b);
    assert!((solution.residual - own).abs() < 1e-12 && own > 0.1, "{own:e} {solution:?}");
}

/// Conjugate gradients run away from the answer once rounding is all that is left; what they were nearest to is returned.
#[test]
fn the_nearest_iterate_is_returned() {
    let (diagonal, beside) = (2.1544908263694884, -2.1544808263694883);
    let entries = vec![(0, 0, diagonal), (0, 1, beside), (1, 0, beside), (1, 1, diagonal)];
    let a = matrix(2, entries);
    let b = [-1.8735585944570359, 1.8735722681791644];
    by_turns([1e-9, 1e-11, 1e-12, 1e-14, 0.0], |context, tolerance| {
        let options = Options::new().tolerance(*tolerance);
        let mut solver = Solver::of_csr(context, &a, options).unwrap();
        solver.warm_up().unwrap();
        let result = solver.solve(&b);
        let error = result.as_ref().err().map(ToString::to_string);
        let solution = result.or_else(Error::into_nearest).unwrap();
        let own = residual(&a, &solution.x, &b);
        assert!(own <= 1e-9 && solution.iterations < 600, "{own:e} {solution:?}");
        let Some(text) = error else { return };
        assert_eq!(solution.ending, Ending::Stagnated);
        assert!(text.starts_with("the residual falls no further"), "{text}");
        assert!(text.contains(&format!("{:.3e}", solution.residual)), "{text}");
    });
}

#[test]
fn what_has_no_solution_is_no_answer() {
    // Two equal rows with different right-hand sides.
    let singular = matrix(3, vec![(0, 0, 2.0), (0, 1, 1.0), (1, 0, 2.0), (1, 1, 1.0), (2, 2, 1.0)]);
    let mut solver = Solver::of_csr_on_host(&singular, Options::new()).unwrap();
    let error = solver.solve(&[1.0, 2.0, 3.0]).unwrap_err();
    assert!(error.to_string().contains("singular"), "{error}");
    assert!(error.into_nearest().unwrap().residual > 0.1);
    // A column of zeros, and a row of zeros.
    let mut empty = Solver::of_csr_on_host(&matrix(2, vec![(0, 1, 1.0)]), Options::new()).unwrap();
    assert!(matches!(empty.solve(&[1.0, 1.0]), Err(Error::NotConverged(_))));
    // Indefinite: conjugate gradients say so.
    let entries = vec![(0, 0, 1.0), (1, 1, 1.0), (0, 1, 3.0), (1, 0, 3.0)];
    let cg = Options::new().method(Method::Cg);
    let mut indefinite = Solver::of_csr_on_host(&matrix(2, entries), cg).unwrap();
    let solution = indefinite.solve(&[1.0, -2.0]).or_else(Error::into_nearest).unwrap();
    assert!(matches!(solution.ending, Ending::Breakdown(_)), "{solution:?}");
}

#[test]
fn a_zero_on_the_diagonal_leaves_the_preconditioner_out() {
    let swap = vec![(0, 1, 2.0), (1, 0, 3.0), (2, 2, 1.0), (0, 0, 0.5)];
    let a = matrix(3, swap);
    must_be_solved("a zero on the diagonal", &a, Options::new());
    let jacobi = Options::new().preconditioner(Preconditioner::Jacobi);
    let error = Solver::of_csr_on_host(&a, jacobi).err().unwrap();
    assert!(matches!(error, Error::ZeroDiagonal { row: 1, .. }), "{error}");
}

#[test]
fn what_is_no_system_is_refused_with_numbers() {
    let a = dominant(19, false);
    let mut solver = Solver::of_csr_on_host(&a, Options::new()).unwrap();
    let error = |result: Result<_, Error>| match result {
        Ok(_) => panic!("accepted"),
        Err(error) => (error.kind(), error.to_string()),
    };
    let (kind, text) = error(solver.solve(&[1.0; 18]).map(drop));
    assert!(kind == Kind::Input && text.contains("18 numbers") && text.contains("19"), "{text}");
    let mut b = vec![1.0; 19];
    b[4] = f64::NAN;
    let (_, text) = error(solver.solve(&b).map(drop));
    assert!(text.contains("NaN at index 4"), "{text}");
    let wide = Csr::from_entries(Shape::new(2, 3), [(0, 0, 1.0)]).unwrap();
    let (_, text) = error(Solver::of_csr_on_host(&wide, Options::new()).map(drop));
    assert!(text.contains("2 rows and 3 columns"), "{text}");
    let empty = Csr::<f64>::from_entries(Shape::new(0, 0), []).unwrap();
    assert_eq!(error(Solver::of_csr_on_host(&empty, Options::new()).map(drop)).0, Kind::Input);
    let grid = Preconditioner::Multigrid(multigrid::Options::new());
    let options = Options::new().preconditioner(grid);
    let (kind, text) = error(Solver::of_csr_on_host(&a, options).map(drop));
    let told = "multigrid needs the matrix of an operator on a grid";
    assert!(kind == Kind::Input && text.starts_with(told), "{text}");
    let options = Options::new().residual_on(ResidualOn::Device);
    assert!(matches!(Solver::of_csr_on_host(&a, options).err(), Some(Error::NoDoubles)));
    let (_, text) = error(Solver::of_csr_on_host(&a, Options::new().method(Method::Cg)).map(drop));
    assert!(text.contains("needs a symmetric matrix"), "{text}");
}

#[test]
fn grids_on_the_device_are_solved_there() {
    let context = Context::headless().unwrap();
    let a = dominant(300, false);
    let mut solver = Solver::of_csr(&context, &a, Options::new().tolerance(1e-5)).unwrap();
    let plan = solver.plan().unwrap().clone();
    let b: Vec<f32> = right_side(&a).into_iter().map(|b| b as f32).collect();
    let b = DeviceGrid::from_host(&context, &plan, &b).unwrap();
    let mut x = DeviceGrid::zeros(&context, &plan).unwrap();
    let solution = solver.solve_on_device(&b, &mut x).unwrap();
    assert!(solution.converged(), "{solution:?}");
    let x: Vec<f64> = x.read().unwrap().into_iter().map(f64::from).collect();
    assert!(residual(&a, &x, &right_side(&a)) < 1e-4);
}
