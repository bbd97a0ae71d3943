//! The replacement of the host's solvers in a build without them.

use std::time::Duration;

use super::method::Method;
use super::system::System;
use super::timed_solution::Solved;
use crate::{MeasurementError, Result};

pub(super) fn solve(
    method: Method,
    _system: &System,
    _tolerance: f64,
    _limit: Option<Duration>,
) -> Result<Solved> {
    Err(MeasurementError::NoHostSolvers { method: method.name() }.into())
}
