//! `quadrille tune`.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use serde::Serialize;

use quadrille::stream::choice::{self, Device, Record, Tuned};
use quadrille::{Context, Place, io};
use quadrille_lab::numbers::short;
use quadrille_lab::text::aligned;
use quadrille_lab::tune::{self, Answer, Dropped, Operation, Outcome, Question};

use crate::arguments::device::DeviceArguments;
use crate::output;
use crate::output::progress::with_bar;
use crate::process::failure::Failure;
use crate::process::interrupt;

const ABOUT: &str = "\
Finds the fastest ways to compute on this device and driver, and remembers them: `jacobi`, `matmul`, `solve`
and `vp` then use them where no method, layout, stage or engine is given. Programs use them after
Context::load_tuned in Rust, or with Context(tuned=True) in Python. Commands that measure the device, such as
`bench` and `reproduce`, do not use them, and shaders of `run` and `test` are computed as they are written.
Every way is checked against double precision, and wrong ones are dropped. The default stays unless another
way is 3 % faster.

The results are stored in tuned.json, in the folder QUADRILLE_CACHE or else in quadrille/ in the user's cache
folder. They hold for one device and driver version.";

const EXAMPLES: &str = "\
Examples:
  quadrille tune
  quadrille tune --operation matmul --size 4096 --force";

/// Find the fastest ways to compute on this device and remember them
#[derive(Args)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub(crate) struct Tune {
    /// What to tune:
    ///
    ///   blas1   element-wise operations on vectors: engine, work groups
    ///   reduce  sums, norms and products of vectors: engine, folds, work groups, loads at a time
    ///   vector  programs of the vector machine: engine, work groups
    ///   jacobi  Jacobi's iteration: layout, stage, way of reading, work groups
    ///   matmul  products of matrices: method and options
    ///   fft     Fourier transforms in two dimensions: a texel at a time or in work groups
    ///
    /// [default: all]
    #[arg(
        long = "operation",
        value_name = "OPERATION,...",
        value_delimiter = ',',
        verbatim_doc_comment
    )]
    operations: Vec<Operation>,

    /// The sizes N: of N x N matrices, grids of N x N unknowns, transforms of N x N numbers, and vectors of 4 N^2
    /// numbers, of which only the largest N counts [default: 128, 512, 1024 and 2048 for matrices, 256 and 1024 for
    /// grids, 512 for transforms, on hardware 1024 and 4096, 1024 for vectors, which for blas1 and reduce are 2048 on
    /// hardware]
    #[arg(long = "size", value_name = "N,...", value_delimiter = ',')]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1 << 14))]
    sizes: Vec<u64>,

    /// The time to take, about; ways that do not fit in it are left untried [default: 45 on hardware, 90 on a
    /// software renderer]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(..=86400))]
    budget: Option<u64>,

    /// Measure again even if there are results for this device and driver
    #[arg(long)]
    force: bool,

    #[command(flatten)]
    device: DeviceArguments,

    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    device: String,
    driver: String,
    file: String,
    budget_s: u64,
    seconds: f64,
    /// Whether the file has all of it.
    saved: bool,
    stopped: bool,
    entries: Vec<Line>,
    dropped: Vec<Dropped>,
}

/// An answer, or one that was tuned before and stays.
#[derive(Serialize)]
#[serde(untagged)]
enum Found {
    New(Answer),
    Kept {
        operation: String,
        #[serde(flatten)]
        entry: choice::Entry,
    },
}

#[derive(Serialize)]
struct Line {
    #[serde(flatten)]
    found: Found,
    kept: bool,
}

