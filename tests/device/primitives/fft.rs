//! Fourier transforms against their twin, on each engine: lengths with every radix and with large
//! primes, rows, columns and both, forward and back.

use crate::common::planted::faults_must_be_seen;
use crate::common::twins::fft::{Complex, along, fft, inverse, norm};
use crate::common::{each_engine, random};
use quadrille::Context;
use quadrille::grid::DeviceVector;
use quadrille::primitives::fft::Limits;
use quadrille::primitives::{Axis, Fft};
use quadrille::stream::Engine;

/// The sides of textures by which few numbers fit.
const SIDE: u32 = 16;
/// One, every radix alone and together, one over and under powers of two, primes.
const LENGTHS: [usize; 17] = [1, 2, 3, 4, 5, 7, 8, 11, 15, 16, 17, 63, 64, 101, 128, 210, 256];

fn complex(numbers: &[f32]) -> Vec<Complex> {
    numbers.chunks(2).map(|pair| [f64::from(pair[0]), f64::from(pair[1])]).collect()
}

/// The root of the sum of the squared errors, over that of what is expected.
fn distance(got: &[Complex], expected: &[Complex]) -> f64 {
    let off = got.iter().zip(expected).map(|([a, b], [c, d])| [a - c, b - d]);
    norm(&off.collect::<Vec<_>>()) / norm(expected)
}

/// Whether all results are near what is expected: together, by the bound of a transform.
fn is_near(got: &[f32], expected: &[Complex], bound: f64) -> bool {
    let got = complex(got);
    got.len() == expected.len() && (got.is_empty() || distance(&got, expected) <= bound)
}

/// Transforms random numbers along these axes, forward and back, over poisoned vectors.
fn compare(context: &Context, engine: Engine, axes: &[Axis]) {
    compare_by(&Fft::on(context, engine, axes).unwrap(), context, axes);
}

fn compare_by(transform: &Fft, context: &Context, axes: &[Axis]) {
    let what = format!("{axes:?} by {transform:?}");
    let numbers = random(2 * axes[0].total(), axes[0].length as u64);
    let x = DeviceVector::from_host(context, &numbers).unwrap();
    let poison = vec![f32::NAN; numbers.len()];
    let mut y = DeviceVector::from_host(context, &poison).unwrap();
    transform.forward(&x, &mut y).unwrap();
    let place = |axis: &Axis| (axis.outer, axis.length, axis.inner);
    let twin = |by: fn(&[Complex]) -> Vec<Complex>| {
        axes.iter().fold(complex(&numbers), |x, axis| along(&x, place(axis), by))
    };
    let bound = transform.error_bound();
    assert!(is_near(&y.read().unwrap(), &twin(fft), bound), "forward: {what}");
    transform.inverse(&x, &mut y).unwrap();
    assert!(is_near(&y.read().unwrap(), &twin(inverse), bound), "back: {what}");
    let padding = y.panels().flat_map(|(texture, _)| texture.read().unwrap()).flatten();
    assert!(padding.skip(numbers.len()).all(|number| number == 0.0), "{what}");
}

#[test]
fn transforms_are_within_their_bound() {
    each_engine(SIDE, |context, engine| {
        for length in LENGTHS {
            compare(context, engine, &[Axis::rows(1, length)]);
        }
        for (rows, columns) in [(3, 5), (8, 6), (16, 16), (1, 12), (17, 2), (6, 11)] {
            let (along_rows, along_columns) =
                (Axis::rows(rows, columns), Axis::columns(rows, columns));
            compare(context, engine, &[along_rows]);
            compare(context, engine, &[along_columns]);
            compare(context, engine, &[along_rows, along_columns]);
        }
        compare(context, engine, &[Axis { outer: 3, length: 7, inner: 4 }]);
        compare(context, engine, &[Axis { outer: 2, length: 8, inner: 3 }]);
    });
}

/// Long enough that roots are products of two.
#[test]
fn long_transforms_are_within_their_bound() {
    let context = Context::headless().unwrap();
    for engine in Engine::of(&context) {
        for length in [4096, 1 << 17, 3 * 5 * 7 * 1024, 9973] {
            compare(&context, engine, &[Axis::rows(1, length)]);
        }
    }
}

