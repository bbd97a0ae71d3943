//! GFLOP/s of the shader of `compute-blocked` by its tiles, forms and parts along k, of the plans that are made of them,
//! and of batches. Some rows of every product, and some products of a batch, are compared with double precision.
//!
//! `cargo bench -p quadrille-benches --bench matmul_shapes [-- SIZE ...]`, by default 256 on software and twelve sizes
//! from 256 to 4097 elsewhere.
#![allow(clippy::expect_used)] // A bench without a context has nothing to say.
#![allow(clippy::print_stdout)] // Its result.

use std::time::{Duration, Instant};

use quadrille::data::Matrix;
use quadrille::gl::Buffer;
use quadrille::internal::reference::matmul::{Expected, expected};
use quadrille::linalg::matmul::{BatchMultiplier, Method, Multiplier, Options};
use quadrille::shader::{Source, Stage};
use quadrille::stream::{Clock, ComputeKernel, Error};
use quadrille::{Context, Shape};

/// Runs after those that warm up, of which the best counts.
const RUNS: usize = 7;
/// The time that a GPU works before it is timed, after the host prepared operands: its clocks fell
/// meanwhile.
const WARM_UP: Duration = Duration::from_millis(600);
/// Rows and columns of a tile of C, its steps along k, and rows and columns of a block.
const SHAPES: [[usize; 5]; 8] = [
    [256, 128, 16, 16, 8],
    [128, 128, 8, 16, 8],
    [128, 128, 16, 8, 8],
    [128, 128, 8, 8, 8],
    [256, 128, 8, 16, 8],
    [128, 64, 16, 8, 8],
    [64, 64, 16, 8, 4],
    [32, 32, 16, 4, 4],
];
/// The defines that the shader is compiled with: for software and for hardware.
const FORMS: [&[&str]; 2] = [&[], &["PREFETCH"]];
const PARTS: [usize; 10] = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32];
const SIZES: [usize; 12] = [1024, 2048, 4096, 4000, 256, 512, 1000, 1025, 1536, 3000, 4097, 128];
/// Products and sides of batches.
const BATCHES: [(usize, usize); 5] = [(1024, 32), (512, 64), (256, 100), (128, 128), (32, 256)];
/// The numbers that all tiles divide, down and across; and all steps along k.
const WHOLE: usize = 256;
const WHOLE_STEPS: usize = 16;

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
        planned(&context, *n);
    }
    for (count, n) in BATCHES {
        batched(&context, if software { count / 16 } else { count }, n);
    }
    let kernels = kernels(&context);
    for n in sizes {
        let mut operands = Operands::new(&context, n);
        for (name, shape, kernel) in &kernels {
            let tiles = n.div_ceil(shape[0]) * n.div_ceil(shape[1]);
            let few = |parts: &&usize| **parts == 1 || tiles * **parts <= 1200 && n / **parts >= 32;
            for parts in PARTS.iter().filter(few) {
                operands.measure(&context, name, *shape, kernel, *parts);
            }
        }
    }
}

/// Prints the plan of `compute-blocked` where only the sizes are known.
fn planned(context: &Context, n: usize) {
    let shape = Shape::new(n, n);
    let [a, b] = [1, 2].map(|seed| Matrix::random(shape, seed).expect("memory"));
    let mut product =
        Multiplier::<f32>::new(context, shape, shape, Method::ComputeBlocked).expect("a plan");
    product.load(&a, &b).expect("operands");
    let seconds = best(context, WARM_UP, || product.run());
    let c = product.read().expect("the result");
    let rows = Rows::of(&a, &b);
    let got = rows.numbers.iter().flat_map(|row| c.row(*row).to_vec()).collect();
    row([1, n], &format!("plan: {}", product.options()), seconds, rows.is_right(got));
}

/// A batch, and the same products by one multiplier after the other.
fn batched(context: &Context, count: usize, n: usize) {
    let shape = Shape::new(n, n);
    let all = |first: u64| -> Vec<Matrix<f32>> {
        (0..count as u64).map(|i| Matrix::random(shape, first + i).expect("memory")).collect()
    };
    let (a, b) = (all(1), all(100_000));
    let method = Options::auto();
    let mut batch = BatchMultiplier::new(context, count, shape, shape, method).expect("a plan");
    batch.load(&a, &b).expect("operands");
    let seconds = best(context, WARM_UP, || batch.run());
    let c = batch.read().expect("the results");
    let is_right = |i: usize| expected(&a[i], &b[i]).expect("memory").compare(&c[i]).is_right();
    let right = [0, 1, count / 3, count - 1].into_iter().all(is_right);
    let text = format!("batch of {count}: {} {}", batch.method(), batch.options());
    row([count, n], &text, seconds, right);
    let mut one = Multiplier::new(context, shape, shape, batch.method()).expect("a plan");
    one.load(&a[0], &b[0]).expect("operands");
    let seconds = best(context, WARM_UP, || (0..count).try_for_each(|_| one.run()));
    row([count, n], &format!("one by one: {}", one.options()), seconds, true);
}

type Compiled = (String, [usize; 5], ComputeKernel);

fn kernels(context: &Context) -> Vec<Compiled> {
    let mut kernels = Vec::new();
    for shape in SHAPES {
        for form in FORMS {
            let [rows, cols, inner, block_rows, block_cols] = shape;
            let name = format!(
                "tile={cols}x{rows} inner={inner} block={block_cols}x{block_rows} {}",
                form.join(" ")
            );
            let begun = Instant::now();
            match context.compute_kernel(source(shape, form)) {
                Ok(kernel) => kernels.push((name.clone(), shape, kernel)),
                Err(error) => println!("{name}: {error}"),
            }
            println!("{name}: compiled in {} ms", begun.elapsed().as_millis());
        }
    }
    kernels
}

