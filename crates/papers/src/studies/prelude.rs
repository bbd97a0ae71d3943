//! The names that most studies use: the parts of a report, claims and their judge, timing in turns,
//! and words.

pub(crate) use std::time::Duration;

pub(crate) use quadrille::gl::Context;
pub(crate) use quadrille::stream::Clock;

pub(crate) use super::time_limit::{by_size, interleaved};
pub(crate) use super::words::{alone, list, must_be_right, must_hold, short};
pub(crate) use crate::claim::{
    Answer, AnswerOrReason, Claim, Timing, check, counted, judge, rated, sampled_pairs, timed,
};
pub(crate) use crate::{Lab, Scale};
pub(crate) use quadrille_lab::bench::functions;
#[cfg(test)]
pub(crate) use quadrille_lab::report::Verdict;
pub(crate) use quadrille_lab::report::table::{Column, Rows, only_text};
pub(crate) use quadrille_lab::report::{
    Cell, Document, Estimate, Figure, Finding, Line, Part, Table,
};
pub(crate) use quadrille_lab::twin::Comparison;
pub(crate) use quadrille_lab::{Error, Result, Summary};
