//! Matrix multiply in three methods: one element a fragment, four of a column, and blocks of 8 x 4
//! in eight targets. The product is the same; what is fetched for it is not.
//!
//! `cargo run --release --example matmul`

use std::time::Instant;

use quadrille::data::Matrix;
use quadrille::internal::reference::matmul::expected;
use quadrille::linalg::matmul::{Method, Multiplier};
use quadrille::{Context, Shape};

fn main() -> anyhow::Result<()> {
    let context = Context::headless()?;
    let a = Matrix::<f32>::random(Shape::new(256, 320), 1)?;
    let b = Matrix::<f32>::random(Shape::new(320, 192), 2)?;
    let right = expected(&a, &b)?;

    for method in [Method::Element, Method::Cp, Method::Block8x4] {
        let mut product = Multiplier::new(&context, a.shape(), b.shape(), method)?;
        product.load(&a, &b)?;
        product.run()?; // Drivers compile at the first run.
        context.finish()?;
        let begun = Instant::now();
        product.run()?;
        let c = product.read()?;
        let milliseconds = begun.elapsed().as_secs_f64() * 1e3;

        let comparison = right.compare(&c);
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
