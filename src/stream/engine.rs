//! The engines: which stage does the arithmetic of an operation.

pub(crate) mod group;

use crate::error::named;
use crate::gl::Context;

use super::Result;
use super::kernel::resolve::must_have_storage;

/// The stage that does the arithmetic of an operation on vectors. Every engine gives the same
/// result within the operation's bound.
///
/// ```
/// use quadrille::{Context, stream::Engine};
/// let context = Context::headless()?;
/// assert!(Engine::of(&context).contains(&Engine::default_for(&context)));
/// # Ok::<(), quadrille::gl::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Engine {
    /// The fragment stage, on every context.
    Fragment,
    /// Compute shaders that write images, where the context has them (OpenGL 4.3, OpenGL ES 3.1).
    Compute,
}

impl Engine {
    /// Returns the engines that a context can run.
    pub fn of(context: &Context) -> Vec<Engine> {
        let can =
            |engine: &Engine| *engine != Engine::Compute || context.abilities().compute.is_some();
        Engine::ALL.into_iter().filter(can).collect()
    }

    /// Returns the engine that is usually the fastest on a device: compute on hardware, which runs
    /// fragments on few of its processors, and fragments on a software renderer (docs/measured.md).
    pub fn default_for(context: &Context) -> Engine {
        let abilities = context.abilities();
        match abilities.compute.is_some() && !abilities.software {
            true => Engine::Compute,
            false => Engine::Fragment,
        }
    }

    /// Refuses an engine that the context lacks.
    pub(crate) fn must_run_on(self, context: &Context, request: &str) -> Result<()> {
        match self {
            Engine::Fragment => Ok(()),
            Engine::Compute => must_have_storage(context, request),
        }
    }

    /// Returns the side of a square work group on this context: this, or the largest power of two
    /// below that the device allows.
    pub(crate) fn group_side(context: &Context, wanted: u32) -> u32 {
        let most = context.abilities().compute.map_or(1, |limits| limits.max_invocations);
        1 << (most.max(1).isqrt().min(wanted)).ilog2()
    }
}

named!(Engine: "engine" { Fragment: "fragment", Compute: "compute" });
