//! Summing by blending: points that read a texel each, added into one.

use std::cell::OnceCell;

use quadrille::gl::{Blend, Context, Texture};
use quadrille::shader::{Source, Stage};
use quadrille::stream::{Geometry, Kernel};

use crate::shaders::SHADERS;
use crate::vector_machine::Result;

/// Points that read a texel each and are blended into one.
pub(crate) struct Adder {
    context: Context,
    kernel: OnceCell<Kernel>,
}

impl Adder {
    pub(crate) fn new(context: &Context) -> Adder {
        Adder { context: context.clone(), kernel: OnceCell::new() }
    }

    pub(crate) fn sources() -> Result<[Source; 2]> {
        let vertex = SHADERS.source(Stage::Vertex, "vector_machine/partial.vert")?;
        let fragment = SHADERS.source(Stage::Fragment, "vector_machine/result.frag")?;
        Ok([vertex, fragment.define("RESULT", "float")])
    }

    /// Adds the first texels to the only texel of the target.
    pub(super) fn add(
        &self,
        partials: &Texture<f32>,
        count: u32,
        sum: &mut Texture<f32>,
    ) -> Result<()> {
        let kernel = match self.kernel.get() {
            Some(kernel) => kernel,
            None => {
                let [vertex, fragment] = Adder::sources()?;
                let reads = self.context.abilities().reads();
                let made = Kernel::new(&self.context, &vertex, &fragment, reads)?;
                self.kernel.get_or_init(|| made)
            }
        };
        let pass = kernel.pass().input("partials", partials).over(Geometry::Points(count));
        Ok(pass.blend(Blend::Add).draw(sum)?)
    }
}
