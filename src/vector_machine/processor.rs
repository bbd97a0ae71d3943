//! The engines, which do the arithmetic of a function.

use std::fmt;

use crate::gl::Context;

/// The processor behind a function. All engines agree within the bounds of `docs/vector-machine.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Engine {
    /// The vertex stage, one point for each quad of numbers, which writes a texel: as in 2002.
    Vertex,
    /// The vertex stage, its results captured by transform feedback, without fragments: what the paper wished for.
    Feedback,
    /// The fragment stage: the program is translated, and a quad drawn.
    Fragment,
    /// A compute shader, where the context has them (OpenGL 4.3, OpenGL ES 3.1).
    Compute,
    /// The host, strictly by the specification of the instruction set.
    Simulator,
}

impl Engine {
    /// All engines.
    pub const ALL: [Engine; 5] =
        [Engine::Vertex, Engine::Feedback, Engine::Fragment, Engine::Compute, Engine::Simulator];

    /// The engines that a context can run.
    pub fn of(context: &Context) -> Vec<Engine> {
        let can =
            |engine: &Engine| *engine != Engine::Compute || context.abilities().compute.is_some();
        Engine::ALL.into_iter().filter(can).collect()
    }

    /// The engine that is usually the fastest on a device: compute on hardware, fragment on a software renderer (docs/measured.md).
    pub fn default_for(context: &Context) -> Engine {
        let abilities = context.abilities();
        match abilities.compute.is_some() && !abilities.software {
            true => Engine::Compute,
            false => Engine::Fragment,
        }
    }

    /// The name of the engine.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Vertex => "vertex",
            Engine::Feedback => "feedback",
            Engine::Fragment => "fragment",
            Engine::Compute => "compute",
            Engine::Simulator => "simulator",
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
