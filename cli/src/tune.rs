//! `quadrille tune`.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use quadrille::linalg::matmul::OPERATION;
use quadrille::observer::Progress;
use quadrille::stream::choice::{self, Device, Entry, Record, Tuned};
use quadrille::{Context, Place, io};
use quadrille_lab::numbers::short;
use quadrille_lab::render::aligned;
use quadrille_lab::tune::{self, Dropped, Outcome};

use super::device::DeviceArguments;
use super::failure::Failure;
use super::progress::Turns;
use super::{interrupt, output};

const ABOUT: &str = "\
Finds the fastest way to multiply matrices of a few sizes on this device and driver, and remembers it:
`quadrille matmul` and the library then use it, at the nearest size, wherever no method is given. Every
candidate is checked against double precision, and wrong ones are dropped.

The results are stored in tuned.json, in the folder QUADRILLE_CACHE or else in quadrille/ in the user's cache
folder. They hold for one device and driver version.";

const EXAMPLES: &str = "\
Examples:
  quadrille tune
  quadrille tune --size 4096 --force";

/// Find the fastest matrix multiplication on this device and remember it
#[derive(Args)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub(super) struct Tune {
    /// The sizes N of the N x N matrices
    #[arg(long = "size", value_name = "N,...", value_delimiter = ',')]
    #[arg(default_values_t = [128, 512, 1024, 2048])]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1 << 14))]
    sizes: Vec<u64>,

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
    /// Whether the file has all of it.
    saved: bool,
    stopped: bool,
    entries: Vec<Line>,
    dropped: Vec<Dropped>,
}

#[derive(Serialize)]
struct Line {
    #[serde(flatten)]
    entry: Entry,
    /// Whether it was tuned before, and stays.
    kept: bool,
}

/// Measures the sizes without results, stores the results, and reports all.
pub(super) fn run(arguments: &Tune) -> anyhow::Result<()> {
    let path = file()?;
    let context = arguments.device.context()?;
    let device = Device::of(context.abilities());
    let known = known(&path, &device)?;
    let kept = |size: &usize| known.iter().find(|entry| entry.size == *size && !arguments.force);
    let mut sizes: Vec<usize> = arguments.sizes.iter().map(|size| *size as usize).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let open: Vec<usize> = sizes.iter().copied().filter(|size| kept(size).is_none()).collect();
    let outcome = search(&context, &open)?;
    let new: Vec<Record> = outcome
        .best
        .iter()
        .map(|entry| Record::new(device.clone(), OPERATION, entry.clone()))
        .collect();
    let saved = match new.is_empty() {
        true => Ok(()),
        false => interrupt::writing(|| choice::save(&path, &new)),
    };
    let before = sizes.iter().filter_map(kept).map(|entry| (entry, true));
    let entries = before.chain(outcome.best.iter().map(|entry| (entry, false)));
    let report = Report { saved: saved.is_ok(), ..Report::new(&device, &path, entries, &outcome) };
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

/// The stored results for this device and driver.
fn known(path: &Path, device: &Device) -> Result<Vec<Entry>, Failure> {
    let tuned = Tuned::read(path);
    if let Some(note) = tuned.note() {
        return Err(Failure::Input { text: note.to_owned() });
    }
    let here = |record: &&Record| record.device == *device && record.operation == OPERATION;
    Ok(tuned.records().iter().filter(here).map(|record| record.entry.clone()).collect())
}

fn search(context: &Context, sizes: &[usize]) -> anyhow::Result<Outcome> {
    let bar = Turns::new("search");
    let mut observer = |progress: &Progress| bar.show(progress);
    Ok(interrupt::watched(|| tune::run(context, sizes, &mut observer))?)
}

fn judge(report: &Report) -> anyhow::Result<()> {
    for Dropped { size, choice, max_error } in &report.dropped {
        output::note(&format!(
            "note: dropped {choice} at {size}: its product has an error of {max_error:.1e}, more than \
             rounding explains"
        ));
    }
    if report.stopped {
        return Err(interrupt::stopped("; finished sizes are stored").into());
    }
    Ok(())
}

impl Report {
    fn new<'a>(
        device: &Device,
        path: &Path,
        entries: impl Iterator<Item = (&'a Entry, bool)>,
        outcome: &Outcome,
    ) -> Report {
        let mut entries: Vec<Line> =
            entries.map(|(entry, kept)| Line { entry: entry.clone(), kept }).collect();
        entries.sort_by_key(|line| line.entry.size);
        Report {
            device: device.renderer.clone(),
            driver: device.driver.clone(),
            file: path.display().to_string(),
            saved: true,
            stopped: outcome.stopped,
            entries,
            dropped: outcome.dropped.clone(),
        }
    }

    fn text(&self) -> String {
        let row = |Line { entry, kept }: &Line| {
            let from = if *kept { "from an earlier run" } else { "" };
            vec![entry.size.to_string(), entry.choice.clone(), short(entry.gflops), from.to_owned()]
        };
        let rows = self.entries.iter().map(row).collect();
        let table = aligned(&["n", "best", "GFLOPS", ""], rows);
        let again = match self.entries.iter().any(|line| line.kept) {
            true => "\n--force measures these again.",
            false => "",
        };
        let Report { device, driver, file, .. } = self;
        let place = if self.saved { "Stored in" } else { "Not written to" };
        format!("{device}, {driver}\n\n{table}\n\n{place} {file}{again}")
    }
}
