//! The replacement of the host's solvers in a build without them.

use std::time::Duration;

use super::method::Method;
use super::solved::Solved;
use super::system::System;
use crate::Error;

pub(super) fn solve(
    method: Method,
    _system: &System,
    _tolerance: f64,
    _limit: Option<Duration>,
) -> Result<Solved, Error> {
    Err(Error::NoHostSolvers { method: method.name() })
}
