//! Detects loops of a user's compute shader that the device ended early. `include/watch.glsl` and
//! `watch/main.comp` are put around the user's text and count the invocations that used the
//! device's loop budget up, in a storage block of their own.

use std::cell::Cell;

use quadrille::gl::{Buffer, Context};
use quadrille::internal::shader::Expanded;
use quadrille::stream::{self, ComputeKernel, Dispatch};

use crate::error::{LimitError, Result};

/// The count of a watched compute kernel.
pub(crate) struct ComputeGuard {
    budget: u32,
    count: Buffer<u32>,
    /// The count was 0 after this step.
    clean_after: Cell<u64>,
}

/// The block of `watch/main.comp`.
const BLOCK: &str = "Quadrille_Ended";

impl ComputeGuard {
    /// Creates a kernel of the same text that is watched, where its loops may be ended early.
    pub(crate) fn new(
        text: &Expanded,
        kernel: &ComputeKernel,
    ) -> Result<Option<(ComputeKernel, ComputeGuard)>> {
        let context = kernel.context();
        if !text.may_loop() {
            return Ok(None);
        }
        let Some(budget) = context.loop_budget()? else { return Ok(None) };
        let place = free(context, kernel, budget)?;
        let watched = context.compute_kernel_of(&text.watched(place))?;
        let count = context.buffer(&[0])?;
        Ok(Some((watched, ComputeGuard { budget, count, clean_after: Cell::new(0) })))
    }

    /// Runs a dispatch of the watched kernel.
    pub(crate) fn run(
        &mut self,
        dispatch: Dispatch<'_>,
        groups: [u32; 3],
    ) -> Result<(), stream::Error> {
        let dispatch = dispatch.buffer_mut(BLOCK, &mut self.count);
        dispatch.uniform("quadrille_two", 2).run(groups)
    }

    /// Forgets the count.
    pub(crate) fn restart(&mut self) -> Result<()> {
        self.clean_after.set(0);
        Ok(self.count.write(&[0])?)
    }

    /// Refuses results after these many steps if any of their loops was ended early.
    pub(crate) fn check(&self, kernel: &str, steps: u64) -> Result<()> {
        if self.clean_after.get() == steps {
            return Ok(());
        }
        let invocations = self.count.read()?.into_iter().next().unwrap_or(0);
        if invocations == 0 {
            self.clean_after.set(steps);
            return Ok(());
        }
        let device = self.count.context().abilities().renderer.clone();
        let (kernel, budget) = (kernel.to_owned(), self.budget);
        Err(LimitError::InvocationsEnded { kernel, budget, device, invocations }.into())
    }
}

/// Returns a binding that the kernel's own blocks leave free.
fn free(context: &Context, kernel: &ComputeKernel, budget: u32) -> Result<u32, LimitError> {
    let limit = context.abilities().compute.map_or(0, |limits| limits.max_buffers);
    let taken: Vec<u32> = kernel.interface().bindings().collect();
    let free = (0..limit).find(|binding| !taken.contains(binding));
    let kernel = || kernel.name().to_owned();
    free.filter(|_| taken.len() < limit as usize).ok_or_else(|| LimitError::NoBlockToWatch {
        kernel: kernel(),
        limit,
        budget,
    })
}
