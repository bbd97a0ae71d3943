//! Nine-banded operators against their twins. A product in differences rounds the sum of a row,
//! each difference and each product, and adds eight times: an element is within gamma_11 of the
//! magnitudes of its terms of the exact one, and a residual within gamma_12 of those and |b|
//! (Higham, section 3.1). Matrices have a random number in each place of their bands, also across
//! the ends of rows.

use std::rc::Rc;

use crate::common::planted::faults_must_be_seen;
use crate::common::systems::{System, gamma};
use crate::common::twins::nine_banded;
use crate::common::{Flavour, sums};
use quadrille::data::{Band, NineBanded, Stencil};
use quadrille::grid::{DeviceGrid, GridShape, Halo, Plan, Scalar};
use quadrille::internal::Ability;
use quadrille::internal::reference::{first_wrong, is_near};
use quadrille::linalg::blas1::Blas1;
use quadrille::linalg::jacobi::ComputeShape;
use quadrille::linalg::nine_banded::Operator;
use quadrille::stream::Engine;
use quadrille::{Context, Kind};

/// n and m: as for Jacobi, and rows of several texels with a short last row.
const SIZES: [(usize, usize); 6] = [(1, 3), (10, 3), (23, 5), (61, 8), (293, 17), (1025, 33)];

/// The system without couplings across the ends of rows, as stencils make them.
fn within_rows(system: &System) -> System {
    let m = system.matrix.m();
    let left = [Band::LL, Band::DL, Band::UL];
    let right = [Band::LU, Band::DU, Band::UU];
    system.without(|row, band| {
        row % m == 0 && left.contains(&band) || row % m == m - 1 && right.contains(&band)
    })
}

type Expected = Vec<(f64, f64)>;

fn product(matrix: &NineBanded, x: &[f32]) -> Expected {
    let bounds = nine_banded::magnitudes(matrix, x).into_iter().map(|size| gamma(11.0) * size);
    nine_banded::product(matrix, x).into_iter().zip(bounds).collect()
}

fn residual(matrix: &NineBanded, b: &[f32], x: &[f32]) -> Expected {
    let sizes = nine_banded::magnitudes(matrix, x).into_iter().zip(b);
    let bounds = sizes.map(|(size, b)| gamma(12.0) * (size + f64::from(*b).abs()));
    nine_banded::residual(matrix, b, x).into_iter().zip(bounds).collect()
}

fn wrong(got: &[f32], expected: &Expected) -> Option<usize> {
    first_wrong(got.iter().copied(), expected.iter().copied())
}

/// A grid that is NaN all over, halos and padding too.
fn poisoned(blas: &Blas1, operator: &Operator) -> DeviceGrid {
    let mut grid = DeviceGrid::zeros(operator.context(), operator.plan()).unwrap();
    blas.grids().scal(f32::NAN, &mut grid).unwrap();
    grid
}

/// A x, A (A x) and b - A x.
fn results(blas: &Blas1, operator: &Operator, system: &System) -> [Vec<f32>; 3] {
    let (context, plan) = (operator.context(), operator.plan());
    let grid = |numbers: &[f32]| DeviceGrid::from_host(context, plan, numbers).unwrap();
    let (x, b) = (grid(&system.start), grid(&system.b));
    let [mut y, mut z, mut r] = [(); 3].map(|()| poisoned(blas, operator));
    operator.apply(&x, &mut y).unwrap();
    operator.apply(&y, &mut z).unwrap();
    operator.residual(&b, &x, &mut r).unwrap();
    // The halos of y are filled now, and those of r poisoned: neither counts.
    assert!(blas.grids().nrm2(&r).unwrap().is_finite());
    [y, z, r].map(|grid| grid.read().unwrap())
}

fn bits(results: [Vec<f32>; 3]) -> [Vec<u32>; 3] {
    results.map(|numbers| numbers.into_iter().map(f32::to_bits).collect())
}

fn check(blas: &Blas1, context: &Context, (n, m): (usize, usize)) {
    let general = System::random(n, m, n as u64);
    for system in [within_rows(&general), general] {
        for engine in Engine::of(context) {
            let place = format!("{engine}, n = {n}, m = {m}");
            let operator = Operator::on(context, &system.matrix, engine).unwrap();
            let [y, z, r] = results(blas, &operator, &system);
            let System { matrix, b, start } = &system;
            assert_eq!(wrong(&y, &product(matrix, start)), None, "A x: {place}");
            assert_eq!(wrong(&z, &product(matrix, &y)), None, "A (A x): {place}");
            assert_eq!(wrong(&r, &residual(matrix, b, start)), None, "b - A x: {place}");
        }
    }
}

#[test]
fn products_and_residuals_agree_with_their_twins() {
    crate::common::on_extremes(|context| {
        let blas = Blas1::new(context);
        SIZES.iter().for_each(|size| check(&blas, context, *size));
    });
}

