//! Texels: which are distinguished, covered by lines, and met by interpolated coordinates.

pub(super) mod interpolation;
pub(super) mod lines;
pub(super) mod strips;
