//! Stencils of two dimensions or of three.

use std::str::FromStr;

use quadrille::data::{Error, Stencil, Stencil3, SystemMatrix};

/// A stencil by its text.
#[derive(Clone, Copy, Debug)]
pub(super) enum AnyStencil {
    Plane(Stencil),
    Space(Stencil3),
}

impl AnyStencil {
    /// Makes the matrix, with its name.
    pub(super) fn system(self) -> Result<(String, SystemMatrix), Error> {
        match self {
            AnyStencil::Plane(stencil) => {
                stencil.must_have_room()?;
                Ok((stencil.to_string(), stencil.system()?))
            }
            AnyStencil::Space(stencil) => {
                stencil.must_have_room()?;
                Ok((stencil.to_string(), stencil.matrix()?.into()))
            }
        }
    }
}

impl FromStr for AnyStencil {
    type Err = String;

    fn from_str(text: &str) -> Result<AnyStencil, String> {
        if Stencil3::is_named(text) {
            return text.parse().map(AnyStencil::Space).map_err(|error: Error| error.to_string());
        }
        text.parse().map(AnyStencil::Plane).map_err(|error: Error| match error {
            Error::UnknownStencil { .. } => {
                let names = Stencil3::NAMES.join(", ");
                format!("{error}; those of three dimensions are {names} (as poisson7:64x64x32)")
            }
            error => error.to_string(),
        })
    }
}
