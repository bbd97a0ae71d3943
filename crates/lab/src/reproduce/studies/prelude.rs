//! The names that most studies use: the parts of a report, claims and their judge, timing in turns,
//! and words.

pub(in crate::reproduce) use std::time::Duration;

pub(in crate::reproduce) use quadrille::gl::Context;
pub(in crate::reproduce) use quadrille::stream::Clock;

pub(in crate::reproduce) use super::time_limit::{by_size, interleaved};
pub(in crate::reproduce) use super::words::{alone, list, must_be_right, must_hold, short};
pub(in crate::reproduce) use crate::bench::functions;
#[cfg(test)]
pub(in crate::reproduce) use crate::report::Verdict;
pub(in crate::reproduce) use crate::report::table::{Column, Rows, only_text};
pub(in crate::reproduce) use crate::report::{
    Cell, Document, Estimate, Figure, Finding, Line, Part, Table,
};
pub(in crate::reproduce) use crate::reproduce::claim::{
    Answer, AnswerOrReason, Claim, Timing, check, counted, judge, rated, sampled_pairs, timed,
};
pub(in crate::reproduce) use crate::reproduce::{Lab, Scale};
pub(in crate::reproduce) use crate::twin::Comparison;
pub(in crate::reproduce) use crate::{Error, Summary};
