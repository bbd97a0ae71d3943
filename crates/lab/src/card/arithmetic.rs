//! Arithmetic: how far operations are from their results, how they round, and what compilers
//! contract.

pub(super) mod accuracy;
mod arguments;
pub(super) mod contraction;
pub(super) mod integers;
pub(super) mod operations;
pub(super) mod rounding;
mod rules;
pub(super) mod units;
