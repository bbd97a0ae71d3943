//! `quadrille jacobi`: solves one nine-banded system.

mod report;
mod system;

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;

use quadrille::Context;
use quadrille::data::Stencil;
use quadrille::internal::memory;
use quadrille::io;
use quadrille::linalg::jacobi::{Error, Jacobi, Layout, Solution, Stage, Stop, Variant};
use quadrille::observer::Progress;

use self::report::{Report, Solved};
use self::system::Problem;
use super::device::{DeviceArguments, ReadsName};
use super::failure::Failure;
use super::{interrupt, output, progress};

const ABOUT: &str = "\
Solves A x = b for a nine-banded matrix A by Jacobi's iteration, drawn with OpenGL.

The matrix comes from a Matrix Market file or from a stencil on a grid. Without --rhs, x is random
from a seed, b is made from it, and the error against it is reported. Jacobi converges for sure
where the matrix is diagonally dominant.

The residual that is reported and that decides the exit code is worked out by the host, in double
precision, of the x that is written. The device's own residual, in 32-bit floats, only says when to look;
where the host's misses the tolerance that the device's has met, iterations go on as long as it falls.";

const EXAMPLES: &str = "\
Examples:
  quadrille jacobi --stencil heat9:512
  quadrille jacobi --stencil fe9:128:anisotropy=0.3:angle=30 --tolerance 1e-4 --picture x.png
  quadrille jacobi system.mtx --rhs b.npy --output x.npy
  quadrille jacobi --stencil poisson5:256 --tolerance 0 --iterations 1000 --layout red --json";

/// Solve a nine-banded system by Jacobi's iteration
#[derive(Args)]
#[command(long_about = ABOUT, after_help = EXAMPLES, allow_negative_numbers = true)]
#[command(group = clap::ArgGroup::new("system").required(true))]
pub(super) struct Arguments {
    /// The matrix: a Matrix Market file (coordinate or array, real or integer)
    #[arg(value_name = "MATRIX.mtx", group = "system")]
    matrix: Option<PathBuf>,

    /// The matrix: a stencil on a grid W points wide and H high (H = W if left out)
    ///
    ///   heat9:W[xH][:step=T]                            an implicit heat step, fast
    ///   poisson5:W[xH]                                  the 5-point Laplacian
    ///   fe9:W[xH][:anisotropy=E][:angle=DEGREES]        9-point finite elements
    #[arg(long, value_name = "STENCIL", group = "system", help_heading = "System")]
    #[arg(verbatim_doc_comment)]
    stencil: Option<Stencil>,

    /// The distance M of the outer bands, for a file that leaves it open
    #[arg(long, value_name = "M", conflicts_with = "stencil", help_heading = "System")]
    width: Option<usize>,

    /// The right-hand side b; made from a random solution if not given
    #[arg(long, value_name = "FILE.npy|.mtx", help_heading = "System")]
    rhs: Option<PathBuf>,

    /// The seed of the random solutions
    #[arg(long, value_name = "S", default_value_t = 1, help_heading = "System")]
    seed: u64,

    /// Stop when the 2-norm of b - A x is at most T times that of b; 0 runs exactly --iterations
    #[arg(long, value_name = "T", default_value = "1e-5", help_heading = "When to stop")]
    tolerance: f64,

    /// The most iterations [default: 10000000]
    #[arg(long, value_name = "N", help_heading = "When to stop")]
    iterations: Option<u64>,

    /// How numbers lie in textures [default: the fastest for the device]
    ///
    ///   red       one unknown a texel, bands packed in the channels of three textures
    ///   separate  one unknown a texel, a texture for each band
    ///   packed    four consecutive unknowns a texel
    ///   rgba      four systems at once: yours, which alone decides when to stop, and three with
    ///             the same matrix and right-hand sides from seeded solutions
    #[arg(long, value_name = "LAYOUT", help_heading = "How", verbatim_doc_comment)]
    layout: Option<Layout>,

    /// How far the step is tuned [default: the fastest for the device]
    ///
    ///   generic     one shader that finds neighbours by `floor`
    ///   reciprocal  and the diagonal's reciprocal from the host
    ///   boundary    an interior quad and two boundary lines
    ///   neighbours  and neighbours' places from the vertex shader
    ///   compute     one compute shader, where the device has them
    #[arg(long, value_name = "STAGE", help_heading = "How", verbatim_doc_comment)]
    stage: Option<Stage>,

    /// How shaders read texels [default: the faster for the device]
    #[arg(long, value_name = "READS", help_heading = "How")]
    reads: Option<ReadsName>,

    #[command(flatten)]
    device: DeviceArguments,

    /// Write x; four rows of it with --layout rgba, yours first
    #[arg(long, value_name = "FILE.npy|.mtx", help_heading = "Results")]
    output: Option<PathBuf>,

    /// Draw x as a heat map, M numbers wide, with its scale
    #[arg(long, value_name = "FILE.png", help_heading = "Results")]
    picture: Option<PathBuf>,

    /// Print one JSON object instead of text
    #[arg(long, help_heading = "Results")]
    json: bool,
}

/// Solves, writes, reports.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let stop = arguments.stop()?;
    arguments.check_outputs()?;
    let (problem, context) = arguments.problem_and_context()?;
    let (solution, report) = interrupt::watched(|| solve(arguments, &context, &problem, stop))?;
    interrupt::writing(|| write(arguments, &problem, &solution))?;
    match arguments.json {
        true => output::say_json(&report)?,
        false => output::say(&report.text())?,
    }
    arguments.judge(&solution)
}

