//! Vectors and grids on the device: numbers packed four to a texel, in one texture or several.
//!
//! [`DeviceVector`] and [`DeviceGrid`] own the textures and know their lengths, panels and padding.
//! A vector is a sequence; a grid has rows, each of which begins a new texel, and halos around its
//! panels. A [`Plan`] cuts a grid into panels. A [`Packer`] copies from and to textures of a
//! program's own kernels. Operations are in [`linalg::blas1`](crate::linalg::blas1).

mod device_grid;
mod error;
mod layout;
mod packer;
mod plan;
mod scalar;
mod shape;
mod vector;

pub use device_grid::DeviceGrid;
pub(crate) use device_grid::fill_halos;
pub use error::{Error, Result};
pub use layout::{extent_of, row_shift};
pub use packer::Packer;
pub(crate) use packer::sources;
pub use plan::{Halo, HaloCopy, Part, Plan};
pub use scalar::Scalar;
pub use shape::GridShape;
pub use vector::{DeviceVector, Lane};
