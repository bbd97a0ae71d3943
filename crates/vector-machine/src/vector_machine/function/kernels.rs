//! The shaders of a function: one for each way of reading its vectors and giving its result,
//! compiled when first needed.

use std::rc::Rc;

use quadrille::gl::Context;
use quadrille::internal::group::{Group, Setup};
use quadrille::internal::stream::{Program, Programs};
use quadrille::shader::{Source, Stage};
use quadrille::stream::{self, CaptureKernel, Kernel};

use super::super::{Error, Machine, Processor, Result, Semantics};
use super::body::Body;
use crate::shaders::SHADERS;

/// The form of a kernel's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum ResultForm {
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
    /// Partial results, blended into one texel: of engines that draw points alone.
    Sum,
}

impl ResultForm {
    /// Returns whether it passes through 8-bit pixels.
    pub(super) fn is_through_pixels(self) -> bool {
        matches!(self, ResultForm::Pixels | ResultForm::PartialPixels)
    }

    /// Returns the format of an image that holds it.
    fn image(self) -> &'static str {
        match self {
            ResultForm::Floats => "rgba32f",
            // OpenGL ES has no images of one byte a texel.
            ResultForm::Pixels | ResultForm::PartialPixels | ResultForm::Bytes => "rgba8",
            ResultForm::Partials | ResultForm::Sum => "r32f",
        }
    }
}

/// The key of a kernel of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    /// For each vector, whether its numbers are bytes.
    pub(super) bytes: [bool; 3],
    pub(super) form: ResultForm,
    /// Whether the last invocation has fewer numbers than the others.
    pub(super) padded: bool,
    /// Whether it reports where loops were ended early, in place of results.
    pub(super) watched: bool,
    /// The work groups of a compute shader.
    pub(super) group: Group,
}

/// Returns the program of a key, compiled when it is first needed.
pub(super) fn program(
    programs: &Programs<Key>,
    key: Key,
    machine: &Machine,
    semantics: Semantics,
    body: &Body,
) -> Result<Rc<Program>> {
    programs.get_or(&key, || {
        let shaders = key.shaders(machine.engine(), semantics)?;
        let context = programs.context();
        must_hold(context, machine.engine(), body)?;
        let shaders = shaders.map(|shader| body.complete(shader));
        compile(context, key, shaders).map_err(|error| named(error, body.name()).into())
    })
}

fn compile(context: &Context, key: Key, shaders: Shaders) -> Result<Program, stream::Error> {
    let reads = context.abilities().reads();
    Ok(match shaders {
        Shaders::Drawn(vertex, fragment) => Kernel::new(context, &vertex, &fragment, reads)?.into(),
        Shaders::Captured(vertex) => CaptureKernel::new(context, &vertex, "vector_result")?.into(),
        Shaders::Dispatched(compute) => Program::new(context, Setup::Compute(key.group), compute)?,
    })
}

/// Names an error of compiling or linking after the user's program, not after the shader around it.
fn named(error: stream::Error, name: &str) -> stream::Error {
    let kernel = name.to_owned();
    match error {
        stream::Error::Compile { diagnostics, .. } => {
            stream::Error::Compile { kernel, diagnostics }
        }
        stream::Error::Link { diagnostics, .. } => stream::Error::Link { kernel, diagnostics },
        other => other,
    }
}

/// Uniforms that shaders have besides the constants, in quads of numbers.
const OTHER_UNIFORMS: usize = 8;

/// Drivers say that constants are too many in words that name no constant.
fn must_hold(context: &Context, engine: Processor, body: &Body) -> Result<()> {
    let abilities = context.abilities();
    let uniforms = match engine {
        Processor::Attributes | Processor::Vertex | Processor::Feedback => {
            abilities.max_vertex_uniforms
        }
        _ => abilities.max_fragment_uniforms,
    };
    let limit = (uniforms as usize).saturating_sub(OTHER_UNIFORMS);
    if body.constants() <= limit {
        return Ok(());
    }
    let (function, constants) = (body.name().to_owned(), body.constants());
    Err(Error::TooManyConstants { function, constants, limit })
}

/// The names of the vectors in the shaders.
pub(super) const VECTORS: [&str; 3] = ["vector_1", "vector_2", "vector_3"];

