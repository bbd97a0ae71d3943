//! The report, as text and as JSON.

use std::time::Duration;

use quadrille::data::{Form, SystemMatrix};
use quadrille::linalg::solve::{Ending, Solution, Solved, Times};

use super::arguments::Arguments;
use super::outputs::Outputs;
use crate::output::column;
use crate::prelude::*;
use crate::ranks::Shares;

/// The size of a system.
#[derive(Serialize)]
pub(super) struct Size {
    /// `nine-banded`, or `csr` for a matrix by rows, `periodic`, `7-point` or `27-point`.
    form: &'static str,
    /// How a nine-banded matrix has its coefficients: `constant`, `field` or `stored`; null for a matrix by
    /// rows.
    coefficients: Option<&'static str>,
    /// The unknowns.
    n: usize,
    /// Those of a row of the grid; null for a matrix by rows.
    m: Option<usize>,
    /// The entries of a matrix by rows; null for a nine-banded one.
    entries: Option<usize>,
    /// The points of a grid of three dimensions along x, y and z; else null.
    grid: Option<[usize; 3]>,
}

impl Size {
    pub(super) fn of(matrix: &SystemMatrix) -> Size {
        Size {
            form: matrix.form(),
            coefficients: matrix.coefficients(),
            n: matrix.n(),
            m: matrix.width(),
            entries: matrix.entries(),
            grid: match matrix {
                SystemMatrix::Grid(matrix) => Some(matrix.grid().points()),
                _ => None,
            },
        }
    }

    /// The size of a nine-banded system.
    pub(super) fn of_grid((n, m): (usize, usize), form: Form) -> Size {
        let coefficients = Some(form.name());
        Size { form: "nine-banded", coefficients, n, m: Some(m), entries: None, grid: None }
    }

    fn structure(&self) -> String {
        if let Some([x, y, z]) = self.grid {
            let coefficients =
                if self.coefficients == Some("constant") { "constant" } else { "stored" };
            return format!(
                " on a grid of {x} x {y} x {z}, {}, {coefficients} coefficients",
                self.form
            );
        }
        match (self.m, self.entries) {
            (Some(m), _) if self.coefficients == Some(Form::Constant.name()) => {
                format!(" in rows of {m}, constant coefficients")
            }
            (Some(m), _) if self.coefficients == Some(Form::Field.name()) => {
                format!(" in rows of {m}, from coefficients of diffusion")
            }
            (Some(m), _) => format!(" in rows of {m}"),
            (None, Some(entries)) => {
                format!(", a general sparse matrix by rows of {entries} entries")
            }
            (None, None) => String::new(),
        }
    }
}

/// The facts about the system and the device.
pub(super) struct Facts<'a> {
    pub(super) context: &'a Context,
    pub(super) name: String,
    pub(super) size: Size,
    /// The name of each right-hand side that was solved.
    pub(super) names: Vec<&'a str>,
    /// The largest difference from each known solution.
    pub(super) errors: Vec<Option<f64>>,
    /// The largest unknown of the first known solution.
    pub(super) largest_known: Option<f64>,
    pub(super) ranks: Option<Shares>,
}

/// The JSON object; its text for people says the same.
#[derive(Serialize)]
pub(super) struct Report {
    system: String,
    #[serde(flatten)]
    size: Size,
    method: &'static str,
    preconditioner: &'static str,
    /// The smoother of multigrid; null without it.
    smoother: Option<String>,
    /// The smoothers of multigrid's levels, from the finest, without the last.
    smoothers: Option<Vec<&'static str>>,
    levels: Option<usize>,
    /// The factor by which an iteration multiplied the residual, on average over all right-hand
    /// sides; null without iterations.
    convergence_factor: Option<f64>,
    precision: &'static str,
    residual_on: &'static str,
    /// Whether the steps are of the system scaled by its diagonal, or by its rows and columns.
    scaled: bool,
    /// The reason why the method was chosen; null where it was given.
    why: Option<String>,
    /// The ending of multigrid, if it was chosen and another preconditioner has replaced it; else
    /// null.
    multigrid_gave_up: Option<&'static str>,
    /// The iterations for all right-hand sides together.
    iterations: u64,
    /// Products with the matrix on the device.
    applications: u64,
    /// The largest; in double precision, of the matrix and the b as they were read and the x that is written.
    residual: f64,
    /// The largest of right-hand sides without their means, with `--project`; null without.
    projected_residual: Option<f64>,
    tolerance: f64,
    converged: bool,
    stopped: bool,
    /// The largest difference from the solution that the right-hand side was made from.
    error: Option<f64>,
    /// That difference over the largest unknown.
    relative_error: Option<f64>,
    seed: Option<u64>,
    setup_milliseconds: f64,
    /// What the setup's time went into, in milliseconds.
    setup_parts: Parts,
    milliseconds: f64,
    device: String,
    software: bool,
    api: String,
    right_hand_sides: Vec<OfSide>,
    /// The shares of the ranks; null on one.
    ranks: Option<Shares>,
    /// The files that were written; null for the others.
    #[serde(flatten)]
    files: Named<Option<String>>,
}

