//! Matrices and grids in the memory of the host, and their packing.

mod blocks;
mod field;
mod nine_banded;
mod packing;
mod stencils;