/// The shaders of an engine.
#[allow(clippy::large_enum_variant, reason = "one at a time, and taken apart at once")]
pub(super) enum Shaders {
    Drawn(Source, Source),
    Captured(Source),
    Dispatched(Source),
}

impl Shaders {
    fn map(self, change: impl Fn(Source) -> Source) -> Shaders {
        match self {
            Shaders::Drawn(vertex, fragment) => Shaders::Drawn(change(vertex), change(fragment)),
            Shaders::Captured(vertex) => Shaders::Captured(change(vertex)),
            Shaders::Dispatched(compute) => Shaders::Dispatched(change(compute)),
        }
    }

    pub(super) fn into_vec(self) -> Vec<Source> {
        match self {
            Shaders::Drawn(vertex, fragment) => vec![vertex, fragment],
            Shaders::Captured(one) | Shaders::Dispatched(one) => vec![one],
        }
    }
}

impl Key {
    /// Returns the shaders of an engine, without the program.
    pub(super) fn shaders(self, engine: Processor, semantics: Semantics) -> Result<Shaders> {
        let library = |stage, path: &str| -> Result<Source> {
            Ok(self.define(SHADERS.source(stage, path)?, semantics))
        };
        let of_points = || library(Stage::Vertex, "vector_machine/function.vert");
        Ok(match engine {
            Processor::Fragment | Processor::Simulator => Shaders::Drawn(
                SHADERS.source(Stage::Vertex, "vertex/rectangle.vert")?,
                library(Stage::Fragment, "vector_machine/function.frag")?,
            ),
            Processor::Attributes | Processor::Vertex => {
                let result = library(Stage::Fragment, "vector_machine/result.frag")?;
                let points = match engine {
                    Processor::Attributes => of_points()?.define("ATTRIBUTES", 1),
                    _ => of_points()?,
                };
                Shaders::Drawn(points, result)
            }
            Processor::Feedback => Shaders::Captured(of_points()?.define("CAPTURED", 1)),
            Processor::Compute => {
                let shader = library(Stage::Compute, "vector_machine/function.comp")?;
                let shader = self.group.define(shader);
                Shaders::Dispatched(shader.define("FORMAT", self.form.image()))
            }
        })
    }

    fn define(self, shader: Source, semantics: Semantics) -> Source {
        let kind = match self.form {
            ResultForm::Floats | ResultForm::Pixels | ResultForm::Bytes => "vec4",
            ResultForm::Partials | ResultForm::PartialPixels | ResultForm::Sum => "float",
        };
        let mut shader = shader
            .define("VECTORS", semantics.vectors())
            .define("QUADS", semantics.quads())
            .define("RESULT", kind);
        for (is_byte, name) in self.bytes.into_iter().zip(["BYTES_1", "BYTES_2", "BYTES_3"]) {
            if is_byte {
                shader = shader.define(name, 1);
            }
        }
        let through = match self.form {
            ResultForm::Pixels | ResultForm::PartialPixels => Some("THROUGH_PIXELS"),
            ResultForm::Bytes => Some("TO_BYTES"),
            ResultForm::Sum => Some("BLENDED"),
            ResultForm::Floats | ResultForm::Partials => None,
        };
        if let Some(name) = through {
            shader = shader.define(name, 1);
        }
        if self.padded {
            shader = shader.define("PADDED", 1);
        }
        if self.watched { shader.define("WATCHED", 1) } else { shader }
    }

    /// Keys that between them define all that a key can.
    pub(super) fn all(semantics: Semantics) -> Vec<Key> {
        let forms: &[ResultForm] = match semantics.is_to_scalar() {
            false => &[ResultForm::Floats, ResultForm::Pixels, ResultForm::Bytes],
            true => &[ResultForm::Partials, ResultForm::PartialPixels, ResultForm::Sum],
        };
        let group = Machine::GROUP;
        let key =
            |form, bytes| Key { bytes: [bytes; 3], form, padded: bytes, watched: false, group };
        let watched = |form, bytes| Key { watched: true, ..key(form, bytes) };
        let plain = forms.iter().flat_map(|form| [key(*form, false), key(*form, true)]);
        plain.chain([watched(forms[0], false), watched(forms[0], true)]).collect()
    }
}
