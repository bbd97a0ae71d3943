//! Times a method for a system.

use std::time::Duration;

use quadrille::gl::Context;
use quadrille::linalg::solve;
use quadrille::testing::Comparison;

use super::super::runner;
use super::forecast::must_end_within;
use super::host;
use super::method::Contender;
use super::row::Row;
use super::system::System;
use super::timed_solution::{Multigrid, Solved, Times, on_device};
use super::watch::{Limited, Watch};
use crate::{Error, MeasurementError, Result, Summary};

/// The settings that all solutions of a bench share.
#[derive(Clone, Copy)]
pub(super) struct Setting<'a, 'w> {
    pub(super) context: &'a Context,
    pub(super) tolerance: f64,
    /// The most time of one solution.
    pub(super) limit: Duration,
    pub(super) watch: &'a Watch<'w>,
}

pub(super) struct Case<'a, 'w> {
    setting: Setting<'a, 'w>,
    system: &'a System,
    pub(super) contender: Contender,
    /// The outcome of the first solution, which is checked.
    trial: Option<Trial>,
    /// The times of that, where they are long enough to stand for a run.
    long: Option<Times>,
}

/// A solution that was checked.
#[derive(Clone)]
struct Trial {
    times: Times,
    iterations: Option<u64>,
    multigrid: Option<Multigrid>,
    residual: f64,
    error: f64,
    converged: bool,
    ending: &'static str,
    comparison: Comparison,
}

/// A solution that takes this long is not repeated to warm up.
const LONG: Duration = Duration::from_secs(1);

impl<'a, 'w> Case<'a, 'w> {
    pub(super) fn new(
        setting: Setting<'a, 'w>,
        system: &'a System,
        contender: Contender,
    ) -> Case<'a, 'w> {
        Case { setting, system, contender, trial: None, long: None }
    }

    fn solve(&self, limit: Option<Duration>) -> Result<Solved> {
        let Setting { context, tolerance, watch, .. } = self.setting;
        match self.contender.options() {
            Some(options) => {
                let mut watch = Limited::new(watch, limit);
                on_device(context, self.system, options.tolerance(tolerance), &mut watch)
            }
            None => host::solve(self.contender.method, self.system, tolerance, limit),
        }
    }

    /// The row of a method that solved the system in these runs, or in its trial alone.
    pub(super) fn row(&self, runs: &[Times]) -> Option<Row> {
        let trial = self.trial.clone()?;
        let runs = if runs.is_empty() { &[trial.times] } else { runs };
        let summary =
            |of: fn(&Times) -> Duration| Summary::of(&runs.iter().map(of).collect::<Vec<_>>(), 1);
        let iterations = trial.iterations.filter(|count| *count > 0);
        let factor = iterations.map(|count| trial.residual.powf(1.0 / count as f64));
        Some(Row {
            stencil: self.system.stencil,
            contender: self.contender,
            multigrid: trial.multigrid,
            iterations: trial.iterations,
            convergence_factor: factor,
            first_setup: trial.times.setup,
            setup: summary(|times| times.setup),
            solve: summary(|times| times.solve),
            summary: summary(runner::RunTime::whole),
            residual: trial.residual,
            error: trial.error,
            converged: trial.converged,
            ending: trial.ending,
            comparison: trial.comparison,
            parts: median_run(runs).and_then(|run| run.parts),
        })
    }

    /// Returns the reason why the bench continues without another run of this: an observer's stop
    /// is reported as one.
    fn unsolved(&self) -> Error {
        let method = self.contender.method.name();
        MeasurementError::NotSolved { method, system: self.system.stencil.to_string() }.into()
    }
}

impl runner::Case for Case<'_, '_> {
    type Time = Times;

    /// Checks the solution. One that does not converge is not timed again: [`trial`](Case::trial)
    /// has its one run.
    fn check(&mut self) -> Result<Comparison> {
        let Setting { tolerance, limit, watch, .. } = self.setting;
        let method = self.contender.method;
        if method.is_direct() {
            must_end_within(limit, method, self.system, tolerance)?;
        }
        let solved = self.solve(Some(limit))?;
        if watch.stopped() {
            return Err(self.unsolved());
        }
        let residual = self.system.residual(&solved.x)?;
        let met = solved.converged.then_some(tolerance);
        let Solved { times, iterations, multigrid, reached, converged, .. } = solved;
        let comparison = residual.judge(met, reached);
        self.trial = Some(Trial {
            times,
            iterations,
            multigrid,
            residual: residual.value,
            error: self.system.error(&solved.x),
            converged,
            ending: if solved.ending == "stopped" { "time limit" } else { solved.ending },
            comparison,
        });
        self.long = Some(times).filter(|times| runner::RunTime::whole(times) > LONG);
        if converged { Ok(comparison) } else { Err(self.unsolved()) }
    }

    fn time(&mut self, _: u64) -> Result<Times> {
        if let Some(times) = self.long.take() {
            return Ok(times);
        }
        let solved = self.solve(None)?;
        if solved.converged { Ok(solved.times) } else { Err(self.unsolved()) }
    }

    fn on_host(&self) -> bool {
        self.contender.method.options().is_none()
    }

    fn cost(&self) -> u64 {
        turn(self.system.b.len())
    }

    fn is_skipped_for(error: &Error) -> bool {
        use MeasurementError::{HostSolver, NotSolved};
        use quadrille::error::Kind;
        if let Some(NotSolved { .. } | HostSolver { .. }) = error.find() {
            return true;
        }
        // A matrix or a device that is not fit for a method; anything but a bad tolerance is no
        // reason to end the bench.
        let unfit = match error.find() {
            Some(solve::Error::Tolerance { .. }) | None => false,
            Some(_) => matches!(error.kind(), Kind::Input | Kind::Failed),
        };
        unfit || error.kind().is_device_limit()
    }
}

/// Returns the run whose time is the median.
fn median_run(runs: &[Times]) -> Option<&Times> {
    let mut runs: Vec<&Times> = runs.iter().collect();
    runs.sort_by_key(|run| runner::RunTime::whole(*run));
    runs.get(runs.len() / 2).copied()
}

/// The cost of a turn, which is a check or a run, in unknowns.
pub(super) fn turn(n: usize) -> u64 {
    n as u64 + 20_000
}
