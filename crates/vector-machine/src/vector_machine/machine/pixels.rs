//! The numbers of 8-bit pixels, into which results of the period are drawn.

use quadrille::gl::{Context, Texel, Texture, Unorm8};
use quadrille::internal::group::Setup;
use quadrille::internal::stream::Programs;
use quadrille::shader::{Source, Stage};

use crate::shaders::SHADERS;
use crate::vector_machine::Result;

/// The types of the numbers of a texel.
const RESULTS: [&str; 2] = ["vec4", "float"];

/// Pixels become numbers, by a program for four channels or for one.
pub(crate) struct Pixels(Programs<&'static str>);

impl Pixels {
    pub(crate) fn new(context: &Context) -> Pixels {
        Pixels(Programs::new(context, Setup::Fragment))
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
        let [four, one] = RESULTS;
        let result = if P::FORMAT.channels == 1 { one } else { four };
        let program = self.0.get(&result, |result, _| source(result))?;
        Ok(program.launch().input("pixels", pixels).write("number", numbers)?)
    }
}

fn source(result: &str) -> Result<Source> {
    let source = SHADERS.source(Stage::Fragment, "vector_machine/pixels.frag")?;
    Ok(source.define("RESULT", result))
}
