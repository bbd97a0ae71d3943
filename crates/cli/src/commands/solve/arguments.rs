//! The arguments of `quadrille solve`.

use quadrille::data::AnyStencil;
use quadrille::linalg::solve::NamedOptions;

use super::grid::{GridSize, Slice};
use crate::arguments::specified::Options;
use crate::prelude::*;
use crate::ranks::{CheckpointArguments, Ranks};

const ABOUT: &str = "\
Solves A x = b for a sparse matrix A: an operator on a grid, with nine diagonals (nine-banded), or any other.

The matrix comes from a Matrix Market file, from a stencil, or from a coefficient k at each point or between
neighbours, for -div(k grad u) with u = 0 around the grid. Without --rhs, b is computed from a random solution, and the
error against that solution is reported.

Steps are computed on the device in 32-bit floats. With --precision mixed, which is the default, the
residual and the corrections of x are computed in double precision, by a GPU that has it or else by the
host, so that the tolerance may be far below what 32-bit floats reach. The reported residual, which
decides the exit code, is always computed on the host in double precision, from the matrix as it was
read and the x that is written.

A symmetric matrix whose positive diagonal spans more than 2^20 is scaled by its diagonal for the steps, except
with multigrid, and a general one that is not symmetric, whose rows span more than 2^10, by its rows and columns;
the residual and the tolerance remain those of A x = b.";

const EXAMPLES: &str = "\
Examples:
  quadrille solve --stencil poisson5:255 --tolerance 1e-12
  quadrille solve --stencil jump:255:ratio=1000:cell=32 --history residuals.csv --plot residuals.svg
  quadrille solve --coefficient k.npy --rhs b.npy --output x.npy --picture x.png
  quadrille solve --coefficient kx.npy ky.npy --rhs b.npy --output x.npy
  quadrille solve system.mtx --rhs b1.npy b2.npy --output x.npy
  quadrille solve --stencil convection:255:angle=30 --method bicgstab --json
  quadrille solve --stencil poisson5:255:sides=periodic+dirichlet --method fft
  quadrille solve --stencil poisson7:63x63x31:z=0.1 --picture x.png --slice z=10
  quadrille solve block.mtx --grid 40x30x20 --rhs b.npy --output x.npy
  mpirun -n 4 quadrille solve --stencil poisson5:4095 --ranks 2x2 --output x.npy
  mpirun -n 2 quadrille solve --stencil poisson7:127 --output x.npy";

/// Solve a sparse linear system, on a grid or in general, by a Krylov method or multigrid, to double precision
#[derive(Args)]
#[command(long_about = ABOUT, after_help = EXAMPLES, allow_negative_numbers = true)]
#[command(group = clap::ArgGroup::new("system").required(true))]
pub(crate) struct Arguments {
    /// The matrix: a Matrix Market file (coordinate or array, real or integer)
    #[arg(value_name = "MATRIX.mtx", group = "system")]
    pub(super) matrix: Option<PathBuf>,

    /// The matrix: a stencil on a grid of W by H points [default: H = W], or of X by Y by Z
    ///
    ///   poisson5:W[xH]                              the 5-point Laplacian
    ///   fe9:W[xH][:anisotropy=E][:angle=DEGREES]    9-point finite elements
    ///   heat9:W[xH][:step=T]                        an implicit heat step
    ///   jump:W[xH][:ratio=R][:cell=POINTS]          diffusion by a checkerboard of 1 and R
    ///   random:W[xH][:seed=S]                       diffusion by 10^-3 to 10^3, at random
    ///   convection:W[xH][:angle=DEGREES][:peclet=P] diffusion and a flow; not symmetric
    ///   neumann5:W[xH]                              the 5-point Laplacian without flux over the edge; singular
    ///
    ///   poisson7:X[xYxZ][:x=A][:y=B][:z=C]          the 7-point Laplacian, with a factor along each axis
    ///   fe27:X[xYxZ][:x=A][:y=B][:z=C]              27-point finite elements of the same
    ///   heat7:X[xYxZ][:step=T]                      an implicit heat step
    ///   jump7:X[xYxZ][:ratio=R][:cell=POINTS]       diffusion by cubes of 1 and R by turns
    ///   random7:X[xYxZ][:seed=S]                    diffusion by 10^-3 to 10^3, at random
    ///   convection7:X[xYxZ][:x=U][:y=V][:z=W][:peclet=P]   diffusion and a flow; not symmetric
    ///
    /// poisson, fe and heat also take :sides=S, what is around the grid: dirichlet (zeros), neumann (no flux over the edge) or periodic
    /// (in two dimensions for --method fft), or one along each axis, as in sides=periodic+dirichlet
    #[arg(long, value_name = "STENCIL", group = "system", help_heading = "System")]
    #[arg(verbatim_doc_comment)]
    pub(super) stencil: Option<AnyStencil>,

