//! The arguments of `quadrille matmul`.

use std::path::PathBuf;

use clap::Args;

use super::super::device::DeviceArguments;
use super::super::numbers::NumberType;
use super::options::Options;

const ABOUT: &str = "\
Multiplies two dense matrices, C = A B, by any method of \"Understanding the Efficiency of GPU
Algorithms for Matrix-Matrix Multiplication\" (2004) and of \"Parallel programming using CUDA\" (2010),
and by what hardware since then makes natural.

Products of floats below 1.2e-38 (denormals) are 0 by the methods that draw where the device flushes them, as most
do; compute and serial methods keep them. --check allows for either, and `quadrille card` says what a device does.

Without --method it takes the one that `quadrille tune` found best here, else the one that is usually
best on such a device. --list says which methods this device can run, and what each has.";

const EXAMPLES: &str = "\
Examples:
  quadrille matmul a.npy b.npy --output c.npy --check
  quadrille matmul a.npy b.npy --method sp --unroll 128 --passes 4
  quadrille matmul a.npy b.npy --method block8x4 --tile 64 --order hilbert --json
  quadrille matmul a.npy b.npy --method compute-shared --tile 16 --type int
  quadrille matmul --list";

/// Multiply two matrices
#[derive(Args)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// A: a NumPy file of two axes
    #[arg(value_name = "A.npy", required_unless_present = "list")]
    pub(super) a: Option<PathBuf>,

    /// B: a NumPy file with as many rows as A has columns
    #[arg(value_name = "B.npy", required_unless_present = "list")]
    pub(super) b: Option<PathBuf>,

    /// The type of the elements: 32-bit floats, or integers of 16 or 32 bits, which wrap
    #[arg(long = "type", value_name = "TYPE", default_value = "float")]
    pub(super) numbers: NumberType,

    /// Say which methods this device can run, what the others lack, and which options each has
    #[arg(long, conflicts_with_all = ["a", "b", "numbers", "Options", "check", "output"])]
    pub(super) list: bool,

    #[command(flatten)]
    pub(super) options: Options,

    #[command(flatten)]
    pub(super) device: DeviceArguments,

    /// Write C
    #[arg(long, value_name = "FILE.npy", help_heading = "Results")]
    pub(super) output: Option<PathBuf>,

    /// Compare all of C with double precision, and have the same plan multiply matrices of -1 and 1,
    /// whose product must be exact. A difference that rounding does not explain is an error (1), and
    /// then C is not written; integers may not differ at all. The comparison takes one core 4 m n k
    /// operations; the second product takes the time of the first again, with upload and readback, and
    /// the core a tenth of what the comparison does
    #[arg(long, help_heading = "Results")]
    pub(super) check: bool,

    /// Print one JSON object instead of text
    #[arg(long, help_heading = "Results")]
    pub(super) json: bool,
}
