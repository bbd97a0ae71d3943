//! Residuals in double precision on the device against the host's, and solutions that are corrected
//! by them.

use crate::common::{Flavour, random};
use quadrille::data::{Band, Csr, GridMatrix, NineBanded, Stencil, Stencil3, random_couplings};
use quadrille::grid::{DeviceGrid, Plan};
use quadrille::internal::Ability;
use quadrille::linalg::double_system::DoubleSystem;
use quadrille::linalg::grid3;
use quadrille::linalg::krylov::DeviceOperator;
use quadrille::linalg::nine_banded::Operator;
use quadrille::linalg::solve::{Method, Options, ResidualOn, Solver};
use quadrille::{Context, Kind};
use std::rc::Rc;

fn doubles(count: usize, seed: u64) -> Vec<f64> {
    let fine = random(count, seed + 1000).into_iter().map(f64::from);
    // More digits than 32-bit floats have.
    random(count, seed).into_iter().zip(fine).map(|(a, b)| f64::from(a) + 1e-9 * b).collect()
}

/// Random couplings, also across the ends of rows, in double precision.
fn matrix(n: usize, m: usize) -> NineBanded<f64> {
    let mut numbers = doubles(9 * n, n as u64).into_iter();
    random_couplings(n, m, || numbers.next().unwrap() as f32)
        .map(|matrix| precise(&matrix))
        .unwrap()
}

/// The same couplings with further digits.
fn precise(matrix: &NineBanded) -> NineBanded<f64> {
    let bands = Band::ALL.map(|band| {
        let entries = matrix.band(band).iter().enumerate();
        entries.map(|(row, a)| f64::from(*a) * (1.0 + 1e-9 * (row % 7) as f64)).collect()
    });
    let mut sorted: [Vec<f64>; 9] = Default::default();
    for (band, entries) in Band::ALL.into_iter().zip(bands) {
        sorted[band.index()] = entries;
    }
    NineBanded::new(matrix.m(), sorted).unwrap()
}

fn single(numbers: &[f64]) -> Vec<f32> {
    numbers.iter().map(|number| *number as f32).collect()
}

fn single_matrix(matrix: &NineBanded<f64>) -> NineBanded {
    let mut bands: [Vec<f32>; 9] = Default::default();
    for band in Band::ALL {
        bands[band.index()] = single(matrix.band(band));
    }
    NineBanded::new(matrix.m(), bands).unwrap()
}

/// b - A x of the host, and the magnitude of its terms.
fn residual(matrix: &NineBanded<f64>, b: &[f64], x: &[f64]) -> Vec<(f64, f64)> {
    let mut results: Vec<_> = b.iter().map(|b| (*b, b.abs())).collect();
    for band in Band::ALL {
        for row in band.rows(matrix.n(), matrix.m()) {
            let column = row.wrapping_add_signed(band.offset(matrix.m()));
            let term = matrix.band(band)[row] * x[column];
            results[row].0 -= term;
            results[row].1 += term.abs();
        }
    }
    results
}

/// Ten roundings on either side.
const ROUNDINGS: f64 = 20.0 * f64::EPSILON;

/// The differences of a device's x, sums and residual from the host's.
fn unlike(
    context: &Context,
    device: &NineBanded<f64>,
    host: &NineBanded<f64>,
) -> Option<&'static str> {
    let operator = Operator::new(context, &single_matrix(host)).unwrap();
    let system = DoubleSystem::new(context, device, operator.plan()).unwrap();
    differs(context, operator.plan(), system, |b, x| residual(host, b, x))
}

