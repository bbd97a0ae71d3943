//! The nine-banded Jacobi solver: an implicit heat step on a grid of 256 x 256, to a residual.
//!
//! `cargo run --release --example jacobi`

use quadrille::Context;
use quadrille::data::{NineBanded, Stencil};
use quadrille::linalg::jacobi::{Jacobi, Stop, Variant};

fn main() -> anyhow::Result<()> {
    let context = Context::headless()?;
    let matrix = "heat9:256".parse::<Stencil>()?.matrix()?;
    let b: Vec<f32> = (0..matrix.n()).map(|i| ((i * 31) % 97) as f32 / 97.0).collect();

    let mut jacobi = Jacobi::new(&context, &matrix, Variant::default())?;
    let solution = jacobi.solve(&b, Stop::residual(1e-6))?;

    let exact = residual(&matrix, solution.x(), &b);
    let chosen = jacobi.variant();
    println!(
        "{} unknowns, {} iterations ({}, {}, {}): residual {:.2e} on the device, {exact:.2e} in f64",
        matrix.n(),
        solution.iterations,
        chosen.layout,
        chosen.optimization,
        chosen.reads,
        solution.residual
    );
    anyhow::ensure!(exact < 2e-6, "the residual is too large");
    Ok(())
}

/// The 2-norm of b - A x over that of b, in f64.
fn residual(matrix: &NineBanded, x: &[f32], b: &[f32]) -> f64 {
    let wide = |numbers: &[f32]| numbers.iter().copied().map(f64::from).collect::<Vec<f64>>();
    let norm = |numbers: &[f64]| numbers.iter().map(|x| x * x).sum::<f64>().sqrt();
    let (product, b) = (matrix.multiply_f64(&wide(x)), wide(b));
    let rest: Vec<f64> = b.iter().zip(&product).map(|(b, p)| b - p).collect();
    norm(&rest) / norm(&b)
}
