//! Operators in every form against stored bands: their products, residuals and levels, and the twin's
//! numbers within the bound of `nine_banded`. Sizes are odd, of one row, and one over a texel.

use std::rc::Rc;

use crate::common::systems::gamma;
use crate::common::twins::nine_banded;
use crate::common::{by_turns, each_engine, random};
use quadrille::data::{
    Band, Block, Faces, Form, NineBanded, Stencil, diffusion, diffusion_by_faces,
};
use quadrille::grid::{DeviceGrid, Scalar};
use quadrille::internal::reference::first_wrong;
use quadrille::linalg::blas1::Blas1;
use quadrille::linalg::double_system::DoubleSystem;
use quadrille::linalg::jacobi::ComputeShape;
use quadrille::linalg::multigrid::{CoarsenAlong, Hierarchy, Options, Smoother};
use quadrille::linalg::nine_banded::Operator;
use quadrille::linalg::solve::{Method, ResidualOn, Solver};
use quadrille::stream::Engine;
use quadrille::{Context, Shape, linalg::solve};

/// A coupling to each neighbour that differs from all others, and another one on the diagonal at
/// each side.
const STENCILS: [&str; 3] =
    ["convection:S:angle=20", "fe9:S:anisotropy=0.3:angle=30", "neumann5:S"];

const SIZES: [&str; 9] = ["3x1", "3x2", "4x3", "5x1", "8x7", "17x19", "33x31", "97x9", "4x150"];

fn matrix(text: &str, size: &str) -> NineBanded {
    let matrix = text.replace('S', size).parse::<Stencil>().unwrap().matrix().unwrap();
    assert_eq!(matrix.form(), Form::Constant);
    matrix
}

/// A x, b - A x, and x . A x, on memory that was NaN.
fn results(blas: &Blas1, operator: &Operator, [x, b]: [&[f32]; 2]) -> [Vec<f32>; 3] {
    let (context, plan) = (operator.context(), operator.plan());
    let grid = |numbers: &[f32]| DeviceGrid::from_host(context, plan, numbers).unwrap();
    let poisoned = || {
        let mut grid = DeviceGrid::zeros(context, plan).unwrap();
        blas.grids().scal(f32::NAN, &mut grid).unwrap();
        grid
    };
    let (x, b, [mut y, mut z, mut r]) = (grid(x), grid(b), [(); 3].map(|()| poisoned()));
    operator.apply(&x, &mut y).unwrap();
    operator.residual(&b, &x, &mut r).unwrap();
    let mut dot = Scalar::new(context, f32::NAN).unwrap();
    operator.apply_and_dot(blas.grids(), &x, &mut z, &mut dot).unwrap();
    // Halos were poisoned, and padding: neither counts.
    assert!(blas.grids().nrm2(&r).unwrap().is_finite());
    [
        y.read().unwrap(),
        r.read().unwrap(),
        [&z.read().unwrap()[..], &[dot.read().unwrap() as f32]].concat(),
    ]
}

fn vectors(n: usize) -> [Vec<f32>; 2] {
    [random(n, 1), random(n, 2)]
}

/// The exact product, and what each number may be off: as `nine_banded` derives it.
fn product(matrix: &NineBanded, x: &[f32]) -> Vec<(f64, f64)> {
    let bounds = nine_banded::magnitudes(matrix, x).into_iter().map(|size| gamma(11.0) * size);
    nine_banded::product(matrix, x).into_iter().zip(bounds).collect()
}

