//! An experiment of two passes: a Gaussian blur along rows, then along columns. A pass of 2 x 25
//! reads per texel replaces one of 625, since a Gaussian is the product of two of one dimension.
//!
//! `cargo run --release --example blur`

use quadrille::data::{Field, Values};
use quadrille::testing::Comparison;
use quadrille::{Context, Extent, Source};
use quadrille_run::{Experiment, PassSetup, Setup};

const TEXT: &str = "
    uniform sampler2D image;
    uniform ivec2 along;
    uniform float sigma;
    uniform int radius;
    out float blurred;
    void main() {
        float sum = 0.0, weights = 0.0;
        for (int i = -radius; i <= radius; i++) {
            float weight = exp(-float(i * i) / (2.0 * sigma * sigma));
            sum += weight * READ_WRAPPED(image, TEXEL + i * along).r;
            weights += weight;
        }
        blurred = sum / weights;
    }";

const EXTENT: Extent = Extent { width: 61, height: 47 };
const SIGMA: f32 = 4.0;
const RADIUS: i32 = 12;

fn main() -> anyhow::Result<()> {
    let image: Vec<f32> = (0..EXTENT.texels()).map(|i| ((i * 7919) % 256) as f32 / 255.0).collect();
    let context = Context::headless()?;
    let shader = Source::fragment("blur.frag", TEXT);
    let rows = PassSetup::new("rows", shader.clone()).value("along", [1, 0]);
    let columns = PassSetup::new("columns", shader).value("along", [0, 1]);
    let setup = Setup::new()
        .input("image", Field::new(EXTENT, 1, image.clone())?)
        .value("sigma", SIGMA)
        .value("radius", RADIUS);
    // The second pass reads what the first one writes. Each output is named by its pass.
    let passes = [rows, columns.read("image", "rows.blurred")];
    let mut blur = Experiment::from_passes(&context, passes, setup)?;
    blur.step()?;

    let blurred = blur.read("columns.blurred")?;
    let Values::F32(ours) = blurred.values() else { anyhow::bail!("expected floats") };
    // 50 products are summed twice; weights and quotients round too.
    let twin = directly(&image).into_iter().map(|exact| (exact, 1e-5));
    let comparison = Comparison::of(ours.iter().copied(), twin);
    println!("{} texels blurred in two passes, error {:.1e}", ours.len(), comparison.max_error);
    anyhow::ensure!(comparison.is_right(), "the error is too large");
    Ok(())
}

/// The same blur on the CPU, in f64 and in one sum over rows and columns.
fn directly(image: &[f32]) -> Vec<f64> {
    let (width, height) = (EXTENT.width as i32, EXTENT.height as i32);
    let weight = |i: i32| (-f64::from(i * i) / (2.0 * f64::from(SIGMA).powi(2))).exp();
    let offsets = || (-RADIUS..=RADIUS).flat_map(|y| (-RADIUS..=RADIUS).map(move |x| (x, y)));
    let weights: f64 = offsets().map(|(x, y)| weight(x) * weight(y)).sum();
    let at = |x: i32, y: i32| {
        f64::from(image[(y.rem_euclid(height) * width + x.rem_euclid(width)) as usize])
    };
    let blurred = |x: i32, y: i32| -> f64 {
        offsets().map(|(i, j)| weight(i) * weight(j) * at(x + i, y + j)).sum::<f64>() / weights
    };
    (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| blurred(x, y)).collect()
}