    /// The matrix: -div(k grad u) with a coefficient k > 0 at each point, an array of two axes or of three (z, y, x), or a grey
    /// picture; or, in two files, at each face of a grid of W by H points: (W+1) x H numbers along x, then W x
    /// (H+1) along y. Those at the sides may be 0, which closes them
    #[arg(long, value_name = "K.npy|.png", num_args = 1..=2, group = "system", help_heading = "System")]
    pub(super) coefficient: Vec<PathBuf>,

    /// The distance M of the outer bands from the diagonal: takes the file for a nine-banded matrix, also where its
    /// entries are on the three middle diagonals alone
    #[arg(long, value_name = "M", conflicts_with_all = ["stencil", "coefficient"], help_heading = "System")]
    pub(super) width: Option<usize>,

    /// The points of a grid of three dimensions along x, y and z: takes the file for a matrix that couples each of
    /// them to its neighbours, of which there are 26
    #[arg(long, value_name = "XxYxZ", conflicts_with_all = ["stencil", "coefficient", "width"], help_heading = "System")]
    pub(super) grid: Option<GridSize>,

    /// Right-hand sides, solved one after the other with the same setup, each with one axis or with those of the grid: (height,
    /// width) or (z, y, x) [default: one, computed from a random solution]
    #[arg(long, value_name = "FILE.npy|.mtx", num_args = 1.., help_heading = "System")]
    pub(super) rhs: Vec<PathBuf>,

    /// What the iteration starts from: an array of the shape of b, or one for each right-hand side [default: zeros]
    #[arg(long, value_name = "FILE.npy|.mtx", num_args = 1.., help_heading = "System", conflicts_with = "resume")]
    pub(super) x0: Vec<PathBuf>,

    /// The seed of the random solution
    #[arg(long, value_name = "S", default_value_t = 2, help_heading = "System")]
    pub(super) seed: u64,

    #[command(flatten, next_help_heading = "Computation")]
    pub(super) solver: Options<NamedOptions>,

    #[command(flatten)]
    pub(super) ranks: Ranks,

    #[command(flatten)]
    pub(super) checkpoints: CheckpointArguments,

    #[command(flatten)]
    pub(super) device: DeviceArguments,

    /// Write x in the shape of b; of several right-hand sides one row each
    #[arg(long, value_name = "FILE.npy|.mtx", help_heading = "Results")]
    pub(super) output: Option<PathBuf>,

    /// Draw x of the first right-hand side as a heat map with a scale, M values wide
    #[arg(long, value_name = "FILE.png", help_heading = "Results")]
    pub(super) picture: Option<PathBuf>,

    /// The points of a grid of three dimensions that the picture shows: those with this number, from 0, along an axis
    /// [default: those in the middle along z]
    #[arg(long, value_name = "x|y|z=K", requires = "picture", help_heading = "Results")]
    pub(super) slice: Option<Slice>,

    /// Write the residuals by iteration and time
    #[arg(long, value_name = "FILE.csv", help_heading = "Results")]
    pub(super) history: Option<PathBuf>,

    /// Draw the residuals by iteration
    #[arg(long, value_name = "FILE.svg", help_heading = "Results")]
    pub(super) plot: Option<PathBuf>,

    /// Write the matrix, each entry exactly
    #[arg(long, value_name = "FILE.mtx", help_heading = "Results")]
    pub(super) write_matrix: Option<PathBuf>,

    /// Tell where the time went: the parts of the setup and of each solution, which add up to it
    #[arg(short, long, help_heading = "Results")]
    pub(super) verbose: bool,

    /// Print one JSON object instead of text
    #[arg(long, help_heading = "Results")]
    pub(super) json: bool,
}

/// The files of a right-hand side, and of what the iteration starts from.
pub(super) struct SideFiles<'a> {
    pub(super) b: Option<&'a PathBuf>,
    pub(super) x0: Option<&'a PathBuf>,
}

impl Arguments {
    /// Returns the files of right-hand sides, each with the one that the iteration starts from.
    pub(super) fn sides(&self) -> Result<Vec<SideFiles<'_>>, Failure> {
        let sides: Vec<Option<&PathBuf>> = match &self.rhs[..] {
            [] => vec![None],
            paths => paths.iter().map(Some).collect(),
        };
        let starts = match self.x0.len() {
            0 => vec![None; sides.len()],
            1 => vec![self.x0.first(); sides.len()],
            count if count == sides.len() => self.x0.iter().map(Some).collect(),
            count => {
                let text = format!(
                    "--x0: expected one file, or one for each of {} right-hand sides, got {count}",
                    sides.len()
                );
                return Err(Failure::Input { text });
            }
        };
        let files = sides.into_iter().zip(starts).map(|(b, x0)| SideFiles { b, x0 });
        Ok(files.collect())
    }

    /// Whether the system is on a grid of three dimensions. A file that cannot be read is refused where it is read.
    pub(super) fn is_in_space(&self) -> bool {
        let has_three_axes = |path: &PathBuf| {
            quadrille::io::npy::Reader::open(path).is_ok_and(|file| file.shape().len() == 3)
        };
        self.grid.is_some()
            || matches!(self.stencil, Some(AnyStencil::Space(_)))
            || self.coefficient.len() == 1 && self.coefficient.iter().any(has_three_axes)
    }
}
