//! The names that most probes use.

pub(in crate::bench::device) use quadrille::Extent;
pub(in crate::bench::device) use quadrille::gl::Context;
pub(in crate::bench::device) use quadrille::shader::Source;
pub(in crate::bench::device) use quadrille::stream;

pub(in crate::bench::device) use super::probe::Probe;
pub(in crate::bench::device) use super::work::{Expected, Inputs, Start, Work, source};
pub(in crate::bench::device) use crate::Error;
pub(in crate::bench::device) use crate::bench::device::subject::{Engine, Subject, Unit};
pub(in crate::bench::device) use crate::report::names::named;
pub(in crate::bench::device) use crate::twin::Comparison;
