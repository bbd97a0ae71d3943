//! Convolutions as sums of products.

use crate::gl::{self, Context};
use crate::grid::DeviceVector;
use crate::primitives::fft::{Inputs, Maps, ShaderVariant};
use crate::primitives::scan::gamma;
use crate::stream::{Engine, Result};
use crate::{Extent, Shape};

use super::weights::{Border, MOST_WEIGHTS, Weights};

pub(super) struct Direct {
    maps: Maps,
    shape: Shape,
    /// Whether an invocation computes a block of texels.
    in_blocks: bool,
    variant: ShaderVariant,
    /// Four in a vector.
    weights: Vec<[f32; 4]>,
    bound: (f64, f64),
}

impl Direct {
    pub(super) fn new(
        context: &Context,
        engine: Engine,
        shape: Shape,
        weights: &Weights,
        border: Border,
    ) -> Result<Direct> {
        let count = weights.numbers().len();
        let (what, remedy) =
            ("a convolution by sums of products", "convolve by Fourier transforms");
        gl::must_fit(what, (count, "weights"), MOST_WEIGHTS, remedy)?;
        let texels = weights.numbers().chunks(4).map(|four| {
            let mut texel = [0.0; 4];
            texel[..four.len()].copy_from_slice(four);
            texel
        });
        let sum = weights.sum();
        let aligned = shape.cols.is_multiple_of(4);
        Ok(Direct {
            maps: Maps::new(context, engine),
            shape,
            in_blocks: aligned && engine == Engine::Compute,
            variant: variant(weights.shape(), weights.centre(), (aligned, engine), border),
            weights: texels.collect(),
            bound: (gamma(count) * sum, sum),
        })
    }

    pub(super) fn bound(&self) -> (f64, f64) {
        self.bound
    }

    pub(super) fn run(&self, x: &DeviceVector, out: &mut DeviceVector) -> Result<()> {
        let (Some(from), Some(to)) = (x.panel(0), out.panel_mut(0)) else { return Ok(()) };
        let uniforms = [
            ("size", [self.shape.cols as i32, self.shape.rows as i32].into()),
            ("weights", self.weights.as_slice().into()),
        ];
        let invocations = if self.in_blocks { self.blocks(to.extent()) } else { to.extent() };
        self.maps.run_over(invocations, &self.variant, Inputs::of(from), &uniforms, to)
    }

    /// Returns the blocks of two texels of two rows of the array that cover a texture: rows continue
    /// after the array's last one.
    fn blocks(&self, texture: Extent) -> Extent {
        let across = self.shape.cols / 4;
        let rows = texture.texels().div_ceil(across);
        Extent::new(across.div_ceil(2) as u32, rows.div_ceil(2) as u32)
    }
}

fn variant(
    weights: Shape,
    [up, left]: [usize; 2],
    (aligned, engine): (bool, Engine),
    border: Border,
) -> ShaderVariant {
    let in_blocks = aligned && engine == Engine::Compute;
    ShaderVariant::new(if in_blocks {
        "convolution/blocks.comp"
    } else {
        "convolution/direct.frag"
    })
    .defined("ROWS", weights.rows)
    .defined("COLUMNS", weights.cols)
    .defined("UP", up)
    .defined("LEFT", left)
    .with("ALIGNED", aligned)
    .defined(border.define(), 1)
}

/// Returns variants with every property.
pub(super) fn variants(engine: Engine) -> Vec<ShaderVariant> {
    let mut variants = Vec::new();
    for border in Border::ALL {
        for aligned in [false, true] {
            variants.push(variant(Shape::new(3, 3), [1, 1], (aligned, engine), border));
        }
    }
    variants.push(variant(Shape::new(15, 15), [7, 7], (true, engine), Border::Zero));
    variants
}
