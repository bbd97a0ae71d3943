//! Expressions of vectors and scalars.

use super::{LENGTHS, each_engine};
use crate::common::systems::gamma;
use crate::common::{Flavour, random};
use quadrille::grid::{DeviceVector, Scalar};
use quadrille::internal::reference::first_wrong;
use quadrille::linalg::blas1::Blas1;
use quadrille::{Kind, Place};

#[test]
fn a_fused_expression_agrees_with_double_precision() {
    each_engine(|context, blas| {
        let map = blas.map("a * x + y * y", &["x", "y"], &["a"]).unwrap();
        let choose = blas.map("x > y\n    ? x\n    : -y // the larger", &["x", "y"], &[]).unwrap();
        for length in LENGTHS {
            let (x, y) = (random(length, 1), random(length, 2));
            let of = |numbers: &[f32]| DeviceVector::from_host(context, numbers).unwrap();
            let (on_x, on_y) = (of(&x), of(&y));
            let mut got = of(&vec![f32::NAN; length]);
            let given = map.apply().vector("x", &on_x).vector("y", &on_y).scalar("a", -0.7);
            given.run(&mut got).unwrap();
            let pairs = || x.iter().zip(&y).map(|(x, y)| (f64::from(*x), f64::from(*y)));
            let expected = pairs().map(|(x, y)| {
                let (product, square) = (f64::from(-0.7_f32) * x, y * y);
                (product + square, gamma(3.0) * (product.abs() + square))
            });
            assert_eq!(first_wrong(got.read().unwrap(), expected), None, "{length}");
            choose.apply().vector("x", &on_x).vector("y", &on_y).run(&mut got).unwrap();
            let expected = pairs().map(|(x, y)| (if x > y { x } else { -y }, 0.0));
            assert_eq!(first_wrong(got.read().unwrap(), expected), None, "{length}");
        }
    });
}

/// The sum would show what is in the padding.
#[test]
fn a_constant_fills_the_elements_and_not_the_padding() {
    each_engine(|context, blas| {
        let fill = blas.map("2.0", &[], &[]).unwrap();
        for length in LENGTHS {
            let mut twos = DeviceVector::uninit(context, length).unwrap();
            fill.apply().run(&mut twos).unwrap();
            assert_eq!(blas.sum(&twos).unwrap(), 2.0 * length as f64);
            assert_eq!(twos.read().unwrap(), vec![2.0; length]);
        }
    });
}

#[test]
fn scalars_are_computed_on_the_device() {
    each_engine(|context, blas| {
        let [a, b] = [6.0, 4.0].map(|number| Scalar::new(context, number).unwrap());
        let mut result = Scalar::new(context, f32::NAN).unwrap();
        let divide = blas.map("-a / b + c", &[], &["a", "b", "c"]).unwrap();
        divide
            .apply()
            .scalar("a", &a)
            .scalar("b", &b)
            .scalar("c", 1.0)
            .run_scalar(&mut result)
            .unwrap();
        assert_eq!(result.read().unwrap(), -0.5);
        let x = DeviceVector::from_host(context, &[1.0_f32, 2.0]).unwrap();
        blas.dot_into(&x, &x, &mut result).unwrap();
        let mut y = DeviceVector::uninit(context, 2).unwrap();
        let scale = blas.map("a * x", &["x"], &["a"]).unwrap();
        scale.apply().vector("x", &x).scalar("a", &result).run(&mut y).unwrap();
        assert_eq!(y.read().unwrap(), [5.0, 10.0]);
    });
}

#[test]
fn an_expression_that_does_not_compile_is_shown_with_a_caret() {
    each_engine(|_, blas| {
        let error = blas.map("a * x + missing", &["x"], &["a"]).map(drop).unwrap_err();
        assert_eq!(error.kind(), Kind::Compile);
        let shown = error.to_string();
        assert!(shown.starts_with("expression does not compile\nexpression:1:"), "{shown}");
        assert!(shown.contains("\n    1 | a * x + missing\n      |         ^"), "{shown}");
        let place = error.place().map(|place| Place { column: None, ..place.clone() });
        assert_eq!(place, Some(Place::line("expression", 1)));
        for wrong in ["vec2(x, x)", "x == 1.0"] {
            let shown = blas.map(wrong, &["x"], &[]).map(drop).expect_err(wrong).to_string();
            let caret = format!("\n    1 | {wrong}\n      | {}^", " ".repeat(wrong.len()));
            let text =
                "expression:1: error: expected an expression of one number, which is a float";
            assert_eq!(shown, format!("expression does not compile\n{text}{caret}"));
        }
        // A name that the generated text might have.
        assert!(blas.map("2.0 * number", &["number"], &[]).is_ok());
        for (wrong, line) in [("x +", 1), ("x\n+ vec2(x, x)", 2), ("x * [2]", 1)] {
            let refused = blas.map(wrong, &["x"], &[]).map(drop);
            let error = refused.expect_err(wrong);
            assert_eq!(error.kind(), Kind::Compile, "{error}");
            let shown = error.to_string();
            assert!(!shown.contains("included from"), "{shown}");
            let last = wrong.lines().last().unwrap();
            assert!(shown.contains(&format!("\n    {line} | {last}\n      | ")), "{shown}");
        }
    });
}

#[test]
fn wrong_names_and_lengths_are_told() {
    crate::common::on(&[Flavour::Gl33], |context| {
        let map = Blas1::new(context).map("a * x", &["x"], &["a"]).unwrap();
        let of = |length| DeviceVector::from_host(context, &vec![1.0; length]).unwrap();
        let (x, mut y) = (of(5), of(5));
        let says = |error: quadrille::stream::Error, text: &str| {
            assert_eq!(error.kind(), Kind::Input);
            assert_eq!(error.to_string(), text);
        };
        let error = map.apply().vector("z", &x).scalar("a", 1.0).run(&mut y).unwrap_err();
        says(error, "expression has no vector `z`; it has: x");
        let error = map.apply().vector("x", &x).scalar("x", 1.0).run(&mut y).unwrap_err();
        says(error, "expression has no scalar `x`; it has: a");
        let error = map.apply().run(&mut y).unwrap_err();
        says(error, "expression: not given: x, a");
        let error = map.apply().vector("x", &of(6)).scalar("a", 1.0).run(&mut y).unwrap_err();
        says(error, "expression: x: expected 5 values, got 6");
        let mut scalar = Scalar::new(context, 0.0).unwrap();
        let error =
            map.apply().vector("x", &x).scalar("a", 1.0).run_scalar(&mut scalar).unwrap_err();
        says(error, "expression: a scalar from vectors: expected 1 values, got 5");
    });
}
