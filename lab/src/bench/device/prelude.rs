//! What most probes use.

pub(super) use quadrille::Extent;
pub(super) use quadrille::gl::Context;
pub(super) use quadrille::shader::Source;
pub(super) use quadrille::stream::{self, Clock};

pub(super) use super::probe::Probe;
pub(super) use super::subject::{Engine, Subject, Unit};
pub(super) use super::work::{Expected, Given, Start, Work, source};
pub(super) use crate::Error;
pub(super) use crate::report::names::named;
pub(super) use crate::twin::{Comparison, compare};
