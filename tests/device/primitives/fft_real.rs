//! Transforms of real numbers, by sines and by cosines, against their definitions, on each engine.

use std::f64::consts::PI;

use crate::common::twins::fft::{Complex, fft, norm};
use crate::common::{each_engine, random};
use quadrille::Context;
use quadrille::grid::DeviceVector;
use quadrille::primitives::{RealFft, Trigonometric, TrigonometricFft};

/// The sides of textures by which few numbers fit.
const SIDE: u32 = 16;
/// One, even and odd, large primes, and both sides of a power of two.
const LENGTHS: [usize; 9] = [1, 2, 3, 4, 7, 16, 30, 65, 127];

fn poisoned(context: &Context, length: usize) -> DeviceVector {
    DeviceVector::from_host(context, &vec![f32::NAN; length]).unwrap()
}

/// The root of the sum of the squared errors.
fn error_of(got: &[f32], expected: &[f64]) -> f64 {
    assert_eq!(got.len(), expected.len());
    let off = got.iter().zip(expected).map(|(got, exact)| f64::from(*got) - exact);
    off.map(|off| off * off).sum::<f64>().sqrt()
}

fn norm_of(numbers: &[f32]) -> f64 {
    numbers.iter().map(|number| f64::from(*number).powi(2)).sum::<f64>().sqrt()
}

#[test]
fn real_transforms_are_within_their_bound_and_go_back() {
    each_engine(SIDE, |context, engine| {
        for (rows, length) in LENGTHS.map(|length| (1, length)).into_iter().chain([(5, 6), (3, 9)])
        {
            let transform = RealFft::on(context, engine, rows, length).unwrap();
            let numbers = random(rows * length, length as u64);
            let x = DeviceVector::from_host(context, &numbers).unwrap();
            let mut y = poisoned(context, 2 * rows * transform.half());
            transform.forward(&x, &mut y).unwrap();
            let (mut half, mut all) = (Vec::new(), Vec::new());
            for row in numbers.chunks(length) {
                let row: Vec<Complex> =
                    row.iter().map(|number| [f64::from(*number), 0.0]).collect();
                let whole = fft(&row);
                half.extend(whole[..transform.half()].as_flattened());
                all.extend(whole);
            }
            let bound = transform.error_bound() * norm(&all);
            let got = y.read().unwrap();
            let error = error_of(&got, &half);
            assert!(error <= bound, "{rows} x {length} on {engine}: {error:e}, {bound:e}");
            let mut back = poisoned(context, numbers.len());
            transform.inverse(&y, &mut back).unwrap();
            let exact: Vec<f64> = numbers.iter().map(|number| f64::from(*number)).collect();
            let bound = 2.0 * transform.error_bound() * norm_of(&numbers);
            let error = error_of(&back.read().unwrap(), &exact);
            assert!(error <= bound, "back: {rows} x {length} on {engine}: {error:e}, {bound:e}");
        }
    });
}

/// NumPy's irfft ignores them too.
#[test]
fn imaginary_parts_that_no_real_numbers_have_are_ignored() {
    each_engine(SIDE, |context, engine| {
        for length in [6, 5] {
            let transform = RealFft::on(context, engine, 1, length).unwrap();
            let numbers = random(2 * transform.half(), 1);
            let mut without = numbers.clone();
            without[1] = 0.0;
            if length % 2 == 0 {
                without[2 * transform.half() - 1] = 0.0;
            }
            let back = |numbers: &[f32]| {
                let mut out = poisoned(context, length);
                let x = DeviceVector::from_host(context, numbers).unwrap();
                transform.inverse(&x, &mut out).unwrap();
                out.read().unwrap()
            };
            assert_eq!(back(&numbers), back(&without));
        }
    });
}

/// A sine or cosine transform by its definition.
fn twin(kind: Trigonometric, x: &[f32]) -> Vec<f64> {
    let n = x.len() as f64;
    let of = |k: usize| {
        let term = |j: usize| {
            let (exact, j, k) = (f64::from(x[j]), j as f64, k as f64);
            exact
                * match kind {
                    Trigonometric::Cosine1 if j == 0.0 || j == n - 1.0 => {
                        (PI * j * k / (n - 1.0)).cos()
                    }
                    Trigonometric::Cosine1 => 2.0 * (PI * j * k / (n - 1.0)).cos(),
                    Trigonometric::Cosine2 => 2.0 * (PI * k * (2.0 * j + 1.0) / (2.0 * n)).cos(),
                    Trigonometric::Sine1 => 2.0 * (PI * (j + 1.0) * (k + 1.0) / (n + 1.0)).sin(),
                    Trigonometric::Hartley => {
                        let angle = 2.0 * PI * (j * k % n) / n;
                        angle.cos() + angle.sin()
                    }
                    _ => 2.0 * (PI * (k + 1.0) * (2.0 * j + 1.0) / (2.0 * n)).sin(),
                }
        };
        (0..x.len()).map(term).sum()
    };
    (0..x.len()).map(of).collect()
}

#[test]
fn sine_and_cosine_transforms_are_within_their_bound_and_go_back() {
    each_engine(SIDE, |context, engine| {
        for kind in Trigonometric::ALL {
            for (rows, length) in [(1, 1), (1, 2), (4, 5), (2, 8), (1, 33), (1, 64)] {
                if kind == Trigonometric::Cosine1 && length == 1 {
                    continue;
                }
                let what = format!("{kind:?} of {rows} x {length} on {engine}");
                let transform = TrigonometricFft::on(context, engine, kind, rows, length).unwrap();
                let numbers = random(rows * length, length as u64);
                let x = DeviceVector::from_host(context, &numbers).unwrap();
                let mut y = poisoned(context, numbers.len());
                transform.forward(&x, &mut y).unwrap();
                let expected: Vec<f64> =
                    numbers.chunks(length).flat_map(|row| twin(kind, row)).collect();
                let got = y.read().unwrap();
                let (error, bound) =
                    (error_of(&got, &expected), transform.error_bound() * norm_of(&numbers));
                assert!(error <= bound, "{what}: {error:e}, {bound:e}");
                let mut back = poisoned(context, numbers.len());
                transform.inverse(&y, &mut back).unwrap();
                let exact: Vec<f64> = numbers.iter().map(|number| f64::from(*number)).collect();
                // Of type I the inverse is the transform again: what the first lost grows with it.
                let bound = 2.0 * transform.error_bound_of_inverse() * norm_of(&got) + error;
                let error = error_of(&back.read().unwrap(), &exact);
                assert!(error <= bound, "back: {what}: {error:e}, {bound:e}");
            }
        }
    });
}

#[test]
fn other_lengths_are_refused_with_numbers() {
    let context = Context::headless().unwrap();
    let transform = RealFft::new(&context, 2, 6).unwrap();
    let x = DeviceVector::from_host(&context, &[1.0; 12]).unwrap();
    let mut short = DeviceVector::uninit(&context, 15).unwrap();
    let error = transform.forward(&x, &mut short).unwrap_err().to_string();
    assert!(error.contains("expected 16 values, got 15"), "{error}");
    let error = TrigonometricFft::new(&context, Trigonometric::Cosine1, 1, 1).unwrap_err();
    assert!(error.to_string().contains("two numbers or more: expected 2 values, got 1"));
}
