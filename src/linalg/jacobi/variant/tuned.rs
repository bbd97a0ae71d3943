//! Tuned choices: a variant for one system and the shape of its compute stage, as text.

use std::fmt;

use crate::data::NineBanded;
use crate::gl::{Abilities, Context};
use crate::shader::Reads;
use crate::stream::group::Group;

use crate::linalg::jacobi::panel::extent::holds_rows;
use crate::linalg::jacobi::{ComputeShape, Layout, Optimization, ResolvedVariant, Variant};

/// The name of the solver among the tuned choices.
const OPERATION: &str = "jacobi";

/// A variant and a shape; as text `packed neighbours sample` or `packed compute fetch 16x16 tile
/// panels`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) variant: ResolvedVariant,
    /// The shape of the compute stage.
    pub(crate) shape: ComputeShape,
}

/// Shapes that may be faster than the usual ones.
const SHAPES: [ComputeShape; 6] = [
    ComputeShape::WIDE,
    ComputeShape::TILE,
    ComputeShape { group: [8, 8], ..ComputeShape::TILE },
    ComputeShape { group: [32, 8], ..ComputeShape::TILE },
    ComputeShape { group: [16, 16], tile: false, panels: true },
    ComputeShape { group: [32, 8], tile: false, panels: true },
];

impl Choice {
    /// Returns the tuned choice for `n` unknowns in rows of `m`, if there is one that agrees with
    /// all that is set and that the context can run.
    pub(crate) fn tuned(context: &Context, wish: Variant, n: usize, m: usize) -> Option<Choice> {
        let abilities = context.abilities();
        let choice =
            Choice::parse(&context.tuned(OPERATION, n)?.choice, ComputeShape::of(abilities))?;
        let ResolvedVariant { layout, optimization, reads } = choice.variant;
        let agrees = wish.layout.is_none_or(|wished| wished == layout)
            && wish.optimization.is_none_or(|wished| wished == optimization)
            && wish.reads.is_none_or(|wished| wished == reads);
        let fits = choice.fits(abilities) && holds_rows(abilities, layout, m);
        (agrees && fits).then_some(choice)
    }

    /// Returns the shape of the tuned choice for systems, or else that for the device.
    pub(crate) fn shape(context: &Context, wish: Variant, systems: &[&NineBanded]) -> ComputeShape {
        let tuned = |first: &&NineBanded| Choice::tuned(context, wish, first.n(), first.m());
        let tuned = systems.first().and_then(tuned);
        tuned.map_or_else(|| ComputeShape::of(context.abilities()), |tuned| tuned.shape)
    }

    /// Returns all that may be the fastest for one system.
    pub(crate) fn all(abilities: &Abilities) -> Vec<Choice> {
        let drawn = [Optimization::Boundary, Optimization::Neighbours];
        // A software renderer fetches slower than it samples, whatever else varies.
        let both = [Reads::Sample, Reads::Fetch];
        let reads = if abilities.software { &both[..1] } else { &both };
        let mut all = Vec::new();
        for layout in [Layout::Packed, Layout::Red, Layout::Separate] {
            let shape = ComputeShape::of(abilities);
            all.extend(drawn.into_iter().flat_map(|optimization| {
                let variant =
                    move |reads: &Reads| ResolvedVariant { layout, optimization, reads: *reads };
                reads.iter().map(move |reads| Choice { variant: variant(reads), shape })
            }));
            let variant = ResolvedVariant {
                layout,
                optimization: Optimization::Compute,
                reads: Reads::Fetch,
            };
            // Panels are of the packed layout.
            let shapes = SHAPES.iter().filter(|shape| layout == Layout::Packed || shape.tile);
            all.extend(shapes.map(|shape| Choice { variant, shape: *shape }));
        }
        all.retain(|choice| choice.fits(abilities));
        // Those of the stage that is usually the fastest come first.
        let computes = |choice: &Choice| choice.variant.optimization == Optimization::Compute;
        all.sort_by_key(|choice| computes(choice) == abilities.software);
        all
    }

    fn fits(self, abilities: &Abilities) -> bool {
        let ComputeShape { group: [x, y], tile, .. } = self.shape;
        let shared = if tile { 16 * u64::from(x + 2) * u64::from(y + 2) } else { 0 };
        let room = abilities.compute.map_or(0, |limits| u64::from(limits.shared_bytes));
        match self.variant.optimization {
            Optimization::Compute => Group::new(x, y).fits(abilities) && shared <= room,
            _ => true,
        }
    }

    /// Parses a choice. It accepts only variants that run wherever the usual one does: the first
    /// two stages need a `floor` that is exact.
    fn parse(text: &str, usual: ComputeShape) -> Option<Choice> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let [layout, optimization, reads, ref of_shape @ ..] = words[..] else { return None };
        let (layout, optimization) = (layout.parse().ok()?, optimization.parse().ok()?);
        let variant = ResolvedVariant { layout, optimization, reads: reads.parse().ok()? };
        let sound = layout.systems() == 1
            && optimization >= Optimization::Boundary
            && optimization.can_read(variant.reads);
        let shape = match (optimization, of_shape) {
            (Optimization::Compute, [group, words @ ..]) => {
                let Group { x, y } = group.parse().ok()?;
                let all_known = words.iter().all(|word| ["tile", "panels"].contains(word));
                let [tile, panels] = ["tile", "panels"].map(|word| words.contains(&word));
                all_known.then_some(ComputeShape { group: [x, y], tile, panels })?
            }
            (Optimization::Compute, []) => return None,
            (_, []) => usual,
            _ => return None,
        };
        sound.then_some(Choice { variant, shape })
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ResolvedVariant { layout, optimization, reads } = self.variant;
        write!(f, "{layout} {optimization} {reads}")?;
        if optimization == Optimization::Compute {
            let ComputeShape { group: [x, y], tile, panels } = self.shape;
            write!(f, " {}", Group::new(x, y))?;
            let words = [(tile, " tile"), (panels, " panels")];
            words.iter().filter(|(has, _)| *has).try_for_each(|(_, word)| f.write_str(word))?;
        }
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn every_choice_is_read_back_from_its_text() {
        let context = Context::headless().unwrap();
        let usual = ComputeShape::of(context.abilities());
        for choice in Choice::all(context.abilities()) {
            assert_eq!(Choice::parse(&choice.to_string(), usual), Some(choice), "{choice}");
        }
    }

    #[test]
    fn what_does_not_run_everywhere_is_no_choice() {
        for text in [
            "",
            "packed",
            "packed generic fetch",
            "rgba neighbours sample",
            "packed neighbours sample 16x16",
            "packed compute sample 16x16",
            "packed compute fetch",
            "packed compute fetch 16",
            "packed compute fetch 16x16 tiles",
        ] {
            assert_eq!(Choice::parse(text, ComputeShape::WIDE), None, "{text}");
        }
    }
}
