//! Integers and conversions, which are right or wrong.

use crate::card::prelude::*;

#[derive(Clone, Debug, Serialize)]
pub struct Whole {
    pub operation: &'static str,
    pub engine: Engine,
    pub arguments: usize,
    pub wrong: usize,
    /// The first arguments, as bits, whose result is wrong; what was computed, what it should be.
    pub first_wrong: Option<(Bits, i32, i32)>,
}

/// A name, an expression and its expected value; `None` if GLSL leaves it open.
pub(crate) type Integral = (&'static str, &'static str, fn(i32, i32) -> Option<i32>);

/// The twins. Shifts by more than 31, division by zero, remainders of negative numbers and floats
/// out of an integer's range are undefined in GLSL.
pub(super) const INTEGRALS: [Integral; 16] = [
    ("i + j", "i + j", |i, j| Some(i.wrapping_add(j))),
    ("i - j", "i - j", |i, j| Some(i.wrapping_sub(j))),
    ("i * j", "i * j", |i, j| Some(i.wrapping_mul(j))),
    ("i / j", "i / j", |i, j| (j != 0 && i >= 0 && j > 0).then(|| i / j)),
    ("i / j, signed", "i / j", |i, j| i.checked_div(j)),
    ("i % j", "i % j", |i, j| (i >= 0 && j > 0).then(|| i % j)),
    ("uint / uint", "int(uint(i) / uint(j))", |i, j| {
        (i as u32).checked_div(j as u32).map(|u| u as i32)
    }),
    ("uint % uint", "int(uint(i) % uint(j))", |i, j| {
        (i as u32).checked_rem(j as u32).map(|u| u as i32)
    }),
    ("i << n", "i << (j & 31)", |i, j| Some(i << (j & 31))),
    ("i >> n", "i >> (j & 31)", |i, j| Some(i >> (j & 31))),
    ("uint >> n", "int(uint(i) >> uint(j & 31))", |i, j| Some(((i as u32) >> (j & 31)) as i32)),
    ("int(float)", "int(a)", |i, _| {
        let x = f32::from_bits(i as u32);
        (x.abs() < 2.0_f32.powi(31) && (x == 0.0 || x.is_normal())).then_some(x as i32)
    }),
    ("uint(float)", "int(uint(a))", |i, _| {
        let x = f32::from_bits(i as u32);
        ((0.0..2.0_f32.powi(32)).contains(&x) && (x == 0.0 || x.is_normal()))
            .then_some(x as u32 as i32)
    }),
    ("float(int)", "floatBitsToInt(float(i))", |i, _| Some((i as f32).to_bits() as i32)),
    ("float(uint)", "floatBitsToInt(float(uint(i)))", |i, _| {
        Some((i as u32 as f32).to_bits() as i32)
    }),
    ("float's bits and back", "floatBitsToInt(intBitsToFloat(i))", |i, _| {
        (!f32::from_bits(i as u32).is_nan()).then_some(i)
    }),
];

/// Whether j divides i: by the others a software renderer's process may end, since the host's
/// processor traps.
fn divides([i, j, ..]: Bits) -> bool {
    i.checked_div(j).is_some()
}

/// Numbers of all sizes and floats of moderate ones: as integers the latter are just large.
pub(crate) fn arguments(seed: u64) -> Vec<Bits> {
    let mut generator = SplitMix64::new(seed);
    let mut number = || match generator.below(8) {
        0 => {
            [0, 1, -1, i32::MAX, i32::MIN, 1 << 24, (1 << 24) + 1, 255][generator.below(8) as usize]
        }
        1 => (generator.within(-1000.0..1000.0) as f32).to_bits() as i32,
        2 => (generator.within(-2e9..2e9) as f32).to_bits() as i32,
        _ => generator.next() as i32 >> generator.below(31),
    };
    let pairs = (0..4096).map(|_| [number(), number(), 0, 0]);
    pairs.map(|pair| if divides(pair) { pair } else { [pair[0], 3, 0, 0] }).collect()
}

pub(crate) fn ask() -> Ask {
    Ask::integers(INTEGRALS.iter().map(|(_, expression, _)| *expression))
}

pub(crate) fn measure(context: &Context, engine: Engine, seed: u64) -> Result<Vec<Whole>> {
    let arguments = arguments(seed);
    let chosen = |case: usize| arguments.iter().map(move |[i, j, k, _]| [*i, *j, *k, case as i32]);
    let asked: Vec<Bits> = (0..INTEGRALS.len()).flat_map(chosen).collect();
    let got = ask().answers(context, engine, &asked)?;
    let parts = INTEGRALS.iter().zip(got.chunks(arguments.len()));
    Ok(parts.map(|(integral, got)| judge(integral, engine, &arguments, got)).collect())
}

/// Compares with the twin, if there is one.
pub(crate) fn judge(
    (operation, _, exact): &Integral,
    engine: Engine,
    arguments: &[Bits],
    got: &[i32],
) -> Whole {
    let expected = arguments
        .iter()
        .zip(got)
        .filter_map(|(bits, got)| exact(bits[0], bits[1]).map(|exact| (*bits, *got, exact)));
    let wrong = |(_, got, exact): &(Bits, i32, i32)| got != exact;
    Whole {
        operation,
        engine,
        arguments: expected.clone().count(),
        wrong: expected.clone().filter(wrong).count(),
        first_wrong: expected.clone().find(wrong),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_asked_that_ends_a_process() {
        assert!((0..50).flat_map(arguments).all(divides));
        assert!(!divides([i32::MIN, -1, 0, 0]) && !divides([5, 0, 0, 0]));
    }

    #[test]
    fn every_operation_is_tried_and_one_wrong_result_is_named() {
        let arguments = arguments(1);
        for integral in &INTEGRALS {
            let exact = |bits: &Bits| integral.2(bits[0], bits[1]);
            let right: Vec<i32> = arguments.iter().map(|bits| exact(bits).unwrap_or(7)).collect();
            let row = judge(integral, Engine::Compute, &arguments, &right);
            assert!(row.arguments > 500 && row.wrong == 0, "{row:?}");
            let place = arguments.iter().position(|bits| exact(bits).is_some()).unwrap_or(0);
            let mut wrong = right.clone();
            wrong[place] ^= 1;
            let row = judge(integral, Engine::Compute, &arguments, &wrong);
            let named = row.first_wrong.map(|first| first.0);
            assert_eq!((row.wrong, named), (1, Some(arguments[place])));
        }
    }
}
