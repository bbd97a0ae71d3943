//! `axpy` against double precision: a product and a sum, each rounded once.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod common;

use bytemuck::{cast_slice, cast_vec};
use common::Flavour;
use common::systems::gamma;
use quadrille::linalg::blas1::Axpy;
use quadrille::reference::Comparison;
use quadrille::shader::Reads;
use quadrille::{Classified, Extent, Kind};

/// The first number that is farther from `a x + y` than two roundings explain.
fn first_wrong(a: f32, x: &[f32], y: &[f32], got: &[f32]) -> Option<usize> {
    (0..x.len()).find(|&i| {
        let (product, y) = (f64::from(a) * f64::from(x[i]), f64::from(y[i]));
        let bound = gamma(2.0) * (product.abs() + y.abs());
        !Comparison::of_number(got[i].into(), product + y, bound).is_right()
    })
}

#[test]
fn axpy_agrees_with_double_precision() {
    common::each(|context| {
        for reads in [Reads::Fetch, Reads::Sample] {
            let axpy = Axpy::new(context, reads).unwrap();
            for extent in common::awkward() {
                let n = 4 * extent.texels();
                let (x, y) = (common::random(n, 1), common::random(n, 2));
                let on_device = |v: &[f32]| context.texture(extent, cast_slice(v)).unwrap();
                let mut out = context.empty(extent).unwrap();
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
fn vectors_of_different_extents_are_refused() {
    common::on(&[Flavour::Gl33], |context| {
        let axpy = Axpy::new(context, Reads::Fetch).unwrap();
        let x = context.texture(Extent::new(2, 1), &[[1.0; 4]; 2]).unwrap();
        let y = context.texture(Extent::new(1, 2), &[[1.0; 4]; 2]).unwrap();
        let mut out = context.empty(x.extent()).unwrap();
        let error = axpy.run(1.0, &x, &y, &mut out).unwrap_err();
        assert_eq!(error.kind(), Kind::Input);
        assert_eq!(
            error.to_string(),
            "glsl/blas1/axpy.frag: x has 2 x 1 texels, but y has 1 x 2 texels"
        );
        let mut small = context.empty(Extent::new(1, 1)).unwrap();
        let error = axpy.run(1.0, &x, &x, &mut small).unwrap_err();
        assert!(error.to_string().ends_with("x has 2 x 1 texels, but out has 1 x 1 texels"));
        axpy.run(1.0, &x, &x, &mut out).unwrap();
        assert_eq!(out.read().unwrap(), [[2.0; 4]; 2]);
    });
}