/// The usual form is not within the bound, which here is far below that of |A| |x|.
#[test]
fn products_of_smooth_vectors_lose_no_digits() {
    crate::common::on_extremes(|context| {
        let matrix = "fe9:33x21".parse::<Stencil>().unwrap().matrix().unwrap();
        let smooth: Vec<f32> = (0..693).map(|i| 100.0 + (i % 33) as f32 / 1024.0).collect();
        let expected = product(&matrix, &smooth);
        for engine in Engine::of(context) {
            let operator = Operator::on(context, &matrix, engine).unwrap();
            let x = DeviceGrid::from_host(context, operator.plan(), &smooth).unwrap();
            let mut y = DeviceGrid::zeros(context, operator.plan()).unwrap();
            operator.apply(&x, &mut y).unwrap();
            assert_eq!(wrong(&y.read().unwrap(), &expected), None, "{engine}");
        }
        let usual: Vec<f32> = (0..693).map(|row| usual_form(&matrix, &smooth, row)).collect();
        assert!(wrong(&usual, &expected).is_some());
    });
}

fn usual_form(matrix: &NineBanded, x: &[f32], row: usize) -> f32 {
    let column = |band: &Band| row.checked_add_signed(band.offset(33)).and_then(|at| x.get(at));
    Band::ALL.iter().map(|band| matrix.band(*band)[row] * column(band).unwrap_or(&0.0)).sum()
}

fn small(flavour: Flavour, side: u32) -> Context {
    flavour.builder().without(Ability::LargerTextures(side)).build().unwrap()
}

#[test]
fn panels_give_what_one_texture_gives() {
    for (flavour, sides) in [(Flavour::Gl, [45, 64]), (Flavour::Gles30, [45, 100])] {
        for side in sides {
            crate::common::clean("small panels", &small(flavour, side), |context| {
                let blas = Blas1::new(context);
                for (n, m) in [(61, 8), (293, 17), (900, 97)] {
                    check(&blas, context, (n, m));
                }
            });
        }
    }
}

/// Work groups of 32 x 4, and of 12 x 5, which is no power of two.
fn groups_of(context: &Context) -> impl Iterator<Item = (Engine, ComputeShape)> {
    let odd = ComputeShape { group: [12, 5], ..ComputeShape::TILE };
    let shapes = [ComputeShape::WIDE, odd].map(|shape| (Engine::Compute, shape));
    shapes.into_iter().filter(|_| context.abilities().compute.is_some())
}

#[test]
fn a_product_and_a_dot_product_at_once_are_both_of_them() {
    let body = |context: &Context| {
        let blas = Blas1::new(context);
        for (n, m) in [(1, 3), (61, 8), (7000, 97)] {
            let general = System::random(n, m, 5);
            for system in [within_rows(&general), general] {
                let all =
                    [(Engine::Fragment, ComputeShape::WIDE)].into_iter().chain(groups_of(context));
                for (engine, shape) in all {
                    let matrix = &system.matrix;
                    let operator = Operator::with_shape(context, matrix, engine, shape).unwrap();
                    let x = DeviceGrid::from_host(context, operator.plan(), &system.start).unwrap();
                    let (mut y, mut dot) =
                        (poisoned(&blas, &operator), Scalar::new(context, f32::NAN).unwrap());
                    operator.apply_and_dot(blas.grids(), &x, &mut y, &mut dot).unwrap();
                    let y = y.read().unwrap();
                    let place = format!("{engine}, n = {n}, m = {m}");
                    let expected = product(&system.matrix, &system.start);
                    assert_eq!(wrong(&y, &expected), None, "{place}");
                    let bound = blas.grids().error_bound(operator.plan());
                    let (exact, bound) = sums::dot(&system.start, &y, bound);
                    assert!(is_near(dot.read().unwrap(), exact, bound), "{place}");
                }
            }
        }
    };
    crate::common::on_extremes(body);
    crate::common::clean("small panels", &small(Flavour::Gl, 64), body);
}

#[test]
fn panels_give_the_bits_of_one_texture_on_a_software_renderer() {
    let whole = Flavour::Gl.builder().build().unwrap();
    if !whole.abilities().software {
        return;
    }
    let cut = small(Flavour::Gl, 45);
    for (n, m) in [(700, 31), (900, 97)] {
        let general = System::random(n, m, 3);
        for system in [within_rows(&general), general] {
            for engine in Engine::of(&cut) {
                let [one, several] = [&whole, &cut].map(|context| {
                    let operator = Operator::on(context, &system.matrix, engine).unwrap();
                    bits(results(&Blas1::new(context), &operator, &system))
                });
                assert_eq!(one, several, "{engine}, n = {n}, m = {m}");
            }
        }
    }
}

