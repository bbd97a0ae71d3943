//! Matrix multiply in three methods: one element a fragment, four of a column, and blocks of 8 x 4
//! in eight targets. The product is the same; what is fetched for it is not.
//!
//! `cargo run --release --example matmul`

use std::time::Instant;

use quadrille::data::Matrix;
use quadrille::linalg::matmul::{Method, Multiplier};
use quadrille::testing::Comparison;
use quadrille::{Context, Shape};

fn main() -> anyhow::Result<()> {
    let context = Context::headless()?;
    let a = Matrix::<f32>::random(Shape::new(256, 320), 1)?;
    let b = Matrix::<f32>::random(Shape::new(320, 192), 2)?;
    let expected = expected(&a, &b);

    for method in [Method::Element, Method::Cp, Method::Block8x4] {
        let mut product = Multiplier::new(&context, a.shape(), b.shape(), method)?;
        product.load(&a, &b)?;
        product.run()?; // Drivers compile at the first run.
        context.finish()?;
        let begun = Instant::now();
        product.run()?;
        let c = product.read()?;
        let milliseconds = begun.elapsed().as_secs_f64() * 1e3;

        let comparison = Comparison::of(c.elements().iter().copied(), expected.iter().copied());
        println!(
            "{method:<8} {} in {milliseconds:.2} ms, {:.1} MB fetched, error {:.1e}",
            c.shape(),
            product.fetched_bytes() as f64 / 1e6,
            comparison.max_error
        );
        anyhow::ensure!(comparison.is_right(), "{method} is off by more than rounding explains");
    }
    Ok(())
}

/// The elements of A B in f64, row by row, each with the most that it may be off in single
/// precision: a rounding for each term of its sum (Higham, *Accuracy and Stability of Numerical
/// Algorithms*, lemma 3.1), and two to spare.
fn expected(a: &Matrix<f32>, b: &Matrix<f32>) -> Vec<(f64, f64)> {
    let (Shape { rows, cols: inner }, cols) = (a.shape(), b.shape().cols);
    let unit = f64::from(f32::EPSILON) / 2.0;
    let element = |(row, col): (usize, usize)| {
        let terms =
            a.row(row).iter().enumerate().map(|(k, x)| f64::from(*x) * f64::from(b.row(k)[col]));
        let (sum, size) =
            terms.fold((0.0, 0.0), |(sum, size), term| (sum + term, size + term.abs()));
        (sum, (inner + 2) as f64 * unit * size)
    };
    (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col))).map(element).collect()
}
