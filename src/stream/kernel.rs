//! Kernels: shader programs with named inputs, uniforms and outputs.

mod build;
pub(super) mod interface;
mod levels;
pub(super) mod resolve;
pub(super) mod uniforms;

use crate::gl::{Class, Context, Type, must_fit};
use crate::shader::{Expanded, Reads, Source, expand, output_name};

use super::{Error, Result};
use interface::Interface;
pub(crate) use levels::sources as level_sources;
use resolve::resolve;

/// A fragment shader that computes each texel of the targets of a pass, with named inputs, uniforms
/// and outputs. [`Context::kernel`] compiles one; [`Kernel::pass`] runs it. Like its context it
/// stays on one thread:
///
/// ```compile_fail,E0277
/// fn must_be_send<T: Send>() {}
/// must_be_send::<quadrille::stream::Kernel>();
/// ```
///
/// ```
/// use quadrille::{Context, Extent, Source};
/// let context = Context::headless()?;
/// let text = "
///     uniform sampler2D image;
///     uniform float factor;
///     out float result;
///     void main() { result = factor * READ(image, TEXEL).r; }";
/// let kernel = context.kernel(Source::fragment("scale.frag", text))?;
/// let input = context.texture::<f32>(Extent::new(3, 1), &[1.0, 2.0, 3.0])?;
/// let mut output = context.uninit::<f32>(input.extent())?;
/// kernel.pass().input("image", &input).uniform("factor", 2.0).draw(&mut output)?;
/// assert_eq!(output.read()?, [2.0, 4.0, 6.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Kernel {
    pub(super) interface: Interface,
    /// Whether its fragments may write storage buffers.
    pub(super) stores: bool,
    outputs: Vec<Output>,
    /// Outputs that the text declares and that the driver did not keep.
    dropped: Vec<String>,
}

/// An output of a fragment program.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Output {
    /// The name in the text.
    pub name: String,
    /// The GLSL type.
    pub kind: String,
    /// The target it goes to.
    pub location: u32,
}

impl Context {
    /// Compiles a fragment shader that is drawn over rectangles, reading texels as suits this
    /// renderer. What it may take from the vertex stage is one coordinate: see
    /// [`Kernel::from_fragment`].
    ///
    /// Some software renderers end long loops early and report nothing: see
    /// [`loop_budget`](Context::loop_budget).
    ///
    /// # Errors
    /// As [`Kernel::from_fragment`].
    pub fn kernel(&self, fragment: Source) -> Result<Kernel> {
        self.kernel_of(&resolve(self, &fragment, None)?)
    }

    /// Compiles the text of a fragment shader, with the vertex shader that it is drawn with.
    #[doc(hidden)]
    pub fn kernel_of(&self, fragment: &Expanded) -> Result<Kernel> {
        Kernel::of_texts(self, &fragment.vertex_stage()?, fragment)
    }
}

impl Kernel {
    /// Compiles a fragment shader with the framework's vertex shader, and chooses how `READ` reads
    /// texels.
    ///
    /// One `in vec2`, of any name, is the coordinate across the target: 0 to 1 along x and y, ((x +
    /// 0.5) / width, (y + 0.5) / height) at the centre of texel (x, y). `varying`, of older
    /// shaders, counts as `in`, and is in texels where the text has rectangle textures.
    ///
    /// # Errors
    ///
    /// [`Error::Unfed`] for any other input, and those of [`Kernel::new`].
    pub fn from_fragment(context: &Context, fragment: &Source, reads: Reads) -> Result<Kernel> {
        context.kernel_of(&resolve(context, fragment, Some(reads))?)
    }

    /// Compiles a vertex and a fragment shader, and chooses how `READ` reads texels in both. The
    /// vertex shader gets the corners of what is drawn from `include/rectangle.glsl`.
    ///
    /// # Errors
    ///
    /// [`Error::Shader`] if the text is incomplete (a missing `main` or included file),
    /// [`Error::Compile`] and [`Error::Link`] with the driver's diagnostics, [`Error::Unfed`] for a
    /// fragment input that the vertex shader does not write, [`Error::OutputsWithoutPlace`] for
    /// several outputs without locations, and limits of the device.
    pub fn new(
        context: &Context,
        vertex: &Source,
        fragment: &Source,
        reads: Reads,
    ) -> Result<Kernel> {
        let fragment = resolve(context, fragment, Some(reads))?;
        Kernel::of_texts(context, &expand(vertex, fragment.language())?, &fragment)
    }