/// The report on one right-hand side.
#[derive(Serialize)]
struct OfSide {
    name: String,
    iterations: u64,
    applications: u64,
    /// Residuals in double precision, from which x was corrected.
    corrections: u64,
    /// The iterations after which x was reached.
    reached_at: u64,
    residual: f64,
    /// Of the right-hand side without its mean, over the norm of that.
    projected_residual: Option<f64>,
    ending: &'static str,
    /// The mean subtracted from the right-hand side of a singular system, in whose range are no
    /// constants.
    removed_mean: Option<f64>,
    error: Option<f64>,
    milliseconds: f64,
    /// What that time went into.
    parts: Parts,
}

/// Values by their names.
struct Named<T>(Vec<(&'static str, T)>);

/// Milliseconds by parts.
type Parts = Named<f64>;

impl Parts {
    fn of(times: &Times) -> Parts {
        let parts = times.parts().into_iter();
        Named(parts.map(|(name, time)| (name, milliseconds(time))).collect())
    }

    /// The parts that took any time, and their sum.
    fn text(&self) -> String {
        let parts = self.0.iter().filter(|(_, time)| *time > 0.0);
        let parts: Vec<String> = parts.map(|(name, time)| format!("{name} {time:.2}")).collect();
        let sum: f64 = self.0.iter().map(|(_, time)| time).sum();
        format!("{} = {sum:.2} ms", parts.join(" + "))
    }
}

impl<T: Serialize> Serialize for Named<T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let values = self.0.iter();
        serializer.collect_map(values.map(|(name, value)| (name.replace([' ', '-'], "_"), value)))
    }
}

impl Report {
    pub(super) fn new(
        arguments: &Arguments,
        facts: Facts<'_>,
        outputs: &Outputs,
        solved: &Solved,
    ) -> Report {
        let abilities = facts.context.abilities();
        let each = facts.names.iter().zip(&facts.errors).zip(solved.reached());
        let sides = each.map(|((name, error), solution)| OfSide::of(name, *error, solution));
        let sides: Vec<OfSide> = sides.collect();
        let shown = |path: &Path| path.display().to_string();
        let known = facts.largest_known;
        let multigrid = solved.choice.multigrid();
        let error = sides.first().and_then(|side| side.error);
        Report {
            system: facts.name,
            size: facts.size,
            method: solved.choice.method.name(),
            preconditioner: solved.choice.preconditioner.name(),
            smoother: solved.choice.smoother(),
            smoothers: multigrid
                .map(|_| solved.choice.smoothers.iter().map(|smoother| smoother.name()).collect()),
            levels: multigrid.map(|_| solved.choice.levels),
            // Of what began with zeros.
            convergence_factor: convergence_factor(&sides).filter(|_| arguments.x0.is_empty()),
            precision: arguments.solver.0.others().precision.name(),
            residual_on: solved.choice.residual_on.name(),
            scaled: solved.choice.is_scaled(),
            why: solved.choice.why.map(|why| why.to_string()),
            multigrid_gave_up: solved.choice.gave_up.map(Ending::name),
            iterations: solved.iterations(),
            applications: solved.applications(),
            residual: solved.residual(),
            projected_residual: solved.projected_residual(),
            tolerance: arguments.solver.0.others().tolerance,
            converged: solved.converged(),
            stopped: solved.stopped(),
            error,
            relative_error: error.zip(known).map(|(error, largest)| error / largest),
            seed: known.map(|_| arguments.seed),
            setup_milliseconds: milliseconds(solved.setup.whole()),
            setup_parts: Parts::of(&solved.setup),
            milliseconds: milliseconds(solved.times().whole()),
            device: abilities.renderer.clone(),
            software: abilities.software,
            api: abilities.api_text(),
            right_hand_sides: sides,
            ranks: facts.ranks,
            files: Named(outputs.files().map(|(name, path)| (name, path.map(shown))).into()),
        }
    }

