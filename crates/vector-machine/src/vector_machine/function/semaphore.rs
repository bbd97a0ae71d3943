//! The handle of an asynchronous call.

use std::time::Duration;

use quadrille::gl::{Context, Fence};

use crate::vector_machine::Result;

/// A semaphore that is signaled when a function has finished. The results are in the vector or
/// scalar that it fills, whether or not the caller waits here: dropping a semaphore loses nothing,
/// and reading the result early only waits.
#[derive(Default)]
pub struct DSemaphore {
    /// The fence; `None` if the work is already done.
    fence: Option<Fence>,
}

/// The wait is divided, so that a loss of the context is noticed between its parts.
const SLICE: Duration = Duration::from_secs(1);

impl DSemaphore {
    /// Creates a semaphore behind all commands of the context so far, and submits them.
    pub(super) fn after(context: &Context) -> Result<DSemaphore> {
        let fence = Fence::new(context)?;
        context.flush()?;
        Ok(DSemaphore { fence: Some(fence) })
    }

    /// Waits until the function is done.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn wait(&self) -> Result<()> {
        while !self.wait_at_most(SLICE)? {}
        Ok(())
    }

    /// Returns whether the function is done.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn is_done(&self) -> Result<bool> {
        self.wait_at_most(Duration::ZERO)
    }

    /// Waits until the function is done, at most this long; returns whether it is.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn wait_at_most(&self, limit: Duration) -> Result<bool> {
        match &self.fence {
            Some(fence) => Ok(fence.wait(limit)?),
            None => Ok(true),
        }
    }
}
