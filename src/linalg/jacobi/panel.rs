//! The panels of a system. Each is a system of its own in textures of its own: what it owns and the
//! halo around that, whose neighbours may be missing. So a step computes a halo wrongly, and the
//! next one fills it before it reads it.

mod bands;
pub(super) mod extent;
mod interleaved;
pub(super) mod iterate;
pub(super) mod kernels;
pub(super) mod scale;

use std::collections::HashMap;

use crate::data::NineBanded;
use crate::gl::Context;
use crate::grid::Plan;
use crate::memory::{self, NoMemory};
use crate::stream::facts;
use crate::{Extent, Rectangle};

use super::{ComputeShape, Error, Layout, Optimization, ResolvedVariant, Result};
use bands::{Bands, Stored};
use kernels::{Draw, PanelPrograms, Part, Quantity, draws};

/// A panel without its x.
pub(super) struct Panel {
    pub(super) stored: Stored,
    /// The texels that the panel owns, within its textures.
    owned: Rectangle,
    /// The owned texels whose step reads no halo; `rim` are the other owned texels.
    inside: Rectangle,
    rim: Vec<Rectangle>,
    /// The lane of a row's last unknown in the panel's last column of texels, where these hold
    /// several.
    pub(super) last_lane: Option<i32>,
    pub(super) bands: Bands,
    pub(super) step: Vec<Part>,
    pub(super) residual: Vec<Part>,
}

/// The texels that a step computes of each panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Region {
    All,
    /// The texels whose step reads no halo.
    Inside,
    /// The texels whose step reads a halo.
    Rim,
}

impl Panel {
    /// Returns the rectangles of a region; `None` stands for all texels.
    pub(super) fn regions(&self, region: Region) -> Vec<Option<Rectangle>> {
        match region {
            Region::All => vec![None],
            Region::Inside if self.inside.texels() == 0 => Vec::new(),
            Region::Inside => vec![Some(self.inside)],
            Region::Rim => self.rim.iter().copied().map(Some).collect(),
        }
    }

    /// Returns whether something is left to compute after the inside.
    pub(super) fn has_rim(&self) -> bool {
        !self.rim.is_empty()
    }

    /// Returns the texels that a reduction takes, if not all.
    pub(super) fn window(&self) -> Option<Rectangle> {
        (self.owned != self.stored.extent().rectangle()).then_some(self.owned)
    }
}

/// Returns all panels, and whether lines are drawn at the boundaries of all of them, if they have
/// boundaries.
pub(super) fn panels(
    context: &Context,
    systems: &[&NineBanded],
    chosen: ResolvedVariant,
    shape: ComputeShape,
    plan: &Plan,
) -> Result<(Vec<Panel>, Option<bool>)> {
    must_have_memory(context, chosen, plan)?;
    let step = PanelPrograms::new(context, chosen, shape, Quantity::NextX);
    let residual = PanelPrograms::new(context, chosen, shape, Quantity::Residual);
    let mut passes = Passes { context, chosen, known: HashMap::new() };
    let side_by_side = chosen.optimization == Optimization::Compute && shape.panels;
    let mut panels = Vec::new();
    for part in plan.parts() {
        let (stored, extent) = (Stored { grid: plan.shape(), place: part.stored }, part.extent());
        let draws = passes.of(plan, extent)?;
        let owned = part.local(part.owned);
        let reach = plan.halo().texels_of_steps(plan.shape(), 1);
        let (inside, rim) = inside_and_rim(extent, owned, reach);
        let ends_rows = part.stored.x + part.stored.width == plan.shape().texels().width;
        let last_lane = if ends_rows { plan.shape().last_lane() } else { plan.shape().lanes() - 1 };
        panels.push(Panel {
            inside,
            rim,
            last_lane: (chosen.layout == Layout::Packed).then_some(last_lane as i32),
            step: step.parts(draws)?,
            residual: residual.parts(draws)?,
            stored,
            owned,
            bands: Bands::new(context, systems, chosen, stored, side_by_side)?,
        });
    }
    Ok((panels, passes.lines()))
}

/// Returns the texels of a panel that read no texel of the halo, where a step reaches so far, and
/// those around them.
fn inside_and_rim(extent: Extent, owned: Rectangle, reach: Extent) -> (Rectangle, Vec<Rectangle>) {
    let shrunk = |start: u32, length: u32, limit: u32, reach: u32| {
        let end = start + length;
        let first = if start > 0 { (start + reach).min(limit) } else { 0 };
        let end = if end < limit { end.saturating_sub(reach) } else { end };
        (first, end.max(first) - first)
    };
    let (x, width) = shrunk(owned.x, owned.width, extent.width, reach.width);
    let (y, height) = shrunk(owned.y, owned.height, extent.height, reach.height);
    let inside = Rectangle::new(x, y, width, height);
    let (right, above) = (x + width, y + height);
    let rim = [
        Rectangle::new(0, 0, extent.width, y),
        Rectangle::new(0, above, extent.width, extent.height - above),
        Rectangle::new(0, y, x, height),
        Rectangle::new(right, y, extent.width - right, height),
    ];
    (inside, rim.into_iter().filter(|place| place.texels() > 0).collect())
}

/// The numbers on the device for each number of x: nine bands, the right-hand side, and two
/// textures of x.
const NUMBERS: usize = 12;

