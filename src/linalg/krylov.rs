//! Krylov methods for linear systems, each the textbook's loop over a dozen vector operations:
//! conjugate gradients ([`Cg`]) and BiCGSTAB ([`BiCgStab`]), with preconditioners.
//!
//! A method knows no device. It runs in a [`Space`]: vectors, numbers beside them, and the matrix.
//! On a device the numbers stay there: a step divides by a dot product without reading it, so that
//! steps follow one another without waiting. What decides, the norm of the residual and
//! [breakdown](Method::breakdown), is read by the caller when it wants to know.
//!
//! [`DeviceSpace`] is the space of grids on a device, and [`HostSpace`] that of vectors on the
//! host, in `f32` or `f64`:
//!
//! ```
//! use quadrille::data::Stencil;
//! use quadrille::linalg::krylov::{Cg, HostSpace, Jacobi, Method, Space};
//! let matrix = "poisson5:20".parse::<Stencil>()?.matrix()?;
//! let space = HostSpace::<f64>::new(&matrix)?;
//! let mut jacobi = Jacobi::new(&space, &vec![4.0; 400])?;
//! let mut cg = Cg::new(&space)?;
//! space.write(&vec![1.0; 400], 1.0, cg.residual_mut())?; // the right-hand side, as the residual of zero
//! cg.restart(&space)?;
//! for _ in 0..60 {
//!     cg.step(&space, &mut jacobi)?;
//! }
//! assert!(space.norm(cg.residual())? < 1e-10);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`linalg::solve`](super::solve) chooses a method, corrects in double precision and knows when to
//! stop.

mod bicgstab;
mod cg;
mod chebyshev;
mod device;
mod device_operator;
mod host;
mod method;
mod preconditioner;
pub(crate) mod singles;
mod space;
mod stationary;

pub use bicgstab::BiCgStab;
pub use cg::Cg;
pub use chebyshev::Chebyshev;
pub use device::DeviceSpace;
pub use device_operator::DeviceOperator;
pub use host::{HostSpace, Real};
pub use method::{Breakdown, Method};
pub use preconditioner::{Identity, Jacobi, Preconditioner};
pub(crate) use space::Sealed;
pub use space::{Factor, NextDirection, Space};
pub use stationary::Stationary;