fn solve(
    arguments: &Arguments,
    context: &Context,
    problem: &Problem,
    stop: Stop,
) -> anyhow::Result<(Solution, Report)> {
    let variant = arguments.variant();
    let chosen = variant.choose(context.abilities());
    let systems = problem.systems(chosen.layout, arguments.seed)?;
    let matrices = vec![&problem.matrix; systems.len()];
    let begun = Instant::now();
    let mut jacobi = Jacobi::with_systems(context, &matrices, variant)?;
    jacobi.warm_up()?;
    let setup = begun.elapsed();
    let sides: Vec<&[f32]> = systems.iter().map(|system| system.side.as_slice()).collect();
    let zero = memory::zeroed(problem.matrix.n())?;
    let starts = vec![zero.as_slice(); systems.len()];
    let bar = progress::Iterations::new();
    let mut observer = |progress: &Progress| bar.show(progress);
    let solution = jacobi.solve_observed(&sides, &starts, stop, &mut observer)?;
    drop(bar);
    let solved = Solved { context, jacobi: &jacobi, systems: &systems, setup };
    let report = Report::new(arguments, problem, &solved, &solution);
    Ok((solution, report))
}

fn write(arguments: &Arguments, problem: &Problem, solution: &Solution) -> anyhow::Result<()> {
    if let Some(path) = &arguments.output {
        let n = problem.matrix.n();
        match &solution.systems[..] {
            [x] => io::vector::write(path, &[n], x)?,
            systems => io::vector::write(path, &[systems.len(), n], &memory::joined(systems)?)?,
        }
    }
    if let Some(path) = &arguments.picture {
        let m = problem.matrix.m();
        let title = format!("{}: x after {} iterations", problem.name, solution.iterations);
        let values = solution.x();
        let height = values.len().div_ceil(m);
        io::picture::HeatMap { width: m, height, values, title: &title }.write(path)?;
    }
    Ok(())
}

impl Arguments {
    /// A file is read before a device is looked for; a stencil may be too large for the device, and
    /// then also for the host, so there the device comes first.
    fn problem_and_context(&self) -> anyhow::Result<(Problem, Context)> {
        let Some(stencil) = &self.stencil else {
            let problem = Problem::load(self)?;
            return Ok((problem, self.device.context()?));
        };
        let context = self.device.context()?;
        let (width, height) = stencil.grid();
        Jacobi::must_fit(&context, width.saturating_mul(height), width, self.variant())?;
        Ok((Problem::load(self)?, context))
    }

    fn variant(&self) -> Variant {
        Variant { layout: self.layout, stage: self.stage, reads: self.reads.map(Into::into) }
    }

    fn stop(&self) -> anyhow::Result<Stop> {
        let tolerance = self.tolerance;
        if !(tolerance >= 0.0 && tolerance.is_finite()) {
            return Err(Error::Tolerance { tolerance }.into());
        }
        match (tolerance > 0.0, self.iterations) {
            (true, Some(most)) => Ok(Stop::residual(tolerance).within(most).by_the_first()),
            (true, None) => Ok(Stop::residual(tolerance).by_the_first()),
            (false, Some(exactly)) => Ok(Stop::iterations(exactly).by_the_first()),
            (false, None) => {
                let text =
                    "--tolerance 0 runs an exact number of iterations: add --iterations N".into();
                Err(Failure::Input { text }.into())
            }
        }
    }

    /// Refuses, before any work, files that could not be written after it.
    fn check_outputs(&self) -> anyhow::Result<()> {
        if let Some(path) = &self.output {
            io::vector::check_name(path)?;
            output::check_folder(path)?;
        }
        if let Some(path) = &self.picture {
            io::picture::check_name(path)?;
            output::check_folder(path)?;
        }
        Ok(())
    }

    /// Whether what came of it is what was asked for.
    fn judge(&self, solution: &Solution) -> anyhow::Result<()> {
        let Solution { iterations, residual, stopped, .. } = *solution;
        let kept = match &self.output {
            Some(path) => format!("the last iterate is in {}", path.display()),
            None => match &self.picture {
                Some(path) => format!("the last iterate is drawn in {}", path.display()),
                None => "no --output, so the last iterate is not kept".into(),
            },
        };
        if stopped {
            let rest = format!(" after {iterations} iterations at residual {residual:.2e}; {kept}");
            return Err(interrupt::stopped(rest).into());
        }
        if solution.converged != Some(false) {
            return Ok(());
        }
        let wish = self.tolerance;
        let text = format!(
            "not converged: {iterations} iterations reached residual {residual:.2e}, \
             not {wish:e}; {kept}. {}",
            self.advice(solution)
        );
        Err(Failure::Work { text }.into())
    }

    fn advice(&self, solution: &Solution) -> String {
        let device = solution.device_residual;
        if solution.stagnated && device <= self.tolerance {
            return format!(
                "By the device's own arithmetic it is {device:.2e}: numbers of this system, or of its \
                 solution, are so small that the device takes them for zero or 32-bit floats round them \
                 coarsely. Scale the matrix and the right-hand side so that entries and x are near 1"
            );
        }
        let advice = if solution.residual > 1.0 {
            "The residual has grown: where rows are not diagonally dominant, Jacobi may never converge"
        } else if solution.stagnated {
            "It falls no further: 32-bit floats reach no less here. Ask for a larger --tolerance"
        } else {
            "Allow more --iterations or a larger --tolerance"
        };
        advice.into()
    }
}
