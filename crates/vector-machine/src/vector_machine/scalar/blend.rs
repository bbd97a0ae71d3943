//! Summing by blending: points that read a texel each, added into one.

use quadrille::gl::{Blend, Context, Texture};
use quadrille::internal::group::Setup;
use quadrille::internal::stream::Programs;
use quadrille::shader::{Source, Stage};
use quadrille::stream::{Geometry, Kernel};

use crate::shaders::SHADERS;
use crate::vector_machine::Result;

/// Points that read a texel each and are blended into one.
pub(crate) struct Adder(Programs<()>);

impl Adder {
    pub(crate) fn new(context: &Context) -> Adder {
        Adder(Programs::new(context, Setup::Fragment))
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
        let context = self.0.context();
        let program = self.0.get_or(&(), || -> Result<_> {
            let [vertex, fragment] = Adder::sources()?;
            Ok(Kernel::new(context, &vertex, &fragment, context.abilities().reads())?.into())
        })?;
        let launch = program.launch().input("partials", partials).over(Geometry::Points(count));
        Ok(launch.blend(Blend::Add).write("texel", sum)?)
    }
}
