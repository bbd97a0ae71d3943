//! One pass: a fragment shader computes a number for every texel of a texture.
//!
//! `cargo run --release --example hello_pass`

use quadrille::internal::reference::compare;
use quadrille::shader::Source;
use quadrille::{Context, Extent};

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

    // Each exact result comes with how far the device's may be from it.
    let twin = numbers.iter().map(|x| 2.0 * f64::from(*x).sqrt());
    let comparison = compare(output.read()?, twin.map(|exact| (exact, 1e-6 * exact)));
    println!(
        "{}: {} square roots, error {:.1e}",
        context.abilities().renderer,
        numbers.len(),
        comparison.max_error
    );
    anyhow::ensure!(comparison.is_right(), "the error is too large");
    Ok(())
}
