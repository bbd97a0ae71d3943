//! A small random generator, so that random matrices need no library.

use std::ops::Range;

/// A generator of random numbers, SplitMix64 (Steele, Lea and Flood, Fast Splittable Pseudorandom
/// Number Generators, 2014): a counter that goes by the golden ratio, its bits mixed. The same seed
/// gives the same numbers everywhere. It is not suited for secrets.
///
/// ```
/// use quadrille::data::SplitMix64;
/// let mut generator = SplitMix64::new(7);
/// assert!((-1.0..1.0).contains(&generator.symmetric()));
/// assert!(generator.below(6) < 6);
/// // Every method takes one step, so that a part of a long list can be made alone.
/// assert_eq!(SplitMix64::after(7, 2).next(), generator.next());
/// ```
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

/// 2^64 over the golden ratio, made odd.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

impl SplitMix64 {
    /// Makes a generator whose numbers follow from the seed alone.
    pub fn new(seed: u64) -> SplitMix64 {
        SplitMix64(seed)
    }

    /// Makes the generator that the seed's is after this many numbers: it counts, so it need not
    /// make them.
    pub fn after(seed: u64, numbers: u64) -> SplitMix64 {
        SplitMix64(seed.wrapping_add(numbers.wrapping_mul(STEP)))
    }

    /// Returns the next 64 random bits.
    #[allow(clippy::should_implement_trait, reason = "it never ends")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// Returns a number from 0 to 1 without 1, of 53 random bits.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns a number in [-1, 1) of 24 random bits.
    pub fn symmetric(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1_u32 << 23) as f32 - 1.0
    }

    /// Returns a number in a range, whose end rounding may give.
    pub fn within(&mut self, range: Range<f64>) -> f64 {
        range.start + self.unit() * (range.end - range.start)
    }

    /// Returns a whole number of at least 0 and less than `count`, or 0 if `count` is 0. The
    /// chances differ by at most `count` in 2^64.
    pub fn below(&mut self, count: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(count)) >> 64) as u64
    }

    /// Returns true or false with the same chance.
    pub fn coin(&mut self) -> bool {
        self.next() >> 63 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::SplitMix64;

    #[test]
    fn the_numbers_are_those_that_are_published() {
        let mut generator = SplitMix64::new(1234567);
        // The reference values of Rosetta Code's task "Pseudo-random numbers/Splitmix64".
        let published = [
            6457827717110365317,
            3203168211198807973,
            9817491932198370423,
            4593380528125082431,
            16408922859458223821,
        ];
        assert_eq!([(); 5].map(|()| generator.next()), published);
        for (passed, expected) in (0..).zip(published) {
            assert_eq!(SplitMix64::after(1234567, passed).next(), expected);
        }
    }

    #[test]
    fn numbers_lie_where_they_should_and_all_over_it() {
        let mut generator = SplitMix64::new(1);
        let (mut counts, mut heads) = ([0; 7], 0);
        for _ in 0..70_000 {
            assert!((0.0..1.0).contains(&generator.unit()));
            assert!((-1.0..1.0).contains(&generator.symmetric()));
            assert!((-3.0..=-2.0).contains(&generator.within(-3.0..-2.0)));
            counts[generator.below(7) as usize] += 1;
            heads += i32::from(generator.coin());
        }
        // Five standard deviations of a binomial distribution.
        assert!(counts.iter().all(|count: &i32| (count - 10_000).abs() < 470), "{counts:?}");
        assert!((heads - 35_000).abs() < 670, "{heads}");
        assert_eq!([generator.below(0), generator.below(1)], [0, 0]);
    }
}