    /// The title of pictures.
    pub(super) fn title(&self) -> String {
        let Report { system, method, iterations, .. } = self;
        format!("{system}: {method}, {iterations} iterations")
    }

    pub(super) fn text(&self, verbose: bool) -> String {
        let Report { system, size, method, preconditioner, precision, .. } = self;
        let cycle = match (&self.smoother, self.levels) {
            (Some(smoother), Some(levels)) => {
                let plural = if levels == 1 { "" } else { "s" };
                format!(" ({levels} level{plural}, v cycle, smoother {smoother})")
            }
            _ => String::new(),
        };
        let why = self.why.as_ref().map(|why| format!("; chosen because {why}"));
        let scaled = match (self.scaled, *method) {
            (true, "cg") => ", scaled by its diagonal",
            (true, _) => ", scaled",
            (false, _) => "",
        };
        let gave_up = self
            .multigrid_gave_up
            .map(|ending| format!("; multigrid was tried first and ended: {ending}"));
        let mut lines = vec![
            ("system", format!("{system}, {} unknowns{}", size.n, size.structure())),
            ("device", format!("{}, {}", self.device, self.api)),
            (
                "method",
                format!(
                    "{method}, preconditioner {preconditioner}{cycle}, {precision} precision{scaled}{}{}",
                    why.unwrap_or_default(),
                    gave_up.unwrap_or_default()
                ),
            ),
        ];
        if let Some(shares) = &self.ranks {
            lines.insert(2, ("ranks", shares.text()));
        }
        let several = self.right_hand_sides.len() > 1;
        for side in &self.right_hand_sides {
            let name = if several { format!("{}: ", side.name) } else { String::new() };
            lines.push(("result", name + &side.text(self.tolerance)));
        }
        if let (Some(error), Some(relative), Some(seed)) =
            (self.error, self.relative_error, self.seed)
        {
            let text = format!("at most {error:.2e}, {relative:.2e} of the largest unknown");
            lines.push(("error", format!("{text} (seed {seed})")));
        }
        let (time, setup) = (self.milliseconds, self.setup_milliseconds);
        lines.push(("time", format!("{time:.1} ms, after {setup:.1} ms of setup")));
        if verbose {
            lines.push(("setup", self.setup_parts.text()));
            let parts = self.right_hand_sides.iter().map(|side| ("solution", side.parts.text()));
            lines.extend(parts);
        }
        let written: Vec<&str> =
            self.files.0.iter().filter_map(|(_, path)| path.as_deref()).collect();
        if !written.is_empty() {
            lines.push(("written", written.join(", ")));
        }
        column(9, &lines)
    }
}

impl OfSide {
    fn of(name: &str, error: Option<f64>, solution: &Solution) -> OfSide {
        OfSide {
            name: name.to_owned(),
            iterations: solution.iterations,
            applications: solution.applications,
            corrections: solution.corrections,
            reached_at: solution.reached_at,
            residual: solution.residual,
            projected_residual: solution.projected_residual,
            ending: solution.ending.name(),
            removed_mean: solution.removed_mean,
            error,
            milliseconds: milliseconds(solution.times.whole()),
            parts: Parts::of(&solution.times),
        }
    }

    fn text(&self, tolerance: f64) -> String {
        let OfSide { iterations, applications, residual, ending, .. } = self;
        let mean = self
            .removed_mean
            .map(|mean| format!("; its mean {mean:.3e} was subtracted, since no A x has a mean"));
        let of_given = self
            .projected_residual
            .map(|_| format!("; of the right-hand side as it was given {residual:.2e}"));
        let deciding = self.deciding_residual();
        format!(
            "{ending} after {iterations} iterations ({applications} products with A), residual {deciding:.2e} \
             (requested: {tolerance:e}){}{}",
            mean.unwrap_or_default(),
            of_given.unwrap_or_default()
        )
    }

    fn deciding_residual(&self) -> f64 {
        self.projected_residual.unwrap_or(self.residual)
    }
}

/// The geometric mean of what an iteration multiplied the residual by.
fn convergence_factor(sides: &[OfSide]) -> Option<f64> {
    let iterations: u64 = sides.iter().map(|side| side.iterations).sum();
    let logarithms: f64 =
        sides.iter().map(OfSide::deciding_residual).filter(|one| *one > 0.0).map(f64::ln).sum();
    (iterations > 0).then(|| (logarithms / iterations as f64).exp())
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
