//! Reductions: a million numbers become one on the device, and only that one is read back.
//!
//! `cargo run --release --example reduction`

use quadrille::stream::reduce::{error_bound, sum_exactly};
use quadrille::testing::Comparison;
use quadrille::{Context, Extent, Reducer};

fn main() -> anyhow::Result<()> {
    let context = Context::headless()?;
    let reducer = Reducer::new(&context);

    // Not a power of two on any side, so that the edges cut the squares that are folded.
    let extent = Extent::new(1021, 1031);
    let numbers: Vec<f32> =
        (0..extent.texels()).map(|i| ((i * 7919) % 100_003) as f32 / 100_003.0 - 0.5).collect();
    let x = context.texture(extent, &numbers)?;

    let exact: f64 = numbers.iter().copied().map(f64::from).sum();
    let magnitudes: f64 = numbers.iter().map(|x| f64::from(x.abs())).sum();
    let (sum, bound) = (reducer.sum(&x)?, error_bound(extent, reducer.factor()) * magnitudes);
    let comparison = Comparison::of_number(sum, exact, bound);
    println!("sum     {sum:12.6}, error {:.1e}, bound {bound:.1e}", comparison.max_error);
    println!("2-norm  {:12.6}", reducer.norm(&x)?);
    println!("least   {:12.6}, greatest {:.6}", reducer.min(&x)?, reducer.max(&x)?);
    anyhow::ensure!(comparison.is_right(), "the error exceeds its bound");

    let integers = vec![i32::MAX; extent.texels()];
    let total = sum_exactly(&context, &context.texture(extent, &integers)?)?;
    println!("{} times {} is {total}, exactly", integers.len(), i32::MAX);
    anyhow::ensure!(total == i64::from(i32::MAX) * integers.len() as i64, "not exact");
    Ok(())
}
