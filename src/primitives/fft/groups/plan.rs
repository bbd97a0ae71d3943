//! The passes of work groups: plain arithmetic, no GL.

use crate::gl::Context;

use super::super::axis::Axis;
use super::super::plan::{self, Pass};

/// What work groups may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The invocations of a group.
    pub invocations: usize,
    /// The complex numbers in the shared memory of a group.
    pub numbers: usize,
    /// The largest radix of a pass, where several are needed.
    pub radix: usize,
    /// The longest rows that a group transforms by one pass.
    pub row: usize,
}

/// A pass by one kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GroupPass {
    pub(super) pass: Pass,
    /// The radices of the steps, whose product is the radix.
    pub(super) steps: Vec<usize>,
    /// The columns of a group.
    pub(super) columns: usize,
    pub(super) invocations: usize,
    /// Whether the results of a column are beside each other.
    rows: bool,
    /// Whether one group writes the two numbers of a texel.
    pub(super) pairs: bool,
}

/// What a kernel defines.
pub(super) type Defines = Vec<(&'static str, usize)>;

/// The most steps of a pass.
const STEPS: usize = 3;
/// The numbers that an invocation has in registers, as far as groups are large enough.
const PER: usize = 16;

impl Limits {
    /// What is fastest on hardware that has it.
    pub const LARGEST: Limits = Limits { invocations: 256, numbers: 4096, radix: 1024, row: 4096 };
    /// What is fastest on software renderers, where barriers take long: a pass is one step, by
    /// invocations that share nothing.
    pub const SOFTWARE: Limits = Limits { invocations: 16, numbers: 256, radix: 8, row: 8 };

    /// Returns those of a device.
    pub fn of(context: &Context) -> Limits {
        let limits = context.abilities().compute.unwrap_or_default();
        let most = limits.max_invocations.min(limits.max_group_size[0]) as usize;
        // With the gaps between rows a number takes 8.6 bytes.
        let numbers = (limits.shared_bytes as usize / 9).clamp(1, Limits::LARGEST.numbers);
        Limits {
            invocations: most.min(Limits::LARGEST.invocations),
            numbers: 1 << numbers.ilog2(),
            ..Limits::LARGEST
        }
    }
}

/// Returns the passes along an axis; `None` where the length has a prime factor above 7.
pub(super) fn passes(axis: Axis, limits: Limits) -> Option<Vec<GroupPass>> {
    let radices = pass_radices(axis, limits)?;
    let plan = plan::passes(axis, &radices).into_iter();
    plan.map(|pass| GroupPass::new(axis, pass, limits)).collect()
}

impl GroupPass {
    fn new(axis: Axis, pass: Pass, limits: Limits) -> Option<GroupPass> {
        let steps = steps_of(pass.radix)?;
        let rows = pass.block == 1;
        let all = (axis.total() / pass.radix).next_power_of_two();
        let columns = (1 << (limits.numbers / pass.radix).max(1).ilog2()).min(all);
        let even = |number: usize| number.is_multiple_of(2);
        let pairs = if rows { even(pass.radix) } else { even(pass.block) && even(columns) };
        let wanted = (columns * pass.radix).div_ceil(PER).next_multiple_of(32);
        let invocations = wanted.min(limits.invocations);
        Some(GroupPass { pass, steps, columns, invocations, rows, pairs })
    }

    /// Returns what its kernel defines.
    pub(super) fn defines(&self, levels: usize) -> Defines {
        let step = |index: usize| self.steps.get(index).copied().unwrap_or(1);
        let numbers = self.columns * self.pass.radix;
        let per = |radix: &usize| numbers.div_ceil(radix * self.invocations) * radix;
        let mut defines = vec![
            ("RADIX_1", step(0)),
            ("RADIX_2", step(1)),
            ("RADIX_3", step(2)),
            ("COLUMNS", self.columns),
            ("GROUP", self.invocations),
            ("PER", self.steps.iter().map(per).max().unwrap_or(1)),
        ];
        let flags = [
            ("IN_ROWS", self.pass.across == 1),
            ("OUT_ROWS", self.rows),
            ("ROOTS", self.pass.across > self.pass.block),
            ("TWO_LEVELS", levels > 1),
        ];
        defines.extend(flags.into_iter().filter(|(_, holds)| *holds).map(|(name, _)| (name, 1)));
        defines
    }
}

/// Splits a length into as few radices as the limits allow, about equal ones.
pub(super) fn pass_radices(axis: Axis, limits: Limits) -> Option<Vec<usize>> {
    let factors = plan::radices(axis.length, &[7, 5, 3, 2])?;
    for count in 1..=factors.len() {
        // A row is read and written by one group; columns of several are beside each other.
        let alone = count == 1 && axis.inner == 1;
        let most = if alone { limits.row } else { limits.radix }.min(limits.numbers);
        let mut radices = vec![1; count];
        for factor in &factors {
            // The smallest gets the next factor: the large ones come first.
            if let Some(least) = radices.iter_mut().min() {
                *least *= factor;
            }
        }
        // A first radix that is even makes pairs.
        radices.sort_unstable_by_key(|radix| (radix % 2, std::cmp::Reverse(*radix)));
        if radices.iter().all(|radix| *radix <= most && steps_of(*radix).is_some()) {
            return Some(radices);
        }
    }
    factors.is_empty().then(Vec::new)
}

/// Returns the radices of the steps of a pass, the largest first: odd ones alone, those of two in about
/// equal parts of at most 16; `None` where there are too many.
fn steps_of(radix: usize) -> Option<Vec<usize>> {
    let odd = plan::radices(radix >> radix.trailing_zeros(), &[7, 5, 3])?;
    let bits = radix.trailing_zeros() as usize;
    let parts = bits.div_ceil(4);
    let powers = (0..parts).map(|part| 1 << ((bits + parts - 1 - part) / parts));
    let steps: Vec<usize> = powers.chain(odd).collect();
    (!steps.is_empty() && steps.len() <= STEPS).then_some(steps)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn radices_and_steps_multiply_to_the_length() {
        for length in [2, 4, 6, 8, 60, 128, 210, 1000, 4096, 1 << 15, 1 << 20, 1 << 24, 3 << 20] {
            let passes = passes(Axis::rows(1, length), Limits::LARGEST).unwrap();
            assert_eq!(passes.iter().map(|pass| pass.pass.radix).product::<usize>(), length);
            for pass in passes {
                assert_eq!(pass.steps.iter().product::<usize>(), pass.pass.radix);
                assert!(pass.columns * pass.pass.radix <= Limits::LARGEST.numbers, "{pass:?}");
            }
        }
        assert_eq!(pass_radices(Axis::rows(1, 1 << 24), Limits::LARGEST).unwrap(), [256; 3]);
        assert_eq!(pass_radices(Axis::columns(4096, 2), Limits::LARGEST).unwrap(), [64; 2]);
        assert_eq!(steps_of(1 << 10).unwrap(), [16, 8, 8]);
        assert_eq!(steps_of(3 * 5 * 7 * 2), None);
    }

    #[test]
    fn texels_of_odd_rows_are_not_pairs() {
        let of = |axis: Axis| passes(axis, Limits::LARGEST).map(|passes| passes[0].pairs);
        assert_eq!(of(Axis::rows(4, 15)), Some(false));
        assert_eq!(of(Axis::columns(8, 3)), Some(false));
        assert_eq!(of(Axis::columns(8, 6)), Some(true));
        assert_eq!(of(Axis::rows(4, 22)), None);
    }
}
