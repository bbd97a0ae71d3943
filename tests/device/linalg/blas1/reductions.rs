//! Sums, norms and the largest magnitude; and an iteration whose scalars stay on the device.

use super::{LENGTHS, each_engine};
use crate::common::random;
use crate::common::sums::lost_terms_must_be_seen;
use quadrille::grid::{DeviceVector, Scalar};
use quadrille::internal::Ability;
use quadrille::internal::reference::{blas1, is_near};
use quadrille::linalg::blas1::Blas1;
use quadrille::stream::Engine;
use quadrille::{Context, stream};

fn of(context: &Context, numbers: &[f32]) -> DeviceVector {
    DeviceVector::from_host(context, numbers).unwrap()
}

/// The number that an operation leaves on the device.
fn left(
    context: &Context,
    operation: impl FnOnce(&mut Scalar) -> Result<(), stream::Error>,
) -> f64 {
    let mut scalar = Scalar::new(context, f32::NAN).unwrap();
    operation(&mut scalar).unwrap();
    scalar.read().unwrap()
}

/// Results come by memory of the host that is used again and again, or by a texture where none
/// stays mapped.
#[test]
fn each_result_is_that_of_its_own_reduction() {
    let plain = Context::builder().without(Ability::MappedBuffers).build().unwrap();
    for context in [Context::headless().unwrap(), plain] {
        if context.abilities().compute.is_none() {
            return crate::common::not_tested("no compute shaders");
        }
        let blas = Blas1::on(&context, Engine::Compute).unwrap();
        let with = |at: usize| {
            let mut numbers = vec![1.0; 4096];
            numbers[7 * at] = 2.0 + at as f32;
            of(&context, &numbers)
        };
        let vectors: Vec<DeviceVector> = (0..10).map(with).collect();
        for (at, x) in vectors.iter().enumerate() {
            let large = 2.0 + at as f64;
            assert_eq!(blas.sum(x).unwrap(), 4095.0 + large);
            assert_eq!(blas.dot(x, x).unwrap(), 4095.0 + large * large);
            assert_eq!(blas.iamax(x).unwrap(), Some(7 * at));
        }
        assert_eq!(context.objects().unwrap().fences, 0);
    }
}

#[test]
fn they_agree_with_double_precision_on_the_host_and_left_on_the_device() {
    each_engine(|context, blas| {
        for length in LENGTHS.into_iter().chain([20_011]) {
            if length > 5000 && context.abilities().max_texture_size < 100 {
                continue;
            }
            let (x, y) = (random(length, 1), random(length, 2));
            let (on_x, on_y) = (of(context, &x), of(context, &y));
            let bound = blas.error_bound(length);
            let products: f64 = x.iter().zip(&y).map(|(x, y)| f64::from((x * y).abs())).sum();
            for (what, exact, magnitude, host, device) in [
                (
                    "sum",
                    blas1::sum(&x),
                    blas1::asum(&x),
                    blas.sum(&on_x),
                    left(context, |scalar| blas.sum_into(&on_x, scalar)),
                ),
                (
                    "asum",
                    blas1::asum(&x),
                    blas1::asum(&x),
                    blas.asum(&on_x),
                    left(context, |scalar| blas.asum_into(&on_x, scalar)),
                ),
                (
                    "dot",
                    blas1::dot(&x, &y),
                    products,
                    blas.dot(&on_x, &on_y),
                    left(context, |scalar| blas.dot_into(&on_x, &on_y, scalar)),
                ),
                (
                    "nrm2",
                    blas1::nrm2(&x),
                    blas1::nrm2(&x),
                    blas.nrm2(&on_x),
                    left(context, |scalar| blas.nrm2_into(&on_x, scalar)),
                ),
            ] {
                for got in [host.unwrap(), device] {
                    let near = is_near(got, exact, bound * magnitude);
                    assert!(near, "{what} of {length}: {got} instead of {exact}");
                }
            }
            assert_eq!(blas.iamax(&on_x).unwrap(), blas1::iamax(&x), "{length}");
        }
    });
}