fn check(context: &Context, make: impl Fn(&NineBanded) -> Operator, text: &str, size: &str) {
    let (blas, matrix) = (Blas1::new(context), matrix(text, size));
    let stored = matrix.stored().unwrap();
    assert_eq!(stored.form(), Form::Stored);
    let (constant, stored) = (make(&matrix), make(&stored));
    assert_eq!((constant.form(), stored.form()), (Form::Constant, Form::Stored));
    let [x, b] = vectors(matrix.n());
    let got = results(&blas, &constant, [&x, &b]);
    let place = format!("{text} {size} on {}", constant.engine());
    assert_eq!(first_wrong(got[0].iter().copied(), product(&matrix, &x)), None, "{place}");
    if context.abilities().software {
        // The same arithmetic in the same order.
        assert_eq!(got, results(&blas, &stored, [&x, &b]), "{place}");
    }
}

#[test]
fn products_and_residuals_are_those_of_stored_bands() {
    each_engine(45, |context, engine| {
        for (at, size) in SIZES.iter().enumerate() {
            check(context, |a| Operator::on(context, a, engine).unwrap(), STENCILS[at % 3], size);
        }
    });
}

/// Hardware takes tiles and panels; a software renderer runs them too.
#[test]
fn every_shape_of_work_groups_gives_the_same() {
    let Some(context) = crate::common::computing() else { return };
    let odd = ComputeShape { group: [12, 5], ..ComputeShape::TILE };
    for (shape, size) in [(ComputeShape::TILE, "97x9"), (odd, "33x31")] {
        for text in STENCILS {
            let make =
                |a: &NineBanded| Operator::with_shape(&context, a, Engine::Compute, shape).unwrap();
            check(&context, make, text, size);
        }
    }
}

/// Without one coupling at one side, at one corner or inside, or with a diagonal that is off there, the
/// result is another, in that row alone.
#[test]
fn a_coupling_that_is_left_out_is_seen() {
    let context = Context::headless().unwrap();
    let (blas, (width, height)) = (Blas1::new(&context), (9, 7));
    for text in STENCILS {
        let matrix = matrix(text, "9x7");
        let [x, b] = vectors(matrix.n());
        let operator = Operator::new(&context, &matrix).unwrap();
        let [got, ..] = results(&blas, &operator, [&x, &b]);
        let mut seen = 0;
        for (band, row) in
            Band::ALL.into_iter().flat_map(|band| (0..63).map(move |row| (band, row)))
        {
            let is_side = |place: usize, of: usize| place == 0 || place + 1 == of;
            let sides = [is_side(row % width, width), is_side(row / width, height)];
            if matrix.band(band)[row] == 0.0 || sides == [false, false] && row != 31 {
                continue;
            }
            let mut bands = Band::ALL.map(|band| matrix.band(band).to_vec());
            bands[band.index()][row] = 0.0;
            let other = NineBanded::new(width, bands).unwrap();
            let wrong = first_wrong(got.iter().copied(), product(&other, &x));
            assert_eq!(wrong, Some(row), "{text}: {band} of row {row}");
            seen += 1;
        }
        assert!(seen > 100, "{seen}");
    }
}

/// Kernels of a matrix without couplings across corners ask for five of nine numbers; one such coupling at
/// one point, first, last or inside, and they ask for all.
#[test]
fn one_coupling_across_a_corner_is_seen() {
    each_engine(45, |context, engine| {
        let blas = Blas1::new(context);
        let star = "poisson5:9x70".parse::<Stencil>().unwrap().matrix().unwrap();
        let ([x, b], n) = (vectors(star.n()), star.n());
        for band in [Band::LL, Band::LU, Band::UL, Band::UU] {
            let inside = band.rows(n, 9);
            for row in [inside.start, 311, inside.end - 1] {
                let mut bands = Band::ALL.map(|band| star.band(band).to_vec());
                bands[band.index()][row] = -0.75;
                let matrix = NineBanded::new(9, bands).unwrap();
                let operator = Operator::on(context, &matrix, engine).unwrap();
                let [got, ..] = results(&blas, &operator, [&x, &b]);
                let wrong = first_wrong(got, product(&matrix, &x));
                assert_eq!(wrong, None, "{band} of row {row} on {engine}");
            }
        }
    });
}

