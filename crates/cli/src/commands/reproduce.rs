//! `quadrille reproduce`: the papers' tables and figures on this machine, as a report.

mod folder;
mod summary;
#[cfg(test)]
mod tests;
mod watch;

use std::cell::Cell;
use std::path::PathBuf;

use clap::Args;

use quadrille::error::UnknownName;
use quadrille_lab::report::Document;
use quadrille_papers::{Entry, Machine, Outcome, Plan, Scale, Study, render};

use crate::arguments::device::DeviceArguments;
use crate::output;
use crate::output::quoted;
use crate::process::failure::Failure;
use crate::process::interrupt;
use folder::Folder;
use watch::Watch;

const ABOUT: &str = "\
Repeats the tables and figures of the four papers that quadrille implements, beside the papers' own numbers where
they give them, and judges each of their findings: confirmed, contradicted, or not measurable here. The report is
one page that needs no network, DIR/report.html; beside it are report.json, the figures as SVG and the numbers
as CSV.

What a device cannot run is left out, with the reason in the report. After Ctrl-C the same command continues
where it stopped: parts that were measured with the same build, device, scale and seed are kept.";

const EXAMPLES: &str = "\
Examples:
  quadrille reproduce --quick                        everything small, in minutes, in quadrille-report/
  quadrille reproduce --output report                the papers' sizes where they fit
  quadrille reproduce jacobi --quick --output jacobi
  quadrille reproduce --quick --only device-proofs --json";

/// Repeat the papers' tables and figures here, as a report
#[derive(Args)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub(crate) struct Reproduce {
    /// The paper whose tables and figures are repeated
    ///
    ///   matmul-2004   Fatahalian, Sugerman and Hanrahan 2004
    ///   vectors-2002  Thompson, Hahn and Oskin 2002
    ///   jacobi        Göddeke 2005
    ///   cuda-matmul   the CUDA tutorial of 2010
    ///   all           all of them
    #[arg(value_name = "PAPER", default_value = "all", value_parser = paper, verbatim_doc_comment)]
    document: Paper,

    /// The folder of the report; created if it does not exist
    #[arg(long, value_name = "DIR", default_value = "quadrille-report")]
    output: PathBuf,

    /// Use small sizes: about four minutes instead of twenty-five
    #[arg(long)]
    quick: bool,

    /// Run only this study; can be repeated. An unknown name lists the studies
    #[arg(long, value_name = "STUDY")]
    only: Vec<String>,

    /// The seed of random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Measure again even what an earlier run left in the folder
    #[arg(long)]
    fresh: bool,

    #[command(flatten)]
    device: DeviceArguments,

    /// Print report.json instead of a summary
    #[arg(long)]
    json: bool,
}

/// A paper; none is all of them.
type Paper = Option<Document>;

fn paper(name: &str) -> Result<Paper, UnknownName> {
    if name == "all" { Ok(None) } else { name.parse().map(Some) }
}

pub(crate) fn run(arguments: &Reproduce) -> anyhow::Result<()> {
    let studies = arguments.studies(quadrille_papers::studies())?;
    let folder = Folder::make(&arguments.output)?;
    let context = arguments.device.untuned()?;
    let scale = if arguments.quick { Scale::Quick } else { Scale::Whole };
    let machine = Machine::here(&context, scale, arguments.seed, command());
    let plan = Plan {
        studies: &studies,
        key: machine.key(),
        folder: &folder.parts(),
        fresh: arguments.fresh,
    };
    let first = Cell::new(Some(context));
    let make = || first.take().map_or_else(|| arguments.device.untuned(), Ok);
    let (entries, stopped) = measure(&plan, &make)?;
    let outcome = Outcome::new(machine, entries, stopped);
    interrupt::writing(|| folder.write(&outcome))?;
    output::show(arguments.json, &render::json(&outcome), || {
        summary::text(&outcome, &folder.page())
    })?;
    judge(&outcome)
}

fn measure(
    plan: &Plan<'_>,
    make: &dyn Fn() -> Result<quadrille::Context, quadrille::gl::Error>,
) -> anyhow::Result<(Vec<Entry>, bool)> {
    let mut watch = Watch::new(plan);
    let run =
        interrupt::watched(|| quadrille_papers::run(plan, make, &mut |event| watch.tell(&event)));
    drop(watch);
    run.map_err(|error| match error.find::<quadrille::io::Error>() {
        // A folder that could be written before: the work has failed, not the arguments.
        Some(error) => Failure::Work { text: error.to_string() }.into(),
        None => error.into(),
    })
}

/// Ends the command. What could not be run is no failure, unless that is everything.
fn judge(outcome: &Outcome) -> anyhow::Result<()> {
    let wrong = outcome.wrong();
    if !wrong.is_empty() {
        let text = format!("wrong results, which rounding does not explain: {}", wrong.join("; "));
        return Err(Failure::Work { text }.into());
    }
    if outcome.stopped {
        let (run, all) = (outcome.run(), outcome.entries.len());
        let rest = format!(
            ": {run} of {all} studies are done and in the report; the same command \
             continues from there:\n  {}",
            outcome.machine.command.replace(" --fresh", "")
        );
        return Err(interrupt::stopped(rest).into());
    }
    if outcome.parts().next().is_none() {
        let text = "no study could be run here; the report says why".into();
        return Err(Failure::Work { text }.into());
    }
    Ok(())
}

impl Reproduce {
    /// The studies of the paper, or those of them that are named.
    fn studies(&self, all: Vec<Study>) -> Result<Vec<Study>, Failure> {
        let wanted = self.document;
        let mut studies = all;
        studies.retain(|study| wanted.is_none() || study.document == wanted);
        if let Some(unknown) = self.only.iter().find(|id| studies.iter().all(|s| s.id != **id)) {
            let there: Vec<&str> = studies.iter().map(|study| study.id).collect();
            let there = there.join(", ");
            let text = format!("--only {unknown}: no such study; expected one of: {there}");
            return Err(Failure::Input { text });
        }
        studies.retain(|study| self.only.is_empty() || self.only.iter().any(|id| id == study.id));
        Ok(studies)
    }
}

fn command() -> String {
    let words = std::env::args().skip(1).map(|word| quoted(&word));
    std::iter::once("quadrille".to_owned()).chain(words).collect::<Vec<_>>().join(" ")
}
