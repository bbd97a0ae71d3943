//! What most subjects of the card use.

pub(super) use quadrille::Extent;
pub(super) use quadrille::gl::Context;
pub(super) use quadrille::shader::{Reads, Source, Stage};
pub(super) use quadrille::stream;
pub(super) use rand::{RngExt, SeedableRng};
pub(super) use rand_pcg::Pcg64Mcg;
pub(super) use serde::Serialize;

pub(super) use super::super::Error;
pub(super) use super::engine::{Ask, Bits, Engine, bits};