/// Coefficients of 1/30 to 30, and a block of 1000.
fn coefficients(width: usize, height: usize, seed: u64) -> Vec<f64> {
    let numbers = random(width * height, seed);
    let k = numbers.iter().enumerate().map(|(at, number)| {
        let inside = (at % width > width / 2) && at / width > height / 2;
        if inside { 1000.0 } else { 30_f64.powf(f64::from(*number)) }
    });
    k.collect()
}

/// Diffusion by coefficients at points, and by those at faces: closed on the left.
fn fields(width: usize, height: usize) -> [NineBanded<f64>; 2] {
    let shape = Shape::new(height, width);
    let points = diffusion(shape, coefficients(width, height, 11)).unwrap();
    let mut x = coefficients(width + 1, height, 12);
    x.iter_mut().step_by(width + 1).for_each(|k| *k = 0.0);
    let y = coefficients(width, height + 1, 13);
    let faces = diffusion_by_faces(shape, Faces { x: x.into(), y: y.into() }).unwrap();
    for matrix in [&points, &faces] {
        assert_eq!(matrix.form(), Form::Field);
    }
    [points, faces]
}

/// A mean is 2 a b / (a + b) of rounded numbers by a quotient in a quotient: within eight roundings of
/// the number that the host rounds once. So a product is within gamma_20 of the magnitudes of its terms.
#[test]
fn bands_that_the_device_computes_from_a_field_are_the_hosts() {
    each_engine(45, |context, engine| {
        let blas = Blas1::new(context);
        let sizes = [(3, 1), (4, 3), (17, 19), (33, 31), (97, 9), (4, 150)];
        let all = sizes.into_iter().flat_map(|(width, height)| {
            fields(width, height).map(|matrix| (width, height, matrix))
        });
        for (width, height, matrix) in all {
            let matrix = matrix.rounded().unwrap().0;
            let operator = Operator::on(context, &matrix, engine).unwrap();
            let [x, b] = vectors(matrix.n());
            let [got, ..] = results(&blas, &operator, [&x, &b]);
            let stored = matrix.stored().unwrap();
            let bounded = |matrix: &NineBanded| -> Vec<(f64, f64)> {
                let sizes = nine_banded::magnitudes(matrix, &x).into_iter();
                // The sum of a row of rounded numbers is off by their roundings.
                let sums = x.iter().zip(matrix.band(Band::DD));
                let sums = sums.map(|(x, sum)| f64::from(x.abs() * sum));
                let bounds =
                    sizes.zip(sums).map(|(size, sum)| gamma(20.0) * size + gamma(5.0) * sum);
                nine_banded::product(matrix, &x).into_iter().zip(bounds).collect()
            };
            let place = format!("{width}x{height} on {engine}");
            assert_eq!(first_wrong(got.iter().copied(), bounded(&stored)), None, "{place}");
            // Without one coupling at a corner, at a side and inside it is another.
            let n = matrix.n();
            let corners = [(Band::DU, 0), (Band::DL, n - 1), (Band::DD, n - 1), (Band::DD, 0)];
            for (band, row) in corners.into_iter().chain([(Band::DD, n / 2), (Band::DD, 1)]) {
                let mut bands = Band::ALL.map(|band| stored.band(band).to_vec());
                bands[band.index()][row] *= 0.99;
                let other = NineBanded::new(width, bands).unwrap();
                let wrong = first_wrong(got.iter().copied(), bounded(&other));
                assert_eq!(wrong, Some(row), "{place}: {band} of row {row}");
            }
        }
    });
}

