//! Sweeps one option of a few methods over all its values: a table, and the best and worst.

use super::prelude::*;

use super::race::Raced;
use quadrille_lab::bench::matmul::{Row, findings};

pub(crate) fn table(id: &str, title: &str, raced: &Raced, runs: usize) -> Table {
    let name = |row: &Row| row.contender.name();
    let rows = raced.rows.iter().map(|row| {
        let same = raced.rows.iter().filter(|other| name(other) == name(row));
        (row, fastest(same).map(|fastest| over(row, fastest)))
    });
    let columns = vec![
        only_text("method", "", |(row, _): &(&Row, Option<f64>)| row.contender.name().into()),
        only_text("options", "", |(row, _)| options(row).into()),
        only_text("GFLOPS", "", |(row, _)| row.gflops().into()),
        only_text("time", "ms", |(row, _)| row.summary.median_ms.into()),
        only_text("over the fastest of the method", "", |(_, over)| (*over).into()),
        only_text("spread", "%", |(row, _)| row.summary.spread_percent().into()),
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
    let title = format!("{title}, n = {}", raced.n);
    let command = command(raced.n, runs, raced.rows.iter());
    Rows { columns, rows: &rows.collect::<Vec<_>>() }.table(id, title, notes, command)
}

/// The options requested besides the method.
pub(super) fn options(row: &Row) -> String {
    let text = row.contender.to_string();
    text.split_once(' ').map_or("as usual".into(), |(_, options)| options.to_owned())
}

pub(super) fn fastest<'a>(rows: impl Iterator<Item = &'a Row>) -> Option<&'a Row> {
    rows.min_by(|one, other| one.summary.median_ms.total_cmp(&other.summary.median_ms))
}

/// The time of one row over that of another: 1 where they are the same.
pub(super) fn over(row: &Row, other: &Row) -> f64 {
    row.summary.over(&other.summary)
}

/// The least size that claims about products are judged at; below it a pass costs as much as its
/// arithmetic.
const LEAST_SIZE: usize = 256;

/// Refuses to judge at a size that is too small, with the reason.
pub(super) fn must_be_large(n: usize) -> Result<(), String> {
    match n >= LEAST_SIZE {
        true => Ok(()),
        false => Err(format!(
            "there was no time for more than n = {n}, where a pass costs as much as its arithmetic"
        )),
    }
}

/// Returns the ratio of the times of two rows, with the words about it.
pub(super) fn compared(words: String, row: &Row, other: &Row) -> AnswerOrReason {
    must_be_large(row.n)?;
    Ok(Answer::of(words, timed(row.timing(), other.timing())))
}

/// The command that repeats rows of one size alone.
pub(crate) fn command<'a>(n: usize, runs: usize, rows: impl Iterator<Item = &'a Row>) -> String {
    let names: Vec<String> = rows.map(|row| row.contender.to_string()).collect();
    format!("quadrille bench matmul --size {n} --runs {runs} --methods \"{}\"", names.join(","))
}

/// A row of this many milliseconds at 1024, to judge claims by.
#[cfg(test)]
pub(super) fn planted(contender: &str, ms: f64) -> Row {
    Row {
        n: 1024,
        contender: contender.parse().unwrap(),
        options: String::new(),
        summary: quadrille_lab::Summary { runs: 3, ..quadrille_lab::Summary::still(ms) },
        setup: std::time::Duration::ZERO,
        fetched_bytes: None,
        comparison: quadrille::testing::Comparison::RIGHT,
    }
}
