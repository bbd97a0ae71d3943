//! The passes of a transform along one axis, a texel at a time.

use std::rc::Rc;

use crate::gl::Value;
use crate::stream::Result;

use super::axis::Axis;
use super::maps::{Inputs, Maps, Roots, ShaderVariant, Texels};
use super::plan::{self, Pass};
use super::roots;

/// The radices of a pass, the first that divides first. Those of two come first: after them the two
/// numbers of a texel go the same way.
const RADICES: [usize; 5] = [4, 2, 3, 5, 7];

/// What is done to the numbers that the first pass reads and the last writes: the factors of their
/// real and imaginary parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Factors {
    pub(super) before: [f32; 2],
    pub(super) after: [f32; 2],
}

impl Factors {
    pub(super) const NONE: Factors = Factors { before: [1.0; 2], after: [1.0; 2] };

    /// Returns those of an inverse transform: the conjugate of the transform of the conjugates, over
    /// this number.
    pub(super) fn inverse(over: usize) -> Factors {
        let scale = (1.0 / over as f64) as f32;
        Factors { before: [1.0, -1.0], after: [scale, -scale] }
    }

    /// Returns those of a step, which may be the first and the last.
    pub(super) fn of_step(self, first: bool, last: bool) -> Factors {
        Factors {
            before: if first { self.before } else { [1.0; 2] },
            after: if last { self.after } else { [1.0; 2] },
        }
    }
}

/// The passes along an axis whose length has no prime factor above 7.
pub(super) struct Passes {
    axis: Axis,
    passes: Vec<Pass>,
    roots: Rc<Roots>,
}

impl Passes {
    /// Returns `None` for other lengths.
    pub(super) fn new(
        axis: Axis,
        roots: impl FnOnce(usize) -> Result<Rc<Roots>>,
    ) -> Result<Option<Passes>> {
        let Some(radices) = plan::radices(axis.length, &RADICES) else { return Ok(None) };
        Ok(Some(Passes::by(axis, &radices, roots(axis.length)?)))
    }

    /// Returns those of a length that is a power of two.
    pub(super) fn of_power_of_two(axis: Axis, roots: Rc<Roots>) -> Passes {
        let radices = plan::radices(axis.length, &RADICES).unwrap_or_default();
        Passes::by(axis, &radices, roots)
    }

    fn by(axis: Axis, radices: &[usize], roots: Rc<Roots>) -> Passes {
        Passes { axis, passes: plan::passes(axis, radices), roots }
    }

    /// Returns how many passes there are.
    pub(super) fn count(&self) -> usize {
        self.passes.len()
    }

    /// Returns a bound of the relative error of all passes.
    pub(super) fn bound(&self) -> f64 {
        let levels = roots::levels(self.axis.length);
        self.passes.iter().map(|pass| plan::of_pass(pass.radix, levels)).sum()
    }

    /// Runs one of the passes.
    pub(super) fn run(
        &self,
        maps: &Maps,
        index: usize,
        factors: Factors,
        x: &Texels,
        out: &mut Texels,
    ) -> Result<()> {
        let Some(pass) = self.passes.get(index) else { return Ok(()) };
        let blocks = pass.across / pass.block;
        let uniforms = [
            ("total", whole(self.axis.total())),
            ("block", whole(pass.block)),
            ("across", whole(pass.across)),
            ("blocks", whole(blocks)),
            ("done", whole(pass.done)),
            ("length_of_transform", whole(self.axis.length)),
            ("before", factors.before.into()),
            ("after", factors.after.into()),
            ("exponents", [exponent(pass.block), exponent(blocks)].into()),
        ];
        let variant = variant(*pass, roots::levels(self.axis.length));
        maps.run(&variant, Inputs::with_roots(x, &self.roots), &uniforms, out)
    }
}

fn variant(Pass { radix, block, across, .. }: Pass, levels: usize) -> ShaderVariant {
    let shifts = block.is_power_of_two() && (across / block).is_power_of_two();
    ShaderVariant::new("fft/pass.frag")
        .defined("RADIX", radix)
        .with("PAIRS", block % 2 == 0)
        .with("SHIFTS", shifts)
        .with("TWO_LEVELS", levels > 1)
}

/// Returns every variant of the pass.
pub(super) fn variants() -> Vec<ShaderVariant> {
    let mut variants = Vec::new();
    for radix in RADICES {
        for (block, across) in [(1, 8), (2, 8), (3, 9), (6, 18)] {
            variants.extend(
                [1, 2].map(|levels| variant(Pass { radix, done: 1, block, across }, levels)),
            );
        }
    }
    variants
}

pub(in crate::primitives) fn whole(number: usize) -> Value {
    (number as i32).into()
}

fn exponent(number: usize) -> i32 {
    number.trailing_zeros() as i32
}