#[test]
fn a_field_is_solved_for_as_stored_bands_are() {
    let Some(context) = crate::common::computing() else { return };
    let cases = [
        ((41, 33), Method::Cg, Some(ResidualOn::Device)),
        ((41, 33), Method::Multigrid, Some(ResidualOn::Device)),
        ((60, 7), Method::BiCgStab, Some(ResidualOn::Host)),
        ((3, 1), Method::Cg, None),
    ];
    let cases = cases.into_iter().flat_map(|(size, method, place)| {
        fields(size.0, size.1).map(|matrix| (size, method, place, matrix))
    });
    for ((width, height), method, place, matrix) in cases {
        let known: Vec<f64> = random(matrix.n(), 8).iter().map(|x| f64::from(*x)).collect();
        let b = matrix.stored().unwrap().multiply_f64(&known);
        let solve = |matrix: &NineBanded<f64>| {
            let options = solve::Options::new().tolerance(1e-11).method(method);
            let options = place.map_or(options, |place| options.residual_on(place));
            let mut solver = Solver::new(&context, matrix, options).unwrap();
            let solution = solver.solve(&b).unwrap();
            assert!(solution.residual <= 1e-11);
            solution
        };
        let (one, other) = (solve(&matrix), solve(&matrix.stored().unwrap()));
        let steps = (one.iterations as f64, other.iterations as f64);
        assert!((steps.0 - steps.1).abs() <= 0.15 * steps.1 + 4.0, "{width}x{height}: {steps:?}");
    }
}

/// The numbers of all levels, and how they are smoothed.
#[test]
fn levels_are_those_of_stored_bands() {
    let by = |smoother| Options::new().smoother(smoother);
    let cases = [
        ("poisson5:37x29", Options::new()),
        ("fe9:40x33:anisotropy=0.01", Options::new().coarsen(CoarsenAlong::Strong)),
        ("convection:24x21", Options::new().symmetric(false)),
        ("neumann5:33x20", by(Smoother::LineJacobi).constant_null_space(true)),
        ("poisson5:7x5", Options::new()),
    ];
    by_turns(cases, |context, (text, options)| {
        let matrix = text.parse::<Stencil>().unwrap().matrix().unwrap();
        for engine in Engine::of(context) {
            let make = |matrix: &NineBanded| {
                let operator = Rc::new(Operator::on(context, matrix, engine).unwrap());
                let mut hierarchy = Hierarchy::new(&operator, *options).unwrap();
                let r = DeviceGrid::from_host(context, operator.plan(), &random(matrix.n(), 4));
                let mut z = DeviceGrid::zeros(context, operator.plan()).unwrap();
                hierarchy.apply(&r.unwrap(), &mut z).unwrap();
                (hierarchy, z.read().unwrap())
            };
            let (one, z) = make(&matrix);
            let (other, expected) = make(&matrix.stored().unwrap());
            assert!(one.levels().eq(other.levels()) && one.smoothers() == other.smoothers());
            let (mut most, mut off) = (0.0_f64, 0.0_f64);
            for (got, expected) in z.iter().zip(&expected) {
                most = most.max(f64::from(expected.abs()));
                off = off.max(f64::from((got - expected).abs()));
            }
            assert!(off <= 1e-5 * most && most > 0.0, "{text} on {engine}: {off} of {most}");
            for level in 0..one.levels().count() {
                let [one, other] = [&one, &other].map(|all| all.matrix(level).unwrap().unwrap());
                let pairs = one.rows().iter().flatten().zip(other.rows().iter().flatten());
                let largest =
                    other.rows().iter().flatten().fold(0.0_f64, |all, a| all.max(a.abs()));
                let off = pairs.fold(0.0_f64, |off, (a, b)| off.max((a - b).abs()));
                assert!(off <= 2e-6 * largest, "{text}, level {level} on {engine}: {off}");
            }
        }
    });
}

/// The residual of an x, in double precision on the device.
fn squares(context: &Context, matrix: &NineBanded<f64>, x: &[f32], b: &[f64]) -> f64 {
    let single = matrix.rounded().unwrap().0;
    let operator = Operator::new(context, &single).unwrap();
    let mut system = DoubleSystem::new(context, matrix, operator.plan()).unwrap();
    system.set(b).unwrap();
    let x = DeviceGrid::from_host(context, operator.plan(), x).unwrap();
    system.add(&x, 1.0, false).unwrap();
    system.residual().unwrap().squares
}

