//! What a solver is given.

use super::Precision;
use super::system::System;

/// A right-hand side, and when to stop.
pub(super) struct Problem<'a> {
    pub(super) system: &'a dyn System,
    pub(super) b: &'a [f64],
    /// Of b.
    pub(super) norm: f64,
    /// The factor of the matrix in the space.
    pub(super) matrix_factor: f64,
    /// Whether constants are the matrix's null space: then no vector has a constant part.
    pub(super) projected: bool,
    pub(super) tolerance: f64,
    pub(super) iterations: u64,
    pub(super) check_every: Option<u64>,
    pub(super) precision: Precision,
}
