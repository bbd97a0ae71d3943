//! The interface of the Jacobi solver for one rank of several: the rank stores its block of the
//! system and a halo around it.

use crate::data::{Block, NineBanded};
use crate::gl::{Context, Texel, Texture};
use crate::grid::{Halo, Plan};

use super::panel::Region;
use super::panel::iterate::Textures;
use super::variant::tuned::Choice;
use super::{Jacobi, Result, Variant};

impl Jacobi {
    /// Creates a solver for systems of what a rank stores, in rows and columns of which `owned` is
    /// what it owns. Halos of other ranks are the caller's to refresh.
    pub(crate) fn on_rank(
        context: &Context,
        systems: &[&NineBanded],
        variant: Variant,
        owned: &Block,
        halo: Halo,
    ) -> Result<Jacobi> {
        let shape = Choice::shape(context, variant, systems);
        Jacobi::in_part(context, systems, variant, shape, Some(owned), halo)
    }

    pub(crate) fn context(&self) -> &Context {
        &self.context
    }

    /// Returns the plan of the panels, which together own what the rank owns.
    pub(crate) fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Returns the host's systems of what the rank stores.
    pub(crate) fn systems(&self) -> &[NineBanded] {
        &self.systems
    }

    /// Returns the first row of what the rank stores that is not diagonally dominant.
    pub(crate) fn first_not_dominant(&self) -> Option<usize> {
        self.first_not_dominant
    }

    /// Returns the newest x of each panel, if these are the layout's texels.
    pub(crate) fn newest<T: Texel + 'static>(&mut self) -> Option<&mut [Texture<T>]> {
        self.x.as_any().downcast_mut::<Textures<T>>().map(|textures| textures.newest.as_mut_slice())
    }

    /// Returns whether a step can follow before halos are refreshed.
    pub(crate) fn is_fresh(&self) -> bool {
        self.fresh > 0
    }

    /// Says that halos of other ranks were refreshed, and fills those of the rank's own panels.
    pub(crate) fn refreshed(&mut self) -> Result<()> {
        self.x.fill_halos(&self.plan)?;
        self.fresh = self.plan.halo().steps;
        Ok(())
    }

    /// Computes what reads no halo of the next x.
    pub(crate) fn compute_inside(&mut self) -> Result<()> {
        self.compute(Region::Inside, |panel| &panel.step, None)
    }

    /// Computes the rest of the next x, which becomes the newest.
    pub(crate) fn compute_rim(&mut self) -> Result<()> {
        self.compute(Region::Rim, |panel| &panel.step, None)?;
        self.advance();
        Ok(())
    }

    /// Reads x of each system with the halos, which must be fresh.
    pub(crate) fn read_stored(&self) -> Result<Vec<Vec<f32>>> {
        self.read_places(|part| part.stored)
    }
}
