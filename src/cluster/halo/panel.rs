//! The texels of a panel that messages carry, in the host's memory and on their way there.

use crate::gl::{Context, Staging, Texel, Texture};

use super::super::Result;
use super::strip::{Run, StripPlan};

/// The texels for one rank, or from it.
pub(super) struct Message<T> {
    pub(super) other: usize,
    pub(super) texels: Vec<T>,
}

/// The texels of a panel that messages have.
pub(super) struct Strip<T: Texel> {
    pub(super) panel: usize,
    pub(super) count: u32,
    /// The place of each in the panel.
    pub(super) places: Texture<[f32; 2]>,
    pub(super) staging: Staging<T>,
    /// The texels on the way to and from the staging memory, where kernels cannot use that.
    pub(super) texels: Texture<T>,
    runs: Vec<Run>,
}

impl<T: Texel> Message<T> {
    pub(super) fn new(&(other, length): &(usize, usize)) -> Message<T> {
        Message { other, texels: vec![T::zeroed(); length] }
    }
}

impl<T: Texel> Strip<T> {
    pub(super) fn new(context: &Context, plan: StripPlan) -> Result<Strip<T>> {
        let extent = plan.extent();
        Ok(Strip {
            panel: plan.panel,
            count: plan.count() as u32,
            places: context.texture(extent, &plan.places(extent))?,
            staging: context.staging(extent.texels())?,
            texels: context.uninit(extent)?,
            runs: plan.runs,
        })
    }

    pub(super) fn copy_to(&self, messages: &mut [Message<T>]) -> Result<()> {
        let texels = self.staging.as_slice()?;
        for run in &self.runs {
            let to = &mut messages[run.message].texels[run.at..run.at + run.length];
            to.copy_from_slice(&texels[run.strip..run.strip + run.length]);
        }
        Ok(())
    }

    pub(super) fn copy_from(&mut self, messages: &[Message<T>]) -> Result<()> {
        let texels = self.staging.as_mut_slice()?;
        for run in &self.runs {
            let from = &messages[run.message].texels[run.at..run.at + run.length];
            texels[run.strip..run.strip + run.length].copy_from_slice(from);
        }
        Ok(())
    }
}