fn differs(
    context: &Context,
    plan: &Rc<Plan>,
    mut system: DoubleSystem,
    residual: impl Fn(&[f64], &[f64]) -> Vec<(f64, f64)>,
) -> Option<&'static str> {
    let n = plan.shape().len();
    let grid = |numbers: &[f32]| DeviceGrid::from_host(context, plan, numbers).unwrap();
    let (b, first, second) = (doubles(n, 1), random(n, 2), random(n, 3));
    let (f, g) = (1.0 + 1e-12, 1e-9 / 3.0);
    system.set(&b).unwrap();
    // What was there before is replaced.
    system.add(&grid(&vec![f32::NAN; n]), 1.0, false).unwrap();
    system.add(&grid(&first), f, false).unwrap();
    system.add(&grid(&second), g, true).unwrap();
    let corrected = first.iter().zip(&second).map(|(a, b)| f * f64::from(*a) + g * f64::from(*b));
    let x: Vec<f64> = corrected.collect();
    let got = system.x().unwrap();
    if x.iter().zip(&got).any(|(x, got)| (x - got).abs() > ROUNDINGS * x.abs()) || got.len() != n {
        return Some("x");
    }
    let expected = residual(&b, &x);
    let size: f64 = expected.iter().map(|(_, size)| size).sum();
    let most = expected.iter().map(|(r, _)| r.abs()).fold(0.0, f64::max);
    let sums = system.residual().unwrap();
    let (elements, squares) = expected.iter().fold((0.0, 0.0), |(e, s), (r, _)| (e + r, s + r * r));
    if (sums.elements - elements).abs() > n as f64 * ROUNDINGS * size
        || (sums.squares - squares).abs() > n as f64 * ROUNDINGS * size * most
    {
        return Some("sums");
    }
    // The last element is small after the shift: 32-bit floats hide no error of it.
    let (shift, factor) = (expected[n - 1].0, 3.0e5 + 1e-4);
    let mut result = grid(&vec![f32::NAN; n]);
    system.scaled(shift, factor, &mut result).unwrap();
    let wrong = |(got, (r, size)): (&f32, &(f64, f64))| {
        let bound =
            factor * ROUNDINGS * size + f64::from(f32::EPSILON) * (factor * (r - shift)).abs();
        let off = (f64::from(*got) - factor * (r - shift)).abs();
        !off.is_finite() || off > bound
    };
    result.read().unwrap().iter().zip(&expected).any(wrong).then_some("residual")
}

#[test]
fn x_its_residual_and_their_sums_are_the_hosts() {
    let whole = Context::headless().unwrap();
    if whole.abilities().compute.is_none() {
        return crate::common::not_tested("no compute shaders");
    }
    let cut = Flavour::Gl.builder().without(Ability::LargerTextures(45)).build().unwrap();
    for (context, (n, m)) in
        [(&whole, (1, 3)), (&whole, (23, 5)), (&cut, (293, 17)), (&whole, (3100, 61))]
    {
        let right = matrix(n, m);
        assert_eq!(unlike(context, &right, &right), None, "{n} in rows of {m}");
        // An entry that is wrong behind the seventh digit.
        let mut bands: [Vec<f64>; 9] = Default::default();
        for band in Band::ALL {
            bands[band.index()] = right.band(band).to_vec();
        }
        bands[Band::DD.index()][n - 1] *= 1.0 + 1e-10;
        let wrong = NineBanded::new(m, bands).unwrap();
        assert!(unlike(context, &wrong, &right).is_some(), "{n} in rows of {m}");
    }
}

/// Checks that solutions meet the tolerance: with a wrong residual on the device, the host's last
/// one would not.
/// b - A x of a sparse matrix, and the magnitude of its terms.
fn residual_of_rows(matrix: &Csr<f64>, b: &[f64], x: &[f64]) -> Vec<(f64, f64)> {
    let row = |(row, b): (usize, &f64)| {
        let (columns, values) = matrix.row(row);
        let terms = columns.iter().zip(values).map(|(column, a)| a * x[*column as usize]);
        terms.fold((*b, b.abs()), |(sum, size), term| (sum - term, size + term.abs()))
    };
    b.iter().enumerate().map(row).collect()
}

fn unlike_in_space(
    context: &Context,
    device: &GridMatrix,
    host: &GridMatrix,
) -> Option<&'static str> {
    let operator = grid3::Operator::new(context, host).unwrap();
    let system = DoubleSystem::new(context, device, operator.plan()).unwrap();
    let rows = host.csr().unwrap();
    differs(context, operator.plan(), system, |b, x| residual_of_rows(&rows, b, x))
}

/// The same with a number changed behind the seventh digit.
fn changed(matrix: &GridMatrix, at: usize) -> GridMatrix {
    let rows = matrix.csr().unwrap();
    let entries = || {
        (0..matrix.n()).flat_map(|row| {
            let (columns, values) = rows.row(row);
            let entry = |(column, value): (&u32, &f64)| {
                let factor = if row == at && *column as usize == at { 1.0 + 1e-10 } else { 1.0 };
                (row, *column as usize, factor * value)
            };
            columns.iter().zip(values).map(entry).collect::<Vec<_>>()
        })
    };
    GridMatrix::from_entries(matrix.grid(), entries).unwrap()
}

