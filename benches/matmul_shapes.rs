//! GFLOP/s of `compute-blocked` as it plans by itself, by its tiles and parts along k, and of
//! batches. Some rows of every product, and some products of a batch, are compared with double
//! precision.
//!
//! `cargo bench -p quadrille-benches --bench matmul_shapes [-- SIZE ...]`, by default 256 on
//! software and twelve sizes from 256 to 4097 elsewhere.
#![allow(clippy::expect_used)] // A bench without a context has nothing to say.
#![allow(clippy::print_stdout)] // Its result.

use std::time::{Duration, Instant};

use quadrille::data::Matrix;
use quadrille::linalg::matmul::{BatchMultiplier, Error, Method, Multiplier, Options, Tile};
use quadrille::stream::Clock;
use quadrille::testing::Comparison;
use quadrille::{Context, Shape};

/// Runs after those that warm up, of which the best counts.
const RUNS: usize = 7;
/// The time that a GPU works before it is timed, after the host prepared operands: its clocks fell
/// meanwhile.
const WARM_UP: Duration = Duration::from_millis(600);
/// Columns and rows of the tiles of C.
const TILES: [[u32; 2]; 5] = [[128, 256], [128, 128], [64, 128], [64, 64], [32, 32]];
const PARTS: [u32; 10] = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32];
const SIZES: [usize; 12] = [1024, 2048, 4096, 4000, 256, 512, 1000, 1025, 1536, 3000, 4097, 128];
/// Products and sides of batches.
const BATCHES: [(usize, usize); 5] = [(1024, 32), (512, 64), (256, 100), (128, 128), (32, 256)];

fn main() {
    let context = Context::headless().expect("a context");
    let software = context.abilities().software;
    println!("{}", context.abilities().renderer);
    let sizes: Vec<usize> = std::env::args().filter_map(|text| text.parse().ok()).collect();
    let sizes = match (sizes.is_empty(), software) {
        (false, _) => sizes,
        (_, true) => vec![256],
        _ => SIZES.to_vec(),
    };
    for n in &sizes {
        product(&context, *n, Method::ComputeBlocked.into());
    }
    for (count, n) in BATCHES {
        batched(&context, if software { count / 16 } else { count }, n);
    }
    for n in sizes {
        // A tile that is named must fit.
        let fits = |tile: &[u32; 2]| tile.iter().all(|side| n % *side as usize == 0);
        for [width, height] in TILES.into_iter().filter(fits) {
            let tiles = n.div_ceil(width as usize) * n.div_ceil(height as usize);
            let few = |parts: &u32| {
                let parts = *parts as usize;
                parts == 1 || tiles * parts <= 1200 && n / parts >= 32
            };
            for parts in PARTS.into_iter().filter(few) {
                let options = Options::from(Method::ComputeBlocked);
                product(&context, n, options.tile(Tile { width, height }).split(parts));
            }
        }
    }
}

/// Measures one product: the plan for the size, or one that is named.
fn product(context: &Context, n: usize, options: Options) {
    let shape = Shape::new(n, n);
    let [a, b] = [1, 2].map(|seed| Matrix::random(shape, seed).expect("memory"));
    let plan = if options.tile.is_none() { "plan: " } else { "" };
    let mut product = Multiplier::<f32>::new(context, shape, shape, options).expect("a plan");
    product.load(&a, &b).expect("operands");
    let seconds = best(context, || product.run());
    let c = product.read().expect("the result");
    let rows = Rows::of(&a, &b);
    let got: Vec<f32> = rows.numbers.iter().flat_map(|row| c.row(*row).to_vec()).collect();
    row([1, n], &format!("{plan}{}", product.options()), seconds, is_product(&rows.expected, &got));
}

/// A batch, and the same products by one multiplier after the other.
fn batched(context: &Context, count: usize, n: usize) {
    let shape = Shape::new(n, n);
    let all = |first: u64| -> Vec<Matrix<f32>> {
        (0..count as u64).map(|i| Matrix::random(shape, first + i).expect("memory")).collect()
    };
    let (a, b) = (all(1), all(100_000));
    let method = Options::new();
    let mut batch = BatchMultiplier::new(context, count, shape, shape, method).expect("a plan");
    batch.load(&a, &b).expect("operands");
    let seconds = best(context, || batch.run());
    let c = batch.read().expect("the results");
    let is_right = |i: usize| is_product(&expected(&a[i], &b[i]), c[i].elements());
    let right = [0, 1, count / 3, count - 1].into_iter().all(is_right);
    let text = format!("batch of {count}: {} {}", batch.method(), batch.options());
    row([count, n], &text, seconds, right);
    let mut one = Multiplier::new(context, shape, shape, batch.method()).expect("a plan");
    one.load(&a[0], &b[0]).expect("operands");
    let seconds = best(context, || (0..count).try_for_each(|_| one.run()));
    row([count, n], &format!("one by one: {}", one.options()), seconds, true);
}

/// The rows of a product that are compared, and what they should be.
struct Rows {
    numbers: [usize; 4],
    expected: Vec<(f64, f64)>,
}

impl Rows {
    fn of(a: &Matrix<f32>, b: &Matrix<f32>) -> Rows {
        let n = a.shape().rows;
        let numbers = [0, n / 7, n / 3, n - 1];
        let few = numbers.iter().flat_map(|row| a.row(*row).to_vec()).collect();
        let few = Matrix::new(Shape::new(numbers.len(), n), few).expect("rows");
        Rows { numbers, expected: expected(&few, b) }
    }
}

fn is_product(expected: &[(f64, f64)], got: &[f32]) -> bool {
    Comparison::of(got.iter().copied(), expected.iter().copied()).is_right()
}

/// The elements of A B in f64, row by row, each with the most that roundings in single precision
/// may do to it.
fn expected(a: &Matrix<f32>, b: &Matrix<f32>) -> Vec<(f64, f64)> {
    let unit = (a.shape().cols + 2) as f64 * f64::from(f32::EPSILON) / 2.0;
    let mut all = Vec::new();
    for row in 0..a.shape().rows {
        let mut sums = vec![(0.0, 0.0); b.shape().cols];
        for (k, x) in a.row(row).iter().enumerate() {
            for ((sum, size), y) in sums.iter_mut().zip(b.row(k)) {
                let product = f64::from(*x) * f64::from(*y);
                *sum += product;
                *size += product.abs();
            }
        }
        all.extend(sums.into_iter().map(|(sum, size)| (sum, unit * size)));
    }
    all
}

/// The least seconds of some runs, after some that warm up.
fn best(context: &Context, mut run: impl FnMut() -> Result<(), Error>) -> f64 {
    let clock = Clock::of(context);
    let mut time = || clock.time(context, &mut run).expect("a product").1.as_secs_f64();
    let begun = Instant::now();
    time();
    while !context.abilities().software && begun.elapsed() < WARM_UP {
        time();
    }
    (0..RUNS).map(|_| time()).fold(f64::INFINITY, f64::min)
}

/// A line for this number of products of square matrices.
fn row([count, n]: [usize; 2], name: &str, seconds: f64, is_right: bool) {
    let gflops = 2.0 * count as f64 * (n as f64).powi(3) / seconds / 1e9;
    let wrong = if is_right { "" } else { "  WRONG" };
    println!("{n:>6}  {name:<72} {:>9.4} ms {gflops:>9.1} GFLOP/s{wrong}", seconds * 1e3);
}
