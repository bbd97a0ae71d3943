//! Products by SUMMA on several ranks, and by one device that has the operands.

use std::time::Instant;

use quadrille::cluster::matmul::{Layout, Options, Part, Rank, RankGrid, multiply};
use quadrille::cluster::{Team, collective};
use quadrille::data::{Block, Matrix};
use quadrille::linalg::matmul::{self, Accumulator, Multiplier};
use quadrille::testing::Comparison;
use quadrille::{Context, Shape};

use super::jacobi::agreed;
use super::messages::longest;
use super::row::{Row, Scaling, Work, rate};
use crate::{Result, Summary};

/// An element of A or of B, the same wherever it is: a multiple of 2^-8 from -1 to 1.
fn element(row: usize, column: usize, salt: u64) -> f32 {
    let at = (row as u64) << 32 ^ column as u64 ^ salt << 60;
    let mixed = at.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 55;
    mixed as f32 / 256.0 - 1.0
}

fn part(whole: Shape, block: Block, salt: u64) -> Result<Part<f32>> {
    let shape = Shape::new(block.rows.len(), block.columns.len());
    let (row, column) = (block.rows.start, block.columns.start);
    let elements = Matrix::from_fn(shape, |i, j| element(row + i, column + j, salt))?;
    Ok(Part::new(whole, block, elements)?)
}

/// A product of square matrices on all ranks of a team.
pub(super) fn row(team: &Team, scaling: Scaling, n: usize, runs: usize) -> Result<Row> {
    let ranks = team.communicator();
    let whole = Shape::new(n, n);
    let grid = RankGrid::of(ranks.size(), whole);
    let options = Options::default().grid(grid);
    let layout = Layout::new(whole, whole, grid, None)?;
    let mut parts = Vec::new();
    for rank in ranks.local() {
        let (a, b) = (part(whole, layout.of_a(rank), 1)?, part(whole, layout.of_b(rank), 2)?);
        parts.push((a, b, Part::zeros(whole, layout.of_c(rank))?));
    }
    let mut times = Vec::new();
    let mut sent = 0;
    // The first compiles.
    for run in 0..=runs {
        let local = parts.iter_mut().zip(team.contexts());
        let mut local: Vec<_> =
            local.map(|((a, b, c), context)| Rank { context, a, b, c }).collect();
        collective::any(ranks, false)?;
        let took = multiply(ranks, &mut local, &options, &mut ())?;
        let time = longest(ranks, took.total.saturating_sub(took.setup + took.finishing))?;
        sent = took.sent_bytes;
        if run > 0 {
            times.push(time);
        }
    }
    let count = ranks.local().len();
    let sent = collective::largest(ranks, &vec![sent as f64 / count.max(1) as f64; count])?;
    let mut worst = Comparison::RIGHT;
    for (rank, (_, _, c)) in ranks.local().zip(parts) {
        worst = worst.worse(checked(&layout.of_c(rank), &c.into_matrix(), n, layout.panels()));
    }
    let summary = Summary::of(&times, 1);
    Ok(Row {
        work: Work::Product,
        scaling,
        ranks: ranks.size(),
        across: [grid.columns, grid.rows],
        size: [n, n],
        halo: None,
        rate: rate(&summary, operations(n)),
        summary,
        ways: None,
        iterations: None,
        sent_bytes: Some(sent as usize),
        efficiency: None,
        comparison: agreed(ranks, worst)?,
    })
}

fn operations(n: usize) -> f64 {
    2.0 * (n as f64).powi(3)
}

/// Measures the same product on one device that has the operands, if it can hold them.
pub(super) fn on_device(context: &Context, n: usize, runs: usize) -> Result<Row> {
    let whole = Shape::new(n, n);
    let all = Block { columns: 0..n, rows: 0..n };
    let (a, b) =
        (part(whole, all.clone(), 1)?.into_matrix(), part(whole, all.clone(), 2)?.into_matrix());
    let options = Accumulator::<f32>::options(context, whole, whole, matmul::Options::new());
    let mut product = Multiplier::<f32>::new(context, whole, whole, options)?;
    product.load(&a, &b)?;
    let mut times = Vec::new();
    for run in 0..=runs {
        context.finish()?;
        let begun = Instant::now();
        product.run()?;
        context.finish()?;
        if run > 0 {
            times.push(begun.elapsed());
        }
    }
    let summary = Summary::of(&times, 1);
    Ok(Row {
        work: Work::OnDevice,
        scaling: Scaling::Strong,
        ranks: 1,
        across: [1, 1],
        size: [n, n],
        halo: None,
        rate: rate(&summary, operations(n)),
        summary,
        ways: None,
        iterations: None,
        sent_bytes: None,
        efficiency: None,
        comparison: checked(&all, &product.read()?, n, product.partial_products()),
    })
}

/// The elements of a block that are compared with double precision, along each side: corners, and
/// others between.
const SAMPLES: usize = 9;

fn checked(block: &Block, c: &Matrix<f32>, inner: usize, panels: usize) -> Comparison {
    let Shape { rows, cols } = c.shape();
    let mut worst = Comparison::RIGHT;
    let places = |side: usize| (0..SAMPLES).map(move |at| at * (side - 1) / (SAMPLES - 1));
    for (row, col) in places(rows).flat_map(|row| places(cols).map(move |col| (row, col))) {
        let (mut sum, mut size) = (0.0, 0.0);
        for k in 0..inner {
            let a = f64::from(element(block.rows.start + row, k, 1));
            let product = a * f64::from(element(k, block.columns.start + col, 2));
            sum += product;
            size += product.abs();
        }
        let roundings = (inner + panels) as f64 / 16_777_216.0;
        let bound = roundings / (1.0 - roundings) * size;
        let got = c.at(row, col).unwrap_or(f32::NAN);
        worst = worst.worse(Comparison::of_number(got.into(), sum, bound));
    }
    worst
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_wrong_element_of_those_that_are_compared_is_noticed() {
        let (n, block) = (20, Block { columns: 3..17, rows: 5..20 });
        let c = |row: usize, col: usize| {
            let terms = (0..n).map(|k| element(5 + row, k, 1) * element(k, 3 + col, 2));
            terms.sum::<f32>()
        };
        let mut c = Matrix::from_fn(Shape::new(15, 14), c).unwrap();
        assert!(checked(&block, &c, n, 1).is_right());
        let right = c.elements()[14 * 14 + 13];
        for wrong in [right + 0.01, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX] {
            c.elements_mut()[14 * 14 + 13] = wrong;
            assert!(!checked(&block, &c, n, 1).is_right(), "{wrong}");
        }
    }

    #[test]
    fn elements_are_spread_over_their_range() {
        let all: Vec<f32> = (0..4096).map(|at| element(at / 64, at % 64, 1)).collect();
        assert!(all.iter().all(|x| (-1.0..1.0).contains(x)));
        let mean = all.iter().sum::<f32>() / 4096.0;
        assert!(mean.abs() < 0.05, "{mean}");
    }
}
