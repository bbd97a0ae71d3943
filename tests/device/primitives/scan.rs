//! Scans against their twin: each operation and number, inclusive and exclusive, whole and by
//! segments, on each engine, at awkward lengths, in one panel and in several.

use crate::common::planted::faults_must_be_seen;
use crate::common::twins::scan::scan;
use crate::common::{each_engine, is_thorough};
use quadrille::Context;
use quadrille::grid::DeviceVector;
use quadrille::internal::reference::is_near;
use quadrille::primitives::{Number, Operation, Scan};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// None, one, and primes and one over and under texels, blocks, levels and tiles.
const LENGTHS: [usize; 12] = [0, 1, 3, 4, 5, 16, 17, 255, 257, 1021, 4097, 70_001];
/// The sides of textures by which vectors have several panels.
const SIDE: u32 = 16;

/// A start at about one number of 40.
fn random_starts(random: &mut Pcg64Mcg, length: usize) -> Vec<u32> {
    (0..length).map(|_| u32::from(random.random_range(0..40) == 0) * 7).collect()
}

/// The prefixes on the device, written over a poisoned vector.
fn prefixes<T: Number>(
    scan: &Scan<T>,
    x: &DeviceVector<T>,
    starts: Option<&DeviceVector<u32>>,
    (operation, exclusive): (Operation, bool),
    poison: T,
) -> Vec<T> {
    let mut out = DeviceVector::from_host(x.context(), &vec![poison; x.len()]).unwrap();
    let mut prefixes = scan.of(x).operation(operation);
    if exclusive {
        prefixes = prefixes.exclusive();
    }
    if let Some(starts) = starts {
        prefixes = prefixes.segments(starts);
    }
    prefixes.run(&mut out).unwrap();
    out.read().unwrap()
}

/// Where a test need not be thorough, sums and the one operation that compares stand for all:
/// compiling is most of the time.
fn operations() -> Vec<Operation> {
    match is_thorough() {
        true => Operation::ALL.to_vec(),
        false => vec![Operation::Sum, Operation::Max],
    }
}

/// Every form of a scan of one length, compared by `compare(what, operation, exclusive, starts, got)`.
fn each_form<T: Number>(
    scan: &Scan<T>,
    context: &Context,
    numbers: &[T],
    poison: T,
    compare: impl Fn(&str, Operation, bool, Option<&[u32]>, &[T]),
) {
    let x = DeviceVector::from_host(context, numbers).unwrap();
    let mut random = Pcg64Mcg::seed_from_u64(numbers.len() as u64);
    let flags = random_starts(&mut random, numbers.len());
    let starts = DeviceVector::from_host(context, &flags).unwrap();
    for operation in operations() {
        for exclusive in [false, true] {
            for segmented in [false, true] {
                let starts = segmented.then_some(&starts);
                let got = prefixes(scan, &x, starts, (operation, exclusive), poison);
                let what = format!(
                    "{operation:?} of {} numbers, exclusive: {exclusive}, segmented: {segmented}",
                    numbers.len()
                );
                compare(&what, operation, exclusive, starts.map(|_| &flags[..]), &got);
            }
        }
    }
}

#[test]
fn scans_of_integers_are_exact() {
    each_engine(SIDE, |context, engine| {
        let (whole, signed) =
            (Scan::<u32>::on(context, engine).unwrap(), Scan::<i32>::on(context, engine).unwrap());
        for length in LENGTHS {
            let mut random = Pcg64Mcg::seed_from_u64(length as u64);
            let numbers: Vec<u32> = (0..length).map(|_| random.random()).collect();
            each_form(&whole, context, &numbers, 77, |what, operation, exclusive, starts, got| {
                let (identity, join): (u32, fn(u32, u32) -> u32) = match operation {
                    Operation::Product => (1, u32::wrapping_mul),
                    Operation::Min => (u32::MAX, u32::min),
                    Operation::Max => (0, u32::max),
                    _ => (0, u32::wrapping_add),
                };
                assert!(got == scan(&numbers, starts, exclusive, identity, join), "u32: {what}");
            });
            let numbers: Vec<i32> = numbers.iter().map(|number| *number as i32).collect();
            each_form(&signed, context, &numbers, 77, |what, operation, exclusive, starts, got| {
                let (identity, join): (i32, fn(i32, i32) -> i32) = match operation {
                    Operation::Product => (1, i32::wrapping_mul),
                    Operation::Min => (i32::MAX, i32::min),
                    Operation::Max => (i32::MIN, i32::max),
                    _ => (0, i32::wrapping_add),
                };
                assert!(got == scan(&numbers, starts, exclusive, identity, join), "i32: {what}");
            });
        }
    });
}

