//! The result of a solver, and its times.

use std::time::{Duration, Instant};

use quadrille::gl::Context;
use quadrille::linalg::solve::{self, Options, Solution, Solver};

use super::super::runner::RunTime;
use super::system::System;
use super::watch::Limited;
use crate::Result;

/// The stages of a solution.
#[derive(Clone, Copy, Debug)]
pub(super) struct Times {
    /// The time from the matrix on the host to a solver that is ready.
    pub(super) setup: Duration,
    /// The time from the right-hand side on the host to the solution there.
    pub(super) solve: Duration,
    /// Both by parts, on the device.
    pub(super) parts: Option<Parts>,
}

/// The parts of a setup and of a solution, whose sums they are.
#[derive(Clone, Copy, Debug)]
pub struct Parts {
    pub setup: solve::Times,
    pub solve: solve::Times,
}

impl Parts {
    /// Returns both as text, in milliseconds.
    pub fn text(&self) -> String {
        let sum = |times: &solve::Times| {
            let parts = times.parts().into_iter().filter(|(_, time)| !time.is_zero());
            let text = |(name, time): (&str, Duration)| format!("{name} {:.2}", milliseconds(time));
            format!(
                "{} = {:.2} ms",
                parts.map(text).collect::<Vec<_>>().join(" + "),
                milliseconds(times.whole())
            )
        };
        format!("setup: {}; solution: {}", sum(&self.setup), sum(&self.solve))
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

impl RunTime for Times {
    fn whole(&self) -> Duration {
        self.setup + self.solve
    }
}

/// The multigrid that ran.
#[derive(Clone, Debug)]
pub struct Multigrid {
    pub smoother: String,
    pub levels: usize,
}

pub(super) struct Solved {
    pub(super) times: Times,
    pub(super) x: Vec<f64>,
    /// The number of iterations; `None` for a direct solver.
    pub(super) iterations: Option<u64>,
    pub(super) multigrid: Option<Multigrid>,
    /// The residual that the solver says to have reached, if it says one of this x.
    pub(super) reached: Option<f64>,
    pub(super) converged: bool,
    pub(super) ending: &'static str,
}

/// Solves on the device: the setup makes the operator, the hierarchy and the kernels; the solve
/// uploads b, iterates, computes the last residual on the host and reads x back.
pub(super) fn on_device(
    context: &Context,
    system: &System,
    options: Options,
    watch: &mut Limited<'_, '_>,
) -> Result<Solved> {
    let begun = Instant::now();
    let mut solver = Solver::of(context, &system.matrix, options)?;
    solver.warm_up()?;
    let setup = begun.elapsed();
    let begun = Instant::now();
    let solution = solver.solve_observed(&system.b, watch).or_else(solve::Error::into_nearest)?;
    let parts = Parts { setup: solver.setup_times(), solve: solution.times };
    let times = Times { setup, solve: begun.elapsed(), parts: Some(parts) };
    let (converged, ending) = (solution.converged(), solution.ending.name());
    let Solution { x, residual, iterations, .. } = solution;
    let choice = solver.choice();
    let multigrid = choice.smoother().map(|smoother| Multigrid { smoother, levels: choice.levels });
    let (iterations, reached) = (Some(iterations), Some(residual));
    Ok(Solved { times, x, iterations, multigrid, reached, converged, ending })
}
