//! The instructions that are more than products and sums: reciprocals, EXP, LOG and LIT.

use super::Quad;
use crate::vector_machine::Profile;

/// LIT's exponent stays below 128 by this much.
const LIT_EPSILON: f32 = 1.0 / 256.0;

/// The bounds of RCC, 2^-64 and 2^64: 5.42101e-20 and 1.84467e19 in the text.
const RCC_RANGE: [f32; 2] = [1.0 / RCC_MOST, RCC_MOST];
const RCC_MOST: f32 = (1_u128 << 64) as f32;

pub(super) fn rcp(x: f32) -> f32 {
    1.0 / x
}

pub(super) fn rcc(x: f32) -> f32 {
    let [least, most] = RCC_RANGE;
    (1.0 / x).abs().clamp(least, most).copysign(x)
}

pub(super) fn rsq(x: f32) -> f32 {
    (1.0 / f64::from(x.abs()).sqrt()) as f32
}

/// Returns 2^floor(x), the rest, 2^x, 1.
pub(super) fn exp(x: f32, profile: Profile) -> Quad {
    if x.is_nan() {
        return [x, x, x, 1.0];
    }
    if x.is_infinite() {
        let power = x.max(0.0);
        return [power, 0.0, power, 1.0];
    }
    let floor = x.floor();
    let rest = x - floor;
    let power = match profile {
        Profile::Modern => exp2(x),
        Profile::Period => (f64::from(floor) + f64::from(table_entry(rest))).exp2() as f32,
    };
    [whole_power(floor), rest, power, 1.0]
}

/// Returns the exponent of |x|, its mantissa from 1 to 2, log2 |x|, 1.
pub(super) fn log(x: f32, profile: Profile) -> Quad {
    let x = x.abs();
    if x == 0.0 {
        return [f32::NEG_INFINITY, 1.0, f32::NEG_INFINITY, 1.0];
    }
    if x.is_nan() {
        return [x, x, x, 1.0];
    }
    if x.is_infinite() {
        return [x, 1.0, x, 1.0];
    }
    let bits = x.to_bits();
    let exponent = (bits >> 23) as f32 - 127.0;
    let mantissa = f32::from_bits(bits & 0x007f_ffff | 0x3f80_0000);
    let logarithm = match profile {
        Profile::Modern => log2(x),
        Profile::Period => (f64::from(exponent) + f64::from(table_entry(mantissa)).log2()) as f32,
    };
    [exponent, mantissa, logarithm, 1.0]
}

/// Returns the light of a vertex: 1, the diffuse x, the specular y to the power w where x > 0, 1.
pub(super) fn lit(a: Quad) -> Quad {
    let most = 128.0 - LIT_EPSILON;
    let (diffuse, base) = (a[0].max(0.0), a[1].max(0.0));
    let exponent = a[3].clamp(-most, most);
    // 0 times anything is 0: 0 to the power 0 is 2 to the power 0 x -inf, which is 1.
    let power = exp2(super::arithmetic::product(exponent, log2(base)));
    [1.0, diffuse, if diffuse > 0.0 { power } else { 0.0 }, 1.0]
}

fn exp2(x: f32) -> f32 {
    f64::from(x).exp2() as f32
}

fn log2(x: f32) -> f32 {
    f64::from(x).log2() as f32
}

/// Returns two to the power of a whole number; too small a power is 0, as denormals are.
fn whole_power(exponent: f32) -> f32 {
    f64::from(exponent).exp2() as f32
}

/// Returns the nearest multiple of 2^-11: EXP and LOG of the period are exact at these. Over a
/// spacing of 2^-11, 2^x for x below 1 changes by at most 2 ln 2 = 1.39 spacings and log2 x for x
/// above 1 by at most 1.45: half of that is below 2^-11, as the specification requires.
fn table_entry(x: f32) -> f32 {
    (x * 2048.0 + 0.5).floor() / 2048.0
}
