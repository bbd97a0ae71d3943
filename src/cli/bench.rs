//! `quadrille bench`: how fast, and whether it is right.

mod jacobi;
mod stream;

use clap::{Args, Subcommand};

use super::failure::Failure;

/// Measure this device, with every result checked
#[derive(Args)]
pub(super) struct Bench {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Jacobi(jacobi::JacobiBench),
    Stream(stream::StreamBench),
}

/// Measures and reports.
pub(super) fn run(bench: &Bench) -> anyhow::Result<()> {
    match &bench.what {
        What::Jacobi(bench) => jacobi::run(bench),
        What::Stream(bench) => stream::run(bench),
    }
}

/// Ends a bench: results that rounding does not explain are a failure, and so is Ctrl-C.
fn judge(wrong: &[String], stopped: bool) -> anyhow::Result<()> {
    if !wrong.is_empty() {
        let text = format!("wrong results, beyond what rounding explains: {}", wrong.join("; "));
        return Err(Failure::Work { text }.into());
    }
    if stopped {
        let text = "stopped by Ctrl-C; sizes that were not finished are left out".into();
        return Err(Failure::Stopped { text }.into());
    }
    Ok(())
}

/// Says what the spread is, below a table.
const SPREAD: &str = "Medians; spread: the interquartile range over the median.";

/// A share in percent.
fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}
