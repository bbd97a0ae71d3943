//! The names that most subjects of the card use.

pub(super) use quadrille::data::SplitMix64;
pub(super) use quadrille::gl::Context;
pub(super) use quadrille::shader::{Reads, Source, Stage};
pub(super) use quadrille::{Extent, stream};
pub(super) use serde::Serialize;

pub(super) use super::engine::{Ask, Bits, Engine, bits};
pub(super) use crate::Result;
