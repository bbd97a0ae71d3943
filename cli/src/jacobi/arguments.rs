//! The arguments of `quadrille jacobi`.

use std::path::PathBuf;

use clap::Args;

use quadrille::data::Stencil;
use quadrille::io;
use quadrille::linalg::jacobi::{Error, Layout, Optimization, Stop, Variant};

use super::super::device::{DeviceArguments, ReadsName};
use super::super::failure::Failure;
use super::super::output;

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
pub(crate) struct Arguments {
    /// The matrix: a Matrix Market file (coordinate or array, real or integer)
    #[arg(value_name = "MATRIX.mtx", group = "system")]
    pub(super) matrix: Option<PathBuf>,

    /// The matrix: a stencil on a grid W points wide and H high (H = W if left out)
    ///
    ///   heat9:W[xH][:step=T]                            an implicit heat step, fast
    ///   poisson5:W[xH]                                  the 5-point Laplacian
    ///   fe9:W[xH][:anisotropy=E][:angle=DEGREES]        9-point finite elements
    #[arg(long, value_name = "STENCIL", group = "system", help_heading = "System")]
    #[arg(verbatim_doc_comment)]
    pub(super) stencil: Option<Stencil>,

    /// The distance M of the outer bands, for a file that leaves it open
    #[arg(long, value_name = "M", conflicts_with = "stencil", help_heading = "System")]
    pub(super) width: Option<usize>,

    /// The right-hand side b; made from a random solution if not given
    #[arg(long, value_name = "FILE.npy|.mtx", help_heading = "System")]
    pub(super) rhs: Option<PathBuf>,

    /// The seed of the random solutions
    #[arg(long, value_name = "S", default_value_t = 1, help_heading = "System")]
    pub(super) seed: u64,

    /// Stop when the 2-norm of b - A x is at most T times that of b; 0 runs exactly --iterations
    #[arg(long, value_name = "T", default_value = "1e-5", help_heading = "When to stop")]
    pub(super) tolerance: f64,

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
    stage: Option<Optimization>,

    /// How shaders read texels [default: the faster for the device]
    #[arg(long, value_name = "READS", help_heading = "How")]
    reads: Option<ReadsName>,

    #[command(flatten)]
    pub(super) device: DeviceArguments,

    /// Write x; four rows of it with --layout rgba, yours first
    #[arg(long, value_name = "FILE.npy|.mtx", help_heading = "Results")]
    pub(super) output: Option<PathBuf>,

    /// Draw x as a heat map, M numbers wide, with its scale
    #[arg(long, value_name = "FILE.png", help_heading = "Results")]
    pub(super) picture: Option<PathBuf>,

    /// Print one JSON object instead of text
    #[arg(long, help_heading = "Results")]
    pub(super) json: bool,
}

impl Arguments {
    pub(super) fn variant(&self) -> Variant {
        Variant { layout: self.layout, optimization: self.stage, reads: self.reads.map(Into::into) }
    }

    pub(super) fn stop(&self) -> anyhow::Result<Stop> {
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
    pub(super) fn check_outputs(&self) -> anyhow::Result<()> {
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
}
