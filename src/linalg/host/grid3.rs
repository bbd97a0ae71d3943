//! Multigrid on grids of three dimensions, in double precision: a way to coarser grids axis by axis. Where couplings depend on the
//! kind of a point alone, so do those of all coarser grids, and the few numbers of these are what the device takes.

mod galerkin;
mod hierarchy;
mod interpolation;
mod measures;

pub use galerkin::coarser;
pub use hierarchy::{Decide, Hierarchy, Level, Transfer, dense, level, levels};
pub use interpolation::{Weights, coarse, interpolation, symmetric_part, transposed};
pub use measures::{one_sided, strengths};
