//! Grids on the device: what is sent comes back, whatever the shape, in one panel or in several;
//! and the operations on them.

use std::rc::Rc;

use crate::common::planted::faults_must_be_seen;
use crate::common::{Flavour, sums};
use quadrille::grid::{DeviceGrid, GridShape, Halo, Plan, Scalar};
use quadrille::internal::Ability;
use quadrille::internal::reference::{blas1, first_wrong, is_near};
use quadrille::linalg::blas1::{Blas1, Coefficient};
use quadrille::stream::Engine;
use quadrille::{Context, Extent, Kind};

/// Numbers, and the width of a row.
const SHAPES: [(usize, usize); 9] =
    [(1, 3), (3, 3), (4, 4), (23, 5), (61, 8), (169, 13), (1021, 31), (1025, 64), (1500, 129)];

/// Panels that the device need not cut, and small ones with halos.
fn plans(n: usize, m: usize) -> Vec<Rc<Plan>> {
    let shape = GridShape::in_rows(n, m);
    let blocks = |side, halo| Plan::within(shape, Extent::new(side, side), halo).ok();
    let halo = |steps, across_ends| Halo { steps, across_ends };
    let whole = Plan::strips(shape, 1, halo(1, true));
    let small = [blocks(5, halo(1, false)), blocks(16, halo(5, false)), blocks(17, halo(1, true))];
    small.into_iter().flatten().chain([whole]).map(Rc::new).collect()
}

#[test]
fn what_is_sent_comes_back() {
    crate::common::each(|context| {
        for (n, m) in SHAPES {
            for plan in plans(n, m) {
                let sent = crate::common::random(n, 1);
                let grid = DeviceGrid::from_host(context, &plan, &sent).unwrap();
                grid.fill_halos().unwrap();
                assert_eq!(grid.read().unwrap(), sent, "{plan}");
                let mut other = DeviceGrid::zeros(context, &plan).unwrap();
                assert_eq!(other.read().unwrap(), vec![0.0; n], "{plan}");
                other.copy_from(&grid).unwrap();
                assert_eq!(other.read().unwrap(), sent, "{plan}");
            }
        }
    });
}

#[test]
fn a_device_with_small_textures_has_panels() {
    let builder = Flavour::Gles30.builder().without(Ability::LargerTextures(7));
    crate::common::clean("textures of 7 x 7 texels", &builder.build().unwrap(), |context| {
        let shape = GridShape::new(50, 30);
        let plan = DeviceGrid::plan_for(context, shape, Halo::NONE).unwrap();
        assert_eq!(plan.parts().len(), 10);
        let sent = crate::common::random(1500, 2);
        let grid = DeviceGrid::from_host(context, &plan, &sent).unwrap();
        assert_eq!(grid.read().unwrap(), sent);
        let deep = Halo { steps: 4, across_ends: false };
        let error = DeviceGrid::plan_for(context, shape, deep).unwrap_err();
        assert_eq!(error.kind(), Kind::Limit);
    });
}

#[test]
fn another_length_plan_or_context_is_refused() {
    crate::common::on(&[Flavour::Gl33], |context| {
        let plan = |n| Rc::new(Plan::strips(GridShape::in_rows(n, 5), 2, Halo::NONE));
        let (twenty, thirty) = (plan(20), plan(30));
        let mut grid = DeviceGrid::from_host(context, &twenty, &[1.0; 20]).unwrap();
        let error = grid.write(&[0.0; 4]).unwrap_err();
        assert_eq!(error.to_string(), "writing a grid: expected 20 values, got 4");
        let other = DeviceGrid::zeros(context, &thirty).unwrap();
        let error = grid.copy_from(&other).unwrap_err();
        assert_eq!(error.kind(), Kind::Input);
        let text =
            "copying a grid: expected a grid of 20 numbers in rows of 5, in 2 parts, got one of 30";
        assert!(error.to_string().starts_with(text), "{error}");
        let blas = Blas1::new(context);
        assert_eq!(blas.grids().axpy(1.0, &other, &mut grid).unwrap_err().kind(), Kind::Input);
        assert_eq!(blas.grids().dot(&other, &grid).unwrap_err().kind(), Kind::Input);
        let elsewhere = Context::headless().unwrap();
        let foreign = DeviceGrid::from_host(&elsewhere, &twenty, &[2.0; 20]).unwrap();
        for error in [grid.copy_from(&foreign), blas.grids().axpy(1.0, &foreign, &mut grid)] {
            let error = error.unwrap_err();
            assert!(error.to_string().contains("belongs to another context"), "{error}");
        }
        assert_eq!(grid.read().unwrap(), [1.0; 20]);
    });
}

#[test]
fn more_than_the_device_holds_is_an_error_with_the_bytes() {
    crate::common::on(&[Flavour::Gl], |context| {
        if context.abilities().software {
            let shape = GridShape::new(1 << 22, 1 << 23);
            let plan = Rc::new(Plan::strips(shape, 1000, Halo::NONE));
            let error = DeviceGrid::uninit(context, &plan).unwrap_err();
            assert_eq!(error.kind(), Kind::OutOfMemory);
            assert!(error.to_string().contains("140737488355328 bytes"), "{error}");
        }
        assert_eq!(context.objects().unwrap().total(), 0);
    });
}

