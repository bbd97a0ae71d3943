//! The report, as text and as JSON.

use std::time::Duration;

use serde::Serialize;

use quadrille::Context;
use quadrille::linalg::jacobi::{ResolvedVariant, Solution};
use quadrille_lab::reads_name;

use super::arguments::Arguments;
use crate::output::column;
use crate::ranks::Shares;

/// The system that was solved, and the variant that solved it.
pub(super) struct Facts<'a> {
    pub(super) context: &'a Context,
    pub(super) name: String,
    /// The unknowns, and those of a row of the grid.
    pub(super) size: (usize, usize),
    pub(super) systems: usize,
    /// Whether any right-hand side was made from a random solution.
    pub(super) seeded: bool,
    /// The largest difference from the first system's known solution, and the largest unknown of
    /// that.
    pub(super) error: Option<(f64, f64)>,
    pub(super) setup: Duration,
    pub(super) variant: Option<ResolvedVariant>,
    pub(super) lines: Option<bool>,
    pub(super) panels: Option<usize>,
    pub(super) ranks: Option<Shares>,
}

/// The JSON object; its text for people says the same.
#[derive(Serialize)]
pub(super) struct Report {
    system: String,
    n: usize,
    m: usize,
    systems: usize,
    iterations: u64,
    /// The residual in double precision on the host, for the x that is written.
    residual: f64,
    /// The residuals of all systems, in the order of the right-hand sides, yours first; null if x
    /// is not finite.
    residuals: Vec<f64>,
    /// The residual in the device's own arithmetic.
    device_residual: f64,
    tolerance: f64,
    converged: Option<bool>,
    stopped: bool,
    /// The largest difference from the solution that the right-hand side was made from.
    error: Option<f64>,
    /// That difference over the largest unknown.
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
    /// The panels that the grid is cut into; null on several ranks.
    panels: Option<usize>,
    /// The shares of the ranks; null on one.
    ranks: Option<Shares>,
    output: Option<String>,
    picture: Option<String>,
}

impl Report {
    pub(super) fn new<X>(
        arguments: &Arguments,
        facts: Facts<'_>,
        solution: &Solution<X>,
    ) -> Report {
        let Facts { context, name, size: (n, m), systems, error, variant, .. } = facts;
        let abilities = context.abilities();
        let shown = |path: &std::path::PathBuf| path.display().to_string();
        let named =
            |name: fn(&ResolvedVariant) -> String| variant.as_ref().map_or_else(String::new, name);
        Report {
            system: name,
            n,
            m,
            systems,
            iterations: solution.iterations,
            residual: solution.residual,
            residuals: solution.residuals.clone(),
            device_residual: solution.device_residual,
            tolerance: arguments.options.0.tolerance,
            converged: solution.converged,
            stopped: solution.stopped,
            error: error.map(|(error, _)| error),
            relative_error: error.map(|(error, scale)| error / scale),
            seed: facts.seeded.then_some(arguments.seed),
            milliseconds: solution.elapsed.as_secs_f64() * 1e3,
            setup_milliseconds: facts.setup.as_secs_f64() * 1e3,
            mflops: solution.mflops_of(n * systems),
            device: abilities.renderer.clone(),
            software: abilities.software,
            api: abilities.api_text(),
            layout: named(|chosen| chosen.layout.to_string()),
            stage: named(|chosen| chosen.optimization.to_string()),
            reads: variant.map_or("", |chosen| reads_name(chosen.reads)),
            lines: facts.lines,
            panels: facts.panels,
            ranks: facts.ranks,
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
        if let Some(shares) = &self.ranks {
            lines.insert(2, ("ranks", shares.text()));
        }
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
        let others = match (systems, self.seed) {
            (1, _) => String::new(),
            (_, None) => format!("; {systems} right-hand sides"),
            _ => format!("; also {} random right-hand sides with the same matrix", systems - 1),
        };
        format!("{system}, {n} unknowns in rows of {m}{others}")
    }

    fn result_text(&self) -> String {
        let Report { iterations, residual, tolerance, .. } = self;
        let each = |residuals: &[f64]| {
            let each: Vec<String> = residuals.iter().map(|one| format!("{one:.2e}")).collect();
            each.join(", ")
        };
        let of_others = match &self.residuals[..] {
            [] | [_] => String::new(),
            all if self.seed.is_none() => format!("; residuals of all: {}", each(all)),
            [_, others @ ..] => format!("; residuals of the others: {}", each(others)),
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
