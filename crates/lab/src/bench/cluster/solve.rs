//! Solutions of poisson5 by conjugate gradients with multigrid on several ranks.

use std::time::{Duration, Instant};

use quadrille::cluster::solve::{Solver, partition};
use quadrille::cluster::{Communicator, Partition, Team, collective};
use quadrille::data::{Block, Stencil};
use quadrille::linalg::multigrid;
use quadrille::linalg::solve::{Error, Method, Options, Preconditioner, SystemSolver as _};
use quadrille::testing::Comparison;

use super::jacobi::{agreed, number};
use super::messages::longest;
use super::row::{Row, Scaling, Work, rate};
use crate::{Result, Summary};

const TOLERANCE: f64 = 1e-8;

pub(super) fn row(
    team: &Team,
    scaling: Scaling,
    across: [usize; 2],
    size: [usize; 2],
    runs: usize,
) -> Result<Row> {
    let ranks = team.communicator();
    let [width, height] = size;
    let options = Options::new().tolerance(TOLERANCE);
    let options = options
        .method(Method::Cg)
        .preconditioner(Preconditioner::Multigrid(multigrid::Options::new()));
    let parts = partition((width * height, width), across, false, options)?;
    let stencil = format!("poisson5:{width}x{height}").parse::<Stencil>()?;
    let matrices = ranks.local().map(|rank| stencil.block(&parts.stored(rank)));
    let matrices = matrices.collect::<Result<Vec<_>, _>>()?;
    let b = ranks.local().map(|rank| right_hand_side(&stencil, &parts, rank));
    let b = b.collect::<Result<Vec<_>>>()?;
    let joined = b.concat();
    let mut solver = Solver::new(team, &parts, &matrices, options)?;
    solver.warm_up()?;
    let (mut times, mut iterations, mut worst) = (Vec::new(), 0, Comparison::RIGHT);
    // The first run warms up.
    for run in 0..=runs {
        collective::any(ranks, false)?;
        let begun = Instant::now();
        let solution = solver.solve(&joined, &mut ()).or_else(Error::into_nearest)?;
        let time: Duration = longest(ranks, begun.elapsed())?;
        if run > 0 {
            times.push(time);
            iterations = solution.iterations;
        }
        worst = worst.worse(compared(ranks, &parts, &solution.x, &b, solution.residual)?);
    }
    let summary = Summary::of(&times, 1);
    Ok(Row {
        work: Work::Solve,
        scaling,
        ranks: ranks.size(),
        across,
        size,
        halo: None,
        rate: rate(&summary, (width * height) as f64),
        summary,
        ways: None,
        iterations: Some(iterations),
        sent_bytes: None,
        efficiency: None,
        comparison: agreed(ranks, worst)?,
    })
}

/// The answer, a number of each row.
fn answer(row: usize) -> f64 {
    number(row, 3).into()
}

/// A times the answer, where a rank stores it: by the matrix of one point more on each side.
fn right_hand_side(stencil: &Stencil, parts: &Partition, rank: usize) -> Result<Vec<f64>> {
    let (width, height) = stencil.grid();
    let Block { columns, rows } = parts.stored(rank);
    let grown = Block {
        columns: columns.start.saturating_sub(1)..width.min(columns.end + 1),
        rows: rows.start.saturating_sub(1)..height.min(rows.end + 1),
    };
    let x = grown
        .rows
        .clone()
        .flat_map(|row| grown.columns.clone().map(move |column| row * width + column));
    let product = stencil.block(&grown)?.multiply_f64(&x.map(answer).collect::<Vec<_>>());
    let at = |row: usize, column: usize| {
        (row - grown.rows.start) * grown.width() + column - grown.columns.start
    };
    Ok(rows
        .flat_map(|row| columns.clone().map(move |column| at(row, column)))
        .map(|at| product[at])
        .collect())
}

/// The 2-norm of the error is at most that of the residual over the least eigenvalue of A, all over
/// all ranks.
fn compared(
    ranks: &dyn Communicator,
    parts: &Partition,
    mut x: &[f64],
    b: &[Vec<f64>],
    residual: f64,
) -> Result<Comparison> {
    let (mut errors, mut norms) = (Vec::new(), Vec::new());
    for (rank, b) in ranks.local().zip(b) {
        let (count, _) = parts.stored_size(rank);
        let rows: Vec<usize> = (0..count).map(|row| parts.whole_row(rank, row)).collect();
        let rows = parts.owned_of(rank, &rows);
        let (own, others) = x.split_at(rows.len());
        x = others;
        let right = rows.into_iter().map(answer);
        errors.push(own.iter().zip(right).map(|(x, right)| (x - right).powi(2)).sum());
        norms.push(parts.owned_of(rank, b).iter().map(|b| b * b).sum());
    }
    let (error, norm) =
        (collective::sum(ranks, &errors)?.sqrt(), collective::sum(ranks, &norms)?.sqrt());
    let (n, m) = parts.size();
    let least = |points: usize| {
        let half = std::f64::consts::FRAC_PI_2 / (points as f64 + 1.0);
        4.0 * half.sin().powi(2)
    };
    // What the last residual rounds beside what it says.
    let bound = residual.max(TOLERANCE) * norm / (least(m) + least(n / m));
    Ok(match residual <= TOLERANCE {
        true => Comparison::of_number(error, 0.0, bound),
        false => Comparison::WRONG,
    })
}
