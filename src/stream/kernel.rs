//! Kernels: shader programs with named inputs, uniforms and outputs.

use crate::gl::{Class, Context, ParameterKind};
use crate::shader::{Expanded, Reads, Source, Stage};

use super::compute::must_have_storage;
use super::interface::Interface;
use super::{Error, Pass};

/// A fragment program: what is computed for each texel that a pass writes.
///
/// ```
/// use quadrille::{Context, Extent, shader::Source};
/// let context = Context::headless()?;
/// let text = "
///     uniform sampler2D image;
///     uniform float factor;
///     out float result;
///     void main() { result = factor * READ(image, TEXEL).r; }";
/// let kernel = context.kernel(Source::fragment("scale.frag", text))?;
/// let input = context.texture::<f32>(Extent::new(3, 1), &[1.0, 2.0, 3.0])?;
/// let mut output = context.empty::<f32>(input.extent())?;
/// kernel.pass().input("image", &input).uniform("factor", 2.0).draw(&mut output)?;
/// assert_eq!(output.read()?, [2.0, 4.0, 6.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Kernel {
    pub(super) interface: Interface,
    /// Whether its fragments may write storage buffers.
    pub(super) stores: bool,
    outputs: Vec<Output>,
}

/// An output of a fragment program.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Output {
    /// Its name in the text.
    pub name: String,
    /// Its GLSL type.
    pub kind: String,
    /// The target it goes to.
    pub location: u32,
}

impl Context {
    /// Compiles a fragment shader that is drawn over rectangles, reading texels as suits this
    /// renderer.
    pub fn kernel(&self, fragment: Source) -> Result<Kernel, Error> {
        Kernel::drawn(self, &fragment, self.abilities().reads())
    }
}

impl Kernel {
    /// Compiles a fragment shader that is drawn over rectangles, and says how it reads texels.
    pub fn drawn(context: &Context, fragment: &Source, reads: Reads) -> Result<Kernel, Error> {
        let vertex = Source::library(Stage::Vertex, "vertex/rectangle.vert")?;
        Kernel::new(context, &vertex, fragment, reads)
    }

    /// Compiles a vertex and a fragment shader, and says how both read texels. The vertex shader
    /// takes its corners from `include/rectangle.glsl`.
    pub fn new(
        context: &Context,
        vertex: &Source,
        fragment: &Source,
        reads: Reads,
    ) -> Result<Kernel, Error> {
        let abilities = context.abilities();
        let stores = fragment.needs_storage();
        let dialect = if stores {
            must_have_storage(
                context,
                &format!("{}, whose fragments use storage,", fragment.name()),
            )?;
            abilities.compute_dialect(reads)
        } else {
            abilities.dialect(reads)
        };
        let (interface, texts) = Interface::build(context, &[vertex, fragment], &dialect, &[])?;
        let mut kernel = Kernel { interface, stores, outputs: Vec::new() };
        kernel.outputs = kernel.find_outputs(&texts)?;
        kernel.must_fit()?;
        Ok(kernel)
    }

    /// Begins a pass.
    pub fn pass(&self) -> Pass<'_> {
        Pass::new(self)
    }

    /// The name of its fragment shader.
    pub fn name(&self) -> &str {
        &self.interface.name
    }

    /// The context it lives in.
    pub fn context(&self) -> &Context {
        &self.interface.context
    }

    /// What it writes, by target.
    pub fn outputs(&self) -> &[Output] {
        &self.outputs
    }

    /// The textures it reads, that the compiler kept, sorted.
    pub fn inputs(&self) -> Vec<&str> {
        self.interface.inputs()
    }

    /// The uniforms other than textures that the compiler kept, sorted.
    pub fn uniforms(&self) -> Vec<&str> {
        self.interface.uniforms()
    }

    /// The type of a texture or uniform that the compiler kept, and how many elements it has.
    pub(crate) fn type_of(&self, name: &str) -> Option<(ParameterKind, usize)> {
        self.interface.type_of(name)
    }

    /// Whether the text declares a texture or uniform of this name, kept or not.
    pub(crate) fn declares(&self, name: &str) -> bool {
        self.interface.declares(name)
    }

    /// The text names candidates, since these versions of GL cannot list outputs; the driver says
    /// which are real.
    fn find_outputs(&self, texts: &[Expanded]) -> Result<Vec<Output>, Error> {
        let fragments = texts.iter().filter(|text| text.stage == Stage::Fragment);
        let declared: Vec<_> =
            fragments.flat_map(|text| text.declarations().outputs.iter()).collect();
        let mut outputs = Vec::new();
        let mut placed = true;
        for output in declared {
            let Some(location) = self.interface.program.output_location(&output.name)? else {
                continue;
            };
            placed &= output.location.is_some();
            outputs.push(Output { name: output.name.clone(), kind: output.kind.clone(), location });
        }
        outputs.sort_by_key(|output| output.location);
        outputs.dedup_by(|a, b| a.name == b.name);
        if outputs.len() > 1 && !placed {
            let outputs = outputs.into_iter().map(|output| output.name).collect();
            return Err(Error::OutputsWithoutPlace {
                kernel: self.interface.name.clone(),
                outputs,
            });
        }
        Ok(outputs)
    }

    fn must_fit(&self) -> Result<(), Error> {
        let abilities = self.interface.context.abilities();
        let check = |what: &str, wish: usize, limit: u32, fits: &str| {
            if wish <= limit as usize {
                return Ok(());
            }
            Err(Error::Gl(crate::gl::Error::TooLarge {
                what: self.interface.name.clone(),
                wish: format!("{wish} {what}"),
                limit: limit.into(),
                fits: fits.into(),
            }))
        };
        let targets = self.outputs.last().map_or(0, |output| output.location as usize + 1);
        check("targets", targets, abilities.max_targets, "split it into several passes")?;
        let inputs = self.inputs().len();
        check("textures", inputs, abilities.max_inputs, "pack several into the channels of one")
    }
}

/// The class that a GLSL type of an output belongs to.
pub(crate) fn class_of(kind: &str) -> Class {
    match kind.as_bytes().first() {
        Some(b'i') => Class::Int,
        Some(b'u') => Class::Uint,
        _ => Class::Float,
    }
}
