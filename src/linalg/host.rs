//! What the host computes by plain loops in double precision: solvers and products for a machine without a device, and the
//! levels of multigrid that a device takes its tables from.

#![cfg_attr(
    not(feature = "cluster"),
    allow(dead_code, unused_imports, reason = "ranks and tests take parts of it")
)]

#[cfg(feature = "solve")]
pub mod grid3;
pub mod matmul;
#[cfg(feature = "solve")]
pub mod multigrid;