/// Returns x, a right-hand side that is A x but for a part, so that a wrong digit is seen, and the sum of
/// the squares of that part.
fn known(matrix: &NineBanded<f64>) -> (Vec<f32>, Vec<f64>, f64) {
    let x = random(matrix.n(), 6);
    let double: Vec<f64> = x.iter().map(|x| f64::from(*x)).collect();
    let part = |at: usize| 1e-9 * (at % 5) as f64;
    let product = matrix.multiply_f64(&double);
    let b = product.iter().enumerate().map(|(at, y)| y + part(at)).collect();
    (x, b, (0..matrix.n()).map(|at| part(at).powi(2)).sum())
}

/// The means of the host and of the device, in double precision.
#[test]
fn residuals_of_a_field_in_double_precision_are_those_of_stored_bands() {
    let Some(context) = crate::common::computing() else { return };
    let sizes = [(3, 1), (17, 19), (33, 8)];
    let all = sizes
        .into_iter()
        .flat_map(|(width, height)| fields(width, height).map(|matrix| (width, height, matrix)));
    for (width, height, matrix) in all {
        let (n, (x, b, expected)) = (matrix.n(), known(&matrix));
        for matrix in [matrix.clone(), matrix.stored().unwrap()] {
            let got = squares(&context, &matrix, &x, &b);
            // Numbers up to 4000 are within some 1e-12 of each other.
            let bound = n as f64 * 4e-9 * 1e-11 + 1e-22 * n as f64;
            assert!((got - expected).abs() <= bound, "{width}x{height}: {got} {expected}");
        }
    }
}

/// A panel that is a part of a grid has what flows to the points around it in its diagonal alone; without that
/// at one side it is another.
#[test]
fn blocks_of_a_field_are_those_of_stored_bands() {
    let context = Context::headless().unwrap();
    let blas = Blas1::new(&context);
    let (width, height) = (33, 29);
    for whole in fields(width, height) {
        let stored = whole.stored().unwrap();
        let blocks = [
            (Block { columns: 0..33, rows: 7..22 }, Band::LD, 0),
            (Block { columns: 4..21, rows: 0..29 }, Band::DL, 17 * 3),
            (Block { columns: 8..33, rows: 3..8 }, Band::UD, 25 * 4 + 2),
        ];
        for (block, over, row) in blocks {
            let part = whole.block(&block).unwrap().rounded().unwrap().0;
            assert_eq!(part.form(), Form::Field);
            let expected = stored.block(&block).unwrap().rounded().unwrap().0;
            let operator = Operator::new(&context, &part).unwrap();
            let [x, b] = vectors(part.n());
            let [got, ..] = results(&blas, &operator, [&x, &b]);
            let bounded = |matrix: &NineBanded| -> Vec<(f64, f64)> {
                let sizes = nine_banded::magnitudes(matrix, &x).into_iter();
                let sums = x.iter().zip(matrix.band(Band::DD));
                let bounds = sizes.zip(sums).map(|(size, (x, sum))| {
                    gamma(20.0) * size + gamma(5.0) * f64::from(x.abs() * sum)
                });
                nine_banded::product(matrix, &x).into_iter().zip(bounds).collect()
            };
            assert_eq!(first_wrong(got.iter().copied(), bounded(&expected)), None, "{block:?}");
            let place = block.rows.start * width + block.columns.start;
            let of_whole = place + row / block.width() * width + row % block.width();
            let mut bands = Band::ALL.map(|band| expected.band(band).to_vec());
            bands[Band::DD.index()][row] += stored.band(over)[of_whole] as f32;
            let other = NineBanded::new(block.width(), bands).unwrap();
            let wrong = first_wrong(got.iter().copied(), bounded(&other));
            assert_eq!(wrong, Some(row), "{block:?} without {over}");
        }
    }
}

