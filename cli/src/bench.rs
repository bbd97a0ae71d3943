//! `quadrille bench`: how fast, and whether it is right.

mod device;
mod jacobi;
mod matmul;
mod sat;
mod stream;
mod vector;

use clap::{Args, Subcommand};

use quadrille_lab::report::Figure;

use super::failure::Failure;
use super::interrupt;

/// Measure this device, with every result checked
#[derive(Args)]
pub(super) struct Bench {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Device(device::DeviceBench),
    Jacobi(jacobi::JacobiBench),
    Matmul(matmul::MatmulBench),
    Sat(sat::SatBench),
    Stream(stream::StreamBench),
    Vector(vector::VectorBench),
}

/// Measures and reports.
pub(super) fn run(bench: &Bench) -> anyhow::Result<()> {
    match &bench.what {
        What::Device(bench) => device::run(bench),
        What::Jacobi(bench) => jacobi::run(bench),
        What::Matmul(bench) => matmul::run(bench),
        What::Sat(bench) => sat::run(bench),
        What::Stream(bench) => stream::run(bench),
        What::Vector(bench) => vector::run(bench),
    }
}

/// Ends a bench: results that rounding does not explain are a failure, and so is Ctrl-C.
fn judge(wrong: &[String], stopped: bool) -> anyhow::Result<()> {
    if !wrong.is_empty() {
        let text = format!("wrong results, beyond what rounding explains: {}", wrong.join("; "));
        return Err(Failure::Work { text }.into());
    }
    if stopped {
        return Err(interrupt::stopped("; what was not finished is left out").into());
    }
    Ok(())
}

/// Figures with the device in their titles.
fn titled(figures: impl IntoIterator<Item = Figure>, device: &str) -> Vec<Figure> {
    let titled = |figure: Figure| Figure { title: format!("{}: {device}", figure.title), ..figure };
    figures.into_iter().map(titled).collect()
}

/// Says what the spread is, below a table.
const SPREAD: &str = "Medians; spread: the interquartile range over the median.";

/// A share in percent.
fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::super::exit::exit_code;
    use super::judge;

    #[test]
    fn a_wrong_row_fails_the_bench_even_if_it_was_stopped() {
        assert!(judge(&[], false).is_ok());
        let wrong = judge(&["red at 4096".into()], true).unwrap_err();
        assert_eq!(exit_code(&wrong), 1);
        assert!(wrong.to_string().contains("red at 4096"));
        assert_eq!(exit_code(&judge(&[], true).unwrap_err()), 130);
    }
}
