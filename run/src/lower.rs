//! What shaders expect of what they are given: changes of a setup before it is planned.

pub(super) mod backbuffer;
pub(super) mod grey;
pub(super) mod isf_passes;
pub(super) mod layers_as_rows;
