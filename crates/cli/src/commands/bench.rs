//! `quadrille bench`: speed, with every result checked.

mod cluster;
mod device;
mod jacobi;
mod matmul;
mod primitives;
mod sat;
mod solve;
mod sparse;
mod stream;
mod vector;

use std::fmt::Display;
use std::io::Write;

use clap::Subcommand;

use quadrille_lab::chart;
use quadrille_lab::report::Figure;
use quadrille_lab::table::{Rows, TimedAndCompared};

use crate::output::progress::with_bar as measured;
use crate::output::show;
use crate::prelude::*;

const EXAMPLES: &str = "\
Examples:
  quadrille bench device --quick
  quadrille bench matmul --plot matmul.svg
  quadrille bench jacobi --sizes 1048576 --json";

/// Measure speed, with every result checked
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Bench {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Cluster(cluster::ClusterBench),
    Device(device::DeviceBench),
    Jacobi(jacobi::JacobiBench),
    Matmul(matmul::MatmulBench),
    Primitives(primitives::PrimitivesBench),
    Sat(sat::SatBench),
    Solve(solve::SolveBench),
    Sparse(sparse::SparseBench),
    Stream(stream::StreamBench),
    Vector(vector::VectorBench),
}

/// The arguments that end those of every bench.
#[derive(Args)]
struct CommonArguments {
    #[command(flatten)]
    device: DeviceArguments,

    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
}

impl Bench {
    /// The name as it is typed, where ranks share the work.
    pub(crate) fn name(&self) -> &'static str {
        match self.what {
            What::Cluster(_) => "bench cluster",
            _ => "bench",
        }
    }
}

pub(crate) fn run(bench: &Bench) -> anyhow::Result<()> {
    match &bench.what {
        What::Cluster(bench) => cluster::run(bench),
        What::Device(bench) => device::run(bench),
        What::Jacobi(bench) => jacobi::run(bench),
        What::Matmul(bench) => matmul::run(bench),
        What::Primitives(bench) => primitives::run(bench),
        What::Sat(bench) => sat::run(bench),
        What::Solve(bench) => solve::run(bench),
        What::Sparse(bench) => sparse::run(bench),
        What::Stream(bench) => stream::run(bench),
        What::Vector(bench) => vector::run(bench),
    }
}

/// Ends a bench: results that rounding does not explain are a failure, and so is Ctrl-C.
fn judge(wrong: &[String], stopped: bool) -> anyhow::Result<()> {
    if !wrong.is_empty() {
        let text = format!("wrong results, which rounding does not explain: {}", wrong.join("; "));
        return Err(Failure::Work { text }.into());
    }
    if stopped {
        return Err(interrupt::stopped("; unfinished measurements are left out").into());
    }
    Ok(())
}

/// The file of `--plot`: the figures one below the other, with the device in their titles.
fn draw(
    path: Option<&Path>,
    figures: impl IntoIterator<Item = Figure>,
    device: &str,
) -> anyhow::Result<()> {
    let Some(path) = path else { return Ok(()) };
    let titled = |figure: Figure| Figure { title: format!("{}: {device}", figure.title), ..figure };
    let svg = chart::svg_of_all(&figures.into_iter().map(titled).collect::<Vec<_>>())?;
    let whole = || quadrille::io::write_whole(path, |file| file.write_all(svg.as_bytes()));
    Ok(interrupt::writing(whole)?)
}

/// Notes what a bench left out, and why.
fn note_left_out(all: impl IntoIterator<Item = impl Display>) {
    all.into_iter().for_each(|what| output::note(&format!("note: left out {what}")));
}

/// The report of a bench that has one table of rows.
#[derive(Serialize)]
#[serde(bound = "")]
struct Report<'a, R> {
    device: &'a str,
    stopped: bool,
    rows: Rows<'a, R>,
}

impl<R: TimedAndCompared> Report<'_, R> {
    /// Shows the rows, and ends the bench by what they are; wrong ones by their names.
    fn end(&self, json: bool, name: impl Fn(&R) -> String) -> anyhow::Result<()> {
        let text = || format!("{}\n\n{}\n\n{SPREAD}", self.device, self.rows.text(0));
        show(json, self, text)?;
        judge(&wrong(self.rows.rows, name), self.stopped)
    }
}

const SPREAD: &str =
    "Times are medians; the spread is the interquartile range divided by the median.";

/// The names of rows with wrong results, and how far off they are.
fn wrong<R: TimedAndCompared>(rows: &[R], name: impl Fn(&R) -> String) -> Vec<String> {
    let wrong = rows.iter().filter(|row| !row.comparison().is_right());
    wrong.map(|row| format!("{} is off by {:.1e}", name(row), row.comparison().max_error)).collect()
}

fn or_all<T: Clone>(given: &[T], all: impl Into<Vec<T>>) -> Vec<T> {
    if given.is_empty() { all.into() } else { given.to_vec() }
}

fn sizes(given: &[u64]) -> Vec<usize> {
    given.iter().map(|n| *n as usize).collect()
}

#[cfg(test)]
mod tests {
    use super::judge;
    use crate::exit::exit_code;

    #[test]
    fn a_wrong_row_fails_the_bench_even_if_it_was_stopped() {
        assert!(judge(&[], false).is_ok());
        let wrong = judge(&["red at 4096".into()], true).unwrap_err();
        assert_eq!(exit_code(&wrong), 1);
        assert!(wrong.to_string().contains("red at 4096"));
        assert_eq!(exit_code(&judge(&[], true).unwrap_err()), 130);
    }
}
