//! The names that most probes use.

pub(crate) use quadrille::Extent;
pub(crate) use quadrille::gl::Context;
pub(crate) use quadrille::shader::Source;
pub(crate) use quadrille::stream;

pub(crate) use super::probe::Probe;
pub(crate) use super::work::{Expected, Inputs, Start, Work, source};
pub(crate) use crate::Result;
pub(crate) use crate::bench::device::subject::{Engine, Subject, Unit};
pub(crate) use crate::report::names::named_enum;
pub(crate) use crate::twin::Comparison;
