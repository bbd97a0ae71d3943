//! Arguments that bring errors out: random mantissas of all sizes, powers of two and their
//! neighbours, and numbers close to where a function is hard.

use std::f64::consts::PI;

use quadrille::data::SplitMix64;

#[derive(Clone, Copy, Debug)]
pub(crate) enum Spread {
    /// Random mantissas, exponents evenly between two; every fourth a power of two or next to one.
    Exponents { low: i32, high: i32, signed: bool },
    /// Evenly between two numbers, both of them included.
    Between(f64, f64),
    /// Close to a number on both sides: from one unit in the last place to a quarter of it away.
    Near(f64),
    /// The floats nearest to multiples of half pi and their neighbours, up to this number.
    NearHalfPis(u32),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Range {
    pub(crate) name: &'static str,
    spreads: [Spread; 4],
}

impl Range {
    /// All arguments drawn alike.
    pub(crate) const fn of(name: &'static str, spread: Spread) -> Range {
        Range { name, spreads: [spread; 4] }
    }

    /// The first two drawn each in its own way.
    pub(crate) const fn two(name: &'static str, first: Spread, second: Spread) -> Range {
        Range { name, spreads: [first, second, second, second] }
    }

    pub(crate) fn draw(&self, generator: &mut SplitMix64) -> [f32; 4] {
        self.spreads.map(|spread| spread.draw(generator))
    }
}

/// Every float whose result is normal.
pub(super) const WIDE: Spread = Spread::Exponents { low: -60, high: 60, signed: true };
/// Positive numbers of all sizes.
pub(super) const POSITIVE: Spread = Spread::Exponents { low: -60, high: 60, signed: false };
/// Numbers of sizes that meet in sums.
pub(super) const CLOSE: Spread = Spread::Exponents { low: -8, high: 8, signed: true };

impl Spread {
    fn draw(self, generator: &mut SplitMix64) -> f32 {
        match self {
            Spread::Exponents { low, high, signed } => {
                let size = mantissa(generator) * 2.0_f32.powi(whole(generator, low, high));
                if signed && generator.coin() { -size } else { size }
            }
            Spread::Between(low, high) => match generator.below(64) {
                0 => low as f32,
                1 => high as f32,
                _ => generator.within(low..high) as f32,
            },
            Spread::Near(centre) => {
                let away = 0.5_f64.powf(generator.within(2.0..23.0));
                let away = if generator.coin() { -away } else { away };
                (centre * (1.0 + away)) as f32
            }
            Spread::NearHalfPis(most) => {
                let multiple = f64::from(1 + generator.below(most.into()) as u32) * PI / 2.0;
                let float = stepped(multiple as f32, whole(generator, -2, 2));
                if generator.coin() { -float } else { float }
            }
        }
    }
}

/// A whole number from the first to the last.
fn whole(generator: &mut SplitMix64, first: i32, last: i32) -> i32 {
    first + generator.below(u64::from(last.abs_diff(first)) + 1) as i32
}

/// A mantissa from 1 to 2: random, or next to either.
fn mantissa(generator: &mut SplitMix64) -> f32 {
    let any = 1.0 + generator.below(1 << 23) as f32 * f32::EPSILON;
    match generator.below(16) {
        0 => 1.0,
        1 => 1.0 + f32::EPSILON,
        2 => 2.0 - f32::EPSILON,
        3 => 1.5,
        _ => any,
    }
}

fn stepped(float: f32, steps: i32) -> f32 {
    f32::from_bits(float.to_bits().wrapping_add_signed(steps))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_lie_where_they_should_and_meet_the_hard_places() {
        let mut generator = SplitMix64::new(3);
        let mut draw = |spread: Spread| -> Vec<f32> {
            (0..2000).map(|_| spread.draw(&mut generator)).collect()
        };
        let wide = draw(WIDE);
        let size = |x: &f32| x.abs() >= 2.0_f32.powi(-60) && x.abs() < 2.0_f32.powi(61);
        assert!(wide.iter().all(size));
        assert!(wide.iter().any(|x| *x < 0.0) && wide.iter().any(|x| *x > 0.0));
        assert!(wide.iter().any(|x| x.to_bits() << 9 == 0), "no power of two");
        assert!(draw(POSITIVE).iter().all(|x| *x > 0.0));
        let near = draw(Spread::Near(1.0));
        assert!(near.iter().all(|x| (0.75..=1.25).contains(x)));
        assert!(near.iter().any(|x| (*x - 1.0).abs() < 1e-6));
        let between = draw(Spread::Between(0.0, 3.0));
        assert!(between.contains(&0.0) && between.contains(&3.0));
        let pis = draw(Spread::NearHalfPis(40));
        assert!(
            pis.iter().all(|x| f64::from(*x).sin().abs().min(f64::from(*x).cos().abs()) < 1e-4)
        );
    }
}
