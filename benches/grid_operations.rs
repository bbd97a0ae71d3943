//! Times of what an iteration of preconditioned conjugate gradients consists of, on grids: each operation in milliseconds, in GB/s of
//! the numbers that it must read and write, and in products with the matrix.
//!
//! `cargo bench -p quadrille-benches --bench grid_operations [-- WIDTH ...]`, by default a grid 4096 wide.
#![allow(clippy::expect_used)] // A bench without a context has nothing to say.
#![allow(clippy::print_stdout)] // Its result.

use quadrille::Context;
use quadrille::data::Stencil;
use quadrille::grid::{DeviceGrid, Scalar};
use quadrille::linalg::blas1::{Blas1, Map};
use quadrille::linalg::nine_banded::{Error, Operator};
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

struct Iteration {
    blas: Blas1,
    operator: Operator,
    quotient: Map,
    reciprocals: DeviceGrid,
    /// x, r, p and q, which holds z in the first half.
    vectors: [DeviceGrid; 4],
    /// r . z, the one before it, p . A p, and the factors.
    scalars: [Scalar; 5],
}

impl Iteration {
    fn new(context: &Context, width: usize) -> Result<Iteration, Box<dyn std::error::Error>> {
        let matrix = format!("fe9:{width}").parse::<Stencil>()?.matrix()?;
        let operator = Operator::new(context, &matrix)?;
        let vector = |number: f32| {
            let numbers: Vec<f32> =
                (0..matrix.n()).map(|i| number * ((i % 1000) as f32 - 500.0)).collect();
            DeviceGrid::from_host(context, operator.plan(), &numbers)
        };
        let vectors = [vector(0.0)?, vector(1.0)?, vector(0.0)?, vector(0.0)?];
        let one = || Scalar::new(context, 1.0);
        let blas = Blas1::new(context);
        Ok(Iteration {
            quotient: blas.map("b != 0.0 ? a / b : 0.0", &[], &["a", "b"])?,
            blas,
            reciprocals: operator.reciprocal_diagonal()?,
            operator,
            vectors,
            scalars: [one()?, one()?, one()?, one()?, one()?],
        })
    }

    fn step(&mut self) -> Result<(), Error> {
        let grids = self.blas.grids();
        let [x, r, p, q] = &mut self.vectors;
        let [rz, last, pq, alpha, beta] = &mut self.scalars;
        std::mem::swap(rz, last);
        grids.multiply_and_dot(&self.reciprocals, r, q, rz)?;
        self.quotient.apply().scalar("a", &*rz).scalar("b", &*last).run_scalar(beta)?;
        grids.axpby(1.0, q, &*beta, p)?;
        self.operator.apply_and_dot(grids, p, q, pq)?;
        self.quotient.apply().scalar("a", &*rz).scalar("b", &*pq).run_scalar(alpha)?;
        Ok(grids.advance(&*alpha, (&*p, x), (&*q, r))?)
    }
}

fn measure(context: &Context, width: usize) -> Result<(), Box<dyn std::error::Error>> {
    let mut iteration = Iteration::new(context, width)?;
    let unknowns = (width * width) as f64;
    let repeats = if context.abilities().software { 2 } else { 50 };
    let time = |work: &mut dyn FnMut() -> Result<(), Error>| -> Result<f64, Error> {
        work()?;
        let mut times = Vec::new();
        for _ in 0..RUNS {
            let repeated = || (0..repeats).try_for_each(|_| work());
            let spent = Clock::of(context).time::<_, Error>(context, repeated)?.1;
            times.push(spent.as_secs_f64() / f64::from(repeats));
        }
        times.sort_by(f64::total_cmp);
        Ok(times[RUNS / 2])
    };
    let whole = time(&mut || iteration.step())?;
    let Iteration { blas, operator, reciprocals, vectors, scalars, .. } = &mut iteration;
    let (grids, [x, r, p, q], [dot, ..]) = (blas.grids(), vectors, scalars);
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
        ("an iteration", 23, whole),
    ];
    for (name, numbers, time) in rows {
        let rate = 4.0 * unknowns * f64::from(numbers) / time / 1e9;
        let (milliseconds, products) = (1e3 * time, time / apply);
        println!(
            "{width} wide  {name:18} {milliseconds:9.4} ms {rate:8.0} GB/s {products:6.2} products"
        );
    }
    Ok(())
}
