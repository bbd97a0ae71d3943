//! `axpy` against double precision: a product and a sum, each rounded once.

use crate::common::Flavour;
use crate::common::planted::faults_must_be_seen;
use crate::common::systems::gamma;
use bytemuck::{cast_slice, cast_vec};
use quadrille::internal::reference;
use quadrille::linalg::blas1::Axpy;
use quadrille::shader::Reads;
use quadrille::{Extent, Kind};

/// `a x + y`, and what two roundings explain.
fn expected(a: f32, x: &[f32], y: &[f32]) -> Vec<(f64, f64)> {
    let element = |(x, y): (&f32, &f32)| {
        let (product, y) = (f64::from(a) * f64::from(*x), f64::from(*y));
        (product + y, gamma(2.0) * (product.abs() + y.abs()))
    };
    x.iter().zip(y).map(element).collect()
}

/// The first number that is farther from `a x + y` than that.
fn first_wrong(a: f32, x: &[f32], y: &[f32], got: &[f32]) -> Option<usize> {
    reference::first_wrong(got.iter().copied(), expected(a, x, y))
}

#[test]
fn axpy_agrees_with_double_precision() {
    crate::common::each(|context| {
        for reads in [Reads::Fetch, Reads::Sample] {
            let axpy = Axpy::new(context, reads).unwrap();
            for extent in crate::common::awkward() {
                let n = 4 * extent.texels();
                let (x, y) = (crate::common::random(n, 1), crate::common::random(n, 2));
                let on_device = |v: &[f32]| context.texture(extent, cast_slice(v)).unwrap();
                let mut out = context.uninit(extent).unwrap();
                out.fill([f32::NAN; 4]).unwrap();
                for a in [0.0, 1.0, -2.5, 3e-3] {
                    axpy.run(a, &on_device(&x), &on_device(&y), &mut out).unwrap();
                    let got: Vec<f32> = cast_vec(out.read().unwrap());
                    assert_eq!(first_wrong(a, &x, &y, &got), None, "{extent}, a = {a}, {reads:?}");
                    if a != 1.0 {
                        assert_eq!(
                            first_wrong(a, &y, &x, &got),
                            Some(0),
                            "the comparison can fail"
                        );
                    }
                }
            }
        }
    });
}

#[test]
fn an_element_that_is_twice_its_bound_away_or_lost_a_term_is_wrong() {
    let (x, y) = (crate::common::random(20, 1), crate::common::random(20, 2));
    for a in [0.0, 1.0, -2.5, 3e-3] {
        faults_must_be_seen(&expected(a, &x, &y), |got| first_wrong(a, &x, &y, got).is_none());
    }
    for lost in 0..20 {
        let without = |numbers: &[f32]| {
            let mut fewer = numbers.to_vec();
            fewer[lost] = 0.0;
            fewer
        };
        for (x_left, y_left) in [(without(&x), y.clone()), (x.clone(), without(&y))] {
            let got: Vec<f32> =
                expected(3e-3, &x_left, &y_left).iter().map(|(sum, _)| *sum as f32).collect();
            assert_eq!(first_wrong(3e-3, &x, &y, &got), Some(lost));
        }
    }
}

#[test]
fn vectors_of_different_extents_are_refused() {
    crate::common::on(&[Flavour::Gl33], |context| {
        let axpy = Axpy::new(context, Reads::Fetch).unwrap();
        let x = context.texture(Extent::new(2, 1), &[[1.0; 4]; 2]).unwrap();
        let y = context.texture(Extent::new(1, 2), &[[1.0; 4]; 2]).unwrap();
        let mut out = context.uninit(x.extent()).unwrap();
        let error = axpy.run(1.0, &x, &y, &mut out).unwrap_err();
        assert_eq!(error.kind(), Kind::Input);
        assert_eq!(
            error.to_string(),
            "glsl/blas1/axpy.frag: x has 2 x 1 texels, but y has 1 x 2 texels"
        );
        let mut small = context.uninit(Extent::new(1, 1)).unwrap();
        let error = axpy.run(1.0, &x, &x, &mut small).unwrap_err();
        assert!(error.to_string().ends_with("x has 2 x 1 texels, but out has 1 x 1 texels"));
        axpy.run(1.0, &x, &x, &mut out).unwrap();
        assert_eq!(out.read().unwrap(), [[2.0; 4]; 2]);
    });
}
