//! The texture that holds another one and what it is halved to. So that one itself stays of one
//! level, whatever else reads or writes it.

use std::cell::Cell;

use super::sampling::Sampling;
use crate::gl::object::owned::Owned;

/// The levels of a texture.
pub(in crate::gl) struct Levels {
    pub(super) owned: Owned<glow::Texture>,
    /// The sampling that GL has now.
    pub(super) applied: Cell<Sampling>,
    /// Whether they are those of what the texture holds.
    pub(super) are_current: Cell<bool>,
}
