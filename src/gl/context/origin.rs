//! The origin of a context: quadrille, which makes it current itself, or a caller, whose context is
//! entered in scopes alone.

use super::caller::Caller;
use crate::gl::native::Native;
use crate::gl::{Error, Result};

/// Makes a context current, or checks that it is.
pub(crate) enum Origin {
    /// Made by quadrille.
    Own(Native),
    /// Made by a caller, with any window system.
    Caller(Caller),
}

impl Origin {
    /// Makes the context current if it is not.
    pub(crate) fn enter(&self) -> Result<()> {
        match self {
            Origin::Own(native) if native.is_current() => Ok(()),
            Origin::Own(native) => native.make_current().map_err(|error| Error::Driver {
                doing: "making the context current".into(),
                code: error.to_string(),
                messages: Vec::new(),
            }),
            Origin::Caller(caller) => caller.must_be_inside(),
        }
    }

    /// Leaves no context current, before one of quadrille's is dropped. A caller's is left alone.
    pub(crate) fn release(&self) {
        if let Origin::Own(native) = self {
            native.release();
        }
    }

    /// Returns why the platform has taken the context away, if it says so by itself.
    pub(crate) fn loss(&self) -> Option<&'static str> {
        #[cfg(target_family = "wasm")]
        if let Origin::Own(native) = self
            && native.is_lost()
        {
            return Some("taken away by the browser");
        }
        None
    }

    /// Returns what a browser says of uniforms of the program in use; `None` for a context of others.
    #[cfg(target_family = "wasm")]
    pub(crate) fn active_uniforms(&self, uniforms: &[u32], what: u32) -> Option<Vec<i32>> {
        match self {
            Origin::Own(native) => native.active_uniforms(uniforms, what),
            Origin::Caller(_) => None,
        }
    }

    pub(crate) fn has_pbuffer(&self) -> bool {
        matches!(self, Origin::Own(native) if native.has_pbuffer())
    }
}