fn source([rows, cols, inner, block_rows, block_cols]: [usize; 5], form: &[&str]) -> Source {
    let source = Source::library(Stage::Compute, "matmul/blocked.comp").expect("a shader");
    let source = source.define("TILE_ROWS", rows).define("TILE_COLS", cols);
    let source = source.define("TILE_INNER", inner).define("BLOCK_ROWS", block_rows);
    let source = source.define("BLOCK_COLS", block_cols);
    let threads = rows / block_rows * (cols / block_cols);
    let source = source.define("THREADS", threads).define("LANES_X", 8).define("LANES_Y", 4);
    form.iter().fold(source.define("SPLIT", 1), |source, define| source.define(*define, 1))
}

/// The rows of a product that are compared, and what they should be.
struct Rows {
    numbers: [usize; 4],
    expected: Expected,
}

impl Rows {
    fn of(a: &Matrix<f32>, b: &Matrix<f32>) -> Rows {
        let n = a.shape().rows;
        let numbers = [0, n / 7, n / 3, n - 1];
        let few = numbers.iter().flat_map(|row| a.row(*row).to_vec()).collect();
        let few = Matrix::new(Shape::new(numbers.len(), n), few).expect("rows");
        Rows { numbers, expected: expected(&few, b).expect("memory") }
    }

    fn is_right(&self, got: Vec<f32>) -> bool {
        let cols = got.len() / self.numbers.len();
        let got = Matrix::new(Shape::new(self.numbers.len(), cols), got).expect("rows");
        self.expected.compare(&got).is_right()
    }
}

/// Operands of a square product as the shader takes them, and room for its parts and their sum.
struct Operands {
    n: usize,
    side: usize,
    steps: usize,
    rows: Rows,
    warm_up: Duration,
    a: Buffer<f32>,
    b: Buffer<f32>,
    parts: Vec<Buffer<f32>>,
    c: Buffer<f32>,
}

impl Operands {
    fn new(context: &Context, n: usize) -> Operands {
        let [a, b] = [1, 2].map(|seed| Matrix::random(Shape::new(n, n), seed).expect("memory"));
        let (side, steps) = (n.next_multiple_of(WHOLE), n.next_multiple_of(WHOLE_STEPS));
        let (mut by_columns, mut by_rows) = (vec![0.0; side * steps], vec![0.0; side * steps]);
        for k in 0..n {
            by_rows[k * side..][..n].copy_from_slice(b.row(k));
        }
        for i in 0..n {
            for (k, number) in a.row(i).iter().enumerate() {
                by_columns[k * side + i] = *number;
            }
        }
        let rows = Rows::of(&a, &b);
        Operands {
            n,
            side,
            steps,
            rows,
            warm_up: WARM_UP,
            a: context.buffer(&by_columns).expect("a buffer"),
            b: context.buffer(&by_rows).expect("a buffer"),
            parts: Vec::new(),
            c: context.uninit_buffer(side * side).expect("a buffer"),
        }
    }

    fn measure(
        &mut self,
        context: &Context,
        name: &str,
        shape: [usize; 5],
        kernel: &ComputeKernel,
        parts: usize,
    ) {
        let [rows, cols, inner, ..] = shape;
        let (n, side) = (self.n, self.side);
        let span = self.steps.div_ceil(inner).div_ceil(parts) * inner;
        let parts = self.steps.div_ceil(span);
        let groups = [n.div_ceil(cols), n.div_ceil(rows), parts].map(|count| count as u32);
        let size = [side as i32, self.steps as i32, side as i32];
        let sum = (parts > 1).then(|| sum(context, parts));
        if sum.is_some() {
            self.parts = vec![context.uninit_buffer(side * side * parts).expect("a buffer")];
        }
        let warm_up = std::mem::take(&mut self.warm_up);
        let seconds = best(context, warm_up, || -> Result<(), Error> {
            let dispatch = kernel.dispatch().buffer("A", &self.a).buffer("B", &self.b);
            let dispatch = dispatch.uniform("size", size).uniform("span", span as i32);
            let (Some(sum), Some(all)) = (&sum, self.parts.first_mut()) else {
                return dispatch.buffer_mut("C", &mut self.c).run(groups);
            };
            dispatch.buffer_mut("C", &mut *all).run(groups)?;
            let dispatch = sum.dispatch().buffer("Parts", all).buffer_mut("C", &mut self.c);
            let groups = [(side / 32) as u32, (side / 8) as u32, 1];
            dispatch.uniform("width", (side / 4) as i32).run(groups)
        });
        let c = self.c.read().expect("the result");
        let got = self.rows.numbers.iter().flat_map(|row| c[row * side..][..n].to_vec()).collect();
        row([1, n], &format!("{name} split={parts}"), seconds, self.rows.is_right(got));
    }
}

fn sum(context: &Context, parts: usize) -> ComputeKernel {
    let source = Source::library(Stage::Compute, "matmul/sum_parts.comp").expect("a shader");
    context.compute_kernel(source.define("PARTS", parts).define("GROUP", 8)).expect("a kernel")
}

/// The least seconds of some runs, after some that warm up.
fn best<E: From<Error> + std::fmt::Debug>(
    context: &Context,
    warm_up: Duration,
    mut run: impl FnMut() -> Result<(), E>,
) -> f64 {
    let clock = Clock::of(context);
    let mut time = || clock.time(context, &mut run).expect("a product").1.as_secs_f64();
    let begun = Instant::now();
    time();
    while !context.abilities().software && begun.elapsed() < warm_up {
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
