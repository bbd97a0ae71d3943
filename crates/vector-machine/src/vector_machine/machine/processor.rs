//! The processors, which do the arithmetic of a function.

use quadrille::gl::Context;
use quadrille::stream::Error;

use crate::named::named_enum;

named_enum! {
    /// The engine of a function: the stage of the device, or the host, that does its arithmetic.
    /// All engines agree within the bounds of `docs/vector-machine.md`.
    #[derive(Hash)]
    #[non_exhaustive]
    pub enum Processor: "engine" {
        /// The vertex stage, one point for each quad of numbers, which writes a texel. The quads
        /// are vertex attributes: as in 2002.
        Attributes => "attributes",
        /// The vertex stage likewise, whose inputs it fetches from the vectors' textures.
        Vertex => "vertex",
        /// The vertex stage, its results captured by transform feedback, without fragments: what
        /// the paper wished for.
        Feedback => "feedback",
        /// The fragment stage: the program is translated, and a quad drawn.
        Fragment => "fragment",
        /// A compute shader, where the context has them (OpenGL 4.3, OpenGL ES 3.1).
        Compute => "compute",
        /// The host, strictly by the specification of the instruction set.
        Simulator => "simulator",
    }
}

impl Processor {
    /// Returns the engines that a context can run.
    pub fn of(context: &Context) -> Vec<Processor> {
        let captures =
            || Ok::<bool, Error>(context.captures::<f32>()? && context.captures::<[f32; 4]>()?);
        let can = |engine: &Processor| match engine {
            Processor::Compute => context.abilities().compute.is_some(),
            Processor::Feedback => captures().unwrap_or(false),
            _ => true,
        };
        Processor::ALL.into_iter().filter(can).collect()
    }

    /// Returns the engine that is usually the fastest on a device: compute on hardware, fragment on
    /// a software renderer (docs/measured.md).
    pub fn default_for(context: &Context) -> Processor {
        let abilities = context.abilities();
        match abilities.compute.is_some() && !abilities.software {
            true => Processor::Compute,
            false => Processor::Fragment,
        }
    }

    /// Returns whether it draws points, each of which becomes a texel.
    pub(crate) fn draws_points(self) -> bool {
        matches!(self, Processor::Attributes | Processor::Vertex)
    }
}
