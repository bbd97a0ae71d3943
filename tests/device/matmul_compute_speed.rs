//! How fast the compute methods multiply, and which tiles pay: measured, so ignored. The kernels are
//! checked too, by some rows of each result.
//!
//! ```sh
//! QUADRILLE_SIZES=1024,2048,4096 cargo test --release --test matmul_compute_speed -- --ignored --nocapture --test-threads 1
//! ```
//!
//! Without sizes: 256 on a software renderer, 1024, 2048 and 4096 elsewhere.

use std::time::Instant;

use quadrille::data::Matrix;
use quadrille::gl::Buffer;
use quadrille::internal::reference::matmul::expected_rows;
use quadrille::linalg::matmul::{Method, Multiplier, Options, Tile};
use quadrille::shader::{Source, Stage};
use quadrille::stream::{self, Clock};
use quadrille::{Context, Shape};

/// Runs after the first, of which the best counts.
const RUNS: usize = 5;

fn sizes(context: &Context) -> Vec<usize> {
    match std::env::var("QUADRILLE_SIZES") {
        Ok(list) => list.split(',').map(|size| size.trim().parse().unwrap()).collect(),
        Err(_) if context.abilities().software => vec![256],
        Err(_) => vec![1024, 2048, 4096],
    }
}

fn context() -> Context {
    let context = Context::headless().unwrap();
    let abilities = context.abilities();
    println!("{} ({})", abilities.renderer, abilities.version_text);
    println!("{:?}", abilities.compute);
    context
}

/// The least time of some runs, after one that warms up.
fn best<E: From<stream::Error> + std::fmt::Debug>(
    context: &Context,
    mut run: impl FnMut() -> Result<(), E>,
) -> f64 {
    let clock = Clock::of(context);
    let seconds = (0..=RUNS).map(|_| clock.time(context, &mut run).unwrap().1.as_secs_f64());
    seconds.skip(1).fold(f64::INFINITY, f64::min)
}

fn row(name: &str, n: usize, seconds: f64) {
    let gflops = 2.0 * (n as f64).powi(3) / seconds / 1e9;
    println!("{n:>6}  {name:<84} {:>10.3} ms {gflops:>9.1} GFLOPS", seconds * 1e3);
}

/// Compares some rows of C as `--check` does, whose tests show that it sees an element that is moved.
fn check(name: &str, a: &Matrix<f32>, b: &Matrix<f32>, c: &Matrix<f32>) {
    let n = a.shape().rows;
    let expected = expected_rows(a, b, &[0, n / 7, n / 3, n - 1]).unwrap();
    if let Some(wrong) = expected.first_wrong(c) {
        panic!("{name}: {wrong}");
    }
    assert!(expected.compare(c).is_right(), "{name}: {}", c.shape());
}

fn tile(method: Method, width: u32, height: u32) -> Options {
    let mut options = Options::from(method);
    options.tile = Some(Tile { width, height });
    options
}

/// Every method without a tile, and with each tile that divides and that the device allows: the CUDA
/// document asks whether the size of the block matters.
#[test]
#[ignore = "measures"]
fn methods_and_tiles() {
    let context = context();
    let mut choices: Vec<Options> =
        [Method::ComputeTiled, Method::ComputeShared, Method::ComputeBlocked]
            .map(Options::from)
            .into();
    for (width, height) in [
        (4, 4),
        (8, 8),
        (16, 8),
        (16, 16),
        (32, 4),
        (32, 8),
        (32, 16),
        (32, 32),
        (64, 4),
        (128, 1),
        (8, 32),
        (1, 128),
    ] {
        choices.push(tile(Method::ComputeTiled, width, height));
    }
    choices.extend([4, 8, 16, 32].map(|side| tile(Method::ComputeShared, side, side)));
    for (width, height) in [(128, 256), (128, 128), (64, 128), (64, 64), (32, 32)] {
        choices.push(tile(Method::ComputeBlocked, width, height));
    }
    for n in sizes(&context) {
        let shape = Shape::new(n, n);
        let a = Matrix::new(shape, crate::common::random(n * n, 1)).unwrap();
        let b = Matrix::new(shape, crate::common::random(n * n, 2)).unwrap();
        for options in &choices {
            let method = options.method.unwrap();
            let name = match options.tile {
                Some(tile) => format!("{method} --tile {tile}"),
                None => method.to_string(),
            };
            let start = Instant::now();
            let mut product = match Multiplier::<f32>::new(&context, shape, shape, *options) {
                Ok(product) => product,
                Err(error) => {
                    println!("{n:>6}  {name:<84} {error}");
                    continue;
                }
            };
            let ready = start.elapsed().as_millis();
            product.load(&a, &b).unwrap();
            let seconds = best(&context, || product.run());
            let c = product.read().unwrap();
            check(&name, &a, &b, &c);
            let resolved = product.options();
            row(&format!("{name} ({resolved}; ready after {ready} ms)"), n, seconds);
        }
    }
}

