//! Solutions of right-hand sides that are on the device: their residuals against the host's, in
//! double precision.

use std::rc::Rc;

use crate::common::{by_turns, each, random};
use quadrille::data::{Band, NineBanded, Stencil};
use quadrille::grid::DeviceGrid;
use quadrille::internal::Ability;
use quadrille::linalg::multigrid;
use quadrille::linalg::solve::{Ending, Error, Method, Options, Preconditioner, Solution, Solver};
use quadrille::{Context, Kind, grid};
use quadrille::{Control, Progress};

/// A stencil times a factor.
fn matrix(text: &str, factor: f64) -> NineBanded<f64> {
    let stencil = text.parse::<Stencil>().unwrap().matrix_f64().unwrap();
    let mut bands: [Vec<f64>; 9] = Default::default();
    for band in Band::ALL {
        bands[band.index()] = stencil.band(band).iter().map(|entry| factor * entry).collect();
    }
    NineBanded::new(stencil.m(), bands).unwrap()
}

fn norm(numbers: impl Iterator<Item = f64>) -> f64 {
    numbers.map(|number| number * number).sum::<f64>().sqrt()
}

/// The 2-norms of b - A x over that of b, in double precision, and of the roundings that the device
/// makes for it. It computes in differences from the middle, with fewer than 24 roundings of each
/// term.
fn residual(matrix: &NineBanded<f64>, b: &[f32], x: &[f32]) -> (f64, f64) {
    let x: Vec<f64> = x.iter().copied().map(f64::from).collect();
    let mut rows: Vec<_> = b.iter().map(|b| (f64::from(*b), f64::from(b.abs()))).collect();
    let mut sums = vec![0.0; matrix.n()];
    for band in Band::ALL {
        for row in band.rows(matrix.n(), matrix.m()) {
            let column = row.wrapping_add_signed(band.offset(matrix.m()));
            let entry = matrix.band(band)[row];
            rows[row].0 -= entry * x[column];
            rows[row].1 += (entry * (x[column] - x[row])).abs();
            sums[row] += entry;
        }
    }
    let size = norm(b.iter().copied().map(f64::from));
    let terms = rows.iter().zip(sums.iter().zip(&x)).map(|(row, (sum, x))| row.1 + (sum * x).abs());
    let rounding = 24.0 * f64::from(f32::EPSILON) * norm(terms);
    (norm(rows.iter().map(|row| row.0)) / size, rounding / size)
}

/// The fault of a solution of this system, if any.
fn wrong(solution: &Solution, system: &NineBanded<f64>, b: &[f32], x: &[f32]) -> Option<String> {
    let (exact, rounding) = residual(system, b, x);
    let told = solution.residual;
    let right =
        solution.converged() && told <= solution.tolerance && (told - exact).abs() <= rounding;
    (!right).then(|| format!("{:?}, {told:e}, {exact:e}, {rounding:e}", solution.ending))
}

struct Solved {
    solution: Solution,
    x: Vec<f32>,
}

const MULTIGRID: Preconditioner = Preconditioner::Multigrid(multigrid::Options::new());

/// Solves from a guess, or from a grid of zeros.
fn solve(solver: &mut Solver<f64>, context: &Context, b: &[f32], guess: Option<&[f32]>) -> Solved {
    let plan = Rc::clone(solver.plan().unwrap());
    let b = DeviceGrid::from_host(context, &plan, b).unwrap();
    let mut x = match guess {
        Some(guess) => DeviceGrid::from_host(context, &plan, guess).unwrap(),
        None => DeviceGrid::zeros(context, &plan).unwrap(),
    };
    let solution = solver.solve_on_device(&b, &mut x).unwrap();
    Solved { solution, x: x.read().unwrap() }
}

/// Solves from a grid of zeros what may not converge: the solution, whose x is a grid, and x.
fn reach(solver: &mut Solver<f64>, context: &Context, b: &[f32]) -> (Solution, Vec<f32>) {
    let plan = Rc::clone(solver.plan().unwrap());
    let b = DeviceGrid::from_host(context, &plan, b).unwrap();
    let mut x = DeviceGrid::zeros(context, &plan).unwrap();
    let error = solver.solve_on_device(&b, &mut x).unwrap_err();
    (error.into_nearest().unwrap(), x.read().unwrap())
}

