//! Vectors on the device: numbers packed four to a texel, of any length, in one texture or several.
//!
//! [`DeviceVector`] owns the textures and knows its length, its panels and its padding; nothing above this module counts
//! texels. Operations on vectors are in [`linalg::blas1`](crate::linalg::blas1).

mod layout;
mod plan;
mod scalar;
mod vector;

pub use plan::{GridShape, Halo, HaloCopy, Part, Plan};
pub use scalar::Scalar;
pub use vector::{DeviceVector, Lane};

pub(crate) use layout::extent_of;
pub(crate) use vector::write_padded;
