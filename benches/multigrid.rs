//! Measures the parts of a solution by multigrid: milliseconds of the operator, the hierarchy (the
//! first of a context, which compiles its kernels, and later ones), a cycle, a sweep of Jacobi's
//! beside it, and whole solutions.
//!
//! `cargo bench -p quadrille-benches --bench multigrid [-- STENCIL ...]`, by default poisson5:1023.
#![allow(clippy::expect_used)] // A bench without a context has nothing to say.
#![allow(clippy::print_stdout)] // Its result.

use std::rc::Rc;
use std::time::Instant;

use quadrille::Context;
use quadrille::data::{NineBanded, Stencil};
use quadrille::grid::DeviceGrid;
use quadrille::linalg::blas1::{Blas1, Coefficient};
use quadrille::linalg::krylov::{Cg, DeviceSpace, Method as _, Space};
use quadrille::linalg::multigrid::{self, Hierarchy};
use quadrille::linalg::nine_banded::{self, Operator};
use quadrille::linalg::solve::{Method, Options, Preconditioner, Solver};
use quadrille::stream::Clock;

const RUNS: usize = 7;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

fn main() {
    let context = Context::headless().expect("a context");
    println!("{}", context.abilities().renderer);
    let named: Vec<String> = std::env::args().skip(1).filter(|text| text.contains(':')).collect();
    for name in if named.is_empty() { vec!["poisson5:1023".into()] } else { named } {
        println!("{name}");
        let matrix = name.parse::<Stencil>().expect("a stencil").matrix().expect("a matrix");
        phases(&context, &matrix).expect("the phases");
        solutions(&context, &matrix).expect("a solution");
    }
}

/// The host's time until the device is done, in milliseconds.
fn timed<T>(context: &Context, work: impl FnOnce() -> Outcome<T>) -> Outcome<(T, f64)> {
    context.finish()?;
    let begin = Instant::now();
    let result = work()?;
    context.finish()?;
    Ok((result, 1e3 * begin.elapsed().as_secs_f64()))
}

fn told(what: &str, mut times: Vec<f64>) {
    times.sort_by(f64::total_cmp);
    let [least, median, most] = [0, times.len() / 2, times.len() - 1].map(|at| times[at]);
    println!("  {what:40} {median:10.3} ms ({least:.3} to {most:.3})");
}

fn phases(context: &Context, matrix: &NineBanded) -> Outcome<()> {
    let (operator, spent) = timed(context, || Ok(Operator::new(context, matrix)?))?;
    told("the operator", vec![spent]);
    let operator = Rc::new(operator);
    let options = multigrid::Options::new().symmetric(true);
    let mut later = Vec::new();
    for run in 0..=RUNS {
        let (hierarchy, spent) = timed(context, || Ok(Hierarchy::new(&operator, options)?))?;
        drop(hierarchy);
        match run {
            0 => told("the first hierarchy", vec![spent]),
            _ => later.push(spent),
        }
    }
    told("a later hierarchy", later);
    let own = context.objects()?.bytes;
    let mut hierarchy = Hierarchy::new(&operator, options)?;
    let ratio = context.objects()?.bytes as f64 / own as f64;
    println!("  memory, with the vectors of all levels, {ratio:.2} times the operator's");
    println!("  levels {:?}", hierarchy.levels().collect::<Vec<_>>());
    steps(context, matrix, options)?;
    let ones = vec![1.0; matrix.n()];
    let [r, mut z] =
        [&ones, &ones].map(|numbers| DeviceGrid::from_host(context, operator.plan(), numbers));
    let (r, z) = (r?, z.as_mut().expect("a grid"));
    let repeats = if context.abilities().software { 1 } else { 50 };
    told("a cycle", repeated(context, repeats, || hierarchy.apply(&r, z))?);
    told("a product with the matrix", repeated(context, repeats, || operator.apply(&r, z))?);
    let blas = Blas1::new(context);
    let copy = || Ok(blas.grids().axpby(1.0, &r, Coefficient::Host(0.0), z)?);
    told("a copy of as many numbers", repeated(context, repeats, copy)?);
    Ok(())
}

/// Steps of conjugate gradients with a cycle each, in a row.
fn steps(context: &Context, matrix: &NineBanded, options: multigrid::Options) -> Outcome<()> {
    let space = DeviceSpace::new(context, matrix)?;
    let mut hierarchy = Hierarchy::new(space.operator(), options)?;
    let mut cg = Cg::new(&space)?;
    let b: Vec<f64> = (0..matrix.n()).map(|i| (i as f64).sin()).collect();
    space.write(&b, 1.0, cg.residual_mut())?;
    cg.restart(&space)?;
    let repeats = if context.abilities().software { 1 } else { 4 };
    let step = || cg.step(&space, &mut hierarchy);
    told("a step of conjugate gradients with it", repeated(context, repeats, step)?);
    Ok(())
}

fn repeated(
    context: &Context,
    repeats: u32,
    mut work: impl FnMut() -> Result<(), nine_banded::Error>,
) -> Outcome<Vec<f64>> {
    (0..4 * repeats).try_for_each(|_| work())?;
    let mut times = Vec::new();
    for _ in 0..RUNS {
        let all = || (0..repeats).try_for_each(|_| work());
        let spent = Clock::of(context).time::<_, nine_banded::Error>(context, all)?.1;
        times.push(1e3 * spent.as_secs_f64() / f64::from(repeats));
    }
    Ok(times)
}

fn solutions(context: &Context, matrix: &NineBanded) -> Outcome<()> {
    let b = matrix.multiply_f64(&(0..matrix.n()).map(|i| (i as f64).sin()).collect::<Vec<_>>());
    let options = Options::new()
        .method(Method::Cg)
        .preconditioner(Preconditioner::Multigrid(multigrid::Options::new()));
    let (mut setups, mut solutions, mut iterations) = (Vec::new(), Vec::new(), 0);
    for run in 0..RUNS {
        let (mut solver, spent) = timed(context, || Ok(Solver::new(context, matrix, options)?))?;
        if run == 0 {
            told("the first solver", vec![spent]);
            solver.warm_up()?;
        } else {
            setups.push(spent);
        }
        for _ in 0..3 {
            let (solution, spent) = timed(context, || Ok(solver.solve(&b)?))?;
            (iterations, _) = (solution.iterations, solutions.push(spent));
        }
    }
    told("a later solver", setups);
    told(&format!("a solution, {iterations} iterations"), solutions);
    Ok(())
}
