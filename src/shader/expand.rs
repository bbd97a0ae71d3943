//! Expands a source to the one text that a driver compiles, with a table of the lines that each
//! line came from.

pub(super) mod assemble;
pub(super) mod edited;
pub(super) mod expanded;
pub(super) mod lines;
mod redefined;
mod resolve;
mod splice;
pub mod trace;
pub(super) mod vertex_stage;
pub(super) mod watched;