/// Measures what has no results, stores them, and reports all.
pub(crate) fn run(arguments: &Tune) -> anyhow::Result<()> {
    let path = file()?;
    let context = arguments.device.untuned()?;
    let device = Device::of(context.abilities());
    let tuned = Tuned::read(&path)?;
    let kept = |question: &Question| {
        let is = |record: &&Record| {
            record.operation == question.operation.name() && record.entry.size == question.size()
        };
        tuned.of(&device).find(is).filter(|_| !arguments.force)
    };
    let software = context.abilities().software;
    let questions = arguments.questions(software);
    let open: Vec<Question> =
        questions.iter().filter(|question| kept(question).is_none()).cloned().collect();
    let usual = if software { 90 } else { 45 };
    let budget_s = arguments.budget.unwrap_or(usual);
    let begun = Instant::now();
    let outcome = search(&context, &open, Duration::from_secs(budget_s))?;
    let record =
        |answer: &Answer| Record::new(device.clone(), answer.operation, answer.entry.clone());
    let new: Vec<Record> = outcome.answers.iter().map(record).collect();
    let saved = match new.is_empty() {
        true => Ok(()),
        false => interrupt::writing(|| choice::save(&path, &new)),
    };
    let mut answers = outcome.answers.into_iter().peekable();
    let line = |question: &Question| match kept(question) {
        Some(Record { operation, entry, .. }) => Some(Line {
            found: Found::Kept { operation: operation.clone(), entry: entry.clone() },
            kept: true,
        }),
        None => answers
            .next_if(|answer| answer.is_of(question))
            .map(|answer| Line { found: Found::New(answer), kept: false }),
    };
    let report = Report {
        device: device.renderer.clone(),
        driver: device.driver.clone(),
        file: path.display().to_string(),
        budget_s,
        seconds: begun.elapsed().as_secs_f64(),
        saved: saved.is_ok(),
        stopped: outcome.stopped,
        entries: questions.iter().filter_map(line).collect(),
        dropped: outcome.dropped,
    };
    output::show(arguments.json, &report, || report.text())?;
    // The results took long to find, so they are shown before this error.
    saved?;
    judge(&report)
}

/// Refuses, before any work, a file that could not be written after it.
fn file() -> anyhow::Result<PathBuf> {
    let Some(path) = choice::path() else {
        let text = "no folder to store the results in: set QUADRILLE_CACHE to a folder".into();
        return Err(Failure::Input { text }.into());
    };
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|reason| {
            let place = Place::file(path.display().to_string());
            io::Error::Write { place, reason }
        })?;
    }
    output::check_folder(&path)?;
    Ok(path)
}

fn search(context: &Context, questions: &[Question], budget: Duration) -> anyhow::Result<Outcome> {
    Ok(with_bar("search", |bar| tune::run(context, questions, budget, bar))?)
}

fn judge(report: &Report) -> anyhow::Result<()> {
    for Dropped { operation, size, choice, max_error } in &report.dropped {
        output::note(&format!(
            "note: dropped {choice} for {operation} at {size}: its result has an error of {max_error:.1e}, more \
             than rounding explains"
        ));
    }
    if report.stopped {
        return Err(interrupt::stopped("; what was finished is stored").into());
    }
    Ok(())
}

impl Tune {
    fn questions(&self, software: bool) -> Vec<Question> {
        let operations = match self.operations.is_empty() {
            true => &Operation::ALL[..],
            false => &self.operations,
        };
        let sizes: Vec<usize> = self.sizes.iter().map(|size| *size as usize).collect();
        tune::questions(operations, &sizes, software)
    }
}

impl Line {
    fn cells(&self) -> Vec<String> {
        let (operation, entry, ratio, note) = match &self.found {
            Found::Kept { operation, entry } => {
                (operation.as_str(), entry, String::new(), "from an earlier run".into())
            }
            Found::New(answer) => {
                let ratio = format!("{:.2}", answer.over_default);
                let Answer { operation, entry, measured, untried, .. } = answer;
                let left =
                    if *untried > 0 { format!(", {untried} untried") } else { String::new() };
                (*operation, entry, ratio, format!("of {} measured{left}", measured.len()))
            }
        };
        let (size, rate) = (entry.size.to_string(), short(entry.gflops));
        vec![operation.to_owned(), size, entry.choice.clone(), rate, ratio, note]
    }
}

impl Report {
    fn text(&self) -> String {
        let rows = self.entries.iter().map(Line::cells).collect();
        let table = aligned(&["operation", "size", "best", "GFLOPS", "x default", ""], rows);
        let again = match self.entries.iter().any(|line| line.kept) {
            true => "\n--force measures what is from an earlier run again.",
            false => "",
        };
        let Report { device, driver, file, seconds, budget_s, .. } = self;
        let place = if self.saved { "Stored in" } else { "Not written to" };
        format!(
            "{device}, {driver}\n\n{table}\n\n{seconds:.0} s, with a budget of {budget_s} s. x default: how many times as fast as \
             without tuning, measured in turns.\n{place} {file}{again}"
        )
    }
}