    fn of_texts(context: &Context, vertex: &Expanded, fragment: &Expanded) -> Result<Kernel> {
        let interface = Interface::build(context, &[vertex, fragment], &[])?;
        let (outputs, dropped) = find_outputs(&interface, fragment)?;
        let kernel = Kernel { interface, stores: fragment.needs_storage(), outputs, dropped };
        kernel.must_fit()?;
        Ok(kernel)
    }

    /// Returns the name of the fragment shader.
    pub fn name(&self) -> &str {
        &self.interface.name
    }

    /// Returns its parameters.
    #[doc(hidden)]
    pub fn interface(&self) -> &Interface {
        &self.interface
    }

    /// Returns the context it lives in.
    pub fn context(&self) -> &Context {
        &self.interface.context
    }

    /// Returns the outputs, by location.
    pub fn outputs(&self) -> &[Output] {
        &self.outputs
    }

    /// Returns the names of the textures that it reads and the compiler kept, sorted.
    pub fn inputs(&self) -> Vec<&str> {
        self.interface.inputs()
    }

    /// Returns the names of the other uniforms that the compiler kept, sorted.
    pub fn uniforms(&self) -> Vec<&str> {
        self.interface.uniforms()
    }

    /// Returns the type of a texture or uniform that the compiler kept, and how many elements it
    /// has.
    pub fn type_of(&self, name: &str) -> Option<Type> {
        self.interface.type_of(name)
    }

    /// Returns whether the text declares a texture or uniform of this name, kept or not.
    pub fn declares(&self, name: &str) -> bool {
        self.interface.declares(name)
    }

    /// Returns the outputs that the text declares and the driver removed, since nothing that is
    /// computed reaches them. Outputs in a branch of the text that `#if` excludes are among them.
    pub fn dropped_outputs(&self) -> &[String] {
        &self.dropped
    }

    fn must_fit(&self) -> Result<()> {
        let abilities = self.interface.context.abilities();
        let check = |what: &str, request: usize, limit: u32, remedy: &str| {
            must_fit(self.name(), (request, what), limit as usize, remedy)
        };
        let targets = self.outputs.last().map_or(0, |output| output.location as usize + 1);
        check("targets", targets, abilities.max_targets, "split it into several passes")?;
        let inputs = self.inputs().len();
        let remedy = "pack several into the channels of one";
        Ok(check("textures", inputs, abilities.max_inputs, remedy)?)
    }
}

/// Returns the outputs that the driver kept, and those that it removed. The candidates come from
/// the text, since these versions of GL cannot list outputs.
fn find_outputs(interface: &Interface, fragment: &Expanded) -> Result<(Vec<Output>, Vec<String>)> {
    let (mut outputs, mut dropped) = (Vec::new(), Vec::new());
    let mut placed = true;
    for output in &fragment.declarations().outputs {
        match interface.program.output_location(&output.name)? {
            Some(location) => {
                placed &= output.located;
                let (name, kind) = (output_name(&output.name).to_owned(), output.kind.clone());
                outputs.push(Output { name, kind, location });
            }
            None => dropped.push(output_name(&output.name).to_owned()),
        }
    }
    outputs.sort_by(|a, b| (a.location, &a.name).cmp(&(b.location, &b.name)));
    let two_types = |pair: &&[Output]| pair[0].name == pair[1].name && pair[0].kind != pair[1].kind;
    if let Some([a, b]) = outputs.windows(2).find(two_types) {
        return Err(Error::OutputOfTwoTypes {
            kernel: interface.name.clone(),
            name: a.name.clone(),
            first: a.kind.clone(),
            second: b.kind.clone(),
        });
    }
    outputs.dedup_by(|a, b| a.name == b.name);
    dropped.dedup();
    if outputs.len() > 1 && !placed {
        let outputs = outputs.into_iter().map(|output| output.name).collect();
        return Err(Error::OutputsWithoutPlace { kernel: interface.name.clone(), outputs });
    }
    Ok((outputs, dropped))
}

/// Returns the number of components of the GLSL type of an output.
pub(super) fn components_of(kind: &str) -> usize {
    kind.split_once("vec").and_then(|(_, count)| count.parse().ok()).unwrap_or(1)
}

/// Returns the class of the GLSL type of an output.
pub fn class_of(kind: &str) -> Class {
    match kind.as_bytes().first() {
        Some(b'i') => Class::Int,
        Some(b'u') => Class::Uint,
        _ => Class::Float,
    }
}