#[test]
fn the_bound_tells_sums_from_those_with_a_term_less() {
    crate::common::on_extremes(|context| {
        lost_terms_must_be_seen(Blas1::new(context).error_bound(16));
    });
}

#[test]
fn repeated_runs_give_identical_bits() {
    each_engine(|context, blas| {
        let (x, y) = (of(context, &random(4097, 1)), of(context, &random(4097, 2)));
        let run =
            || [blas.dot(&x, &y), blas.asum(&x), blas.nrm2(&y)].map(|got| got.unwrap().to_bits());
        let first = run();
        assert!((0..3).all(|_| run() == first));
    });
}

/// Squares of all of these overflow or underflow, and so do those of some beside others.
#[test]
fn norms_neither_overflow_nor_underflow() {
    each_engine(|context, blas| {
        for numbers in [
            vec![3e38_f32; 7],
            vec![2e-38; 9],
            vec![1e30, 1.0, 1e-30],
            vec![1e-30; 70],
            vec![1e-20, 3e-15, 4e-15],
            vec![1e12, 1.1e12, 1e13],
            vec![1e20, 1e12, 1e12],
            vec![0.0; 5],
            vec![2.0_f32.powi(40), 2.0_f32.powi(-48), 1.0],
            vec![1e-12, 2.0_f32.powi(-48), 1e-16],
        ] {
            let exact = blas1::nrm2(&numbers);
            let bound = blas.error_bound(numbers.len()) * exact;
            let x = of(context, &numbers);
            let got = blas.nrm2(&x).unwrap();
            assert!(is_near(got, exact, bound), "{numbers:?}: {got} instead of {exact}");
            if exact < f64::from(f32::MAX) {
                let got = left(context, |scalar| blas.nrm2_into(&x, scalar));
                assert!(is_near(got, exact, bound), "{numbers:?}: {got} left, not {exact}");
            }
        }
    });
}

#[test]
fn nan_and_infinity_reach_the_results() {
    each_engine(|context, blas| {
        for at in [0, 3, 4, 66] {
            let mut numbers = vec![1e20_f32; 67];
            numbers[at] = f32::NEG_INFINITY;
            let x = of(context, &numbers);
            assert_eq!(blas.nrm2(&x).unwrap(), f64::INFINITY);
            assert_eq!(blas.asum(&x).unwrap(), f64::INFINITY);
            assert_eq!(blas.sum(&x).unwrap(), f64::NEG_INFINITY);
            assert_eq!(left(context, |scalar| blas.nrm2_into(&x, scalar)), f64::INFINITY);
            numbers[at] = f32::NAN;
            for tiny in [false, true] {
                let scale = if tiny { 1e-38 } else { 1.0 };
                let numbers: Vec<f32> = numbers.iter().map(|x| x * scale).collect();
                let x = of(context, &numbers);
                let left = left(context, |scalar| blas.nrm2_into(&x, scalar));
                let results =
                    [blas.nrm2(&x), blas.asum(&x), blas.sum(&x), blas.dot(&x, &x), Ok(left)];
                assert!(results.map(Result::unwrap).iter().all(|got| got.is_nan()), "{at}");
            }
        }
    });
}

#[test]
fn a_sum_of_nothing_is_a_positive_zero() {
    each_engine(|context, blas| {
        let none = of(context, &[]);
        for sum in [blas.sum(&none), blas.asum(&none), blas.dot(&none, &none)] {
            assert_eq!(sum.unwrap().to_bits(), 0);
        }
    });
}

#[test]
fn the_first_of_the_largest_magnitudes_is_found() {
    each_engine(|context, blas| {
        let mut cases = vec![
            vec![],
            vec![0.0],
            vec![0.0; 9],
            vec![-0.0, 0.0],
            vec![1.0, -3.0, 3.0],
            vec![1e-41, 2e-41, -2e-41],
            vec![f32::MAX, f32::NEG_INFINITY, f32::INFINITY],
            vec![f32::INFINITY, f32::NAN, -f32::NAN],
        ];
        for at in [0, 1, 3, 64, 130] {
            let mut numbers = vec![-1.0_f32; 131];
            numbers[at..].fill(1.5);
            cases.push(numbers.clone());
            numbers[at] = -f32::NAN;
            cases.push(numbers);
        }
        for numbers in cases {
            let got = blas.iamax(&of(context, &numbers)).unwrap();
            assert_eq!(got, blas1::iamax(&numbers), "{numbers:?}");
        }
    });
}

