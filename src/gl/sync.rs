//! Fences and timers.

use std::time::Duration;

use glow::HasContext;

#[cfg(doc)]
use super::Error;
use super::context::entries::Call;
use super::object::owned::Owned;
use super::{Context, Result};
use crate::clock::Instant;

/// A point in the stream of commands that the device has or has not reached.
pub struct Fence {
    owned: Owned<glow::Fence>,
}

impl Fence {
    /// Inserts a fence after all commands so far.
    ///
    /// # Errors
    /// [`Error::ContextLost`], or [`Error::OutsideScope`] for a caller's context outside of its
    /// scope.
    pub fn new(context: &Context) -> Result<Fence> {
        // SAFETY: `make` enters the context; these are the only arguments GL takes.
        let make =
            |gl: &glow::Context| unsafe { gl.fence_sync(glow::SYNC_GPU_COMMANDS_COMPLETE, 0) };
        Ok(Fence { owned: Owned::make(context, make)? })
    }

    /// Takes over a fence of this context that nothing else owns.
    pub(super) fn adopt(context: &Context, fence: glow::Fence) -> Fence {
        Fence { owned: Owned::adopt(context, fence) }
    }

    /// Leaves the fence to the caller.
    pub(super) fn give_up(&self) -> glow::Fence {
        self.owned.give_up()
    }

    /// Waits, at most this long, and returns whether the device has reached it.
    ///
    /// # Errors
    /// [`Error::ContextLost`] after a reset of the device, [`Error::Driver`] if the driver cannot
    /// wait.
    pub fn wait(&self, limit: Duration) -> Result<bool> {
        let context = self.owned.context();
        // A browser tells that a fence was reached after the task has ended that asks.
        if cfg!(target_family = "wasm") || !context.abilities().fences_wait() {
            // SAFETY: entered.
            unsafe { context.shared.enter()?.finish() };
            context.shared.check_reset()?;
            return Ok(true);
        }
        let start = Instant::now();
        loop {
            let left = limit.saturating_sub(start.elapsed());
            // glow takes nanoseconds in 31 bits, so longer waits are several.
            let slice = i32::try_from(left.as_nanos()).unwrap_or(i32::MAX);
            let gl = context.shared.enter()?;
            // SAFETY: entered; the fence is alive.
            let status = unsafe {
                gl.client_wait_sync(self.owned.name(), glow::SYNC_FLUSH_COMMANDS_BIT, slice)
            };
            match status {
                glow::ALREADY_SIGNALED | glow::CONDITION_SATISFIED => return Ok(true),
                glow::TIMEOUT_EXPIRED if start.elapsed() >= limit => return Ok(false),
                glow::TIMEOUT_EXPIRED => {}
                _ => {
                    context.shared.check_reset()?;
                    context.shared.check(|| "waiting at a fence".into())?;
                    return Err(context.shared.failure("waiting at a fence", "GL_WAIT_FAILED"));
                }
            }
        }
    }
}

impl Fence {
    /// Waits as long as it takes.
    pub(super) fn wait_long(&self) -> Result<()> {
        let _wait = Call::begin();
        while !self.wait(Duration::from_secs(1))? {}
        Ok(())
    }
}

/// A span of the device's own time (`GL_TIME_ELAPSED`). Only desktop GL has it, and software
/// renderers measure submission instead of work: `stream::clock` knows when to use it.
pub struct Timer {
    owned: Owned<glow::Query>,
    running: bool,
}

impl Timer {
    /// Starts the timer. A context runs one timer at a time.
    ///
    /// # Errors
    /// [`Error::Unsupported`] without timer queries, [`Error::Driver`] if another timer runs.
    pub fn start(context: &Context) -> Result<Timer> {
        if !context.abilities().timers {
            let lacks = "timer queries (core in OpenGL 3.3)";
            let remedy = "use the wall clock around a finish";
            return Err(context.abilities().lack("timing on the device", lacks, remedy));
        }
        // SAFETY: `make` enters the context.
        let owned = Owned::make(context, |gl| unsafe { gl.create_query() })?;
        let gl = context.shared.enter()?;
        // SAFETY: entered; the query is alive.
        unsafe { gl.begin_query(glow::TIME_ELAPSED, owned.name()) };
        context.shared.check(|| "starting a timer (one may run at a time)".into())?;
        Ok(Timer { owned, running: true })
    }

    /// Stops the timer, waits for the result and returns it.
    ///
    /// # Errors
    /// [`Error::ContextLost`], or [`Error::OutsideScope`] for a caller's context outside of its
    /// scope.
    pub fn stop(mut self) -> Result<Duration> {
        self.running = false;
        let context = self.owned.context();
        let gl = context.shared.enter()?;
        // SAFETY: entered; the query is alive.
        let nanoseconds = unsafe {
            gl.end_query(glow::TIME_ELAPSED);
            gl.get_query_parameter_u64(self.owned.name(), glow::QUERY_RESULT)
        };
        context.shared.check(|| "reading a timer".into())?;
        Ok(Duration::from_nanos(nanoseconds))
    }
}

impl Drop for Timer {
    /// A query that is deleted while it runs keeps running on some drivers, and no other can start.
    fn drop(&mut self) {
        if !self.running {
            return;
        }
        if let Ok(gl) = self.owned.shared().enter() {
            // SAFETY: entered; this query is the one that runs.
            unsafe { gl.end_query(glow::TIME_ELAPSED) };
        }
    }
}
