//! Blocks in registers: what time = arithmetic + fetches predicts, and what they take.

use super::super::prelude::*;
use super::super::sweep::command;
use super::facts::Facts;
use quadrille::linalg::matmul::Method;
use quadrille::stream::Engine;
use quadrille_lab::bench::matmul::{Contender, Efficiency, Row};

struct Block<'a> {
    row: &'a Row,
    efficiency: Efficiency,
    sides: (usize, usize),
    mads: f64,
}

/// The table of blocks, and rates by dimension as predicted and as measured.
pub(super) fn add(
    facts: &Facts<'_>,
    runs: usize,
    tables: &mut Vec<Table>,
    figures: &mut Vec<Figure>,
) {
    let rows = facts.rows.iter();
    let blocks: Vec<Block<'_>> = rows.filter_map(|row| block(facts, row)).collect();
    if blocks.is_empty() {
        return;
    }
    tables.push(table(facts, runs, &blocks));
    figures.extend(figure(&blocks));
}

/// The block of one way to fetch: four numbers at a time.
fn block<'a>(facts: &Facts<'_>, row: &'a Row) -> Option<Block<'a>> {
    let Contender::Method(method, wish) = row.contender else { return None };
    if row.n != facts.n || method.engine() != Some(Engine::Fragment) || wish != method.into() {
        return None;
    }
    let mads = (row.n as f64).powi(3) / 4.0;
    row.fetched_bytes?;
    let efficiency = Efficiency::of(row, facts.limits);
    Some(Block { row, efficiency, sides: method.block()?, mads })
}

impl Block<'_> {
    fn dimension(&self) -> f64 {
        ((self.sides.0 * self.sides.1) as f64).sqrt()
    }

    fn over_measured(&self, ms: Option<f64>) -> Option<f64> {
        ms.map(|ms| ms / self.row.summary.median_ms.max(1e-12))
    }

    fn gflops(&self, ms: f64) -> f64 {
        8.0 * self.mads / (ms / 1e3).max(1e-12) / 1e9
    }

    fn result(&self) -> &'static str {
        match self.row.contender {
            Contender::Method(Method::Block8x8 | Method::Block16x8, _) => "stored in a buffer",
            Contender::Method(Method::Block8x4, _) => "8 targets",
            Contender::Method(Method::Block4x4, _) => "4 targets",
            _ => "1 target",
        }
    }
}

fn table(facts: &Facts<'_>, runs: usize, blocks: &[Block<'_>]) -> Table {
    let columns = vec![
        only_text("method", "", |block: &Block<'_>| block.row.contender.to_string().into()),
        only_text("block", "rows x columns", |block| {
            format!("{} x {}", block.sides.0, block.sides.1).into()
        }),
        only_text("result", "", |block| block.result().into()),
        only_text("intensity", "MAD/fetch", |block| block.efficiency.mads_per_fetch.into()),
        only_text("registers of sums, in those of SP", "", |block| {
            ((block.sides.0 * block.sides.1) as f64 / 4.0).into()
        }),
        only_text("live registers", "", |block| block.efficiency.registers.into()),
        only_text("GFLOPS", "", |block| block.efficiency.gflops.into()),
        only_text("time", "ms", |block| block.row.summary.median_ms.into()),
        only_text("predicted by the peaks", "ms", |block| block.efficiency.predicted_ms.into()),
        only_text("predicted over measured", "", |block| {
            block.over_measured(block.efficiency.predicted_ms).into()
        }),
    ];
    let notes = [
        "Predicted: arithmetic at the measured peak, then fetches at the measured peak. Below 1: slower \
         than the peaks allow; above 1: arithmetic hides behind fetches.",
        "The slides: performance linear in the dimension, storage quadratic; 8 x 8, 16 times the space \
         of SP, for peak.",
    ];
    let title = format!("Slides 22 to 24. Blocks in registers, n = {}", facts.n);
    let command = command(facts.n, runs, blocks.iter().map(|block| block.row));
    Rows { columns, rows: blocks }.table("matmul-2004-blocks", title, notes, command)
}

fn figure(blocks: &[Block<'_>]) -> Option<Figure> {
    let line = |name: &str, ms: fn(&Block<'_>) -> Option<f64>| {
        let point = |block: &Block<'_>| Some([block.dimension(), block.gflops(ms(block)?)]);
        let mut points: Vec<[f64; 2]> = blocks.iter().filter_map(point).collect();
        points.sort_by(|one, other| one[0].total_cmp(&other[0]));
        // Column packed and square blocks of one size: the better one.
        points.dedup_by(|next, kept| {
            let same = next[0] == kept[0];
            if same {
                kept[1] = kept[1].max(next[1]);
            }
            same
        });
        Line::measured(name, points)
    };
    let lines = [
        line("measured", |block| Some(block.row.summary.median_ms)),
        line("predicted by the peaks", |block| block.efficiency.predicted_ms),
    ];
    let title = "Slides 22 to 24. Rate by the dimension of blocks";
    let axes = ["dimension of the block (root of its elements)", "GFLOPS"];
    let figure = Figure::lines("matmul-2004-blocks-by-dimension", title, axes, lines)?;
    Some(figure.note("The slides expect a straight line through the origin, and have no numbers."))
}
