//! A context that a caller made.

mod scope;
mod state;

use std::cell::{Cell, RefCell};

use glow::HasContext;

use crate::gl::native::switches;
use crate::gl::{Error, Result};
pub(in crate::gl) use state::Range;

/// A caller's context, which only scopes may enter.
#[derive(Default)]
pub(crate) struct Caller {
    pub(crate) scope: Cell<Option<Scope>>,
    /// Objects that scopes could not delete, since another context was current at their ends.
    pub(super) stray: RefCell<Vec<glow::VertexArray>>,
}

#[derive(Clone, Copy)]
pub(crate) struct Scope {
    /// The number of times that quadrille had made a context of its own current on this thread.
    pub(crate) switches: u64,
    /// The framebuffer that the caller drew into.
    pub(crate) screen: Option<glow::Framebuffer>,
}

impl Caller {
    pub(super) fn must_be_inside(&self) -> Result<()> {
        match self.scope.get() {
            None => Err(Error::OutsideScope),
            Some(scope) if scope.switches != switches() => Err(Error::SwitchedAway),
            Some(_) => Ok(()),
        }
    }

    /// Deletes the objects of a scope that another context interrupted.
    pub(super) fn sweep(&self, gl: &glow::Context) {
        let stray = self.stray.take();
        if stray.is_empty() {
            return;
        }
        // SAFETY: current, as `within` demands; each array is ours, and deleted once.
        unsafe {
            for array in stray {
                gl.delete_vertex_array(array);
            }
            // A program of quadrille may still be in use, and could not be recognized once deleted.
            gl.use_program(None);
        }
    }

    pub(crate) fn screen(&self) -> Result<Option<glow::Framebuffer>> {
        self.must_be_inside()?;
        Ok(self.scope.get().and_then(|scope| scope.screen))
    }
}