/// Also where the matrix is scaled for 32-bit floats.
#[test]
fn solutions_on_the_device_have_the_residuals_that_are_told() {
    let cases = [
        ("poisson5:33x21", 1.0, Method::Cg, MULTIGRID),
        ("fe9:17x23", 3e9, Method::Cg, Preconditioner::Jacobi),
        ("convection:19", 1.0, Method::BiCgStab, Preconditioner::Jacobi),
        ("heat9:3x1", 2e-9, Method::Jacobi, Preconditioner::Jacobi),
        ("jump:31:ratio=10:cell=5", 1.0, Method::Cg, MULTIGRID),
        ("poisson5:4x1", 1.0, Method::Multigrid, MULTIGRID),
    ];
    by_turns(cases, |context, &(text, factor, method, with)| {
        let system = matrix(text, factor);
        let options = Options::new().method(method).preconditioner(with).tolerance(2e-5);
        let mut solver = Solver::new(context, &system, options).unwrap();
        let b = random(system.n(), 1);
        let first = solve(&mut solver, context, &b, None);
        assert_eq!(wrong(&first.solution, &system, &b, &first.x), None, "{text}");
        assert!(first.solution.iterations > 0);
        // Another b, another matrix, or another x.
        let mut other = b.clone();
        other[system.n() / 2] += 1e-3;
        assert!(wrong(&first.solution, &system, &other, &first.x).is_some(), "{text}");
        let larger = matrix(text, 1.001 * factor);
        assert!(wrong(&first.solution, &larger, &b, &first.x).is_some(), "{text}");
        // A solution as the guess is left as it is, and a near one takes fewer steps.
        let again = solve(&mut solver, context, &b, Some(&first.x));
        assert_eq!((again.solution.iterations, &again.x), (0, &first.x), "{text}");
        let near: Vec<f32> = first.x.iter().map(|x| 1.001 * x).collect();
        let near = solve(&mut solver, context, &b, Some(&near));
        assert_eq!(wrong(&near.solution, &system, &b, &near.x), None, "{text}");
        assert!(near.solution.iterations <= first.solution.iterations, "{text}");
    });
}

#[test]
fn a_system_in_panels_is_solved_on_the_device() {
    let context = Context::builder().without(Ability::LargerTextures(45)).build().unwrap();
    let system = matrix("fe9:37x43", 1.0);
    let mut solver = Solver::new(&context, &system, Options::new().tolerance(2e-5)).unwrap();
    assert!(solver.plan().unwrap().parts().len() > 1);
    let b = random(system.n(), 2);
    let Solved { solution, x } = solve(&mut solver, &context, &b, None);
    assert_eq!(wrong(&solution, &system, &b, &x), None);
}

/// The mean of b is told and removed, also where the guess has one.
/// Grids on the device are of the given system, so a solver that scaled it does so no longer.
#[test]
fn a_system_that_was_scaled_is_solved_on_the_device_as_it_is() {
    let system = matrix("jump:20:ratio=1e7:cell=5", 1.0);
    let options = Options::new().tolerance(1e-4).preconditioner(Preconditioner::Jacobi);
    by_turns([()], |context, ()| {
        let mut solver = Solver::new(context, &system, options).unwrap();
        assert!(solver.choice().is_scaled());
        let b = random(system.n(), 3);
        let double: Vec<f64> = b.iter().copied().map(f64::from).collect();
        let first = solver.solve(&double).unwrap();
        let (solution, x) = reach(&mut solver, context, &b);
        // In 32-bit floats x cannot be so exact that the residual of this system is small.
        let (exact, rounding) = residual(&system, &b, &x);
        assert!((solution.residual - exact).abs() <= rounding, "{exact:e} {solution:?}");
        assert!(!solver.choice().is_scaled());
        let again = solver.solve(&double).unwrap();
        assert!(first.converged() && again.converged(), "{first:?} {again:?}");
    });
}

