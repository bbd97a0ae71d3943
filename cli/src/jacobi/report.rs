//! The report, as text and as JSON.

use std::time::Duration;

use serde::Serialize;

use quadrille::Context;
use quadrille::internal::reference::largest;
use quadrille::linalg::jacobi::{Jacobi, Solution};
use quadrille_lab::{api_text, reads_name};

use super::super::output::column;
use super::arguments::Arguments;
use super::system::{Problem, System};

pub(super) struct Solved<'a> {
    pub(super) context: &'a Context,
    pub(super) jacobi: &'a Jacobi,
    pub(super) systems: &'a [System],
    pub(super) setup: Duration,
}

/// The JSON object; its text for people says the same.
#[derive(Serialize)]
pub(super) struct Report {
    system: String,
    n: usize,
    m: usize,
    systems: usize,
    iterations: u64,
    /// In double precision on the host, of the x that is written.
    residual: f64,
    /// The residuals of all systems, yours first; null if x is not finite.
    residuals: Vec<f64>,
    /// In the device's own arithmetic.
    device_residual: f64,
    tolerance: f64,
    converged: Option<bool>,
    stopped: bool,
    /// The largest difference from the solution that the right-hand side was made from.
    error: Option<f64>,
    /// The same over the largest unknown.
    relative_error: Option<f64>,
    seed: Option<u64>,
    /// The time of iterations and residuals, without setup and transfers.
    milliseconds: f64,
    /// Uploading the matrix and compiling shaders.
    setup_milliseconds: f64,
    mflops: f64,
    device: String,
    software: bool,
    api: String,
    layout: String,
    stage: String,
    reads: &'static str,
    /// Whether boundaries are drawn as lines, for the stages that draw them apart.
    lines: Option<bool>,
    /// The panels that the grid is cut into.
    panels: usize,
    output: Option<String>,
    picture: Option<String>,
}

impl Report {
    pub(super) fn new(
        arguments: &Arguments,
        problem: &Problem,
        solved: &Solved<'_>,
        solution: &Solution,
    ) -> Report {
        let Solved { context, jacobi, systems, setup } = *solved;
        let abilities = context.abilities();
        let chosen = jacobi.variant();
        let known = systems.first().and_then(|system| system.solution.as_deref());
        let error = known.map(|known| largest_difference(solution.x(), known));
        let scale = known.map(|known| largest(known.iter().map(|x| f64::from(*x))));
        let shown = |path: &std::path::PathBuf| path.display().to_string();
        Report {
            system: problem.name.clone(),
            n: problem.matrix.n(),
            m: problem.matrix.m(),
            systems: systems.len(),
            iterations: solution.iterations,
            residual: solution.residual,
            residuals: solution.residuals.clone(),
            device_residual: solution.device_residual,
            tolerance: arguments.tolerance,
            converged: solution.converged,
            stopped: solution.stopped,
            error,
            relative_error: error.zip(scale).map(|(error, scale)| error / scale),
            seed: systems.iter().any(|s| s.solution.is_some()).then_some(arguments.seed),
            milliseconds: solution.elapsed.as_secs_f64() * 1e3,
            setup_milliseconds: setup.as_secs_f64() * 1e3,
            mflops: solution.mflops(),
            device: abilities.renderer.clone(),
            software: abilities.software,
            api: api_text(abilities),
            layout: chosen.layout.to_string(),
            stage: chosen.optimization.to_string(),
            reads: reads_name(chosen.reads),
            lines: jacobi.draws_lines(),
            panels: jacobi.panels(),
            output: arguments.output.as_ref().map(shown),
            picture: arguments.picture.as_ref().map(shown),
        }
    }

    pub(super) fn text(&self) -> String {
        let mut lines = vec![
            ("system", self.system_text()),
            ("device", format!("{}, {}", self.device, self.api)),
            ("variant", format!("{}, {}, {}", self.layout, self.stage, self.reads)),
            ("result", self.result_text()),
        ];
        if let (Some(error), Some(relative)) = (self.error, self.relative_error) {
            let text = format!("at most {error:.2e}, {relative:.2e} of the largest unknown");
            lines.push(("error", format!("{text} (seed {})", self.seed.unwrap_or_default())));
        }
        let (time, setup, rate) = (self.milliseconds, self.setup_milliseconds, self.mflops);
        let text = format!("{time:.1} ms, after {setup:.1} ms of setup; {rate:.0} MFLOP/s");
        lines.push(("time", text));
        let written: Vec<&str> =
            [&self.output, &self.picture].into_iter().filter_map(|p| p.as_deref()).collect();
        if !written.is_empty() {
            lines.push(("written", written.join(", ")));
        }
        column(9, &lines)
    }

    fn system_text(&self) -> String {
        let Report { system, n, m, systems, .. } = self;
        let others = match systems {
            1 => String::new(),
            _ => format!("; also {} random right-hand sides with the same matrix", systems - 1),
        };
        format!("{system}, {n} unknowns in rows of {m}{others}")
    }

    fn result_text(&self) -> String {
        let Report { iterations, residual, tolerance, .. } = self;
        let of_others = match self.residuals.get(1..) {
            None | Some([]) => String::new(),
            Some(others) => {
                let each: Vec<String> =
                    others.iter().map(|residual| format!("{residual:.2e}")).collect();
                format!("; residuals of the others: {}", each.join(", "))
            }
        };
        let result = match self.converged {
            _ if self.stopped => {
                format!("stopped after {iterations} iterations, residual {residual:.2e}")
            }
            Some(true) => format!(
                "converged in {iterations} iterations, residual {residual:.2e} (requested: {tolerance:e})"
            ),
            Some(false) => format!(
                "not converged in {iterations} iterations, residual {residual:.2e} (requested: {tolerance:e})"
            ),
            None => format!("{iterations} iterations as requested, residual {residual:.2e}"),
        };
        result + &of_others
    }
}

fn largest_difference(x: &[f32], known: &[f32]) -> f64 {
    largest(x.iter().zip(known).map(|(x, known)| f64::from(*x) - f64::from(*known)))
}
