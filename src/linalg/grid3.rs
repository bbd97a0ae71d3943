//! Matrices of stencils on grids of three dimensions: products on a device, and multigrid.
//!
//! A grid is in one texture: four points along x in a texel, the lines of a slice above each other, slice upon slice in a
//! stack, and stacks side by side where one would be too high. Vectors are [grids](crate::grid::DeviceGrid) in that
//! order, so that all operations on them are those of two dimensions.
//!
//! Multigrid goes to a coarser grid along the axes whose couplings are strong, one axis after the other: two weights for
//! each coarse point, and a Galerkin product, of which the next axis takes its own. Where couplings depend on the kind
//! of a point alone, those of all levels do, and the host computes the few numbers; else the device does.
//!
//! ```
//! use quadrille::data::Stencil3;
//! use quadrille::linalg::solve::{Options, Solver};
//! let matrix = "poisson7:20x15x10".parse::<Stencil3>()?.matrix()?;
//! let context = quadrille::Context::headless()?;
//! let mut solver = Solver::of_grid(&context, &matrix, Options::new().tolerance(1e-12))?;
//! let solution = solver.solve(&vec![1.0; matrix.n()])?;
//! assert!(solution.converged() && solution.residual <= 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(
    not(feature = "cluster"),
    allow(dead_code, unused_imports, reason = "ranks have slabs")
)]

mod hierarchy;
mod host;
mod launch;
mod layout;
mod matrix;
mod operator;
pub(crate) mod plan;
mod programs;
mod region;
mod setup;
#[cfg(feature = "cluster")]
mod slab;
mod table;
mod transfer;

use super::multigrid::{Error, Options, Result, Smoother};

pub use hierarchy::Hierarchy;
pub use host::OnHost;
pub use operator::Operator;
pub(crate) use programs::sources;
#[cfg(feature = "cluster")]
pub(crate) use slab::Slab;

/// Numbers of a grid on a device.
type Grid = crate::gl::Texture<[f32; 4]>;

fn must_smooth_by_points(options: Options) -> Result<()> {
    match options.smoother {
        Some(Smoother::Jacobi) | None => Ok(()),
        Some(smoother) => Err(Error::Lines { smoother }),
    }
}