#[test]
fn x_and_its_residual_are_the_hosts_in_three_dimensions() {
    let Some(whole) = crate::common::computing() else { return };
    let stacked = Flavour::Gl.builder().without(Ability::LargerTextures(128)).build().unwrap();
    let stencils = [
        (&whole, "poisson7:9x7x5:x=0.3:z=0.7"),
        (&whole, "poisson7:1x5x3"),
        (&whole, "poisson7:2x1x4:sides=periodic"),
        (&whole, "fe27:6x5x4:y=0.3:sides=periodic+dirichlet+neumann"),
        (&whole, "fe27:7x5x6:z=0.1:sides=neumann+periodic+periodic"),
        (&stacked, "poisson7:11x13x12:y=0.7"),
        (&stacked, "jump7:13x9x23:ratio=7:cell=3"),
        (&whole, "random7:6x13x5"),
        (&whole, "convection7:10x4x7:y=-0.3:z=0.7"),
    ];
    for (context, text) in stencils {
        let matrix = text.parse::<Stencil3>().unwrap().matrix().unwrap();
        let stored = matrix.in_stored_form().unwrap();
        for right in [&matrix, &stored] {
            let found = unlike_in_space(context, right, &matrix);
            assert_eq!(found, None, "{text} stored: {}", right.is_stored());
        }
        if !text.contains("periodic") {
            let wrong = changed(&matrix, matrix.n() - 1);
            assert!(unlike_in_space(context, &wrong, &matrix).is_some(), "{text}");
        }
    }
}

#[test]
fn solutions_are_corrected_on_the_device_as_on_the_host() {
    let cases = [
        ("poisson5:24x17", None),
        ("neumann5:19x13", None),
        ("jump:32x33:cell=8", Some(Method::Cg)),
        ("convection:21x20", None),
    ];
    let Some(context) = crate::common::computing() else { return };
    for (text, method) in cases {
        let matrix = text.parse::<Stencil>().unwrap().matrix().unwrap();
        let b = matrix.multiply_f64(&doubles(matrix.n(), 5));
        let solve = |place| {
            let options = Options::new().tolerance(1e-12).residual_on(place);
            let options = method.map_or(options, |method| options.method(method));
            let mut solver = Solver::new(&context, &matrix, options).unwrap();
            assert_eq!(solver.choice().residual_on, place);
            let first = solver.solve(&b).unwrap();
            let again = solver.solve(&b).unwrap();
            assert_eq!((&first.x, first.iterations), (&again.x, again.iterations), "{text}");
            assert!(solver.solve(&vec![0.0; b.len()]).unwrap().x.iter().all(|x| *x == 0.0));
            first
        };
        let (host, device) = (solve(ResidualOn::Host), solve(ResidualOn::Device));
        assert!(device.residual <= 1e-12 && device.x.len() == b.len(), "{text}");
        let steps = (host.iterations as f64, device.iterations as f64);
        // Other roundings lead a long iteration elsewhere: by up to a tenth for coefficients that
        // jump.
        assert!((steps.1 - steps.0).abs() <= 0.15 * steps.0 + 4.0, "{text}: {steps:?}");
    }
}

#[test]
fn a_context_without_doubles_says_so() {
    // OpenGL ES has none, however new; without it, what OpenGL 3.3 stands for.
    let flavour = if Flavour::Gles.is_there() { Flavour::Gles } else { Flavour::Gl33 };
    let context = flavour.builder().build().unwrap();
    let matrix = "poisson5:5".parse::<Stencil>().unwrap().matrix().unwrap();
    let options = Options::new().residual_on(ResidualOn::Device);
    let error = Solver::new(&context, &matrix, options).err().unwrap();
    assert_eq!(error.kind(), Kind::Unsupported);
    assert!(error.to_string().contains("OpenGL 4.3"), "{error}");
    let mut solver = Solver::new(&context, &matrix, Options::new()).unwrap();
    assert_eq!(solver.choice().residual_on, ResidualOn::Host);
    assert!(solver.solve(&[1.0; 25]).unwrap().converged());
}

#[test]
fn solutions_in_three_dimensions_are_corrected_on_the_device() {
    let Some(context) = crate::common::computing() else { return };
    for text in
        ["poisson7:19x13x11", "poisson7:12:sides=neumann", "jump7:16:cell=4", "convection7:15x9x11"]
    {
        let matrix = text.parse::<Stencil3>().unwrap().matrix().unwrap();
        let mut b = vec![0.0; matrix.n()];
        matrix.add_product(&doubles(matrix.n(), 5), &mut b);
        let options = Options::new().tolerance(1e-12).residual_on(ResidualOn::Device);
        let mut solver = Solver::of_grid(&context, &matrix, options).unwrap();
        assert_eq!(solver.choice().residual_on, ResidualOn::Device);
        let solution = solver.solve(&b).unwrap();
        assert!(
            solution.converged() && solution.residual <= 1e-12,
            "{text}: {}",
            solution.residual
        );
    }
}
