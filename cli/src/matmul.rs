//! `quadrille matmul`: multiplies two matrices.

mod check;
mod list;
mod options;
mod report;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;

use quadrille::Context;
use quadrille::data::Matrix;
use quadrille::io::{self, npy};
use quadrille::linalg::matmul::{self, Element, Multiplier};
use quadrille::stream::{Clock, choice};

use self::check::Checked;
use self::options::Options;
use self::report::{Report, Times};
use super::device::DeviceArguments;
use super::numbers::NumberType;
use super::{interrupt, output};

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
pub(super) struct Arguments {
    /// A: a NumPy file of two axes
    #[arg(value_name = "A.npy", required_unless_present = "list")]
    a: Option<PathBuf>,

    /// B: a NumPy file with as many rows as A has columns
    #[arg(value_name = "B.npy", required_unless_present = "list")]
    b: Option<PathBuf>,

    /// The type of the elements: 32-bit floats, or integers of 16 or 32 bits, which wrap
    #[arg(long = "type", value_name = "TYPE", default_value = "float")]
    numbers: NumberType,

    /// Say which methods this device can run, what the others lack, and which options each has
    #[arg(long, conflicts_with_all = ["a", "b", "numbers", "Options", "check", "output"])]
    list: bool,

    #[command(flatten)]
    options: Options,

    #[command(flatten)]
    device: DeviceArguments,

    /// Write C
    #[arg(long, value_name = "FILE.npy", help_heading = "Results")]
    output: Option<PathBuf>,

    /// Compare all of C with double precision, and have the same plan multiply matrices of -1 and 1,
    /// whose product must be exact. A difference that rounding does not explain is an error (1), and
    /// then C is not written; integers may not differ at all. The comparison takes one core 4 m n k
    /// operations; the second product takes the time of the first again, with upload and readback, and
    /// the core a tenth of what the comparison does
    #[arg(long, help_heading = "Results")]
    check: bool,

    /// Print one JSON object instead of text
    #[arg(long, help_heading = "Results")]
    json: bool,
}

/// Multiplies, checks, writes, reports; or lists methods.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    match (&arguments.a, &arguments.b, arguments.numbers) {
        (Some(a), Some(b), NumberType::Float) => multiply::<f32>(arguments, a, b),
        (Some(a), Some(b), NumberType::Short) => multiply::<i16>(arguments, a, b),
        (Some(a), Some(b), NumberType::Int) => multiply::<i32>(arguments, a, b),
        _ => list::run(&arguments.device.context()?, arguments.json),
    }
}

fn multiply<T: Element>(arguments: &Arguments, a: &Path, b: &Path) -> anyhow::Result<()> {
    if let Some(path) = &arguments.output {
        quadrille::internal::must_end_in(path, ".npy")?;
        output::check_folder(path)?;
    }
    let (a, b) = (read::<T>(a)?, read::<T>(b)?);
    if arguments.check {
        check::must_be_possible::<T>(a.shape())?;
    }
    let context = arguments.device.context()?;
    let options = matmul::Options::from(&arguments.options);
    if let (None, Some(note)) = (options.method, choice::note()) {
        output::note(&format!("note: nothing that was tuned is used: {note}"));
    }
    let begun = Instant::now();
    let mut product = Multiplier::new(&context, a.shape(), b.shape(), options)?;
    let compiled = begun.elapsed();
    let load = || product.load(&a, &b).map_err(anyhow::Error::new);
    let upload = Clock::Wall.time(&context, load)?.1;
    let shapes = (a.shape(), b.shape());
    // What is on the device is kept on the host for the check alone.
    let operands = arguments.check.then_some((a, b));
    let (c, times) = timed(&context, &mut product)?;
    let times = Times { setup: times.setup + compiled, upload, ..times };
    let checked = match &operands {
        Some((a, b)) => Some(interrupt::watched(|| check::whole(a, b, &c, &mut product))?),
        None => None,
    };
    let right = checked.as_ref().is_none_or(Checked::is_right);
    if let (Some(path), true) = (&arguments.output, right) {
        interrupt::writing(|| npy::write_matrix(path, &c))?;
    }
    let report = Report::new(arguments, &context, &product, shapes, times, checked.as_ref());
    match arguments.json {
        true => output::say_json(&report)?,
        false => output::say(&report.text())?,
    }
    checked.map_or(Ok(()), |checked| checked.judge(arguments.output.as_deref()))
}

fn read<T: Element>(path: &Path) -> Result<Matrix<T>, io::Error> {
    let (matrix, notes) = npy::read_matrix(path)?;
    if notes.rounded {
        let path = path.display();
        output::note(&format!("note: {path}: its doubles were rounded to single precision"));
    }
    Ok(matrix)
}

/// A run that takes longer than this is long beside the compiling of its shaders.
const LONG: Duration = Duration::from_secs(1);

/// Drivers compile at the first run, so that one counts as set-up and a second is timed, unless the
/// first was long.
fn timed<T: Element>(
    context: &Context,
    product: &mut Multiplier<T>,
) -> anyhow::Result<(Matrix<T>, Times)> {
    let mut run = |clock: Clock| clock.time(context, || product.run().map_err(anyhow::Error::new));
    let first = run(Clock::Wall)?.1;
    let (setup, multiply) = match first > LONG {
        true => (Duration::ZERO, first),
        false => (first, run(Clock::of(context))?.1),
    };
    let begun = Instant::now();
    let c = product.read()?;
    Ok((c, Times { setup, multiply, readback: begun.elapsed(), ..Times::default() }))
}