/// Stored bands whose numbers 32 bits hold are sent in these, others in 64; the residual is the same.
#[test]
fn residuals_of_stored_bands_are_exact_in_either_precision() {
    let Some(context) = crate::common::computing() else { return };
    let jump = "jump:29x17:cell=3".parse::<Stencil>().unwrap().matrix_f64().unwrap();
    let exact = jump.stored().unwrap();
    assert!(exact.rounded().unwrap().1);
    // One number in the last band and its last row is not exact.
    let mut bands = Band::ALL.map(|band| exact.band(band).to_vec());
    let (band, row) = (Band::LL.index(), exact.n() - 1);
    bands[band][row] = 1.0 / 3.0;
    let inexact = NineBanded::new(29, bands).unwrap();
    for matrix in [exact, inexact] {
        let (n, (x, b, expected)) = (matrix.n(), known(&matrix));
        let got = squares(&context, &matrix, &x, &b);
        assert!((got - expected).abs() <= 1e-5 * expected + 1e-25 * n as f64, "{got} {expected}");
    }
}

#[test]
fn residuals_in_double_precision_are_those_of_stored_bands() {
    let Some(context) = crate::common::computing() else { return };
    for (text, size) in [(STENCILS[0], "3x1"), (STENCILS[1], "17x19"), (STENCILS[2], "33x8")] {
        let matrix = text.replace('S', size).parse::<Stencil>().unwrap().matrix_f64().unwrap();
        let (n, (x, b, expected)) = (matrix.n(), known(&matrix));
        for matrix in [matrix.clone(), matrix.stored().unwrap()] {
            let got = squares(&context, &matrix, &x, &b);
            assert!(
                (got - expected).abs() <= 1e-5 * expected + 1e-29 * n as f64,
                "{text} {size}: {got}"
            );
        }
        if n > 3 {
            let mut bands = Band::ALL.map(|band| matrix.band(band).to_vec());
            bands[Band::DD.index()][n - 1] *= 1.0 + 1e-7;
            let wrong = NineBanded::new(matrix.m(), bands).unwrap();
            let got = squares(&context, &wrong, &x, &b);
            assert!((got - expected).abs() > 1e-5 * expected, "{text} {size}: {got}");
        }
    }
}

/// Solutions on every way: each method, residuals on the host and on the device.
#[test]
fn solutions_and_their_steps_are_those_of_stored_bands() {
    let cases = [
        ("poisson5:41x33", Method::Cg, None),
        ("convection:33x21:angle=20", Method::BiCgStab, Some(ResidualOn::Device)),
        ("fe9:37:anisotropy=0.1", Method::Multigrid, Some(ResidualOn::Device)),
        ("heat9:24x17:step=0.3", Method::Jacobi, Some(ResidualOn::Host)),
        ("neumann5:30x23", Method::Multigrid, None),
    ];
    let Some(context) = crate::common::computing() else { return };
    for (text, method, place) in cases {
        let matrix = text.parse::<Stencil>().unwrap().matrix_f64().unwrap();
        let known: Vec<f64> = random(matrix.n(), 8).iter().map(|x| f64::from(*x)).collect();
        let b = matrix.multiply_f64(&known);
        let solve = |matrix: &NineBanded<f64>| {
            let options = solve::Options::new().tolerance(1e-10).method(method);
            let options = place.map_or(options, |place| options.residual_on(place));
            let mut solver = Solver::new(&context, matrix, options).unwrap();
            solver.solve(&b).unwrap()
        };
        let (one, other) = (solve(&matrix), solve(&matrix.stored().unwrap()));
        if context.abilities().software {
            assert_eq!((one.iterations, one.x), (other.iterations, other.x), "{text}");
        }
    }
}
