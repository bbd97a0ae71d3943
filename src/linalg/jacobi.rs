//! Jacobi's iteration for nine-banded systems, as stencils on a grid produce: every layout and
//! optimization of Göddeke's *GPGPU Performance Tuning* (2005), and stopping at a residual, which
//! the paper leaves out.
//!
//! One step computes `x_i + (b_i - (A x)_i) / d_i` for all unknowns at once, from one texture to
//! another; d is the diagonal of A. From [`Optimization::Reciprocal`] on, it is computed as
//! `(b_i - s) * (1 / d_i)`, where s is the sum of the other eight products of row i. The paper's form
//! with a reciprocal keeps the correction, `x_i + (b_i - (A x)_i) * (1 / d_i)`; the form here has a
//! product less and, as `quadrille reproduce` measures, less than a third of its errors.
//!
//! The device's residual, in 32-bit floats, steers the iteration; the host computes the residual that
//! is reported and that decides, in double precision, of the x that is returned.
//!
//! ```
//! use quadrille::data::Stencil;
//! use quadrille::linalg::jacobi::{Jacobi, Stop, Variant};
//! let context = quadrille::Context::headless()?;
//! let matrix = "heat9:24".parse::<Stencil>()?.matrix()?;
//! let b = vec![1.0; matrix.n()];
//! let mut jacobi = Jacobi::new(&context, &matrix, Variant::default())?;
//! let solution = jacobi.solve(&b, Stop::residual(1e-5))?;
//! assert!(solution.residual < 1e-5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(
    not(feature = "cluster"),
    allow(dead_code, unused_imports, reason = "ranks iterate by parts of it")
)]

mod error;
mod on_rank;
mod options;
mod panel;
mod solve;
mod solver;
mod variant;

pub use error::{Error, Result};
pub use options::Options;
pub(crate) use panel::kernels::sources;
pub(crate) use panel::scale::largest;
pub(super) use solve::check_interval::Forecast;
pub(crate) use solve::residual::residual_squares;
pub(crate) use solve::{Iteration, Run, scaled, slices, unscale, unusual_scale};
pub use solve::{Solution, Stop};
pub use solver::Jacobi;
pub use variant::shape::ComputeShape;
pub use variant::{Layout, Optimization, ResolvedVariant, Variant};
