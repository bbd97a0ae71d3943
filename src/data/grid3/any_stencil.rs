//! Stencils of two dimensions or of three.

use std::fmt;
use std::str::FromStr;

use super::super::{Error, Result, Stencil, StencilError, SystemMatrix};
use super::stencil::Stencil3;

/// A stencil on a grid of two dimensions or of three, as its name says.
///
/// ```
/// use quadrille::data::AnyStencil;
/// let matrix = "poisson7:9x8x7".parse::<AnyStencil>()?.system()?;
/// assert_eq!((matrix.n(), matrix.form()), (504, "7-point"));
/// assert_eq!("poisson5:9x8".parse::<AnyStencil>()?.system()?.form(), "nine-banded");
/// # Ok::<(), quadrille::data::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AnyStencil {
    /// Of two dimensions.
    Plane(Stencil),
    /// Of three.
    Space(Stencil3),
}

impl AnyStencil {
    /// Returns the points along x, along y and, of three dimensions, along z.
    pub fn points(&self) -> (usize, usize, Option<usize>) {
        match self {
            AnyStencil::Plane(stencil) => {
                let (width, height) = stencil.grid();
                (width, height, None)
            }
            AnyStencil::Space(stencil) => {
                let [x, y, z] = stencil.grid().points();
                (x, y, Some(z))
            }
        }
    }

    /// Returns the matrix of the system in double precision, in a form that holds its sides.
    ///
    /// # Errors
    /// [`StencilError::NoRoom`] for a grid for whose solution the host has no memory, and those of
    /// [`Stencil::system`].
    pub fn system(&self) -> Result<SystemMatrix> {
        match self {
            AnyStencil::Plane(stencil) => {
                stencil.must_have_room()?;
                stencil.system()
            }
            AnyStencil::Space(stencil) => {
                stencil.must_have_room()?;
                Ok(stencil.matrix()?.into())
            }
        }
    }
}

impl FromStr for AnyStencil {
    type Err = Error;

    fn from_str(text: &str) -> Result<AnyStencil> {
        if Stencil3::is_named(text) {
            return text.parse().map(AnyStencil::Space);
        }
        text.parse().map(AnyStencil::Plane).map_err(|error| match error {
            Error::Stencil(StencilError::UnknownStencil { got, known }) => {
                let names = Stencil3::NAMES.join(", ");
                let known =
                    format!("{known}; and of three dimensions {names} (as poisson7:64x64x32)");
                StencilError::UnknownStencil { got, known }.into()
            }
            error => error,
        })
    }
}

impl fmt::Display for AnyStencil {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnyStencil::Plane(stencil) => stencil.fmt(f),
            AnyStencil::Space(stencil) => stencil.fmt(f),
        }
    }
}
