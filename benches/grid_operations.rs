//! Times of what an iteration of preconditioned conjugate gradients consists of, on grids: each
//! operation in milliseconds, in GB/s of the numbers that it must read and write, and in products
//! with the matrix.
//!
//! `cargo bench -p quadrille-benches --bench grid_operations [-- WIDTH ...]`, by default a grid
//! 4096 wide.
#![allow(clippy::expect_used)] // A bench without a context has nothing to say.
#![allow(clippy::print_stdout)] // Its result.

use std::time::Instant;

use quadrille::Context;
use quadrille::data::{Band, NineBanded, Stencil};
use quadrille::grid::{DeviceGrid, Scalar};
use quadrille::linalg::blas1::Blas1;
use quadrille::linalg::krylov::{Cg, DeviceSpace, Jacobi, Method, Space};
use quadrille::linalg::nine_banded::{Error, Operator};
use quadrille::linalg::solve::{Options, ResidualOn, Solver};
use quadrille::stream::Clock;

const RUNS: usize = 9;

fn main() {
    let context = Context::headless().expect("a context");
    println!("{}", context.abilities().renderer);
    let widths: Vec<usize> = std::env::args().filter_map(|text| text.parse().ok()).collect();
    for width in if widths.is_empty() { vec![4096] } else { widths } {
        measure(&context, width).expect("an iteration");
    }
}

/// The operands of the operations.
struct Operands {
    blas: Blas1,
    operator: Operator,
    reciprocals: DeviceGrid,
    /// x, r, p and q.
    vectors: [DeviceGrid; 4],
    dot: Scalar,
}

impl Operands {
    fn new(context: &Context, matrix: &NineBanded) -> Result<Operands, Box<dyn std::error::Error>> {
        let operator = Operator::new(context, matrix)?;
        let vector = |number: f32| {
            let numbers: Vec<f32> =
                (0..matrix.n()).map(|i| number * ((i % 1000) as f32 - 500.0)).collect();
            DeviceGrid::from_host(context, operator.plan(), &numbers)
        };
        Ok(Operands {
            vectors: [vector(0.0)?, vector(1.0)?, vector(0.0)?, vector(0.0)?],
            blas: Blas1::new(context),
            reciprocals: operator.reciprocal_diagonal()?,
            operator,
            dot: Scalar::new(context, 1.0)?,
        })
    }
}

/// Solves to 1e-8 with each place for the residual in double precision.
fn solve(context: &Context, matrix: &NineBanded) -> Result<(), Box<dyn std::error::Error>> {
    let b = matrix.multiply_f64(&(0..matrix.n()).map(|i| (i as f64).sin()).collect::<Vec<_>>());
    for place in ResidualOn::ALL {
        let begin = Instant::now();
        let mut solver = Solver::new(context, matrix, Options::new().residual_on(place))?;
        solver.warm_up()?;
        let setup = begin.elapsed();
        for _ in 0..3 {
            let begin = Instant::now();
            let solution = solver.solve(&b)?;
            println!(
                "{} wide, residual on the {place}: {} steps and {} corrections in {:.1} ms, set up in {:.1} ms",
                matrix.m(),
                solution.iterations,
                solution.corrections,
                1e3 * begin.elapsed().as_secs_f64(),
                1e3 * setup.as_secs_f64()
            );
        }
    }
    Ok(())
}

/// A step of conjugate gradients, preconditioned by the diagonal, on the device and as long as the
/// host takes to issue it.
fn step(context: &Context, matrix: &NineBanded) -> Result<[f64; 2], Box<dyn std::error::Error>> {
    let steps = if context.abilities().software { 2 } else { 200 };
    let space = DeviceSpace::new(context, matrix)?;
    let diagonal: Vec<f64> = matrix.band(Band::DD).iter().map(|d| (*d).into()).collect();
    let (mut cg, mut jacobi) = (Cg::new(&space)?, Jacobi::new(&space, &diagonal)?);
    let (mut device, mut host) = (Vec::new(), Vec::new());
    for _ in 0..=RUNS {
        space.write(&vec![1.0; matrix.n()], 1.0, cg.residual_mut())?;
        cg.restart(&space)?;
        cg.step(&space, &mut jacobi)?;
        let issue = || {
            let start = Instant::now();
            (0..steps).try_for_each(|_| cg.step(&space, &mut jacobi)).map(|()| start.elapsed())
        };
        let (issued, spent) = Clock::of(context).time::<_, Error>(context, issue)?;
        device.push(spent.as_secs_f64() / f64::from(steps));
        host.push(issued.as_secs_f64() / f64::from(steps));
    }
    Ok([device, host].map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[RUNS / 2]
    }))
}

fn measure(context: &Context, width: usize) -> Result<(), Box<dyn std::error::Error>> {
    let matrix = format!("fe9:{width}").parse::<Stencil>()?.matrix()?;
    let [whole, issued] = step(context, &matrix)?;
    let unknowns = (width * width) as f64;
    let repeats = if context.abilities().software { 2 } else { 50 };
    let time = |work: &mut dyn FnMut() -> Result<(), Error>| -> Result<f64, Error> {
        // The first operations after an allocation, or after work of the host, are slower.
        (0..4 * repeats).try_for_each(|_| work())?;
        let mut times = Vec::new();
        for _ in 0..RUNS {
            let repeated = || (0..repeats).try_for_each(|_| work());
            let spent = Clock::of(context).time::<_, Error>(context, repeated)?.1;
            times.push(spent.as_secs_f64() / f64::from(repeats));
        }
        times.sort_by(f64::total_cmp);
        Ok(times[RUNS / 2])
    };
    let Operands { blas, operator, reciprocals, vectors, dot } =
        &mut Operands::new(context, &matrix)?;
    let (grids, [x, r, p, q]) = (blas.grids(), vectors);
    let apply = time(&mut || operator.apply(p, q))?;
    let rows = [
        ("A p", 11, apply),
        ("b - A x", 12, time(&mut || operator.residual(r, p, q))?),
        ("A p, p . A p", 11, time(&mut || operator.apply_and_dot(grids, p, q, dot))?),
        ("p . q", 2, time(&mut || Ok(grids.dot_into(p, q, dot)?))?),
        ("z = d r", 3, time(&mut || Ok(grids.multiply(reciprocals, r, q)?))?),
        ("z = d r, r . z", 3, time(&mut || Ok(grids.multiply_and_dot(reciprocals, r, q, dot)?))?),
        ("p = z + b p", 3, time(&mut || Ok(grids.axpby(1.0, q, 0.5, p)?))?),
        (
            "x + a p, r - a q",
            6,
            time(&mut || Ok(grids.advance(1e-9, (&*p, &mut *x), (&*q, &mut *r))?))?,
        ),
        ("a step", 21, whole),
        ("a step, issued", 21, issued),
    ];
    for (name, numbers, time) in rows {
        let rate = 4.0 * unknowns * f64::from(numbers) / time / 1e9;
        let (milliseconds, products) = (1e3 * time, time / apply);
        println!(
            "{width} wide  {name:18} {milliseconds:9.4} ms {rate:8.0} GB/s {products:6.2} products"
        );
    }
    solve(context, &matrix)
}
