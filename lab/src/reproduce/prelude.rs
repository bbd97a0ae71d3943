//! What most studies use: the parts of a report, claims and their judge, timing in turns, and words.

pub(super) use std::time::Duration;

pub(super) use quadrille::gl::Context;
pub(super) use quadrille::stream::Clock;

#[cfg(test)]
pub(super) use super::super::report::Verdict;
pub(super) use super::super::report::{
    Cell, Document, Estimate, Figure, Finding, Line, Part, Table,
};
pub(super) use super::super::twin::Comparison;
pub(super) use super::super::{Error, Summary};
pub(super) use super::claim::{
    Answer, Claim, Told, check, counted, judge, rated, sampled_pairs, timed,
};
pub(super) use super::pace::{by_size, interleaved};
pub(super) use super::words::{alone, list, must_be_right, must_hold, short};
pub(super) use super::{Lab, Scale};
pub(super) use crate::bench::functions;
pub(super) use crate::report::table::{Column, Rows, only_text};
