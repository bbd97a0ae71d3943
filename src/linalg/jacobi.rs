//! The nine-banded Jacobi solver of Goeddeke's "GPGPU Performance Tuning": every layout and every
//! stage of the document, and a stop at a residual, which the document leaves out.
//!
//! One step is `x_i + (b_i - (A x)_i) / d_i` for all unknowns at once, from one texture to another. The
//! device's own residual steers the iteration; the one that is reported and that decides is worked out
//! by the host in double precision, of the x that is handed out.
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

mod bands;
mod error;
mod interleaved;
mod kernels;
mod pace;
mod residual;
mod resolve;
mod solve;
mod solver;
mod variant;

pub use error::Error;
pub(crate) use kernels::sources;
pub use solve::{Solution, Stop};
pub use solver::Jacobi;
pub use variant::{Layout, Optimization, ResolvedVariant, Variant};
