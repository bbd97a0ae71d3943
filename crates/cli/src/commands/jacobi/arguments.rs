//! The arguments of `quadrille jacobi`.

use crate::arguments::specified::Options;
use crate::prelude::*;
use crate::ranks::{CheckpointArguments, Sharing};
use quadrille::data::Stencil;
use quadrille::io;
use quadrille::linalg::jacobi;

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

    #[command(flatten, next_help_heading = "Computation")]
    pub(super) options: Options<jacobi::Options>,

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
