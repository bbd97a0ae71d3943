//! Implicit heat steps: a torch moves over a copper plate with a ring of glass in it, whose edges
//! are kept cold. Each step of Euler's backward method is a system with the same matrix and another
//! right-hand side, so that the levels of multigrid are computed once and serve all steps. The last
//! temperatures are compared with those of a direct solver in double precision.
//!
//! `cargo run --release --example implicit_heat [PICTURE.png] [STEPS]`

use std::time::{Duration, Instant};

use anyhow::Context as _;
use quadrille::data::{Band, NineBanded, diffusion};
use quadrille::linalg::multigrid;
use quadrille::linalg::solve::{self, Options, Preconditioner, Solver};
use quadrille::testing::Comparison;
use quadrille::{Context, Shape};
use quadrille_run::io::picture::{HeatMap, check_name};

/// Points of the plate, a millimetre apart; the cold edges are beyond them.
const PLATE: Shape = Shape { rows: 119, cols: 159 };
const SPACING: f64 = 1e-3;
/// The time step in seconds, and how many of them the torch takes to go around.
const STEP: f64 = 0.1;
const AROUND: u32 = 80;
/// What the torch gives to a metre of thickness, in watts, and the radius of its flame in metres.
const POWER: f64 = 4e5;
const FLAME: f64 = 4e-3;
/// Conductivities in W/(m K) and capacities in J/(m³ K) of copper and of glass.
const COPPER: (f64, f64) = (400.0, 3.45e6);
const GLASS: (f64, f64) = (1.0, 2.1e6);

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let picture = arguments.next().unwrap_or_else(|| "implicit_heat.png".into());
    check_name(&picture)?;
    let steps = arguments.next().map_or(Ok(AROUND), |steps| steps.parse());
    let steps = steps.context("the second argument is a number of steps")?;
    anyhow::ensure!(steps > 0, "the number of steps is 1 or more; got 0");
    let capacities: Vec<f64> =
        points().map(|at| material(at).1 * SPACING * SPACING / STEP).collect();
    let matrix = step_matrix(&capacities)?;

    let context = Context::headless()?;
    let (mut solver, setup) = set_up(&context, &matrix)?;
    let run = run(&mut solver, &matrix, &capacities, steps)?;
    println!("{} unknowns, {} levels", matrix.n(), solver.choice().levels);
    tell_times(&run, setup, set_up(&context, &matrix)?.1);

    let hottest = run.exact.iter().copied().fold(0.0, f64::max);
    // The direct solver rounds too, by far less.
    let bound = run.bound + 1e-10 * hottest;
    let comparison =
        Comparison::of(run.ours.iter().copied(), run.exact.iter().map(|t| (*t, bound)));
    let error = comparison.max_error;
    println!("hottest {hottest:.3} K above the edges, error {error:.1e} K, bound {bound:.1e} K");
    draw(&picture, &run.ours, steps)?;
    anyhow::ensure!(comparison.is_right(), "the error exceeds its bound");
    Ok(())
}

/// A solver that is ready for right-hand sides, and the time that this took.
fn set_up(
    context: &Context,
    matrix: &NineBanded<f64>,
) -> Result<(Solver<f64>, Duration), solve::Error> {
    let begun = Instant::now();
    let options = Options::new()
        .preconditioner(Preconditioner::Multigrid(multigrid::Options::new()))
        .tolerance(1e-10);
    let mut solver = Solver::new(context, matrix, options)?;
    solver.warm_up()?;
    Ok((solver, begun.elapsed()))
}

/// All steps.
struct Run {
    ours: Vec<f64>,
    exact: Vec<f64>,
    times: Vec<Duration>,
    iterations: u64,
    /// Of the error.
    bound: f64,
}

/// Each side goes on from its own temperatures.
fn run(
    solver: &mut Solver<f64>,
    matrix: &NineBanded<f64>,
    capacities: &[f64],
    steps: u32,
) -> Result<Run, solve::Error> {
    let twin = Cholesky::new(matrix);
    let cold = vec![0.0; matrix.n()];
    let mut run =
        Run { ours: cold.clone(), exact: cold, times: Vec::new(), iterations: 0, bound: 0.0 };
    // A step multiplies errors by at most 1 in the norm of the capacities C, since A is C and a
    // positive definite matrix. So the 2-norms of all residuals, over the least capacity, bound the
    // error.
    let least = capacities.iter().copied().fold(f64::INFINITY, f64::min);
    for step in 1..=steps {
        let b = right_hand_side(capacities, &run.ours, step);
        let begun = Instant::now();
        let solution = solver.solve(&b)?;
        run.times.push(begun.elapsed());
        run.iterations += solution.iterations;
        run.bound += solution.residual * norm(&b) / least;
        run.ours = solution.x;
        run.exact = twin.solve(right_hand_side(capacities, &run.exact, step));
    }
    Ok(run)
}