#[test]
fn scans_of_floats_are_within_the_bound_of_their_tree() {
    each_engine(SIDE, |context, engine| {
        let on_device = Scan::<f32>::on(context, engine).unwrap();
        for length in LENGTHS {
            let mut random = Pcg64Mcg::seed_from_u64(length as u64);
            // Products stay in range: factors near one.
            let numbers: Vec<f32> = (0..length)
                .map(|_| {
                    (1.0 + random.random_range(-0.01..0.01_f32))
                        * [1.0, -1.0][random.random_range(0..2)]
                })
                .collect();
            let exact: Vec<f64> = numbers.iter().map(|number| f64::from(*number)).collect();
            let magnitudes: Vec<f64> = exact.iter().map(|number| number.abs()).collect();
            let bound = on_device.error_bound(length);
            each_form(
                &on_device,
                context,
                &numbers,
                f32::NAN,
                |what, operation, exclusive, starts, got| {
                    let twin = |of: &[f64]| match operation {
                        Operation::Product => scan(of, starts, exclusive, 1.0, |a, b| a * b),
                        Operation::Min => scan(of, starts, exclusive, f64::INFINITY, f64::min),
                        Operation::Max => scan(of, starts, exclusive, f64::NEG_INFINITY, f64::max),
                        _ => scan(of, starts, exclusive, 0.0, |a, b| a + b),
                    };
                    let (expected, sizes) = (twin(&exact), twin(&magnitudes));
                    // A product has a rounding for each factor but the first.
                    let bound = |at: usize| match operation {
                        Operation::Sum => bound * sizes[at],
                        Operation::Product => (at + 1) as f64 * 0.5_f64.powi(23) * sizes[at],
                        _ => 0.0,
                    };
                    let with_bounds =
                        expected.iter().enumerate().map(|(at, exact)| (*exact, bound(at)));
                    let wrong = first_wrong(&with_bounds.collect::<Vec<_>>(), got);
                    assert_eq!(wrong.map(|at| (at, got[at], expected[at])), None, "{what}");
                },
            );
        }
    });
}

#[test]
fn repeated_scans_give_the_same_bits_and_zero_padding() {
    each_engine(SIDE, |context, engine| {
        let scan = Scan::<f32>::on(context, engine).unwrap();
        let mut random = Pcg64Mcg::seed_from_u64(5);
        let numbers: Vec<f32> = (0..5003).map(|_| random.random_range(-1.0..1.0)).collect();
        let x = DeviceVector::from_host(context, &numbers).unwrap();
        let of = || prefixes(&scan, &x, None, (Operation::Sum, false), f32::NAN);
        let first: Vec<u32> = of().into_iter().map(f32::to_bits).collect();
        for _ in 0..3 {
            let again: Vec<u32> = of().into_iter().map(f32::to_bits).collect();
            assert!(first == again);
        }
        let mut out = DeviceVector::from_host(context, &vec![f32::NAN; 5003]).unwrap();
        scan.of(&x).run(&mut out).unwrap();
        let last = out.panels().last().unwrap().0.read().unwrap();
        let stored = last.into_iter().flatten();
        let length = out.panels().last().unwrap().1;
        assert!(stored.skip(length).all(|number| number == 0.0));
    });
}

#[test]
fn a_nan_stays_from_where_it_stands() {
    each_engine(SIDE, |context, engine| {
        let mut numbers = vec![1.0_f32; 300];
        numbers[100] = f32::NAN;
        let x = DeviceVector::from_host(context, &numbers).unwrap();
        let scan = Scan::<f32>::on(context, engine).unwrap();
        for operation in operations() {
            let got = prefixes(&scan, &x, None, (operation, false), 0.0);
            assert!(got[..100].iter().all(|number| !number.is_nan()), "{operation:?}");
            assert!(got[100..].iter().all(|number| number.is_nan()), "{operation:?}");
        }
    });
}

#[test]
fn extremes_of_denormals_are_exact() {
    const NUMBERS: [f32; 7] = [0.0, 1e-45, -1e-45, 1e-40, -1e-40, 1e-38, -1e-38];
    each_engine(SIDE, |context, engine| {
        let on_device = Scan::<f32>::on(context, engine).unwrap();
        for length in [3, 17, 1021, 4097] {
            let mut random = Pcg64Mcg::seed_from_u64(length);
            let number = |_| NUMBERS[random.random_range(0..NUMBERS.len())];
            let numbers: Vec<f32> = (0..length).map(number).collect();
            let x = DeviceVector::from_host(context, &numbers).unwrap();
            for (operation, first, join) in [
                (Operation::Min, f32::INFINITY, f32::min as fn(f32, f32) -> f32),
                (Operation::Max, f32::NEG_INFINITY, f32::max),
            ] {
                let got = prefixes(&on_device, &x, None, (operation, false), f32::NAN);
                assert!(got == scan(&numbers, None, false, first, join), "{operation:?}, {length}");
            }
        }
    });
}

/// Factors or terms by which prefixes go up and down between two ends.
fn wandering(random: &mut Pcg64Mcg, length: usize, least: f64, most: f64) -> Vec<f64> {
    let mut at = 0.0_f64;
    let mut step = || {
        let to = random.random_range(least..most);
        // Some stay, some go all the way.
        let to =
            if random.random_range(0..3) == 0 { to } else { (at + 0.01 * (to - at)).min(most) };
        to - std::mem::replace(&mut at, to)
    };
    (0..length).map(|_| step()).collect()
}