/// Hardware takes tiles and panels; a software renderer runs them too.
#[test]
fn every_shape_gives_the_same_numbers() {
    let shape = |group, tile, panels| ComputeShape { group, tile, panels };
    let others = [ComputeShape::TILE, shape([8, 8], true, false), shape([32, 4], false, true)];
    let body = |context: &Context| {
        if context.abilities().compute.is_none() {
            return crate::common::not_tested("no compute shaders");
        }
        let blas = Blas1::new(context);
        for (n, m) in [(10, 3), (900, 97)] {
            let general = System::random(n, m, 7);
            for system in [within_rows(&general), general] {
                let of = |shape| {
                    let matrix = &system.matrix;
                    Operator::with_shape(context, matrix, Engine::Compute, shape).unwrap()
                };
                let first = results(&blas, &of(ComputeShape::WIDE), &system);
                assert_eq!(wrong(&first[0], &product(&system.matrix, &system.start)), None);
                let exact = context.abilities().software;
                for shape in others {
                    let [y, z, r] = results(&blas, &of(shape), &system);
                    let System { matrix, b, start } = &system;
                    assert_eq!(wrong(&y, &product(matrix, start)), None, "{shape:?}, {n}");
                    assert_eq!(wrong(&r, &residual(matrix, b, start)), None, "{shape:?}, {n}");
                    let same = bits([y, z, r]) == bits(first.clone());
                    assert!(same || !exact, "{shape:?}, n = {n}");
                }
            }
        }
    };
    crate::common::on(&[Flavour::Gl], body);
    crate::common::clean("small panels", &small(Flavour::Gl, 64), body);
}

#[test]
fn a_row_that_cannot_be_cut_is_an_error() {
    crate::common::clean("textures of 45", &small(Flavour::Gl, 45), |context| {
        let system = System::random(2000, 700, 1);
        let error = Operator::new(context, &system.matrix).unwrap_err();
        assert_eq!(error.kind(), Kind::Limit);
        assert!(error.to_string().contains("rows of 700"), "{error}");
        assert!(Operator::new(context, &within_rows(&system).matrix).is_ok());
    });
}

#[test]
fn the_diagonal_and_its_reciprocals() {
    crate::common::on(&[Flavour::Gles30], |context| {
        let matrix = "heat9:13".parse::<Stencil>().unwrap().matrix().unwrap();
        let operator = Operator::new(context, &matrix).unwrap();
        let diagonal = matrix.band(Band::DD);
        assert_eq!(operator.diagonal().unwrap().read().unwrap(), diagonal);
        let reciprocals: Vec<f32> = diagonal.iter().map(|d| 1.0 / d).collect();
        assert_eq!(operator.reciprocal_diagonal().unwrap().read().unwrap(), reciprocals);
        let mut bands = Band::ALL.map(|band| matrix.band(band).to_vec());
        bands[Band::DD.index()][100] = 0.0;
        let operator = Operator::new(context, &NineBanded::new(13, bands).unwrap()).unwrap();
        let error = operator.reciprocal_diagonal().unwrap_err();
        assert!(error.to_string().starts_with("row 100 has 0e0 on the diagonal"), "{error}");
    });
}

#[test]
fn grids_of_another_plan_or_context_are_refused() {
    crate::common::on(&[Flavour::Gl33], |context| {
        let matrix = "poisson5:9".parse::<Stencil>().unwrap().matrix().unwrap();
        let operator = Operator::new(context, &matrix).unwrap();
        let other = Rc::new(Plan::strips(GridShape::new(9, 9), 3, Halo::NONE));
        let x = DeviceGrid::zeros(context, operator.plan()).unwrap();
        let mut y = DeviceGrid::zeros(context, &other).unwrap();
        for error in [
            operator.apply(&x, &mut y),
            operator.residual(&y, &x, &mut poisoned(&Blas1::new(context), &operator)),
        ] {
            assert_eq!(error.unwrap_err().kind(), Kind::Input);
        }
        let elsewhere = Context::headless().unwrap();
        let mut foreign = DeviceGrid::zeros(&elsewhere, operator.plan()).unwrap();
        let error = operator.apply(&x, &mut foreign).unwrap_err();
        assert!(error.to_string().contains("belongs to another context"), "{error}");
    });
}

#[test]
fn the_comparison_can_fail() {
    let system = System::random(23, 5, 9);
    let System { matrix, b, start } = &system;
    for expected in [product(matrix, start), residual(matrix, b, start)] {
        faults_must_be_seen(&expected, |got| wrong(got, &expected).is_none());
    }
    // Without any one coupling the result is another.
    for row in 0..23 {
        for band in Band::ALL {
            if matrix.band(band)[row] == 0.0 {
                continue;
            }
            let without = system.without(|at, other| at == row && other == band).matrix;
            let got: Vec<f32> = product(&without, start).iter().map(|(y, _)| *y as f32).collect();
            assert_eq!(wrong(&got, &product(matrix, start)), Some(row), "{band} of row {row}");
        }
    }
}