/// `again` is the time of a second setup, for which the driver has compiled all before.
fn tell_times(run: &Run, setup: Duration, again: Duration) {
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    let (count, total) = (run.times.len() as f64, ms(run.times.iter().sum()));
    let iterations = run.iterations as f64 / count;
    println!("setup {:9.1} ms the first time, {:.1} ms the second", ms(setup), ms(again));
    println!("step  {:9.1} ms, {iterations:.1} iterations", total / count);
    println!(
        "{count} steps {:.1} s with one setup, {:.1} s if each had its own",
        (total + ms(setup)) / 1e3,
        (total + ms(setup) + ms(again) * (count - 1.0)) / 1e3
    );
}

/// The matrix C / dt - div(k grad), times the area of a cell: that of every step.
fn step_matrix(capacities: &[f64]) -> Result<NineBanded<f64>, quadrille::data::Error> {
    let conductivities: Vec<f64> = points().map(|at| material(at).0).collect();
    let diffusion = diffusion(PLATE, &conductivities)?;
    let mut bands = Band::ALL.map(|band| diffusion.band(band).to_vec());
    for (entry, capacity) in bands[Band::DD.index()].iter_mut().zip(capacities) {
        *entry += capacity;
    }
    NineBanded::new(PLATE.cols, bands)
}

/// The heat that is there, and what the torch adds in this step.
fn right_hand_side(capacities: &[f64], temperatures: &[f64], step: u32) -> Vec<f64> {
    let angle = std::f64::consts::TAU * f64::from(step) / f64::from(AROUND);
    let (across, down) = (PLATE.cols as f64 * SPACING, PLATE.rows as f64 * SPACING);
    let torch = (across * (0.5 + 0.33 * angle.cos()), down * (0.5 + 0.33 * angle.sin()));
    let peak = POWER * SPACING * SPACING / (std::f64::consts::PI * FLAME * FLAME);
    let heat = |(x, y): (f64, f64)| {
        let square = (x - torch.0).powi(2) + (y - torch.1).powi(2);
        peak * (-square / (FLAME * FLAME)).exp()
    };
    let there = capacities.iter().zip(temperatures).map(|(c, t)| c * t);
    there.zip(points()).map(|(there, at)| there + heat(at)).collect()
}

/// The points of the plate in metres, row by row.
fn points() -> impl Iterator<Item = (f64, f64)> {
    let at = |i: usize| (i as f64 + 0.5) * SPACING;
    (0..PLATE.rows).flat_map(move |y| (0..PLATE.cols).map(move |x| (at(x), at(y))))
}

/// The conductivity and the capacity at a point: glass in a ring that is open on one side.
fn material((x, y): (f64, f64)) -> (f64, f64) {
    let (x, y) = (x - 0.5 * PLATE.cols as f64 * SPACING, y - 0.5 * PLATE.rows as f64 * SPACING);
    let is_ring = (0.020..0.025).contains(&x.hypot(y));
    let is_gap = x > 0.0 && y.abs() < 0.008;
    if is_ring && !is_gap { GLASS } else { COPPER }
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn draw(path: &str, temperatures: &[f64], steps: u32) -> anyhow::Result<()> {
    let values: Vec<f32> = temperatures.iter().map(|t| *t as f32).collect();
    let title = format!("K above the edges after {:.0} s", STEP * f64::from(steps));
    let map = HeatMap::new(PLATE.cols, PLATE.rows, &values).title(&title);
    Ok(map.write(path)?)
}

/// The factor L of A = L Lᵀ, within the band: Golub and Van Loan, *Matrix Computations*, 4th
/// edition, section 4.3.5.
struct Cholesky {
    band: usize,
    /// Of each row the entries from `band` before the diagonal up to it.
    rows: Vec<Vec<f64>>,
}

impl Cholesky {
    fn new(matrix: &NineBanded<f64>) -> Cholesky {
        let band = matrix.m() + 1;
        let mut rows: Vec<Vec<f64>> = Vec::new();
        for i in 0..matrix.n() {
            let first = i.saturating_sub(band);
            let mut row = vec![0.0; band + 1];
            for (j, other) in rows.iter().enumerate().skip(first) {
                // The columns before j that both rows have.
                let (ours, theirs) = (first + band - i, first + band - j);
                let products = row[ours..ours + j - first].iter().zip(&other[theirs..band]);
                let sum: f64 = products.map(|(a, b)| a * b).sum();
                row[j + band - i] = (matrix.entry(i, j) - sum) / other[band];
            }
            let squares: f64 = row[..band].iter().map(|l| l * l).sum();
            row[band] = (matrix.entry(i, i) - squares).sqrt();
            rows.push(row);
        }
        Cholesky { band, rows }
    }

    fn solve(&self, mut x: Vec<f64>) -> Vec<f64> {
        for (i, row) in self.rows.iter().enumerate() {
            let first = i.saturating_sub(self.band);
            let entries = &row[first + self.band - i..self.band];
            let sum: f64 = entries.iter().zip(&x[first..i]).map(|(l, x)| l * x).sum();
            x[i] = (x[i] - sum) / row[self.band];
        }
        for (i, row) in self.rows.iter().enumerate().rev() {
            x[i] /= row[self.band];
            let (first, xi) = (i.saturating_sub(self.band), x[i]);
            let entries = &row[first + self.band - i..self.band];
            x[first..i].iter_mut().zip(entries).for_each(|(x, l)| *x -= l * xi);
        }
        x
    }
}
