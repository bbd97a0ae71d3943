//! x of all panels on the device, whatever a texel of it holds.

use std::any::Any;

use crate::gl::{AnyTexture, Context, Texel, Texture};
use crate::grid::{self, Plan};
use crate::{Extent, Rectangle};

use super::kernels::{Inputs, Part};
use crate::linalg::jacobi::Result;

/// Two textures for each panel: the newest x, and the one that the next step or a residual is
/// written to.
pub(crate) trait Iterate {
    /// Replaces the texels of a panel, given as numbers.
    fn write(&mut self, panel: usize, numbers: &[f32]) -> Result<()>;

    /// Reads texels of a panel as numbers.
    fn read(&self, panel: usize, place: Rectangle) -> Result<Vec<f32>>;

    /// Copies to each halo what its owners have.
    fn fill_halos(&self, plan: &Plan) -> Result<()>;

    /// Computes a panel's next x, or its residual, into the spare texture: all, or the texels of a
    /// region. The halos must have been filled.
    fn compute(
        &mut self,
        panel: usize,
        parts: &[Part],
        inputs: &Inputs<'_>,
        region: Option<Rectangle>,
    ) -> Result<()>;

    /// Returns the texture that was computed last.
    fn spare(&self, panel: usize) -> &dyn AnyTexture;

    /// Makes what was computed of all panels the newest.
    fn swap(&mut self);

    /// Returns itself, [`Textures`] of the texels that the layout has.
    fn as_any(&mut self) -> &mut dyn Any;
}

/// An [`Iterate`] in texels `T`, which are made of floats.
pub(crate) struct Textures<T: Texel> {
    pub(crate) newest: Vec<Texture<T>>,
    spare: Vec<Texture<T>>,
}

impl<T: Texel> Textures<T> {
    pub(crate) fn new(
        context: &Context,
        extents: impl Iterator<Item = Extent> + Clone,
    ) -> Result<Textures<T>> {
        let make = || extents.clone().map(|e| context.uninit(e)).collect::<Result<Vec<_>, _>>();
        Ok(Textures { newest: make()?, spare: make()? })
    }
}

impl<T: Texel + 'static> Iterate for Textures<T> {
    fn write(&mut self, panel: usize, numbers: &[f32]) -> Result<()> {
        Ok(self.newest[panel].write(bytemuck::cast_slice(numbers))?)
    }

    fn read(&self, panel: usize, place: Rectangle) -> Result<Vec<f32>> {
        Ok(bytemuck::cast_vec(self.newest[panel].read_rectangle(place)?))
    }

    fn fill_halos(&self, plan: &Plan) -> Result<()> {
        Ok(grid::fill_halos(plan, &self.newest)?)
    }

    fn compute(
        &mut self,
        panel: usize,
        parts: &[Part],
        inputs: &Inputs<'_>,
        region: Option<Rectangle>,
    ) -> Result<()> {
        let (old, new) = (&self.newest[panel], &mut self.spare[panel]);
        parts.iter().try_for_each(|part| part.run(inputs, old, &mut *new, region))
    }

    fn spare(&self, panel: usize) -> &dyn AnyTexture {
        &self.spare[panel]
    }

    fn swap(&mut self) {
        std::mem::swap(&mut self.newest, &mut self.spare);
    }

    fn as_any(&mut self) -> &mut dyn Any {
        self
    }
}
