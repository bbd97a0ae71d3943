//! The type of a matrix's elements, as an argument.

use clap::ValueEnum;

/// The names of the CUDA document.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum NumberType {
    Float,
    Short,
    Int,
}
