//! Operations that change vectors: each element has at most as many roundings as operations.

use super::{LENGTHS, each_engine};
use crate::common::planted::faults_must_be_seen;
use crate::common::systems::gamma;
use crate::common::{Flavour, random};
use quadrille::grid::{DeviceVector, Scalar};
use quadrille::internal::reference::{blas1, first_wrong};
use quadrille::linalg::blas1::Blas1;
use quadrille::stream::Engine;
use quadrille::{Context, Kind};

/// `a x + b y` with what three roundings explain.
fn expected(a: f32, x: &[f32], b: f32, y: &[f32]) -> Vec<(f64, f64)> {
    let absolute = |numbers: &[f32]| -> Vec<f32> { numbers.iter().map(|x| x.abs()).collect() };
    let magnitudes = blas1::axpby(a.abs(), &absolute(x), b.abs(), &absolute(y));
    let bounds = magnitudes.into_iter().map(|magnitude| gamma(3.0) * magnitude);
    blas1::axpby(a, x, b, y).into_iter().zip(bounds).collect()
}

#[test]
fn they_agree_with_double_precision() {
    each_engine(|context, blas| {
        let factors = [(0.0, 1.0), (1.0, -1.0), (-2.5, 3e-3)];
        for (length, (a, b)) in LENGTHS.into_iter().zip(factors.into_iter().cycle()) {
            let (x, y) = (random(length, 1), random(length, 2));
            let of = |numbers: &[f32]| DeviceVector::from_host(context, numbers).unwrap();
            let right = |what: &str, got: &DeviceVector, expected: Vec<(f64, f64)>| {
                assert_eq!(first_wrong(got.read().unwrap(), expected), None, "{what}, {length}");
            };
            let (on_x, none) = (of(&x), vec![0.0; length]);
            let mut got = of(&vec![f32::NAN; length]);
            blas.copy(&on_x, &mut got).unwrap();
            assert_eq!(got.read().unwrap(), x);
            blas.scal(a, &mut got).unwrap();
            right("scal", &got, expected(a, &x, 0.0, &none));
            let mut got = of(&y);
            blas.axpy(a, &on_x, &mut got).unwrap();
            right("axpy", &got, expected(a, &x, 1.0, &y));
            let mut got = of(&y);
            blas.axpby(a, &on_x, &Scalar::new(context, b).unwrap(), &mut got).unwrap();
            right("axpby", &got, expected(a, &x, b, &y));
            let (mut first, mut second) = (of(&x), of(&y));
            blas.rot(&mut first, &mut second, a, b).unwrap();
            right("x of rot", &first, expected(a, &x, b, &y));
            right("y of rot", &second, expected(a, &y, -b, &x));
            let (mut first, mut second) = (of(&x), of(&y));
            blas.swap(&mut first, &mut second).unwrap();
            assert_eq!((first.read().unwrap(), second.read().unwrap()), (y, x));
        }
    });
}

#[test]
fn a_number_twice_its_bound_away_and_a_lost_term_are_wrong() {
    let (x, y) = (random(20, 1), random(20, 2));
    let right = expected(-2.5, &x, 3e-3, &y);
    faults_must_be_seen(&right, |got| first_wrong(got.to_vec(), right.clone()).is_none());
    for lost in 0..20 {
        let mut fewer = x.clone();
        fewer[lost] = 0.0;
        let got = blas1::axpby(-2.5, &fewer, 3e-3, &y);
        assert_eq!(first_wrong(got, right.clone()), Some(lost));
    }
}

/// Computes vectors long enough for two passes: one of whole rows, and one with a test for the
/// padding.
#[test]
fn large_vectors_are_whole_rows_and_the_rest() {
    crate::common::on(&[Flavour::Gl33], |context| {
        let blas = Blas1::new(context);
        for length in [1 << 19, (1 << 19) - 1, (1 << 18) + 2049] {
            let mut x = DeviceVector::from_host(context, &vec![1.0_f32; length]).unwrap();
            blas.scal(f32::INFINITY, &mut x).unwrap();
            assert_eq!(blas.iamax(&x).unwrap(), Some(0), "{length}");
            assert!(x.read().unwrap().iter().all(|x| *x == f32::INFINITY), "{length}");
        }
    });
}

/// A factor that is not finite makes NaN of zeros: those of the padding must stay.
#[test]
fn the_padding_stays_zero() {
    each_engine(|context, blas| {
        for length in [1, 5, 66] {
            let ones = || DeviceVector::from_host(context, &vec![1.0_f32; length]).unwrap();
            let (mut x, mut y) = (ones(), ones());
            blas.scal(f32::INFINITY, &mut x).unwrap();
            assert_eq!(blas.iamax(&x).unwrap(), Some(0), "scal, {length}");
            blas.axpy(f32::INFINITY, &ones(), &mut y).unwrap();
            assert_eq!(blas.sum(&y).unwrap(), f64::INFINITY, "axpy, {length}");
            let (mut x, mut y) = (ones(), ones());
            blas.rot(&mut x, &mut y, f32::INFINITY, 0.0).unwrap();
            assert_eq!([blas.sum(&x).unwrap(), blas.sum(&y).unwrap()], [f64::INFINITY; 2]);
        }
    });
}

/// Compares bits: where the context has `precise`, both engines round alike.
#[test]
fn the_engines_give_identical_bits() {
    crate::common::on(&[Flavour::Gl], |context| {
        if !context.abilities().precise {
            return crate::common::not_tested("no `precise`");
        }
        let (x, y) = (random(1021, 1), random(1021, 2));
        let by = |engine: &Engine| {
            let blas = Blas1::on(context, *engine).unwrap();
            let mut x = DeviceVector::from_host(context, &x).unwrap();
            let mut y = DeviceVector::from_host(context, &y).unwrap();
            blas.axpy(0.7, &x, &mut y).unwrap();
            blas.rot(&mut x, &mut y, 0.6, 0.8).unwrap();
            [x.read().unwrap(), y.read().unwrap()].concat()
        };
        let results: Vec<Vec<f32>> = Engine::of(context).iter().map(by).collect();
        assert!(results.windows(2).all(|pair| pair[0] == pair[1]));
    });
}

#[test]
fn other_lengths_and_contexts_and_engines_that_are_not_there_are_refused() {
    crate::common::on(&[Flavour::Gl33], |context| {
        let blas = Blas1::new(context);
        let of = |context: &Context, length| DeviceVector::from_host(context, &vec![1.0; length]);
        let (five, mut six) = (of(context, 5).unwrap(), of(context, 6).unwrap());
        for error in [
            blas.copy(&five, &mut six),
            blas.axpy(1.0, &five, &mut six),
            blas.axpby(1.0, &five, 1.0, &mut six),
            blas.dot(&six, &five).map(drop),
        ] {
            let error = error.unwrap_err();
            assert_eq!(error.kind(), Kind::Input);
            assert!(error.to_string().ends_with("expected 6 values, got 5"), "{error}");
        }
        let elsewhere = Context::headless().unwrap();
        let error = blas.axpy(1.0, &of(&elsewhere, 6).unwrap(), &mut six).unwrap_err();
        assert!(error.to_string().contains("belongs to another context"), "{error}");
        assert_eq!(six.read().unwrap(), [1.0; 6]);
        let error = Blas1::on(context, Engine::Compute).map(drop).unwrap_err();
        assert_eq!(error.kind(), Kind::Unsupported);
    });
}
