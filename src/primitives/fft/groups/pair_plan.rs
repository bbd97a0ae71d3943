//! The passes of pairs of numbers: plain arithmetic, no GL.

use crate::grid::extent_of;

use super::super::axis::Axis;
use super::super::plan::{self, Pass};
use super::plan::{Defines, Limits, pass_radices};

/// A pass by one kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PairPass {
    pub(super) pass: Pass,
    /// The length of the transform.
    pub(super) length: usize,
    /// The radices of the steps, the largest first.
    pub(super) steps: Vec<usize>,
    /// The columns of a group.
    pub(super) columns: usize,
    pub(super) invocations: usize,
    /// The rows of the texture that a group's columns are in.
    tall: usize,
    /// The numbers of a row of the texture.
    pub(super) row: usize,
    from_texture: bool,
    to_texture: bool,
}

/// The bits of the largest radix of a step: 8 pairs are 32 numbers in registers.
const BITS: usize = 3;
/// The most rows of the texture of a group.
const TALL: usize = 4;

/// Returns the passes along all axes; `None` where a length is not a power of two, or a texel's
/// numbers do not go the same way.
pub(super) fn passes(axes: &[Axis], limits: Limits) -> Option<Vec<PairPass>> {
    let mut axes = axes.to_vec();
    // Rows come first: a group that writes rows of a texture writes half of each of its tiles.
    axes.sort_by_key(|axis| axis.inner);
    let mut all = Vec::new();
    for axis in axes {
        if !axis.length.is_power_of_two() {
            return None;
        }
        let radices = pass_radices(axis, limits)?;
        all.extend(plan::passes(axis, &radices).into_iter().map(|pass| (axis, pass)));
    }
    let last = all.len().checked_sub(1)?;
    let pass = |(index, (axis, pass)): (usize, &(Axis, Pass))| {
        PairPass::new(*axis, *pass, limits, [index == 0, index == last])
    };
    all.iter().enumerate().map(pass).collect()
}

impl PairPass {
    fn new(
        axis: Axis,
        pass: Pass,
        limits: Limits,
        [from_texture, to_texture]: [bool; 2],
    ) -> Option<PairPass> {
        let (in_rows, out_rows) = (pass.across == 1, pass.block == 1);
        let steps = steps_of(pass.radix, in_rows)?;
        let largest = *steps.first()?;
        let all = axis.total() / pass.radix;
        let most = (limits.numbers / pass.radix).max(1);
        let columns = (1 << most.ilog2()).min(all.next_power_of_two());
        let pairs = |number: usize| number.is_multiple_of(2);
        if !in_rows && !(pairs(columns) && pairs(pass.across) && (out_rows || pairs(pass.block))) {
            return None;
        }
        let invocations = (columns * pass.radix / 2 / largest).min(limits.invocations);
        let row = 2 * extent_of(axis.total() / 2).width as usize;
        let fits = |tall: &usize| {
            all.is_multiple_of(tall * row)
                && pass.across.is_multiple_of(tall * row)
                && row.is_multiple_of(columns)
                && columns >= 4 * tall
        };
        let in_texture = (from_texture || to_texture) && !in_rows;
        let tall = [TALL, 2].into_iter().find(|tall| in_texture && fits(tall)).unwrap_or(1);
        let length = axis.length;
        let pass = PairPass {
            pass,
            length,
            steps,
            columns,
            invocations,
            tall,
            row,
            from_texture,
            to_texture,
        };
        (invocations > 0).then_some(pass)
    }

    /// Returns what its kernel defines.
    pub(super) fn defines(&self, levels: usize) -> Defines {
        let step = |index: usize| self.steps.get(index).copied().unwrap_or(1);
        let mut defines = vec![
            ("RADIX_1", step(0)),
            ("RADIX_2", step(1)),
            ("RADIX_3", step(2)),
            ("RADIX_4", step(3)),
            ("COLUMNS", self.columns),
            ("GROUP", self.invocations),
            ("TALL", self.tall),
        ];
        let flags = [
            ("IN_ROWS", self.pass.across == 1),
            ("OUT_ROWS", self.pass.block == 1),
            ("ROOTS", self.has_roots()),
            ("TWO_LEVELS", levels > 1),
            ("FROM_BUFFER", !self.from_texture),
            ("TO_BUFFER", !self.to_texture),
        ];
        defines.extend(flags.into_iter().filter(|(_, holds)| *holds).map(|(name, _)| (name, 1)));
        defines
    }