/// A grid of these numbers whose halos and padding were all NaN before.
fn over_poison(blas: &Blas1, context: &Context, plan: &Rc<Plan>, numbers: &[f32]) -> DeviceGrid {
    let mut grid = DeviceGrid::zeros(context, plan).unwrap();
    blas.grids().scal(f32::NAN, &mut grid).unwrap();
    grid.write(numbers).unwrap();
    grid
}

/// Two roundings, or three, of a x + b y.
fn near(got: &[f32], a: f32, x: &[f32], b: f32, y: &[f32]) -> Option<usize> {
    let exact = blas1::axpby(a, x, b, y);
    let unit = 0.5_f64.powi(24);
    let bound = |i: usize| {
        let magnitude = |a: f32, x: f32| f64::from(a).abs() * f64::from(x).abs();
        3.01 * unit * (magnitude(a, x[i]) + magnitude(b, y[i]))
    };
    first_wrong(got.iter().copied(), (0..x.len()).map(|i| (exact[i], bound(i))))
}

#[test]
fn operations_agree_with_their_twins() {
    crate::common::on_extremes(|context| {
        for engine in Engine::of(context) {
            let blas = Blas1::on(context, engine).unwrap();
            for (n, m) in [(1, 3), (23, 5), (1021, 31)] {
                for plan in plans(n, m) {
                    check_operations(&blas, context, &plan);
                }
            }
        }
    });
}

fn check_operations(blas: &Blas1, context: &Context, plan: &Rc<Plan>) {
    let n = plan.shape().len();
    let grids = blas.grids();
    let [p, q, x0, r0] = [1, 2, 3, 4].map(|seed| crate::common::random(n, seed));
    let grid = |numbers: &[f32]| over_poison(blas, context, plan, numbers);
    let (dp, dq, mut x, mut r) = (grid(&p), grid(&q), grid(&x0), grid(&r0));
    let half = Scalar::new(context, 0.5).unwrap();
    grids.advance(&half, (&dp, &mut x), (&dq, &mut r)).unwrap();
    assert_eq!(near(&x.read().unwrap(), 0.5, &p, 1.0, &x0), None, "{plan}");
    assert_eq!(near(&r.read().unwrap(), -0.5, &q, 1.0, &r0), None, "{plan}");
    let mut y = grid(&x0);
    grids.axpy(Coefficient::Minus(&half), &dp, &mut y).unwrap();
    assert_eq!(near(&y.read().unwrap(), -0.5, &p, 1.0, &x0), None, "{plan}");
    let mut y = grid(&x0);
    grids.axpby(3.0, &dp, Coefficient::Minus(&half), &mut y).unwrap();
    assert_eq!(near(&y.read().unwrap(), 3.0, &p, -0.5, &x0), None, "{plan}");
    // What is undefined is not read.
    let mut y = grid(&vec![f32::NAN; n]);
    grids.axpby(3.0, &dp, 0.0, &mut y).unwrap();
    assert_eq!(near(&y.read().unwrap(), 3.0, &p, 0.0, &x0), None, "{plan}");
    grids.copy(&dq, &mut y).unwrap();
    assert_eq!(y.read().unwrap(), q, "{plan}");
    grids.multiply(&dp, &dq, &mut y).unwrap();
    let products: Vec<f32> = p.iter().zip(&q).map(|(p, q)| p * q).collect();
    assert_eq!(y.read().unwrap(), products, "{plan}");
    let bound = grids.error_bound(plan);
    let (mut y, mut fused) = (grid(&vec![f32::NAN; n]), Scalar::new(context, f32::NAN).unwrap());
    grids.multiply_and_dot(&dp, &dq, &mut y, &mut fused).unwrap();
    assert_eq!(y.read().unwrap(), products, "{plan}");
    let exact = sums::dot(&q, &products, bound);
    assert!(is_near(fused.read().unwrap(), exact.0, exact.1), "{plan}");
    let (dot, norm) = (sums::dot(&p, &q, bound), sums::norm(&p, bound));
    let mut scalar = Scalar::new(context, f32::NAN).unwrap();
    assert!(is_near(grids.dot(&dp, &dq).unwrap(), dot.0, dot.1), "{plan}");
    grids.dot_into(&dp, &dq, &mut scalar).unwrap();
    assert!(is_near(scalar.read().unwrap(), dot.0, dot.1), "{plan}");
    grids.sum_into(&dp, &mut scalar).unwrap();
    let sum = sums::sum(&p, bound);
    assert!(is_near(scalar.read().unwrap(), sum.0, sum.1), "{plan}");
    assert!(is_near(grids.nrm2(&dp).unwrap(), norm.0, norm.1), "{plan}");
    grids.nrm2_into(&dp, &mut scalar).unwrap();
    // The norm is rounded to a 32-bit float.
    assert!(is_near(scalar.read().unwrap(), norm.0, norm.1 + 1e-7 * norm.0), "{plan}");
}

#[test]
fn the_comparisons_can_fail() {
    let (x, y) = (crate::common::random(7, 1), crate::common::random(7, 2));
    let unit = 0.5_f64.powi(24);
    let exact = blas1::axpby(0.5, &x, -1.0, &y);
    let bound = |i: usize| 3.01 * unit * (0.5 * f64::from(x[i]).abs() + f64::from(y[i]).abs());
    let expected: Vec<_> = exact.iter().enumerate().map(|(i, exact)| (*exact, bound(i))).collect();
    faults_must_be_seen(&expected, |got| near(got, 0.5, &x, -1.0, &y).is_none());
}
