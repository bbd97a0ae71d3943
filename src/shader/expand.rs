//! From a source to the one text that a driver compiles, with the table of the lines that it came from.

pub(super) mod assemble;
pub(super) mod expanded;
pub(super) mod lines;
mod redefined;
mod resolve;
mod splice;
pub mod trace;
pub(super) mod vertex_stage;
pub(super) mod watched;
