//! A small random generator, so that random matrices need no library.

/// SplitMix64 (Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators, 2014): a
/// counter that goes by the golden ratio, its bits mixed.
///
/// ```
/// use quadrille::data::SplitMix64;
/// let (mut one, mut other) = (SplitMix64::new(7), SplitMix64::after(7, 1));
/// one.next();
/// assert_eq!(one.next(), other.next());
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

    /// Makes the same generator as it is after this many numbers: it counts, so it need not make them.
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
}
