//! One option of a few methods in all that it may be: a table, and who is best and worst.

use std::time::Instant;

use super::super::Error;
use super::super::matmul::{Contender, Row, findings};
use super::super::report::{Cell, Table};
use super::Lab;
use super::claim::{Answer, Told, timed};
use super::race::{Race, Raced};

/// Races all of them together, so that their times can be compared.
pub(super) fn race(
    lab: &mut Lab<'_>,
    sizes: &[usize],
    contenders: impl Fn(usize) -> Vec<Contender>,
) -> Result<Raced, Error> {
    let until = Instant::now() + lab.left();
    let race = Race { sizes, runs: runs(lab), until, together: |_| true };
    race.run::<f32>(lab, contenders, None)
}

/// Runs of each.
pub(super) fn runs(lab: &Lab<'_>) -> usize {
    lab.scale.pick(3, 5)
}

/// A row for each, and a note for each method.
pub(super) fn table(id: &str, title: &str, raced: &Raced, runs: usize) -> Table {
    let columns = [
        "method",
        "options",
        "GFLOPS",
        "time [ms]",
        "over the fastest of the method",
        "spread [%]",
    ];
    let found = findings(&raced.rows);
    let notes = found.iter().map(|finding| {
        format!(
            "{}: the fastest ({}) is {:.2} times as fast as the slowest ({}).",
            finding.best.contender.name(),
            options(finding.best),
            finding.ratio,
            options(finding.worst)
        )
    });
    Table {
        id: id.into(),
        title: format!("{title}, n = {}", raced.n),
        columns: columns.map(String::from).into(),
        rows: raced.rows.iter().map(|row| line(row, &raced.rows)).collect(),
        notes: notes.collect(),
        command: command(raced.n, runs, raced.rows.iter()),
    }
}

fn line(row: &Row, rows: &[Row]) -> Vec<Cell> {
    let time = row.summary.median_ms;
    let name = row.contender.name();
    let fastest = fastest(rows.iter().filter(|row| row.contender.name() == name));
    vec![
        name.into(),
        options(row).into(),
        row.gflops().into(),
        time.into(),
        fastest.map(|fastest| time / fastest.summary.median_ms.max(1e-12)).into(),
        (100.0 * row.summary.relative_spread()).into(),
    ]
}

/// The options requested besides the method.
pub(super) fn options(row: &Row) -> String {
    let text = row.contender.to_string();
    text.split_once(' ').map_or("as usual".into(), |(_, options)| options.to_owned())
}

/// The fastest of some rows.
pub(super) fn fastest<'a>(rows: impl Iterator<Item = &'a Row>) -> Option<&'a Row> {
    rows.min_by(|one, other| one.summary.median_ms.total_cmp(&other.summary.median_ms))
}

/// How much slower one row is than another: 1 where they are the same.
pub(super) fn over(row: &Row, other: &Row) -> f64 {
    row.summary.median_ms / other.summary.median_ms.max(1e-12)
}

/// The least size that claims about products are judged at; below it a pass costs as much as its arithmetic.
const LEAST_SIZE: usize = 256;

/// Why nothing is judged at a size, if it is too small.
pub(super) fn must_be_large(n: usize) -> Result<(), String> {
    match n >= LEAST_SIZE {
        true => Ok(()),
        false => Err(format!(
            "there was no time for more than n = {n}, where a pass costs as much as its arithmetic"
        )),
    }
}

/// How many times as long one row takes as another, of which more is said.
pub(super) fn compared(words: String, row: &Row, other: &Row) -> Told {
    must_be_large(row.n)?;
    Ok(Answer::of(words, timed(&row.summary, &other.summary)))
}

/// What repeats rows of one size alone.
pub(super) fn command<'a>(n: usize, runs: usize, rows: impl Iterator<Item = &'a Row>) -> String {
    let names: Vec<String> = rows.map(|row| row.contender.to_string()).collect();
    format!("quadrille bench matmul --size {n} --runs {runs} --methods \"{}\"", names.join(","))
}

/// A row of so many milliseconds at 1024, to judge claims by.
#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
pub(super) fn planted(contender: &str, ms: f64) -> Row {
    Row {
        n: 1024,
        contender: contender.parse().unwrap(),
        options: String::new(),
        summary: super::super::Summary { median_ms: ms, spread_ms: 0.0, runs: 3 },
        setup: std::time::Duration::ZERO,
        fetched_bytes: None,
        comparison: quadrille::internal::reference::Comparison::RIGHT,
    }
}
