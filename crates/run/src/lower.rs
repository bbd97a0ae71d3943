//! Changes a setup before it is planned, to fit what its shaders expect of their inputs.

pub(super) mod backbuffer;
pub(super) mod grey;
pub(super) mod isf_passes;
pub(super) mod layers_as_rows;
