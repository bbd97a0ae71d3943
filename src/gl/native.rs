//! Whose context it is: one that quadrille made and makes current itself, or a caller's, which is
//! entered in scopes alone.

use super::caller::Caller;
use super::{Error, egl};

/// What makes a context current, or knows whether it is.
pub(super) enum Native {
    /// Made by quadrille.
    Own(egl::Native),
    /// A caller's own, of any window system.
    Around(Caller),
}

impl Native {
    /// Makes the context current, or finds that it is.
    pub(super) fn enter(&self) -> Result<(), Error> {
        match self {
            Native::Own(egl) if egl.is_current() => Ok(()),
            Native::Own(egl) => egl.make_current().map_err(|error| Error::Driver {
                doing: "making the context current".into(),
                code: error.to_string(),
                messages: Vec::new(),
            }),
            Native::Around(caller) => caller.must_be_inside(),
        }
    }

    /// Leaves no context current, before an own one goes. A caller's is not ours to release.
    pub(super) fn release(&self) {
        if let Native::Own(egl) = self {
            egl.release();
        }
    }

    pub(super) fn has_pbuffer(&self) -> bool {
        matches!(self, Native::Own(egl) if egl.has_pbuffer())
    }
}
