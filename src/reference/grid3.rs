//! Multigrid on grids of three dimensions, in double precision: a way to coarser grids axis by axis, and the twin of
//! the device's. Where couplings depend on the kind of a point alone, so do those of all coarser grids, and the few
//! numbers of these are what the device takes.

mod coarsening;
mod galerkin;
mod hierarchy;
mod interpolation;

pub use coarsening::{COARSEST, Steps, dampings, one_sided, steps, strengths};
pub use galerkin::coarser;
pub use hierarchy::{Hierarchy, Level, Transfer, dense, level, levels};
pub use interpolation::{Weights, coarse, interpolation, symmetric_part, transposed};
