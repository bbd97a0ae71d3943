//! Contexts on windows that the user's window library opened.

use std::rc::Rc;

use raw_window_handle::{HasDisplayHandle, HasWindowHandle};

use crate::Extent;

use super::builder::Builder;
use super::origin::Origin;
use super::renderer_lock::RendererLock;
use crate::gl::native::{Attributes, Native};
use crate::gl::{Context, Error, Result};

impl Builder {
    /// Makes the context on a window, whose pixels are of this extent now. The device is the one
    /// that the window's display uses: [`device`](Builder::device) and `QUADRILLE_DEVICE` are
    /// ignored. The context keeps the window.
    ///
    /// # Errors
    /// [`Error::NoContext`] if the window's display gives no such context, with the reason.
    pub fn on_window<W>(self, window: Rc<W>, extent: Extent) -> Result<Context>
    where
        W: HasWindowHandle + HasDisplayHandle + 'static,
    {
        let _lock = RendererLock::take();
        let attributes = Attributes { api: self.apis()[0], debug: self.debug };
        let made = Native::on_window(attributes, window, extent);
        let native = made.map_err(|reason| Error::NoContext {
            request: format!("{} in a window", self.describe()),
            tried: vec![format!("the window's display: {reason}")],
        })?;
        self.finish(native, None, None)
    }
}

impl Context {
    /// Shows what was [presented](Context::present), in a context that was made [on a
    /// window](Builder::on_window); elsewhere it does nothing.
    ///
    /// # Errors
    /// [`Error::Driver`] if the window system refuses, [`Error::ContextLost`].
    pub fn swap(&self) -> Result<()> {
        let _entered = self.shared.enter()?;
        match &self.shared.origin {
            Origin::Own(native) => native
                .swap()
                .map_err(|error| self.shared.failure("swapping buffers", &error.to_string())),
            Origin::Caller(_) => Ok(()),
        }
    }

    /// Follows a window whose pixels are of another extent now. Some drivers do so at the next
    /// [`swap`](Context::swap), so a picture that stands still is to be presented and swapped
    /// twice.
    ///
    /// # Errors
    /// [`Error::ContextLost`], or [`Error::OutsideScope`] for a caller's context outside of its
    /// scope.
    pub fn resize(&self, extent: Extent) -> Result<()> {
        let _entered = self.shared.enter()?;
        if let Origin::Own(native) = &self.shared.origin {
            native.resize(extent);
        }
        Ok(())
    }
}
