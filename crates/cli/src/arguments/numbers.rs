//! The type of a matrix's elements, as an argument.

use clap::ValueEnum;

/// Named as in the CUDA tutorial of 2010.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum NumberType {
    Float,
    Short,
    Int,
}
