//! Tests of a shader in Rust: `cargo test --example shader_test` runs them in parallel, each on a
//! context of its own thread.
//!
//! `cargo run --example shader_test` prints what they compare.

use quadrille::data::Field;
use quadrille::testing::{Rule, compare};
use quadrille::{Context, Extent, Source};
use quadrille_run::{Experiment, Setup};

/// Each pixel plus its difference from the mean of its neighbours to the left and right.
const SHARPEN: &str = "
    uniform sampler2D image;
    out float sharp;
    void main() {
        float left = READ_CLAMPED(image, TEXEL - ivec2(1, 0)).r;
        float right = READ_CLAMPED(image, TEXEL + ivec2(1, 0)).r;
        float here = READ(image, TEXEL).r;
        sharp = here + (here - 0.5 * (left + right));
    }";

fn sharpen(context: &Context, image: Field) -> anyhow::Result<Field> {
    let source = Source::fragment("sharpen.frag", SHARPEN);
    let mut experiment = Experiment::new(context, &source, Setup::new().input("image", image))?;
    experiment.step()?;
    Ok(experiment.read("sharp")?)
}

/// The same on the host, in double precision.
fn expected(width: usize, image: &[f32]) -> Vec<f32> {
    let sharp = |(at, here): (usize, &f32)| {
        let (row, column) = (at / width * width, at % width);
        let left = f64::from(image[row + column.saturating_sub(1)]);
        let right = f64::from(image[row + (column + 1).min(width - 1)]);
        (2.0 * f64::from(*here) - 0.5 * (left + right)) as f32
    };
    image.iter().enumerate().map(sharp).collect()
}

/// A picture without a pattern.
fn picture(extent: Extent) -> Vec<f32> {
    (0..extent.texels()).map(|i| (i * i % 251) as f32 / 251.0).collect()
}

fn main() -> anyhow::Result<()> {
    let extent = Extent::new(37, 11);
    let image = picture(extent);
    let wanted = Field::new(extent, 1, expected(37, &image))?;
    let got = sharpen(&Context::headless()?, Field::new(extent, 1, image)?)?;
    // Numbers below 2 are rounded three times, by at most half of 2^-23 each.
    let difference = compare(&got, &wanted, &Rule::close(2e-7, 0.0))?;
    println!("{difference}");
    anyhow::ensure!(difference.is_right(), "the shader is wrong");
    Ok(())
}

#[cfg(test)]
mod tests {
    use quadrille::assert_same;

    use super::*;

    #[test]
    fn a_picture_is_sharpened_as_on_the_host() -> anyhow::Result<()> {
        let extent = Extent::new(37, 11);
        let image = picture(extent);
        let wanted = Field::new(extent, 1, expected(37, &image))?;
        let got = sharpen(&Context::headless()?, Field::new(extent, 1, image)?)?;
        assert_same!(got, wanted, Rule::close(2e-7, 0.0));
        Ok(())
    }

    #[test]
    fn what_is_flat_stays_as_it_is() -> anyhow::Result<()> {
        let got = sharpen(&Context::headless()?, Field::line(vec![0.75_f32; 5])?)?;
        assert_same!(got, Field::line(vec![0.75_f32; 5])?, Rule::exact());
        Ok(())
    }
}