/// Checks that the host has memory for the textures of a software renderer, which the system would
/// promise now and miss when they are written.
fn must_have_memory(
    context: &Context,
    chosen: ResolvedVariant,
    plan: &Plan,
) -> Result<(), NoMemory> {
    if !context.abilities().software {
        return Ok(());
    }
    let texels: usize = plan.parts().iter().map(|part| part.stored.texels()).sum();
    let texel = NUMBERS * size_of::<f32>() * chosen.layout.channels();
    memory::must_have(texels.saturating_mul(texel))
}

/// The passes of panels by their extents, and whether lines are among them.
struct Passes<'a> {
    context: &'a Context,
    chosen: ResolvedVariant,
    known: HashMap<Extent, (Vec<Draw>, Option<bool>)>,
}

impl Passes<'_> {
    fn of(&mut self, plan: &Plan, extent: Extent) -> Result<&[Draw]> {
        if !self.known.contains_key(&extent) {
            let found = self.find(plan, extent)?;
            self.known.insert(extent, found);
        }
        Ok(self.known.get(&extent).map_or(&[], |(draws, _)| draws))
    }

    fn find(&self, plan: &Plan, extent: Extent) -> Result<(Vec<Draw>, Option<bool>)> {
        let ResolvedVariant { optimization, .. } = self.chosen;
        if optimization == Optimization::Compute {
            return Ok((draws(optimization, extent, None), None));
        }
        if optimization < Optimization::Boundary || extent.width < 2 {
            must_index_exactly(self.context, plan, extent)?;
            return Ok((draws(optimization, extent, None), None));
        }
        let lines = facts::covering_lines(self.context, extent)?;
        Ok((draws(optimization, extent, lines), Some(lines.is_some())))
    }

    fn lines(&self) -> Option<bool> {
        let lines = self.known.values().map(|(_, lines)| *lines);
        lines.reduce(|one, other| one.zip(other).map(|(one, other)| one && other)).flatten()
    }
}

fn must_index_exactly(context: &Context, plan: &Plan, extent: Extent) -> Result<()> {
    let (n, m) = (plan.shape().len(), plan.shape().width());
    match facts::misplaced_by_floor(context, extent)? {
        0 => Ok(()),
        wrong => Err(Error::FloorInexact { n, m, wrong }),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use rand::{RngExt, SeedableRng};

    use crate::Context;
    use crate::data::random_couplings;
    use crate::gl::masks::Ability;
    use crate::linalg::jacobi::{Jacobi, Layout, Variant};

    #[test]
    fn the_inside_and_the_rim_are_all_texels_once() {
        use super::{Extent, Rectangle, inside_and_rim};
        for (width, height) in [(1, 1), (2, 3), (9, 5), (4, 12)] {
            let extent = Extent::new(width, height);
            let sides = |limit: u32| {
                (0..limit).flat_map(move |start| (1..=limit - start).map(move |len| (start, len)))
            };
            for ((x, w), (y, h)) in sides(width).flat_map(|x| sides(height).map(move |y| (x, y))) {
                let owned = Rectangle::new(x, y, w, h);
                let (inside, rim) = inside_and_rim(extent, owned, Extent::new(1, 1));
                let mut covered = vec![0; extent.texels()];
                for place in rim.iter().chain([&inside]) {
                    for y in place.y..place.y + place.height {
                        let row = (y * width) as usize;
                        covered[row..][place.x as usize..(place.x + place.width) as usize]
                            .iter_mut()
                            .for_each(|count| *count += 1);
                    }
                }
                assert!(covered.iter().all(|count| *count == 1), "{owned} of {extent}");
                // Neighbours of what is inside are owned, or beyond the panel.
                let near = |low: u32, length: u32, owned: u32, owned_length: u32, limit: u32| {
                    let (end, owned_end) = (low + length, owned + owned_length);
                    (low == 0 || low > owned) && (end == limit || end < owned_end)
                };
                let is_inside = near(inside.x, inside.width, x, w, width)
                    && near(inside.y, inside.height, y, h, height);
                assert!(inside.texels() == 0 || is_inside, "{inside}: {owned} of {extent}");
            }
        }
    }

    #[test]
    fn every_copy_to_a_halo_is_needed() {
        let context = Context::builder().without(Ability::LargerTextures(41)).build().unwrap();
        let mut generator = rand_pcg::Pcg64Mcg::seed_from_u64(5);
        let mut next = || generator.random_range(-1.0..1.0_f32);
        for (layout, n, m) in [(Layout::Packed, 660, 13), (Layout::Red, 660, 13)] {
            let matrix = random_couplings(n, m, &mut next).unwrap();
            let b: Vec<f32> = (0..n).map(|_| next()).collect();
            let variant = Variant::default().layout(layout);
            let mut jacobi = Jacobi::new(&context, &matrix, variant).unwrap();
            let after = |jacobi: &mut Jacobi| {
                jacobi.set_systems(&[&b], &[&vec![0.0; n]]).unwrap();
                jacobi.iterate(3).unwrap();
                jacobi.read().unwrap()
            };
            let right = after(&mut jacobi);
            let plan = jacobi.plan.clone();
            assert!(plan.copies().len() > 1);
            for lost in 0..plan.copies().len() {
                jacobi.plan = plan.without_copy(lost);
                assert_ne!(after(&mut jacobi), right, "{layout}, {:?}", plan.copies()[lost]);
            }
            jacobi.plan = plan;
            assert_eq!(after(&mut jacobi), right);
        }
    }
}