/// The range that the documentation states: of products from the least to the greatest prefix, of
/// sums from one to the other.
#[test]
fn prefixes_are_within_their_bound_over_the_range_that_is_promised() {
    each_engine(SIDE, |context, engine| {
        let on_device = Scan::<f32>::on(context, engine).unwrap();
        for (length, least, most) in [
            (17, -62.5, 62.5),
            (1021, -62.5, 62.5),
            (4097, -125.5, 0.0),
            (4097, 0.0, 125.5),
            (5003, -100.0, 25.5),
        ] {
            let mut random = Pcg64Mcg::seed_from_u64(length as u64);
            let powers = wandering(&mut random, length, least, most);
            let factors: Vec<f32> = powers.iter().map(|power| power.exp2() as f32).collect();
            let terms: Vec<f32> = wandering(&mut random, length, -0.5, 0.49)
                .iter()
                .map(|term| (term * 2.0_f64.powi(127)) as f32)
                .collect();
            let sums = |of: &[f32], first: f64, join: fn(f64, f64) -> f64| {
                let wide: Vec<f64> = of.iter().map(|number| f64::from(*number)).collect();
                scan(&wide, None, false, first, join)
            };
            let run = |numbers: &[f32], operation| {
                let x = DeviceVector::from_host(context, numbers).unwrap();
                prefixes(&on_device, &x, None, (operation, false), f32::NAN)
            };
            let bound = |at: usize| at as f64 * 0.5_f64.powi(24) * 1.01;
            let products = sums(&factors, 1.0, |a, b| a * b).into_iter().enumerate();
            let expected: Vec<_> = products.map(|(at, exact)| (exact, bound(at) * exact)).collect();
            let wrong = first_wrong(&expected, &run(&factors, Operation::Product));
            assert_eq!(wrong, None, "{engine}: a product of {length}, {least} to {most}");
            let magnitudes: Vec<f32> = terms.iter().map(|term| term.abs()).collect();
            let magnitudes = sums(&magnitudes, 0.0, |a, b| a + b);
            let bound = on_device.error_bound(length);
            let exact = sums(&terms, 0.0, |a, b| a + b).into_iter().zip(magnitudes);
            let expected: Vec<_> = exact.map(|(sum, size)| (sum, bound * size)).collect();
            let wrong = first_wrong(&expected, &run(&terms, Operation::Sum));
            assert_eq!(wrong, None, "{engine}: a sum of {length}");
        }
    });
}

/// The documentation's example: a loop has 2^80 at the end.
#[test]
fn beyond_that_range_a_prefix_is_right_or_plainly_not_finite() {
    each_engine(SIDE, |context, engine| {
        let mut factors = vec![1.0_f32; 40];
        (factors[0], factors[4], factors[5]) =
            (2.0_f32.powi(-120), 2.0_f32.powi(100), 2.0_f32.powi(100));
        let x = DeviceVector::from_host(context, &factors).unwrap();
        let on_device = Scan::<f32>::on(context, engine).unwrap();
        let got = prefixes(&on_device, &x, None, (Operation::Product, false), f32::NAN);
        let exact = scan(&factors, None, false, 1.0, |a, b| a * b);
        for (got, exact) in got.into_iter().zip(exact) {
            assert!(got == exact || got == f32::INFINITY, "{got}, not {exact}");
        }
    });
}

#[test]
fn other_lengths_are_refused() {
    let context = Context::headless().unwrap();
    let scan = Scan::<f32>::new(&context);
    let x = DeviceVector::from_host(&context, &[1.0_f32; 5]).unwrap();
    let starts = DeviceVector::from_host(&context, &[1_u32; 4]).unwrap();
    let mut out = DeviceVector::zeros(&context, 6).unwrap();
    let error = scan.of(&x).run(&mut out).unwrap_err().to_string();
    assert!(error.contains('5') && error.contains('6'), "{error}");
    let mut out = DeviceVector::zeros(&context, 5).unwrap();
    let error = scan.of(&x).segments(&starts).run(&mut out).unwrap_err().to_string();
    assert!(error.contains("starts of segments"), "{error}");
}

/// Where results differ first from what is expected, each within its bound.
fn first_wrong(expected: &[(f64, f64)], got: &[f32]) -> Option<usize> {
    let wrong = |(got, (exact, bound)): (&f32, &(f64, f64))| !is_near(*got, *exact, *bound);
    match expected.len() == got.len() {
        true => got.iter().zip(expected).position(wrong),
        false => Some(expected.len().min(got.len())),
    }
}

#[test]
fn a_wrong_prefix_is_seen_wherever_it_stands() {
    let exact = scan(&[0.5; 200], None, false, 0.0, |a, b| a + b);
    let expected: Vec<(f64, f64)> = exact.iter().map(|sum| (*sum, 1e-5 * sum)).collect();
    faults_must_be_seen(&expected, |got| first_wrong(&expected, got).is_none());
}
