//! `quadrille bench solve`.

use std::time::Duration;

use quadrille::data::AnyStencil;
use quadrille::linalg::multigrid::Smoother;
use quadrille::linalg::solve::Error;
use quadrille_lab::solve::{self, Contender, FAMILIES, Family, Grid, History, Method, Plan, Row};
use quadrille_lab::table::{Rows, Skipped};

use super::{CommonArguments, SPREAD, draw, judge, measured, show, wrong};
use crate::prelude::*;

const ABOUT: &str = "\
Measures solvers of systems A x = b on grids of two dimensions and of three, up to one relative residual in double precision: conjugate
gradients (or BiCGSTAB), multigrid, and both together on the device, in 32-bit floats with residuals in double
precision; and beside them solvers of the crate faer on the host, all in double precision, where they are in this
build (install with `--features host-solvers`): sparse Cholesky or LU decomposition on all cores, and conjugate
gradients or BiCGSTAB with the diagonal on one core, where they are faster than on several.

setup: from the matrix on the host to a solver that is ready: the matrix and its hierarchy on the device, kernels (of
which a driver compiles those that it has not yet), or the host's matrix and its decomposition. The first setup of a method
is shown apart. Stencils with constant coefficients are nine numbers, which nothing stores or sends, and of
`jump` and `random` the coefficients are sent, unless --stored is given.
solve: from b on the host to x there: upload, iterations, the last residual on the host, readback.
Below the table the parts of both, of the run whose time is the median, add up to it.
factor: what an iteration multiplied the residual by on average.

The methods of a system run in turn, round after round. Each is first checked: the residual, computed from A, b and x, must
be what the solver says, or the bench fails. What does not converge within the limit is shown with that one run, and
a decomposition that would take longer, by the time of smaller systems, is named and left out.";

const EXAMPLES: &str = "\
Examples:
  quadrille bench solve
  quadrille bench solve --systems poisson5,jump:cell=5 --sizes 255,300x200
  quadrille bench solve --systems poisson5 --sizes 255 --plot residuals.svg
  quadrille bench solve --systems poisson7,poisson7:z=0.01,fe27 --sizes 63,64x32x16
  quadrille bench solve --systems random --sizes 255 --methods mgcg --smoothers jacobi,line-jacobi
  quadrille bench solve --systems convection:angle=30 --methods bicgstab,mgbicgstab --json";

/// Measure solvers of linear systems, on the device and on the host
#[derive(Args)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
#[command(mut_arg("json", |json| json.help("Print one JSON object instead of a table; with --plot it has the points of the figure")))]
pub(super) struct SolveBench {
    /// The systems: stencils as in `quadrille solve`, without their sizes, as
    /// fe9:anisotropy=0.1:angle=30 [default: poisson5, fe9, heat9, anisotropic fe9, checkerboards,
    /// random coefficients, convection]
    #[arg(long, value_name = "STENCIL,...", value_delimiter = ',')]
    systems: Vec<Family>,

    /// The grids, in points: N along each axis of a stencil, or along x, y and z
    #[arg(long, value_name = "N|XxY[xZ],...", value_delimiter = ',', default_value = "255,1023")]
    sizes: Vec<Grid>,

    /// The methods: on the device jacobi, cg, bicgstab, multigrid, mgcg, mgbicgstab, fft; on the host
    /// cholesky, lu, host-cg, host-bicgstab [default: what suits each system, without jacobi]
    #[arg(long, value_name = "METHOD,...", value_delimiter = ',')]
    methods: Vec<Method>,

    /// Give the solvers stored bands, as those of a file, also where a stencil has constant coefficients or those of
    /// diffusion
    #[arg(long)]
    stored: bool,

    /// The smoothers of multigrid, each in turn, as in `quadrille solve` [default: its default]
    #[arg(long, value_name = "SMOOTHER,...", value_delimiter = ',')]
    smoothers: Vec<Smoother>,

    /// Stop when the 2-norm of b - A x is at most T times that of b
    #[arg(long, value_name = "T", default_value = "1e-8", allow_negative_numbers = true)]
    tolerance: f64,

    /// The most seconds of one solution
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=86_400))]
    limit: u64,

    /// The number of runs of each method [default: 3 to 9, as time allows]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=1000))]
    runs: Option<u32>,

    /// Draw the residuals over time of Jacobi's iteration, conjugate gradients (or BiCGSTAB),
    /// multigrid, and both together, for the first system at the first size
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,

    #[command(flatten)]
    common: CommonArguments,
}

#[derive(Serialize)]
struct Report<'a> {
    device: &'a str,
    stopped: bool,
    tolerance: f64,
    /// Whether this build has them.
    host_solvers: bool,
    rows: Rows<'a, Row>,
    skipped: Rows<'a, Skipped<(AnyStencil, Contender)>>,
    /// The points of the figure; none without it.
    histories: &'a [History],
}

pub(super) fn run(bench: &SolveBench) -> anyhow::Result<()> {
    output::check_chart(bench.plot.as_deref())?;
    let plan = bench.plan()?;
    let context = bench.common.device.untuned()?;
    let table = measured("bench", |observer| solve::run(&context, &plan, observer))?;
    for Skipped { what: (stencil, contender), reason, .. } in &table.skipped {
        output::note(&format!("note: left out {contender} for {stencil}: {reason}"));
    }
    let device = context.abilities().renderer.as_str();
    draw(bench.plot.as_deref(), solve::figure(&table.histories), device)?;
    let report = Report {
        device,
        stopped: table.stopped,
        tolerance: plan.tolerance,
        host_solvers: solve::HOST_SOLVERS,
        rows: Rows { columns: Row::columns(), rows: &table.rows },
        skipped: Rows { columns: solve::skipped(), rows: &table.skipped },
        histories: &table.histories,
    };
    show(bench.common.json, &report, || text(&report))?;
    let name = |row: &Row| format!("{} by {}", row.stencil, row.contender);
    judge(&wrong(&table.rows, name), table.stopped)
}

fn text(report: &Report<'_>) -> String {
    let host = match report.host_solvers {
        true => "cholesky, lu, host-cg and host-bicgstab: the crate faer on the host.",
        false => "This build has no host solvers to compare with: see --help.",
    };
    format!(
        "{}, up to a relative residual of {:e}\n\n{}\n\n{}{SPREAD}\n\
         median: setup and solve together. error: the largest, over the largest unknown.\n{host}",
        report.device,
        report.tolerance,
        report.rows.text(1),
        parts(report.rows.rows)
    )
}

/// A line for each row with parts.
fn parts(rows: &[Row]) -> String {
    let line = |row: &Row| {
        let parts = row.parts?.text();
        Some(format!("{} by {}: {parts}\n", row.stencil, row.contender))
    };
    let lines: String = rows.iter().filter_map(line).collect();
    if lines.is_empty() { lines } else { lines + "\n" }
}

impl SolveBench {
    fn plan(&self) -> anyhow::Result<Plan> {
        let tolerance = self.tolerance;
        if !(tolerance >= 0.0 && tolerance.is_finite()) {
            return Err(Error::Tolerance { tolerance }.into());
        }
        let families = match &self.systems[..] {
            [] => FAMILIES.iter().map(|name| name.parse()).collect::<Result<_, _>>()?,
            named => named.to_vec(),
        };
        Ok(Plan {
            families,
            grids: self.sizes.clone(),
            methods: self.methods.clone(),
            smoothers: self.smoothers.clone(),
            stored: self.stored,
            tolerance,
            limit: Duration::from_secs(self.limit),
            runs: self.runs.map(|runs| runs as usize),
            histories: self.plot.is_some(),
        })
    }
}
