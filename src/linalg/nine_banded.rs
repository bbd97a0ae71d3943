//! Nine-banded matrices as operators on grids of the device.
//!
//! [`Operator`] computes `A x`, `b - A x` and the diagonal of A, where A is what a stencil makes of
//! a grid, or any [`NineBanded`](crate::data::NineBanded) matrix. With the operations on grids
//! ([`Blas1::grids`](crate::linalg::blas1::Blas1::grids)) it is what a Krylov method needs; nothing
//! is read back by either, except by functions that return a number of the host.
//!
//! Ten iterations of Richardson's method, preconditioned by the diagonal:
//!
//! ```
//! use quadrille::{data::Stencil, grid::DeviceGrid};
//! use quadrille::linalg::{blas1::Blas1, nine_banded::Operator};
//! let context = quadrille::Context::headless()?;
//! let matrix = "heat9:24".parse::<Stencil>()?.matrix()?;
//! let operator = Operator::new(&context, &matrix)?;
//! let blas = Blas1::new(&context);
//! let grids = blas.grids();
//! let reciprocals = operator.reciprocal_diagonal()?;
//! let b = DeviceGrid::from_host(&context, operator.plan(), &vec![1.0; matrix.n()])?;
//! let mut x = DeviceGrid::zeros(&context, operator.plan())?;
//! let mut r = DeviceGrid::zeros(&context, operator.plan())?;
//! let mut z = DeviceGrid::zeros(&context, operator.plan())?;
//! for _ in 0..10 {
//!     operator.residual(&b, &x, &mut r)?; // r = b - A x
//!     grids.multiply(&reciprocals, &r, &mut z)?; // z = r / diagonal
//!     grids.axpy(1.0, &z, &mut x)?; // x = x + z
//! }
//! operator.residual(&b, &x, &mut r)?;
//! assert!(grids.nrm2(&r)? < 0.1 * grids.nrm2(&b)?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(
    not(feature = "cluster"),
    allow(
        dead_code,
        unused_imports,
        reason = "solvers and ranks have operators of blocks and fused products"
    )
)]

mod bands;
mod coefficients;
mod error;
mod field;
mod operator;
mod product;

pub(crate) use bands::{ORDER, Places};
pub(crate) use coefficients::{Coefficients, Reading, around, define};
pub use error::{Error, Result};
pub use operator::Operator;
pub(crate) use product::sources;
