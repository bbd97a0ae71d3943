//! The numbers of 8-bit pixels, into which results of the period are drawn.

use std::cell::OnceCell;

use quadrille::gl::{Context, Texel, Texture, Unorm8};
use quadrille::shader::{Source, Stage};
use quadrille::stream::Kernel;

use crate::shaders::SHADERS;
use crate::vector_machine::Result;

/// The types of the numbers of a texel.
const RESULTS: [&str; 2] = ["vec4", "float"];

/// Pixels become numbers, by a kernel for four channels or for one.
pub(crate) struct Pixels {
    context: Context,
    kernels: [OnceCell<Kernel>; 2],
}

impl Pixels {
    pub(crate) fn new(context: &Context) -> Pixels {
        Pixels { context: context.clone(), kernels: Default::default() }
    }

    /// Returns every shader of this file.
    pub(crate) fn sources() -> Result<Vec<Source>> {
        RESULTS.into_iter().map(source).collect()
    }

    /// Writes the numbers of each pixel to a texel: of all channels, or of the first one to a texel
    /// that has only one.
    pub(crate) fn to_numbers<P: Texel>(
        &self,
        pixels: &Texture<[Unorm8; 4]>,
        numbers: &mut Texture<P>,
    ) -> Result<()> {
        let [four, one] = &self.kernels;
        let (kernel, result) = match P::FORMAT.channels {
            1 => (one, RESULTS[1]),
            _ => (four, RESULTS[0]),
        };
        let kernel = match kernel.get() {
            Some(kernel) => kernel,
            None => {
                let made = self.context.kernel(source(result)?)?;
                kernel.get_or_init(|| made)
            }
        };
        Ok(kernel.pass().input("pixels", pixels).draw(numbers)?)
    }
}

fn source(result: &str) -> Result<Source> {
    let source = SHADERS.source(Stage::Fragment, "vector_machine/pixels.frag")?;
    Ok(source.define("RESULT", result))
}