/// Operands and result of a square product, as `blocked.comp` takes them.
struct Operands {
    n: usize,
    on_host: [Matrix<f32>; 2],
    a: Buffer<f32>,
    b: Buffer<f32>,
    c: Buffer<f32>,
}

impl Operands {
    fn new(context: &Context, n: usize) -> Operands {
        let (by_columns, by_rows) =
            (crate::common::random(n * n, 1), crate::common::random(n * n, 2));
        let (a, b) = (context.buffer(&by_columns).unwrap(), context.buffer(&by_rows).unwrap());
        let shape = Shape::new(n, n);
        let turned = Matrix::from_fn(shape, |i, k| by_columns[k * n + i]).unwrap();
        let on_host = [turned, Matrix::new(shape, by_rows).unwrap()];
        Operands { n, on_host, a, b, c: context.uninit_buffer(n * n).unwrap() }
    }

    /// Times a shader over this many work groups along x and y.
    fn race(&mut self, context: &Context, name: &str, source: Source, groups: [usize; 2]) {
        let n = self.n;
        let kernel = match context.compute_kernel(source) {
            Ok(kernel) => kernel,
            Err(error) => {
                let text = error.to_string();
                println!(
                    "{n:>6}  {name:<84} {}",
                    text.lines().take(2).collect::<Vec<_>>().join(" ")
                );
                return;
            }
        };
        let [x, y] = groups.map(|count| count as u32);
        let seconds = best(context, || {
            let dispatch = kernel.dispatch().buffer("A", &self.a).buffer("B", &self.b);
            let dispatch = dispatch.buffer_mut("C", &mut self.c).uniform("size", [n as i32; 3]);
            let dispatch = dispatch.uniform("first", 0).uniform("last", n as i32);
            dispatch.run([x, y, 1])
        });
        let c = Matrix::new(Shape::new(n, n), self.c.read().unwrap()).unwrap();
        let [a, b] = &self.on_host;
        check(name, a, b, &c);
        row(name, n, seconds);
    }
}

/// Rows, columns and inner side of a tile, and rows and columns of a block.
const BLOCKS: [[usize; 5]; 14] = [
    [256, 128, 16, 16, 8],
    [256, 128, 8, 16, 8],
    [128, 256, 16, 8, 16],
    [128, 256, 8, 8, 16],
    [128, 128, 16, 8, 8],
    [128, 128, 8, 8, 8],
    [128, 128, 16, 16, 8],
    [128, 128, 8, 16, 8],
    [256, 64, 16, 16, 8],
    [128, 64, 16, 8, 8],
    [64, 128, 16, 8, 8],
    [64, 64, 16, 8, 4],
    [64, 64, 16, 4, 4],
    [32, 32, 16, 4, 4],
];

/// What `compute-blocked` could be made of: from here comes its table.
#[test]
#[ignore = "measures"]
fn blocked_by_its_defines() {
    let context = context();
    for n in sizes(&context) {
        let mut operands = Operands::new(&context, n);
        for [rows, cols, inner, block_rows, block_cols] in BLOCKS {
            for lanes in [[8, 4], [4, 8], [16, 2]] {
                let (down, across) = (rows / block_rows, cols / block_cols);
                let fits = n % rows == 0 && n % cols == 0 && n % inner == 0;
                let lanes_fit = across % lanes[0] == 0 && down % lanes[1] == 0;
                let threads = down * across;
                let loads_fit = (inner * rows / 4).is_multiple_of(threads)
                    && (inner * cols / 4).is_multiple_of(threads)
                    && threads.is_multiple_of(rows / 4)
                    && threads.is_multiple_of(cols / 4);
                if !fits || !lanes_fit || !loads_fit {
                    continue;
                }
                let name = format!(
                    "tile {cols}x{rows}, inner {inner}, block {block_cols}x{block_rows}, lanes {lanes:?}"
                );
                let source = Source::library(Stage::Compute, "matmul/blocked.comp").unwrap();
                let source = source
                    .define("TILE_ROWS", rows)
                    .define("TILE_COLS", cols)
                    .define("TILE_INNER", inner)
                    .define("BLOCK_ROWS", block_rows)
                    .define("BLOCK_COLS", block_cols)
                    .define("THREADS", threads)
                    .define("LANES_X", lanes[0])
                    .define("LANES_Y", lanes[1]);
                operands.race(&context, &name, source, [n / cols, n / rows]);
            }
        }
    }
}
