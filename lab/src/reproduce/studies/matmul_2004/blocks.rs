//! Blocks in registers: what time = arithmetic + fetches predicts, and what they take.

use super::super::prelude::*;
use super::super::sweep::command;
use super::facts::Facts;
use crate::bench::matmul::{Contender, Efficiency, Fit, Row};
use quadrille::linalg::matmul::Method;
use quadrille::stream::Engine;

struct Block<'a> {
    row: &'a Row,
    efficiency: Efficiency,
    sides: (usize, usize),
    mads: f64,
    fetches: f64,
    fitted_ms: Option<f64>,
}

/// The table of blocks, and rates by dimension as predicted and as measured.
pub(super) fn add(
    facts: &Facts<'_>,
    runs: usize,
    tables: &mut Vec<Table>,
    figures: &mut Vec<Figure>,
) {
    let rows = facts.rows.iter();
    let mut blocks: Vec<Block<'_>> = rows.filter_map(|row| block(facts, row)).collect();
    if blocks.is_empty() {
        return;
    }
    let products =
        blocks.iter().map(|block| (block.mads, block.fetches, block.row.summary.median_ms));
    let fit = Fit::through(&products.collect::<Vec<_>>());
    for block in &mut blocks {
        block.fitted_ms = fit.map(|fit| fit.ms(block.mads, block.fetches));
    }
    tables.push(table(facts, runs, &blocks, fit));
    figures.extend(figure(&blocks));
}

/// The block of one way to fetch: four numbers at a time.
fn block<'a>(facts: &Facts<'_>, row: &'a Row) -> Option<Block<'a>> {
    let Contender::Method(method, wish) = row.contender else { return None };
    if row.n != facts.n || method.engine() != Some(Engine::Fragment) || wish != method.into() {
        return None;
    }
    let mads = (row.n as f64).powi(3) / 4.0;
    let fetches = row.fetched_bytes? as f64 / 16.0;
    let efficiency = Efficiency::of(row, facts.limits);
    Some(Block { row, efficiency, sides: method.block()?, mads, fetches, fitted_ms: None })
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

fn table(facts: &Facts<'_>, runs: usize, blocks: &[Block<'_>], fit: Option<Fit>) -> Table {
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
        only_text("fitted", "ms", |block| block.fitted_ms.into()),
        only_text("fitted over measured", "", |block| block.over_measured(block.fitted_ms).into()),
    ];
    let notes = [
        "Predicted: arithmetic at the measured peak, then fetches at the measured peak. Below 1: slower \
         than the peaks allow; above 1: arithmetic hides behind fetches.",
        "The slides: performance linear in the dimension, storage quadratic; 8 x 8, 16 times the space \
         of SP, for peak.",
    ];
    let notes = notes.map(String::from).into_iter().chain(fit.map(|fit| fitted(fit, facts)));
    let title = format!("Slides 22 to 24. Blocks in registers, n = {}", facts.n);
    let command = command(facts.n, runs, blocks.iter().map(|block| block.row));
    Rows { columns, rows: blocks }.table("matmul-2004-blocks", title, notes, command)
}

/// The fit in words, beside the peaks, and what it says of a wider path.
fn fitted(fit: Fit, facts: &Facts<'_>) -> String {
    let gflops = |ms: f64| 8.0 / ms.max(1e-15) / 1e6;
    let gb_s = |ms: f64| 16.0 / ms.max(1e-15) / 1e6;
    let mut text = format!(
        "Least squares of time = multiply-adds + fetches: as if at {:.3} GFLOPS and {:.3} GB/s",
        gflops(fit.mad_ms),
        gb_s(fit.fetch_ms)
    );
    if let Some(limits) = facts.limits {
        let (peak, fetch) = (limits.fragment_mad_gflops, limits.fetch_gb_s);
        text += &format!(", where the probes reach {peak:.3} and {fetch:.3}");
    }
    let (now, wide) = (fit.ms(1.0, 1.0), Fit { fetch_ms: fit.fetch_ms / 4.0, ..fit }.ms(1.0, 1.0));
    text + &format!(
        ". By it a path 4 times as wide would make SP {:.2} times as fast.",
        now / wide.max(1e-15)
    )
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
        line("fitted", |block| block.fitted_ms),
    ];
    let title = "Slides 22 to 24. Rate by the dimension of blocks";
    let axes = ["dimension of the block (root of its elements)", "GFLOPS"];
    let figure = Figure::lines("matmul-2004-blocks-by-dimension", title, axes, lines)?;
    Some(figure.note("The slides expect a straight line through the origin, and have no numbers."))
}
