//! `quadrille matmul`: multiplies two matrices.

mod arguments;
mod bytes;
mod in_parts;
mod list;
mod on_ranks;
mod report;

use std::time::{Duration, Instant};

use quadrille::Shape;
use quadrille::data::Matrix;
use quadrille::io::{self, npy};
use quadrille::linalg::matmul::{self, Checked, Element, Multiplier};
use quadrille::stream::Clock;
use quadrille::{Control, Progress};

pub(crate) use self::arguments::Arguments;
use self::report::{Report, Times};
use crate::arguments::numbers::NumberType;
use crate::output::progress::Bar;
use crate::prelude::*;
use crate::ranks;

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    match (&arguments.a, &arguments.b, arguments.numbers) {
        (Some(a), Some(b), NumberType::Float) => multiply::<f32>(arguments, a, b),
        (Some(a), Some(b), NumberType::Short) => multiply::<i16>(arguments, a, b),
        (Some(a), Some(b), NumberType::Int) => multiply::<i32>(arguments, a, b),
        _ => list::run(&arguments.device.context()?, arguments.json),
    }
}

fn multiply<T: Element + npy::Element>(
    arguments: &Arguments,
    a: &Path,
    b: &Path,
) -> anyhow::Result<()> {
    if ranks::processes() > 1 {
        return on_ranks::multiply::<T>(arguments, (a, b));
    }
    arguments.ranks.across(1)?;
    output::check_file(arguments.output.as_deref(), ".npy")?;
    if let Some(files) = in_parts::too_large(arguments, (a, b))? {
        let context = arguments.device.context()?;
        let summary = in_parts::multiply::<T>(arguments, &context, files)?;
        let report = Report::in_parts::<T>(arguments, &context, &summary);
        return output::show(arguments.json, &report, || report.text());
    }
    let (a, b) = (read::<T>(a)?, read::<T>(b)?);
    if arguments.check {
        must_be_possible::<T>(a.shape())?;
    }
    let context = arguments.device.context()?;
    let options = arguments.options.0;
    let begun = Instant::now();
    let mut product = Multiplier::new(&context, a.shape(), b.shape(), options)?;
    let compiled = begun.elapsed();
    let load = || product.load(&a, &b).map_err(anyhow::Error::new);
    let upload = Clock::Wall.time(&context, load)?.1;
    let shapes = (a.shape(), b.shape());
    // The operands are on the device; the host keeps them only for the check.
    let operands = arguments.check.then_some((a, b));
    let (c, times) = timed(&context, &mut product)?;
    let times = Times { setup: times.setup + compiled, upload, ..times };
    let checked = match &operands {
        Some((a, b)) => Some(interrupt::watched(|| check(a, b, &c, &mut product))?),
        None => None,
    };
    let right = checked.as_ref().is_none_or(Checked::is_right);
    if let (Some(path), true) = (&arguments.output, right) {
        interrupt::writing(|| npy::write_matrix(path, &c))?;
    }
    let report = Report::new(arguments, &context, &product, shapes, times, checked.as_ref());
    output::show(arguments.json, &report, || report.text())?;
    let complaint = checked.and_then(|checked| checked.complaint());
    complaint.map_or(Ok(()), |what| Err(wrong(&what, arguments.output.as_deref()).into()))
}

/// Refuses, before any work, a product that `--check` does not support.
fn must_be_possible<T: Element>(a: Shape) -> anyhow::Result<()> {
    Checked::must_be_possible::<T>(a).map_err(|error| match error {
        matmul::Error::TooLongToCheck { terms } => {
            let text = format!(
                "--check supports sums of up to 2^24 floats, but these have {terms} terms; multiply in parts, or omit --check"
            );
            Failure::Input { text }.into()
        }
        error => error.into(),
    })
}

/// Compares with double precision, unless the user stops it.
fn check<T: Element>(
    a: &Matrix<T>,
    b: &Matrix<T>,
    c: &Matrix<T>,
    product: &mut Multiplier<T>,
) -> anyhow::Result<Checked> {
    let mut bar: Option<(&str, Bar)> = None;
    let mut observe = |what: &'static str, progress: &Progress| -> Control {
        if bar.as_ref().is_none_or(|(shown, _)| *shown != what) {
            bar = Some((what, Bar::new(what)));
        }
        bar.as_mut().map_or(Control::Continue, |(_, bar)| bar.show(progress))
    };
    let checked = Checked::of(a, b, c, product, &mut observe)?;
    checked.ok_or_else(|| interrupt::stopped(" while checking; nothing was written").into())
}

fn wrong(what: &str, output: Option<&Path>) -> Failure {
    let kept = output.map_or(String::new(), |path| format!("; {} is not written", path.display()));
    let text = format!("{what}{kept}. Try another --method, and run `quadrille doctor`");
    Failure::Work { text }
}

fn read<T: Element>(path: &Path) -> Result<Matrix<T>, io::Error> {
    let (matrix, notes) = npy::read_matrix(path)?;
    if notes.rounded {
        note_rounded(path);
    }
    Ok(matrix)
}

fn note_rounded(path: &Path) {
    let path = path.display();
    output::note(&format!("note: {path}: its 64-bit floats were rounded to 32 bits"));
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
