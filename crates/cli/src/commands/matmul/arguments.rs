//! The arguments of `quadrille matmul`.

use quadrille::linalg::matmul;

use super::bytes::bytes;
use crate::arguments::numbers::NumberType;
use crate::arguments::specified::Options;
use crate::prelude::*;
use crate::ranks::Ranks;

const ABOUT: &str = "\
Multiplies two dense matrices, C = A B, by the methods of \"Understanding the Efficiency of GPU Algorithms for
Matrix-Matrix Multiplication\" (2004) and \"Parallel programming using CUDA\" (2010), and by newer ones.

Without --method, it uses the method that `quadrille tune` found fastest here, else the one that is usually
fastest on such a device. --list shows the methods, their options, and which of them this device can run.

Matrices may have any size. What a device's textures, buffers or memory do not hold is multiplied in blocks, whose
operands are uploaded as they are needed. Of files that the host's memory does not hold, parts are read as they are
needed, and C is written tile by tile.

Methods that draw treat denormals (floats below 1.2e-38) as 0 if the device does, as most do; compute and
serial methods keep them. --check allows both; `quadrille card` shows what a device does.";

const EXAMPLES: &str = "\
Examples:
  quadrille matmul a.npy b.npy --output c.npy --check
  quadrille matmul a.npy b.npy --method sp --unroll 128 --passes 4
  quadrille matmul a.npy b.npy --method block8x4 --tile 64 --order hilbert --json
  quadrille matmul a.npy b.npy --method compute-shared --tile 16 --type int
  mpirun -n 4 quadrille matmul a.npy b.npy --output c.npy --ranks 2x2
  quadrille matmul --list";

/// Multiply two matrices
#[derive(Args)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The matrix A: a NumPy file with two axes
    #[arg(value_name = "A.npy", required_unless_present = "list")]
    pub(super) a: Option<PathBuf>,

    /// The matrix B, with as many rows as A has columns
    #[arg(value_name = "B.npy", required_unless_present = "list")]
    pub(super) b: Option<PathBuf>,

    /// The type of the elements: 32-bit floats, or integers of 16 (short) or 32 bits (int), which
    /// wrap around
    #[arg(long = "type", value_name = "TYPE", default_value = "float")]
    pub(super) numbers: NumberType,

    /// List the methods and their options, and what the device lacks for those that it cannot run
    #[arg(long, conflicts_with_all = ["a", "b", "numbers", "Options", "check", "output"])]
    pub(super) list: bool,

    #[command(flatten, next_help_heading = "Method")]
    pub(super) options: Options<matmul::Options>,

    #[command(flatten)]
    pub(super) ranks: Ranks,

    #[command(flatten)]
    pub(super) device: DeviceArguments,

    /// Write C to this file
    #[arg(long, value_name = "FILE.npy", help_heading = "Results")]
    pub(super) output: Option<PathBuf>,

    /// The memory that a product may take, as in 500M, 16G or 1T; by default three quarters of what
    /// the machine has left
    ///
    /// Matrices in files that take more are multiplied in parts, which are read as often as the
    /// tiles of C that fit at a time need them.
    #[arg(long, value_name = "BYTES", value_parser = bytes, help_heading = "Device")]
    pub(super) memory: Option<u64>,

    /// Compare every element of C with double precision, and check that the same plan multiplies
    /// matrices of -1 and 1 exactly
    ///
    /// If rounding does not explain a difference, C is not written and the exit code is 1; integers
    /// must be equal. An infinity is right where the exact element rounds to it, and wrong where
    /// only sums on the way exceed the range of floats. The comparison takes 4 m n k operations on one core; the second product takes
    /// as long as the first, with its transfers.
    #[arg(long, help_heading = "Results")]
    pub(super) check: bool,

    /// Print one JSON object instead of text
    #[arg(long, help_heading = "Results")]
    pub(super) json: bool,
}