#[test]
fn a_singular_system_is_solved_on_the_device() {
    each(|context| {
        let system = matrix("neumann5:23x17", 1.0);
        let options = Options::new().preconditioner(MULTIGRID).tolerance(2e-5).project(true);
        let mut solver = Solver::new(context, &system, options).unwrap();
        let exact: Vec<f64> = random(system.n(), 3).into_iter().map(f64::from).collect();
        let image = system.multiply_f64(&exact);
        for shift in [0.0, 3.0] {
            let b: Vec<f32> = image.iter().map(|b| (b + shift) as f32).collect();
            let guess = vec![5.0; system.n()];
            let Solved { solution, x } = solve(&mut solver, context, &b, Some(&guess));
            assert!(solution.converged());
            let (own, rounding) = residual(&system, &b, &x);
            assert!(
                (solution.residual - own).abs() <= 1e-3 * own + rounding,
                "{own:e} {solution:?}"
            );
            match solution.removed_mean {
                None => assert_eq!(shift, 0.0),
                Some(mean) => assert!((mean - shift).abs() < 1e-5, "{mean}"),
            }
            let mean = exact.iter().sum::<f64>() / exact.len() as f64;
            let off = x.iter().zip(&exact).map(|(x, exact)| f64::from(*x) - exact + mean);
            // The least nonzero eigenvalue is that of half a wave along the longer side.
            let least = (2.0 * (0.5 * std::f64::consts::PI / 23.0).sin()).powi(2);
            let size = norm(image.iter().copied());
            assert!(norm(off) < 1.2 * 2e-5 * size / least);
        }
        // What projects nothing refuses what has no solution, and takes what rounding leaves.
        let mut refusing = Solver::new(context, &system, options.project(false)).unwrap();
        let plan = Rc::clone(refusing.plan().unwrap());
        let mut x = DeviceGrid::zeros(context, &plan).unwrap();
        for (shift, refused) in [(0.0, false), (3.0, true), (-1e-3, true)] {
            let b: Vec<f32> = image.iter().map(|b| (b + shift) as f32).collect();
            let b = DeviceGrid::from_host(context, &plan, &b).unwrap();
            match refusing.solve_on_device(&b, &mut x) {
                Ok(solution) => assert!(solution.converged() && !refused, "{solution:?}"),
                Err(error) => {
                    assert!(refused && matches!(error, Error::Inconsistent { .. }), "{error}")
                }
            }
        }
    });
}

#[test]
fn what_cannot_be_solved_on_the_device_is_told() {
    let context = Context::headless().unwrap();
    let system = matrix("poisson5:20", 1.0);
    let mut solver = Solver::new(&context, &system, Options::new().tolerance(1e-12)).unwrap();
    let b = random(400, 4);
    let (solution, _) = reach(&mut solver, &context, &b);
    assert_eq!(solution.ending, Ending::Stagnated);
    assert!(solution.residual < 1e-5);

    let plan = Rc::clone(solver.plan().unwrap());
    let grid = |numbers: &[f32]| DeviceGrid::from_host(&context, &plan, numbers).unwrap();
    let error = solver.solve_on_device(&grid(&b), &mut grid(&b)).unwrap_err().to_string();
    assert!(error.contains("32-bit floats"), "{error}");
    let mut refused = |b: &DeviceGrid, x: &mut DeviceGrid| {
        let error = solver.solve_on_device(b, x).unwrap_err();
        assert_eq!(error.kind(), Kind::Input);
        error.to_string()
    };
    let mut holed = b.clone();
    holed[7] = f32::NAN;
    assert!(refused(&grid(&holed), &mut grid(&b)).contains("the right-hand side is NaN"));
    assert!(refused(&grid(&b), &mut grid(&holed)).contains("first x is NaN"));
    let other =
        DeviceGrid::plan_for(&context, grid::GridShape::new(5, 4), grid::Halo::NONE).unwrap();
    let mut other = DeviceGrid::zeros(&context, &other).unwrap();
    assert!(refused(&grid(&b), &mut other).contains("solving: x: expected a grid of"));

    let mut on_host = Solver::on_host(&system, Options::new()).unwrap();
    assert!(on_host.plan().is_none());
    let error = on_host.solve_on_device(&grid(&b), &mut grid(&b)).unwrap_err();
    assert!(matches!(error, Error::OnHost), "{error}");
}

#[test]
fn zero_has_the_solution_zero_and_an_observer_may_stop() {
    let context = Context::headless().unwrap();
    let system = matrix("poisson5:40", 1.0);
    let mut solver = Solver::new(&context, &system, Options::new().tolerance(1e-5)).unwrap();
    let Solved { solution, x } = solve(&mut solver, &context, &[0.0; 1600], Some(&[1.0; 1600]));
    assert!((solution.converged(), solution.residual, x) == (true, 0.0, vec![0.0; 1600]));

    let plan = Rc::clone(solver.plan().unwrap());
    let b = DeviceGrid::from_host(&context, &plan, &[1.0; 1600]).unwrap();
    let mut x = DeviceGrid::zeros(&context, &plan).unwrap();
    let mut stop = |progress: &Progress| {
        if progress.done < 8 { Control::Continue } else { Control::Stop }
    };
    let solution = solver.solve_on_device_observed(&b, &mut x, &mut stop).unwrap_err();
    let solution = solution.into_nearest().unwrap();
    assert_eq!(solution.ending, Ending::Stopped);
    let (exact, rounding) = residual(&system, &[1.0; 1600], &x.read().unwrap());
    assert!((solution.residual - exact).abs() <= rounding, "{} {exact}", solution.residual);
}
