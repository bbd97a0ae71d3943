//! The shaders of a function: one for each way of reading its vectors and giving its result,
//! compiled when first needed.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use crate::gl::Context;
use crate::shader::{Source, Stage};
use crate::stream::{CaptureKernel, Kernel};

use super::super::{Engine, Error, Semantics};
use super::body::Body;

/// What a kernel gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Result {
    /// Quads of floats.
    Floats,
    /// Quads of floats, through 8-bit pixels.
    Pixels,
    /// Quads of bytes.
    Bytes,
    /// Partial results.
    Partials,
    /// Partial results, through 8-bit pixels.
    PartialPixels,
    /// Partial results, blended into one texel: of the vertex engine alone.
    Sum,
}

/// What tells one kernel of a function from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    /// Which vectors are bytes.
    pub(super) bytes: [bool; 3],
    pub(super) gives: Result,
    /// Whether the last invocation has fewer numbers than it takes.
    pub(super) padded: bool,
}

/// A compiled kernel.
pub(super) enum Compiled {
    Drawn(Kernel),
    Captured(CaptureKernel),
}

/// The kernels that a function has compiled so far.
#[derive(Default)]
pub(super) struct Kernels {
    compiled: RefCell<HashMap<Key, Rc<Compiled>>>,
}

impl Kernels {
    pub(super) fn get(
        &self,
        key: Key,
        context: &Context,
        engine: Engine,
        semantics: Semantics,
        body: &Body,
    ) -> std::result::Result<Rc<Compiled>, Error> {
        if let Some(kernel) = self.compiled.borrow().get(&key) {
            return Ok(Rc::clone(kernel));
        }
        let reads = context.abilities().reads();
        let [first, second] = key.shaders(engine, semantics)?.map(|shader| body.complete(shader));
        let made = match engine {
            Engine::Feedback => Compiled::Captured(CaptureKernel::new(context, &first, "result")?),
            _ => Compiled::Drawn(Kernel::new(context, &first, &second, reads)?),
        };
        let made = Rc::new(made);
        self.compiled.borrow_mut().insert(key, Rc::clone(&made));
        Ok(made)
    }
}

/// What each vector is called in the shaders.
pub(super) const VECTORS: [&str; 3] = ["first", "second", "third"];

impl Key {
    /// The vertex and the fragment shader of an engine, without the program.
    pub(super) fn shaders(
        self,
        engine: Engine,
        semantics: Semantics,
    ) -> std::result::Result<[Source; 2], Error> {
        let vertex = |path: &str| Source::library(Stage::Vertex, path);
        let fragment = |path: &str| Source::library(Stage::Fragment, path);
        let (first, second) = match engine {
            Engine::Fragment | Engine::Simulator => {
                (vertex("vertex/rectangle.vert")?, fragment("vector_machine/function.frag")?)
            }
            Engine::Vertex => {
                (vertex("vector_machine/function.vert")?, fragment("vector_machine/result.frag")?)
            }
            Engine::Feedback => {
                let vertex = vertex("vector_machine/function.vert")?;
                (vertex.define("CAPTURED", 1), fragment("vertex/nothing.frag")?)
            }
        };
        Ok([self.define(first, semantics), self.define(second, semantics)])
    }

    fn define(self, shader: Source, semantics: Semantics) -> Source {
        let kind = match self.gives {
            Result::Floats | Result::Pixels | Result::Bytes => "vec4",
            Result::Partials | Result::PartialPixels | Result::Sum => "float",
        };
        let mut shader = shader
            .define("VECTORS", semantics.vectors())
            .define("QUADS", semantics.quads())
            .define("RESULT", kind);
        for (is_byte, name) in self.bytes.into_iter().zip(["FIRST", "SECOND", "THIRD"]) {
            if is_byte {
                shader = shader.define(format!("{name}_BYTES"), 1);
            }
        }
        let through = match self.gives {
            Result::Pixels | Result::PartialPixels => Some("THROUGH_PIXELS"),
            Result::Bytes => Some("TO_BYTES"),
            Result::Sum => Some("BLENDED"),
            Result::Floats | Result::Partials => None,
        };
        if let Some(name) = through {
            shader = shader.define(name, 1);
        }
        if self.padded { shader.define("PADDED", 1) } else { shader }
    }

    /// Keys that between them define all that a key can.
    pub(super) fn all(semantics: Semantics) -> Vec<Key> {
        let gives: &[Result] = match semantics.is_to_scalar() {
            false => &[Result::Floats, Result::Pixels, Result::Bytes],
            true => &[Result::Partials, Result::PartialPixels, Result::Sum],
        };
        let key = |gives, bytes| Key { bytes: [bytes; 3], gives, padded: bytes };
        gives.iter().flat_map(|gives| [key(*gives, false), key(*gives, true)]).collect()
    }
}