/// As hardware is given them, and as devices with less shared memory or smaller groups are.
#[test]
fn transforms_in_work_groups_are_within_their_bound() {
    let Some(context) = crate::common::computing() else { return };
    let small = Limits { invocations: 32, numbers: 256, radix: 16, row: 256 };
    for limits in [Limits::of(&context), small, Limits::SOFTWARE] {
        let compare = |axes: &[Axis]| {
            let transform = Fft::by(&context, Engine::Compute, Some(limits), axes).unwrap();
            compare_by(&transform, &context, axes);
        };
        for length in [2, 4, 6, 8, 14, 16, 30, 64, 112, 128, 210, 1024, 4096, 6561 * 2, 1 << 14] {
            compare(&[Axis::rows(1, length)]);
        }
        for (rows, columns) in [(5, 16), (16, 6), (300, 4), (64, 128), (6, 1024)] {
            compare(&[Axis::rows(rows, columns), Axis::columns(rows, columns)]);
        }
        // Powers of two alone, by pairs of numbers: groups that are not full, and columns first.
        for (rows, columns) in [(5, 64), (300, 4), (3, 1 << 13)] {
            compare(&[Axis::rows(rows, columns)]);
        }
        for (rows, columns) in [(256, 6), (1024, 10), (2, 18), (512, 64)] {
            compare(&[Axis::columns(rows, columns)]);
        }
        compare(&[Axis::columns(128, 32), Axis::rows(128, 32)]);
        for (outer, length, inner) in [(3, 60, 4), (3, 64, 6), (5, 512, 2)] {
            compare(&[Axis { outer, length, inner }]);
        }
    }
    let axes = [Axis::rows(1, 1 << 17)];
    let long = Fft::by(&context, Engine::Compute, Some(Limits::of(&context)), &axes).unwrap();
    compare_by(&long, &context, &axes);
}

/// The bounds that the documentation gives: at most 3 log2 n units of 2^-24 where n is a power of
/// two, 3.4 in work groups, and 9 where it has factors up to 7.
#[test]
fn bounds_grow_with_the_logarithm() {
    let Some(context) = crate::common::computing() else { return };
    for (length, slope) in [(16, 4.0), (1024, 3.0), (65536, 3.0), (59049, 9.0), (16807, 9.5)] {
        let axes = [Axis::rows(1, length)];
        let units = |fft: Fft| fft.error_bound() * f64::from(1 << 24) / (length as f64).log2();
        let engine = Engine::default_for(&context);
        let by_texels = units(Fft::by(&context, engine, None, &axes).unwrap());
        let limits = Some(Limits::of(&context));
        let in_groups = units(Fft::by(&context, Engine::Compute, limits, &axes).unwrap());
        eprintln!("{length}: {by_texels:.2} and {in_groups:.2} units for each bit");
        assert!(by_texels <= slope, "{length}: {by_texels}");
        let slope_of_groups = if length.is_power_of_two() { 3.4 } else { slope };
        assert!(in_groups <= slope_of_groups, "{length}: {in_groups} in groups");
    }
}

#[test]
fn nothing_is_transformed_to_nothing() {
    each_engine(SIDE, |context, engine| {
        for axis in [Axis::rows(0, 8), Axis::rows(3, 0)] {
            let fft = Fft::on(context, engine, &[axis]).unwrap();
            let x = DeviceVector::from_host(context, &[]).unwrap();
            let mut y = DeviceVector::uninit(context, 0).unwrap();
            fft.forward(&x, &mut y).unwrap();
        }
    });
}

#[test]
fn what_does_not_fit_is_refused_with_numbers() {
    each_engine(SIDE, |context, engine| {
        let refused = |axes: &[Axis]| Fft::on(context, engine, axes).unwrap_err().to_string();
        let error = refused(&[Axis::rows(3, 4), Axis::columns(4, 4)]);
        assert!(error.contains("12") && error.contains("16"), "{error}");
        let error = refused(&[Axis::rows(1 << 20, 1 << 20)]);
        assert!(error.contains("1099511627776 complex numbers"), "{error}");
        let fft = Fft::on(context, engine, &[Axis::rows(2, 4)]).unwrap();
        let x = DeviceVector::from_host(context, &[1.0; 16]).unwrap();
        let mut short = DeviceVector::uninit(context, 15).unwrap();
        let error = fft.forward(&x, &mut short).unwrap_err().to_string();
        assert!(error.contains("15") && error.contains("16"), "{error}");
        let error = fft.forward(&short, &mut DeviceVector::uninit(context, 16).unwrap());
        assert!(error.unwrap_err().to_string().contains("expected 16 values, got 15"));
    });
}

#[test]
fn a_wrong_number_is_seen_wherever_it_stands() {
    let numbers = random(64, 3);
    let expected = fft(&complex(&numbers));
    let bound = 40.0 / f64::from(1 << 24);
    let each = bound * norm(&expected);
    let flat: Vec<(f64, f64)> = expected.iter().flatten().map(|x| (*x, each)).collect();
    // Half of the bound at one place is within it, twice of it is not.
    faults_must_be_seen(&flat, |got| got.len() == 64 && is_near(got, &expected, bound));
}
