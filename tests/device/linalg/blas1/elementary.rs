//! The functions of `glsl/include/elementary.glsl` against double precision, over numbers of all
//! sizes and in critical places.

use super::each_engine;
use crate::common::random;
use quadrille::grid::DeviceVector;
use quadrille::linalg::blas1::Blas1;

type Function = fn(f64) -> f64;
type OfTwo = fn(f32, f32) -> f32;

/// Each function with its bound in ULP. The library of the system would not do: that of MinGW is
/// off in the sixth place for sines of large numbers.
const FUNCTIONS: [(&str, Function, f64); 6] = [
    ("sqrt_of(x)", libm::sqrt, 3.0),
    ("exp_of(x)", libm::exp, 2.0),
    ("log_of(x)", libm::log, 2.0),
    ("sin_of(x)", libm::sin, 4.0),
    ("cos_of(x)", libm::cos, 4.0),
    ("tanh_of(x)", libm::tanh, 3.0),
];

/// Numbers of every exponent and both signs, some near zeros of the functions, and what is no usual
/// number.
fn numbers() -> Vec<f32> {
    let mut numbers: Vec<f32> = Vec::new();
    for (index, fraction) in random(2000, 3).into_iter().enumerate() {
        let exponent = (index % 253) as u32 + 1;
        let bits = exponent << 23 | (fraction.to_bits() & 0x007f_ffff);
        numbers.extend([f32::from_bits(bits), -f32::from_bits(bits)]);
        numbers.push(index as f32 * std::f32::consts::FRAC_PI_2);
        numbers.extend([1.0 + fraction * 0.05, 20.0 * fraction]);
    }
    numbers.extend([0.0, 1.0, f32::MAX, f32::MIN, f32::INFINITY, f32::NEG_INFINITY, f32::NAN]);
    numbers.extend([88.72, 88.73, -87.33, -87.34, 16_777_216.0, 0.625, 0.785]);
    numbers
}

fn applied(blas: &Blas1, text: &str, x: &DeviceVector) -> Vec<f32> {
    let mut result = DeviceVector::uninit(x.context(), x.len()).unwrap();
    blas.map(text, &["x"], &[]).unwrap().apply().vector("x", x).run(&mut result).unwrap();
    result.read().unwrap()
}

/// The difference in units of the last place of the exact result; denormals may be zeros.
fn ulps(got: f32, exact: f64) -> f64 {
    let rounded = exact as f32;
    if got == rounded || got.is_nan() && exact.is_nan() {
        return 0.0;
    }
    let size = rounded.abs().clamp(f32::MIN_POSITIVE, f32::MAX);
    let unit =
        f64::from(f32::from_bits(size.to_bits())) - f64::from(f32::from_bits(size.to_bits() - 1));
    let difference = (f64::from(got) - exact).abs() / unit.max(f64::from(f32::MIN_POSITIVE) * 6e-8);
    let flushed = got == 0.0 && exact.abs() < f64::from(f32::MIN_POSITIVE);
    if flushed {
        0.0
    } else if difference.is_nan() {
        f64::INFINITY
    } else {
        difference
    }
}

#[test]
fn functions_keep_to_their_bounds() {
    each_engine(|context, blas| {
        let x = numbers();
        // The panels of the smallest textures would be hundreds.
        if context.abilities().max_texture_size < 100 {
            return;
        }
        let on_x = DeviceVector::from_host(context, &x).unwrap();
        for (text, exact, bound) in FUNCTIONS {
            let got = applied(blas, text, &on_x);
            for (&x, got) in x.iter().zip(got) {
                let exact = exact(f64::from(x));
                assert!(ulps(got, exact) <= bound, "{text} of {x:e}: {got:e}, not {exact:e}");
            }
        }
        for n in [-7, -1, 0, 1, 2, 3, 10, 32] {
            let got = applied(blas, &format!("integer_power_of(x, {n})"), &on_x);
            let bound = 3.0 * f64::from(n).abs();
            for (&x, got) in x.iter().zip(got) {
                let exact = f64::from(x).powi(n);
                // What overflows in between overflows in the end, and what underflows too.
                let near = ulps(got, exact) <= bound || exact.abs() < 1e-37 && got.abs() < 1e-37;
                assert!(near || exact.abs() > 3.4e38, "{x:e}^{n}: {got:e}, not {exact:e}");
            }
        }
    });
}

#[test]
fn powers_minima_and_maxima_are_those_of_ieee_754() {
    let special =
        [0.0_f32, 1.0, -1.0, 2.0, -3.0, 0.5, -2.5, f32::INFINITY, f32::NEG_INFINITY, f32::NAN];
    let (mut x, mut y) = (Vec::new(), Vec::new());
    for first in special {
        for second in special {
            x.push(first);
            y.push(second);
        }
    }
    let least: OfTwo = |x: f32, y: f32| if x.is_nan() || y.is_nan() { f32::NAN } else { x.min(y) };
    let most: OfTwo = |x: f32, y: f32| if x.is_nan() || y.is_nan() { f32::NAN } else { x.max(y) };
    let power: OfTwo = |x: f32, y: f32| f64::from(x).powf(f64::from(y)) as f32;
    each_engine(|context, blas| {
        let of = |numbers: &[f32]| DeviceVector::from_host(context, numbers).unwrap();
        let (on_x, on_y, mut result) = (of(&x), of(&y), of(&x));
        let all = [("minimum", least, 0.0), ("maximum", most, 0.0), ("power", power, 1.0)];
        for (name, exact, scale) in all {
            let map = blas.map(&format!("{name}_of(x, y)"), &["x", "y"], &[]).unwrap();
            map.apply().vector("x", &on_x).vector("y", &on_y).run(&mut result).unwrap();
            for ((&x, &y), got) in x.iter().zip(&y).zip(result.read().unwrap()) {
                let exact = f64::from(exact(x, y));
                let size = f64::from(x).abs().ln() * f64::from(y);
                let bound = if size.is_finite() { 3.0 + 3.0 * size.abs() } else { 0.0 };
                assert!(ulps(got, exact) <= scale * bound, "{name}({x}, {y}): {got}, not {exact}");
            }
        }
    });
}