    fn has_roots(&self) -> bool {
        self.pass.across > self.pass.block
    }

    /// Returns a bound of its relative error, where roots are products of so many.
    pub(super) fn bound(&self, levels: usize) -> f64 {
        let factors = match (self.has_roots(), self.pass.block) {
            (false, _) => 0,
            // In rows a root is the product of the butterfly's and of one that a column shares.
            (true, 1) => 2,
            (true, _) => 1,
        };
        plan::of_group_pass(&self.steps, factors * levels)
    }

    /// Returns the roots of its steps, as powers of the root of the radix: for each step but the last
    /// a table of m times p, with m below the step's radix and p below the product of the later ones.
    pub(super) fn powers(&self) -> Vec<usize> {
        let mut done = 1;
        let mut powers = Vec::new();
        for radix in &self.steps[..self.steps.len() - 1] {
            let later = self.pass.radix / done / radix;
            for m in 0..*radix {
                powers.extend((0..later).map(|p| m * p * done));
            }
            done *= radix;
        }
        powers
    }
}

/// Returns the radices of the steps of a pass, about equal ones, the largest first; those whose columns
/// are rows have two or more, so that an even number of butterflies is beside each other.
fn steps_of(radix: usize, rows: bool) -> Option<Vec<usize>> {
    let bits = radix.trailing_zeros() as usize;
    let parts = bits.div_ceil(BITS).max(if rows { 2 } else { 1 });
    let steps = (0..parts).map(|part| 1 << ((bits + parts - 1 - part) / parts));
    (parts <= 4 && bits >= parts).then(|| steps.collect())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn of(axes: &[Axis]) -> Option<Vec<PairPass>> {
        passes(axes, Limits::LARGEST)
    }

    #[test]
    fn steps_multiply_to_the_radix() {
        for bits in 1..=12 {
            for rows in [false, true] {
                let steps = steps_of(1 << bits, rows);
                assert_eq!(steps.is_none(), rows && bits == 1);
                let steps = steps.unwrap_or_else(|| vec![2]);
                assert_eq!(steps.iter().product::<usize>(), 1 << bits);
                assert!(steps.is_sorted_by(|a, b| a >= b) && steps[0] <= 8, "{steps:?}");
            }
        }
        assert_eq!(steps_of(1 << 13, true), None);
    }

    #[test]
    fn groups_divide_into_pairs_of_butterflies() {
        let sets: [&[Axis]; 6] = [
            &[Axis::rows(1, 1 << 24)],
            &[Axis::rows(4096, 4096), Axis::columns(4096, 4096)],
            &[Axis::columns(1024, 1024), Axis::rows(1024, 1024)],
            &[Axis::rows(5, 4)],
            &[Axis::columns(64, 6)],
            &[Axis { outer: 3, length: 1 << 13, inner: 2 }],
        ];
        for axes in sets {
            let passes = of(axes).unwrap();
            assert!(passes[0].from_texture && passes[passes.len() - 1].to_texture);
            for pass in passes {
                let pairs = pass.columns * pass.pass.radix / 2;
                for step in &pass.steps {
                    assert!(pairs.is_multiple_of(step * pass.invocations), "{pass:?}");
                }
                assert!(pass.powers().iter().all(|power| *power < pass.pass.radix));
            }
        }
    }

    #[test]
    fn groups_at_a_texture_cover_several_of_its_rows() {
        let talls = |axes: &[Axis]| -> Vec<usize> {
            of(axes).unwrap().iter().map(|pass| pass.tall).collect()
        };
        assert_eq!(talls(&[Axis::rows(1, 1 << 24)]), [4, 1, 4]);
        assert_eq!(talls(&[Axis::columns(4096, 4096), Axis::rows(4096, 4096)]), [1, 1, 4]);
    }

    #[test]
    fn what_is_not_in_pairs_is_left_to_others() {
        for axis in [Axis::rows(4, 12), Axis::rows(8, 2), Axis::columns(8, 3), Axis::columns(8, 1)]
        {
            let found = of(&[axis]);
            assert_eq!(found.is_none(), axis.inner != 1 || axis.length != 8, "{axis:?} {found:?}");
        }
    }
}