/// Conjugate gradients for a diagonal matrix: nothing is read before the end, and steps after
/// convergence divide by zero unless the expression says what then.
#[test]
fn conjugate_gradients_run_without_a_readback() {
    each_engine(|context, blas| {
        let length = 131;
        let diagonal: Vec<f32> = random(length, 3).iter().map(|x| 5.5 + 4.5 * x).collect();
        let b = random(length, 4);
        let on_diagonal = of(context, &diagonal);
        let (mut x, mut r) = (DeviceVector::zeros(context, length).unwrap(), of(context, &b));
        let (mut p, mut q) = (of(context, &b), DeviceVector::uninit(context, length).unwrap());
        let scalar = || Scalar::new(context, 0.0).unwrap();
        let (mut rr, mut last, mut pq) = (scalar(), scalar(), scalar());
        let (mut alpha, mut minus_alpha, mut beta) = (scalar(), scalar(), scalar());
        let multiply = blas.map("d * p", &["d", "p"], &[]).unwrap();
        let divide = blas.map("b > 0.0 ? sign * a / b : 0.0", &[], &["sign", "a", "b"]).unwrap();
        let quotient = |sign: f32, a: &Scalar, b: &Scalar, to: &mut Scalar| {
            divide
                .apply()
                .scalar("sign", sign)
                .scalar("a", a)
                .scalar("b", b)
                .run_scalar(to)
                .unwrap();
        };
        blas.dot_into(&r, &r, &mut rr).unwrap();
        for _ in 0..40 {
            multiply.apply().vector("d", &on_diagonal).vector("p", &p).run(&mut q).unwrap();
            blas.dot_into(&p, &q, &mut pq).unwrap();
            quotient(1.0, &rr, &pq, &mut alpha);
            quotient(-1.0, &rr, &pq, &mut minus_alpha);
            blas.axpy(&alpha, &p, &mut x).unwrap();
            blas.axpy(&minus_alpha, &q, &mut r).unwrap();
            std::mem::swap(&mut rr, &mut last);
            blas.dot_into(&r, &r, &mut rr).unwrap();
            quotient(1.0, &rr, &last, &mut beta);
            blas.axpby(1.0, &r, &beta, &mut p).unwrap();
        }
        let got = x.read().unwrap();
        let norm = blas1::nrm2(&b);
        for ((got, b), d) in got.iter().zip(&b).zip(&diagonal) {
            // The condition is at most 10, and 40 steps leave 2 (0.52)^40 of the error.
            let exact = f64::from(*b) / f64::from(*d);
            assert!(is_near(*got, exact, 1e-6 * norm), "{got} instead of {exact}");
        }
    });
}

/// Numbers of one sign, since the padding is 0; and a NaN in each place counts.
#[test]
fn the_least_and_the_greatest_are_among_the_numbers() {
    each_engine(|context, blas| {
        for length in LENGTHS {
            for sign in [1.0, -1.0] {
                let mut x: Vec<f32> =
                    random(length, 5).iter().map(|x| sign * (x.abs() + 1.0)).collect();
                let least = x.iter().copied().reduce(f32::min).map(f64::from);
                let greatest = x.iter().copied().reduce(f32::max).map(f64::from);
                assert_eq!(blas.min(&of(context, &x)).unwrap(), least, "{length}");
                assert_eq!(blas.max(&of(context, &x)).unwrap(), greatest, "{length}");
                if let Some(last) = x.last_mut() {
                    *last = f32::NAN;
                    assert!(blas.min(&of(context, &x)).unwrap().unwrap().is_nan(), "{length}");
                    assert!(blas.max(&of(context, &x)).unwrap().unwrap().is_nan(), "{length}");
                }
            }
        }
    });
}
