//! Contexts: how they are made and entered, and the handle from which all objects are made.

pub(super) mod builder;
mod caller;
pub(super) mod debug;
pub(super) mod entries;
mod failures;
pub(super) mod origin;
mod pace;
mod renderer_lock;
mod reset;
mod shared;
mod tuned;
#[cfg(feature = "window")]
mod window;

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use glow::HasContext;

use super::object::kind::Objects;
use super::{Abilities, Device, Error, Result};

pub(super) use caller::Range;
pub(super) use shared::{Parts, Shared};

/// A connection to a device, on which textures, kernels and all other objects are made. A clone is
/// another handle to the same context, which lives until its last handle and object are dropped.
///
/// A thread may have several contexts: each call asks the window system which is current, and
/// switches only if it is another. A context stays on its thread, so each thread makes its own, in
/// about 20 ms; on a software renderer their calls take turns.
///
/// ```compile_fail,E0277
/// fn must_be_send<T: Send>() {}
/// must_be_send::<quadrille::Context>();
/// ```
#[derive(Clone)]
pub struct Context {
    pub(super) shared: Rc<Shared>,
}

impl Context {
    /// Returns the abilities and limits of this context.
    pub fn abilities(&self) -> &Abilities {
        &self.shared.abilities
    }

    /// Returns the device it was made on, if it was one of [`devices`](super::devices()): a
    /// window's context is on the display's, and a caller's own on whichever the caller chose.
    pub fn device(&self) -> Option<&Device> {
        self.shared.device.as_ref()
    }

    /// Returns a note for the user on the choice of the device: no hardware was found, and why.
    pub fn notice(&self) -> Option<&str> {
        self.shared.notice.as_deref()
    }

    /// Returns whether it has a surface, a pbuffer or a window that is never shown, because the
    /// driver has no surfaceless contexts.
    pub fn has_pbuffer(&self) -> bool {
        self.shared.origin.has_pbuffer()
    }

    /// Returns the number of live objects and their bytes, after deleting what was dropped. What
    /// was dropped and waits for its next use does not count: up to 256 MiB of textures, or a
    /// sixteenth of the device's memory, and 256 MiB of mapped buffers.
    ///
    /// # Errors
    /// [`Error::ContextLost`], or [`Error::OutsideScope`] for a caller's context outside of its
    /// scope.
    pub fn objects(&self) -> Result<Objects> {
        let _entered = self.shared.enter()?;
        Ok(*self.shared.live.borrow())
    }

    /// Returns the number of objects that the driver has made so far. Textures that are reused do
    /// not count.
    #[doc(hidden)]
    pub fn objects_made(&self) -> u64 {
        self.shared.made.get()
    }

    /// Returns the time that compiling and linking programs has taken so far.
    #[doc(hidden)]
    pub fn time_compiled(&self) -> Duration {
        self.shared.compiling.get()
    }

    /// Waits until the device has finished all commands.
    ///
    /// # Errors
    /// [`Error::ContextLost`] after a reset of the device, [`Error::Driver`] if an earlier call
    /// failed.
    pub fn finish(&self) -> Result<()> {
        let gl = self.shared.enter()?;
        // SAFETY: entered.
        unsafe { gl.finish() };
        self.shared.check_reset()?;
        self.shared.check(|| "finishing".into())
    }

    /// Submits all commands issued until now to the device, without waiting.
    ///
    /// # Errors
    /// [`Error::ContextLost`], or [`Error::OutsideScope`] for a caller's context outside of its
    /// scope.
    pub fn flush(&self) -> Result<()> {
        let gl = self.shared.enter()?;
        // SAFETY: entered.
        unsafe { gl.flush() };
        Ok(())
    }

    /// Does something that may find the device's memory full, and once more after deleting the
    /// textures that wait for their next use.
    pub(super) fn with_room<R>(&self, attempt: impl Fn() -> Result<R>) -> Result<R> {
        match attempt() {
            Err(Error::OutOfMemory { .. }) if self.shared.discard_idle_textures() => {
                self.finish()?;
                attempt()
            }
            done => done,
        }
    }

    /// Returns the first error or driver message since the last check as an error, for tests: clean
    /// code leaves none.
    ///
    /// # Errors
    /// [`Error::Driver`] or [`Error::Messages`] for what it finds; [`Error::ContextLost`].
    pub fn check(&self) -> Result<()> {
        let _entered = self.shared.enter()?;
        self.shared.check(|| "executing an earlier call".into())?;
        let messages = self.shared.sink.drain();
        if messages.is_empty() {
            return Ok(());
        }
        Err(Error::Messages { messages })
    }

    /// Does work whose draws are of a texel, and whose dispatches are of a work group, so that a driver
    /// that compiles a program where it is first used does so. What it computes is undefined.
    #[cfg(feature = "solve")]
    pub(crate) fn rehearse<R>(&self, work: impl FnOnce() -> R) -> R {
        struct Ends<'a>(&'a std::cell::Cell<bool>);
        impl Drop for Ends<'_> {
            fn drop(&mut self) {
                self.0.set(false);
            }
        }
        self.shared.rehearses.set(true);
        let _ends = Ends(&self.shared.rehearses);
        work()
    }

    /// Returns the cell in which `loop_budget` keeps its answer.
    pub(crate) fn known_loop_budget(&self) -> &OnceCell<Option<u32>> {
        &self.shared.loop_budget
    }

    /// Returns the map in which `captures` keeps its answers, by names of types in GLSL.
    pub(crate) fn known_captures(&self) -> &RefCell<BTreeMap<&'static str, bool>> {
        &self.shared.captures
    }

    /// Returns whether two handles are the same context.
    pub fn ptr_eq(&self, other: &Context) -> bool {
        Rc::ptr_eq(&self.shared, &other.shared)
    }

    pub(super) fn from_parts(parts: Parts) -> Result<Context> {
        Ok(Context { shared: Rc::new(Shared::new(parts)?) })
    }
}

impl std::fmt::Debug for Context {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Context({})", self.shared.abilities.renderer)
    }
}
