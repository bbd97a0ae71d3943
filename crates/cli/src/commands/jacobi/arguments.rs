//! The arguments of `quadrille jacobi`.

use crate::prelude::*;
use crate::ranks::{CheckpointArguments, Sharing};
use quadrille::data::Stencil;
use quadrille::io;
use quadrille::linalg::jacobi::{Error, Layout, Optimization, Stop, Variant};
use quadrille::shader::Reads;

const ABOUT: &str = "\
Solves A x = b for a nine-banded matrix A by Jacobi iteration.

The matrix comes from a Matrix Market file or from a stencil on a grid. Without --rhs, b is computed from a
random solution, and the error against that solution is reported. Jacobi iteration converges for every
diagonally dominant matrix, slowly for most: `quadrille solve` needs far fewer steps and reaches double
precision. A grid that textures do not hold is cut into panels.

The reported residual, which decides the exit code, is computed on the host in double precision from the x
that is written. The device's own residual, in 32-bit floats, only decides when to check: if the host's
residual is still above the tolerance, iterations continue while it decreases.";

const EXAMPLES: &str = "\
Examples:
  quadrille jacobi --stencil heat9:512
  quadrille jacobi --stencil fe9:128:anisotropy=0.3:angle=30 --tolerance 1e-4 --picture x.png
  quadrille jacobi system.mtx --rhs b.npy --output x.npy
  quadrille jacobi --stencil poisson5:256 --tolerance 0 --iterations 1000 --layout red --json
  mpirun -n 4 quadrille jacobi --stencil heat9:4096 --ranks 2x2 --output x.npy";

/// Solve a nine-banded linear system by Jacobi iteration
#[derive(Args)]
#[command(long_about = ABOUT, after_help = EXAMPLES, allow_negative_numbers = true)]
#[command(group = clap::ArgGroup::new("system").required(true))]
pub(crate) struct Arguments {
    /// The matrix: a Matrix Market file (coordinate or array, real or integer)
    #[arg(value_name = "MATRIX.mtx", group = "system")]
    pub(super) matrix: Option<PathBuf>,

    /// The matrix: a stencil on a grid of W by H points [default: H = W]
    ///
    ///   heat9:W[xH][:step=T]                            an implicit heat step, which converges fast
    ///   poisson5:W[xH]                                  the 5-point Laplacian
    ///   fe9:W[xH][:anisotropy=E][:angle=DEGREES]        9-point finite elements
    ///   jump, random, convection, neumann5              see `quadrille solve --help`
    #[arg(long, value_name = "STENCIL", group = "system", help_heading = "System")]
    #[arg(verbatim_doc_comment)]
    pub(super) stencil: Option<Stencil>,

    /// The distance M of the outer bands from the diagonal, if it cannot be found from the file
    #[arg(long, value_name = "M", conflicts_with = "stencil", help_heading = "System")]
    pub(super) width: Option<usize>,

    /// The right-hand side b; with --layout rgba four of them may be the rows of a .npy file of the shape
    /// (4, n) [default: computed from a random solution]
    #[arg(long, value_name = "FILE.npy|.mtx", help_heading = "System")]
    pub(super) rhs: Option<PathBuf>,

    /// The seed of random solutions
    #[arg(long, value_name = "S", default_value_t = 1, help_heading = "System")]
    pub(super) seed: u64,

    /// Stop when the 2-norm of b - A x is at most T times that of b; with 0, run exactly --iterations
    #[arg(long, value_name = "T", default_value = "1e-5", help_heading = "Stopping")]
    pub(super) tolerance: f64,

    /// The maximum number of iterations [default: 10000000]
    #[arg(long, value_name = "N", help_heading = "Stopping")]
    iterations: Option<u64>,

    /// The layout of values in textures [default: the fastest for the device]
    ///
    ///   red       one unknown per texel; bands packed in the channels of three textures
    ///   separate  one unknown per texel; a texture for each band
    ///   packed    four consecutive unknowns per texel
    ///   rgba      four systems at once, of one matrix: of the four right-hand sides in --rhs; of one, it
    ///             alone decides when to stop, and three others are made from random solutions
    #[arg(long, value_name = "LAYOUT", help_heading = "Computation", verbatim_doc_comment)]
    pub(super) layout: Option<Layout>,

    /// The optimizations of the step; each includes those above it [default: the fastest for the device]
    ///
    ///   generic     one shader, which finds neighbours with `floor`
    ///   reciprocal  the host computes the reciprocals of the diagonal
    ///   boundary    the interior is drawn as a quad, the two boundaries as lines
    ///   neighbours  the vertex shader computes the positions of neighbours
    ///   compute     one compute shader, if the device supports them
    #[arg(long, value_name = "STAGE", help_heading = "Computation", verbatim_doc_comment)]
    stage: Option<Optimization>,

    /// How shaders read texels: fetch, sample [default: the faster way for the device]
    #[arg(long, value_name = "READS", help_heading = "Computation")]
    reads: Option<Reads>,

    #[command(flatten)]
    pub(super) sharing: Sharing,

    #[command(flatten)]
    pub(super) checkpoints: CheckpointArguments,

    #[command(flatten)]
    pub(super) device: DeviceArguments,

    /// Write x; with --layout rgba four rows, in the order of --rhs
    #[arg(long, value_name = "FILE.npy|.mtx", help_heading = "Results")]
    pub(super) output: Option<PathBuf>,

    /// Draw x as a heat map with a scale, M values wide
    #[arg(long, value_name = "FILE.png", help_heading = "Results")]
    pub(super) picture: Option<PathBuf>,

    /// Print one JSON object instead of text
    #[arg(long, help_heading = "Results")]
    pub(super) json: bool,
}

impl Arguments {
    pub(super) fn variant(&self) -> Variant {
        let mut variant = Variant::new();
        (variant.layout, variant.optimization, variant.reads) =
            (self.layout, self.stage, self.reads);
        variant
    }

    /// When to stop, after `done` iterations of an earlier run.
    pub(super) fn stop(&self, done: u64) -> anyhow::Result<Stop> {
        let tolerance = self.tolerance;
        if !(tolerance >= 0.0 && tolerance.is_finite()) {
            return Err(Error::Tolerance { tolerance }.into());
        }
        match (tolerance > 0.0, self.iterations.map(|most| most.saturating_sub(done))) {
            (true, Some(most)) => Ok(Stop::residual(tolerance).at_most(most)),
            (true, None) => Ok(Stop::residual(tolerance)),
            (false, Some(exactly)) => Ok(Stop::iterations(exactly)),
            (false, None) => {
                let text =
                    "--tolerance 0 runs a fixed number of iterations: add --iterations N".into();
                Err(Failure::Input { text }.into())
            }
        }
    }

    /// Refuses, before any work, files that could not be written after it.
    pub(super) fn check_outputs(&self) -> anyhow::Result<()> {
        if let Some(path) = &self.output {
            io::vector::check_name(path)?;
            output::check_folder(path)?;
        }
        if let Some(path) = &self.picture {
            quadrille_run::io::picture::check_name(path)?;
            output::check_folder(path)?;
        }
        Ok(())
    }
}
