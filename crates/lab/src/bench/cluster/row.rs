//! A row of the table: some ranks with some work.

use quadrille::testing::Comparison;

use crate::Summary;
use crate::report::Cell;
use crate::report::names::named_enum;
use crate::report::table::{Column, checked, column, timed_and_compared, timing};

named_enum! {
    /// The computation that is measured.
    pub enum Work: "work" {
        /// Steps of Jacobi's iteration.
        Jacobi => "jacobi",
        /// Solutions of poisson5 by conjugate gradients with multigrid, once it is set up.
        Solve => "solve",
        /// A product by SUMMA, from the operands in the hosts' memory to C on the devices.
        Product => "product",
        /// The product by one device that has the operands.
        OnDevice => "on-device",
    }
}

named_enum! {
    /// The growth of the work with the number of ranks.
    pub enum Scaling: "scaling" {
        /// Each rank has as much as one alone.
        Weak => "weak",
        /// All ranks together have as much as one alone.
        Strong => "strong",
    }
}

/// A step in other ways than the usual one, in which messages go while devices compute.
#[derive(Clone, Copy, Debug)]
pub struct Ways {
    /// No halo is exchanged.
    pub alone: Summary,
    /// Devices wait for messages.
    pub exposed: Summary,
    /// The times without messages: devices gather what a message would carry, and spread what came
    /// earlier.
    pub unsent: Summary,
    /// The exposed times without messages.
    pub exposed_unsent: Summary,
}

#[derive(Clone, Debug)]
pub struct Row {
    pub work: Work,
    pub scaling: Scaling,
    pub ranks: usize,
    /// Columns and rows of ranks.
    pub across: [usize; 2],
    /// Columns and rows of the grid, or of C.
    pub size: [usize; 2],
    /// The steps that a halo is deep.
    pub halo: Option<usize>,
    /// A step, or a product.
    pub summary: Summary,
    /// A step in other ways, where ranks exchange halos.
    pub ways: Option<Ways>,
    /// The iterations of a solution.
    pub iterations: Option<u64>,
    /// The most bytes that a rank sends at an exchange, or for a product; `None` for a solution,
    /// whose levels send differently.
    pub sent_bytes: Option<usize>,
    /// Points updated, unknowns solved for, or multiply-adds twice, in a second, in 10^9.
    pub rate: f64,
    /// The rate, divided by the ranks and by the rate of one.
    pub efficiency: Option<f64>,
    pub comparison: Comparison,
}

timed_and_compared!(Row);

impl Row {
    /// The share of an exchange that is hidden behind what devices compute meanwhile; `None` where
    /// an exchange takes no measurable time.
    pub fn hidden(&self) -> Option<f64> {
        let Ways { alone, exposed, .. } = self.ways?;
        hidden([exposed, alone], [self.summary, alone])
    }

    /// The share that is hidden of messages: of what an exchange takes beside the work of devices
    /// that gather and spread.
    pub fn messages_hidden(&self) -> Option<f64> {
        let Ways { exposed, unsent, exposed_unsent, .. } = self.ways?;
        hidden([exposed, exposed_unsent], [self.summary, unsent])
    }

    pub fn columns() -> Vec<Column<Row>> {
        let mut columns = vec![
            column("work", "work", "", |row: &Row| row.work.name().into()),
            column("scaling", "scaling", "", |row| row.scaling.name().into()),
            column("ranks", "ranks", "", |row| row.ranks.into()),
            column("across", "across", "", |row| text(row.across)),
            column("size", "size", "", |row| text(row.size)),
            column("halo", "halo", "steps", |row| row.halo.into()),
        ];
        columns.extend(timing());
        columns.extend([
            column("alone_ms", "no exchange", "ms", |row: &Row| way(row, |ways| ways.alone)),
            column("exposed_ms", "not hidden", "ms", |row| way(row, |ways| ways.exposed)),
            column("hidden_percent", "hidden", "%", |row| percent(row.hidden())),
            column("messages_hidden_percent", "of messages", "%", |row| {
                percent(row.messages_hidden())
            }),
            column("iterations", "iterations", "", |row| row.iterations.into()),
            column("sent_bytes", "sent", "bytes", |row| row.sent_bytes.into()),
            column("rate", "rate", "10^9/s", |row| row.rate.into()),
            column("efficiency", "efficiency", "", |row| row.efficiency.into()),
        ]);
        columns.extend(checked());
        columns
    }
}

/// The hidden share of the time by which the first of two exceeds the second, from the part of it
/// that is seen; `None` where that is not measurable.
fn hidden([with, without]: [Summary; 2], [seen, unseen]: [Summary; 2]) -> Option<f64> {
    let (whole, seen_ms) = (with.median_ms - without.median_ms, seen.median_ms - unseen.median_ms);
    let spreads = [with, without, seen, unseen].map(|summary| summary.spread_ms);
    let scatter = spreads.into_iter().fold(0.02 * without.median_ms, f64::max);
    (whole > scatter).then(|| (1.0 - seen_ms / whole).clamp(0.0, 1.0))
}

fn way(row: &Row, of: fn(Ways) -> Summary) -> Cell {
    row.ways.map(|ways| of(ways).median_ms).into()
}

fn percent(share: Option<f64>) -> Cell {
    share.map(|share| 100.0 * share).into()
}

fn text([columns, rows]: [usize; 2]) -> Cell {
    format!("{columns}x{rows}").into()
}

/// Fills in efficiencies: of each work and scaling by its one rank, with the same depth of halos,
/// or any where one rank has none.
pub(super) fn compare(rows: &mut [Row]) {
    let alone: Vec<(Work, Option<usize>, f64)> = rows
        .iter()
        .filter(|row| row.ranks == 1)
        .map(|row| (row.work, row.halo, row.rate))
        .collect();
    for row in rows.iter_mut().filter(|row| row.work != Work::OnDevice) {
        let same =
            |(work, halo, _): &&(Work, Option<usize>, f64)| *work == row.work && *halo == row.halo;
        let one = alone.iter().find(same).or_else(|| alone.iter().find(|one| one.0 == row.work));
        row.efficiency = one.map(|(_, _, rate)| row.rate / (row.ranks as f64 * rate));
    }
}

/// Work of this many units in each of `parts`, in 10^9 a second.
pub(super) fn rate(summary: &Summary, units: f64) -> f64 {
    summary.rate(units) / 1e9
}
