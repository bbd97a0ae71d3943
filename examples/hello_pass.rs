//! Draws one pass: a fragment shader computes a number for every texel of a texture.
//!
//! `cargo run --release --example hello_pass`

use quadrille::testing::{Rule, compare};
use quadrille::{Context, Extent, Source};

const TEXT: &str = "
    uniform sampler2D image;
    uniform float factor;
    out float result;
    void main() { result = factor * sqrt(READ(image, TEXEL).r); }";

fn main() -> anyhow::Result<()> {
    let context = Context::headless()?;
    let kernel = context.kernel(Source::fragment("root.frag", TEXT))?;

    let extent = Extent::new(640, 480);
    let numbers: Vec<f32> = (0..extent.texels()).map(|i| i as f32).collect();
    let input = context.texture(extent, &numbers)?;
    let mut output = context.uninit::<f32>(extent)?;
    kernel.pass().input("image", &input).uniform("factor", 2.0).draw(&mut output)?;

    // A device's square root may differ from the host's in its last digits.
    let expected: Vec<f32> = numbers.iter().map(|x| 2.0 * x.sqrt()).collect();
    let difference = compare(&output.read()?, &expected, &Rule::close(0.0, 1e-6))?;
    println!("{} square roots on {}", numbers.len(), context.abilities().renderer);
    println!("{difference}");
    anyhow::ensure!(difference.is_right(), "the error is too large");
    Ok(())
}
