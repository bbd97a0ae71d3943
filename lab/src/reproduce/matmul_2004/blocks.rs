//! Blocks in registers: what time = arithmetic + fetches predicts, and what they take.

use super::super::super::matmul::{Contender, Efficiency, Fit, Row};
use super::super::super::report::{Cell, Figure, Line, Plot, Table};
use super::super::sweep::command;
use super::facts::Facts;
use quadrille::linalg::matmul::{Engine, Method};

/// A drawn method of one block size.
struct Block<'a> {
    row: &'a Row,
    efficiency: Efficiency,
    sides: (usize, usize),
    mads: f64,
    fetches: f64,
}

/// The table of blocks, and rates by dimension as predicted and as measured.
pub(super) fn add(
    facts: &Facts<'_>,
    runs: usize,
    tables: &mut Vec<Table>,
    figures: &mut Vec<Figure>,
) {
    let blocks: Vec<Block<'_>> = facts.rows.iter().filter_map(|row| block(facts, row)).collect();
    if blocks.is_empty() {
        return;
    }
    let products =
        blocks.iter().map(|block| (block.mads, block.fetches, block.row.summary.median_ms));
    let fit = Fit::through(&products.collect::<Vec<_>>());
    tables.push(table(facts, runs, &blocks, fit));
    figures.push(figure(&blocks, fit));
}

/// Of one way to fetch: four numbers at a time.
fn block<'a>(facts: &Facts<'_>, row: &'a Row) -> Option<Block<'a>> {
    let Contender::Method(method, wish) = row.contender else { return None };
    if row.n != facts.n || method.engine() != Engine::Fragment || wish != method.into() {
        return None;
    }
    let mads = (row.n as f64).powi(3) / 4.0;
    let fetches = row.fetched_bytes? as f64 / 16.0;
    let efficiency = Efficiency::of(row, facts.limits);
    Some(Block { row, efficiency, sides: method.block()?, mads, fetches })
}

impl Block<'_> {
    fn dimension(&self) -> f64 {
        ((self.sides.0 * self.sides.1) as f64).sqrt()
    }

    /// GFLOPS of so many milliseconds.
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

const COLUMNS: [&str; 12] = [
    "method",
    "block [rows x columns]",
    "result",
    "intensity [MAD/fetch]",
    "registers of sums, in those of SP",
    "live registers",
    "GFLOPS",
    "time [ms]",
    "predicted by the peaks [ms]",
    "predicted over measured",
    "fitted [ms]",
    "fitted over measured",
];

fn table(facts: &Facts<'_>, runs: usize, blocks: &[Block<'_>], fit: Option<Fit>) -> Table {
    let mut notes = vec![
        "Predicted: arithmetic at the measured peak, then fetches at the measured peak. Below 1: slower \
         than the peaks allow; above 1: arithmetic hides behind fetches."
            .to_owned(),
        "The slides: performance linear in the dimension, storage quadratic; 8 x 8, 16 times the space \
         of SP, for peak."
            .to_owned(),
    ];
    notes.extend(fit.map(|fit| fitted(fit, facts)));
    Table {
        id: "matmul-2004-blocks".into(),
        title: format!("Slides 22 to 24. Blocks in registers, n = {}", facts.n),
        columns: COLUMNS.map(String::from).into(),
        rows: blocks.iter().map(|block| line(block, fit)).collect(),
        notes,
        command: command(facts.n, runs, blocks.iter().map(|block| block.row)),
    }
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

fn line(block: &Block<'_>, fit: Option<Fit>) -> Vec<Cell> {
    let measured = block.row.summary.median_ms.max(1e-12);
    let predicted = block.efficiency.predicted_ms;
    let fitted = fit.map(|fit| fit.ms(block.mads, block.fetches));
    let (rows, cols) = block.sides;
    vec![
        block.row.contender.to_string().into(),
        format!("{rows} x {cols}").into(),
        block.result().into(),
        block.efficiency.mads_per_fetch.into(),
        ((rows * cols) as f64 / 4.0).into(),
        block.efficiency.registers.into(),
        block.efficiency.gflops.into(),
        measured.into(),
        predicted.into(),
        predicted.map(|ms| ms / measured).into(),
        fitted.into(),
        fitted.map(|ms| ms / measured).into(),
    ]
}

fn figure(blocks: &[Block<'_>], fit: Option<Fit>) -> Figure {
    let line = |name: &str, ms: &dyn Fn(&Block<'_>) -> Option<f64>| {
        let mut points: Vec<[f64; 2]> = blocks
            .iter()
            .filter_map(|block| Some([block.dimension(), block.gflops(ms(block)?)]))
            .collect();
        points.sort_by(|one, other| one[0].total_cmp(&other[0]));
        // Column packed and square blocks of one size: the better one.
        points.dedup_by(|next, kept| {
            let same = next[0] == kept[0];
            if same {
                kept[1] = kept[1].max(next[1]);
            }
            same
        });
        Line { name: name.into(), points, quoted: false }
    };
    let mut lines = vec![
        line("measured", &|block| Some(block.row.summary.median_ms)),
        line("predicted by the peaks", &|block| block.efficiency.predicted_ms),
        line("fitted", &|block| Some(fit?.ms(block.mads, block.fetches))),
    ];
    lines.retain(|line| !line.points.is_empty());
    let axes = ["dimension of the block (root of its elements)".into(), "GFLOPS".into()];
    Figure {
        id: "matmul-2004-blocks-by-dimension".into(),
        title: "Slides 22 to 24. Rate by the dimension of blocks".into(),
        plot: Plot::Lines { axes, logarithmic: true, lines },
        notes: vec![
            "The slides expect a straight line through the origin, and have no numbers.".into(),
        ],
    }
}
