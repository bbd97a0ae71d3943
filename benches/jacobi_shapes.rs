//! GFLOP/s of the compute stage of Jacobi's iteration, packed layout, in every shape that its
//! shader has: 20 operations for an unknown and step. Results are compared bit for bit with the
//! first shape's.
//!
//! `cargo bench -p quadrille-benches --bench jacobi_shapes [-- WIDTH ...]`, by default grids 1024
//! and 4096 wide.
#![allow(clippy::expect_used)] // A bench without a context has nothing to say.
#![allow(clippy::print_stdout)] // Its result.

use quadrille::Context;
use quadrille::data::{NineBanded, Stencil};
use quadrille::linalg::jacobi::{ComputeShape, Error, Jacobi, Layout, Optimization, Variant};
use quadrille::stream::Clock;

const RUNS: usize = 9;

fn shapes() -> impl Iterator<Item = ComputeShape> {
    let groups = [[32, 4], [16, 16], [8, 8], [32, 8], [16, 8], [64, 4]];
    groups.into_iter().flat_map(|group| {
        [(false, false), (false, true), (true, false), (true, true)]
            .map(|(tile, panels)| ComputeShape { group, tile, panels })
    })
}

fn main() {
    let context = Context::headless().expect("a context");
    println!("{}", context.abilities().renderer);
    let widths: Vec<usize> = std::env::args().filter_map(|text| text.parse().ok()).collect();
    let widths = if widths.is_empty() { vec![1024, 4096] } else { widths };
    for width in widths {
        measure(&context, width);
    }
}

fn measure(context: &Context, width: usize) {
    let stencil: Stencil = format!("heat9:{width}").parse().expect("a stencil");
    let matrix = stencil.matrix().expect("memory");
    let start: Vec<f32> = (0..matrix.n()).map(|i| (i % 1000) as f32 - 500.0).collect();
    let mut first: Option<Vec<f32>> = None;
    for shape in shapes() {
        let mut jacobi = solver(context, &matrix, &start, shape).expect("a solver");
        jacobi.iterate(4).expect("steps");
        let x = jacobi.read().expect("the result").swap_remove(0);
        let same = *first.get_or_insert_with(|| x.clone()) == x;
        let steps = if context.abilities().software { 4 } else { 200 };
        let mut times: Vec<f64> = (0..RUNS)
            .map(|_| {
                let work = || jacobi.iterate(steps);
                let clock = Clock::of(context);
                clock.time::<_, Error>(context, work).expect("steps").1.as_secs_f64()
            })
            .collect();
        times.sort_by(f64::total_cmp);
        let rate = |time: f64| 20.0 * (matrix.n() as u64 * steps) as f64 / time / 1e9;
        let [x, y] = shape.group;
        println!(
            "{width} wide  {x:3} x {y:2}  {:8}  {:11}  median {:8.1}  best {:8.1} GFLOP/s{}",
            if shape.tile { "tile" } else { "-" },
            if shape.panels { "panels" } else { "interleaved" },
            rate(times[RUNS / 2]),
            rate(times[0]),
            if same { "" } else { "  NOT THE SAME" }
        );
    }
}

fn solver(
    context: &Context,
    matrix: &NineBanded,
    start: &[f32],
    shape: ComputeShape,
) -> Result<Jacobi, Error> {
    let variant = Variant::default().layout(Layout::Packed).optimization(Optimization::Compute);
    let mut jacobi = Jacobi::with_shape(context, &[matrix], variant, shape)?;
    jacobi.set_systems(&[start], &[start])?;
    Ok(jacobi)
}
