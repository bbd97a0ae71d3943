//! Kernels: shader programs with named inputs, uniforms and outputs.

use crate::gl::{Class, Context, Type, Value};
use crate::shader::{Dialect, Expanded, Reads, SURFACE, Source, Stage, expand, output_name};

use super::Error;
use super::build::{is_users, unfed};
use super::compute::must_have_storage;
use super::interface::Interface;

/// A fragment shader that computes each texel of the targets of a pass, with named inputs, uniforms and
/// outputs. [`Context::kernel`] compiles one; [`Kernel::pass`] runs it. Like its context it stays on one thread:
///
/// ```compile_fail,E0277
/// fn must_be_send<T: Send>() {}
/// must_be_send::<quadrille::stream::Kernel>();
/// ```
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
    may_loop: bool,
    may_discard: bool,
    /// Whether the text has the position of a fragment as floats.
    pub(crate) float_position: bool,
    /// Whether the text takes differences between fragments.
    pub(crate) differences: bool,
    /// Whether it is drawn with a vertex shader of its text's author.
    pub(crate) own_vertices: bool,
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
    /// renderer. What it may take from the vertex stage is one coordinate: see [`Kernel::from_fragment`].
    ///
    /// Some software renderers end long loops early and report nothing: see
    /// [`loop_budget`](Context::loop_budget).
    ///
    /// # Errors
    /// As [`Kernel::from_fragment`].
    pub fn kernel(&self, fragment: Source) -> Result<Kernel, Error> {
        let reads = self.abilities().reads();
        // Textures may then have filters of their own, which only a fetch ignores.
        let samples = fragment.has_vertices()
            || expand(&fragment, &self.abilities().language(reads))?.samples();
        Kernel::from_fragment(self, &fragment, if samples { Reads::Fetch } else { reads })
    }
}

impl Kernel {
    /// Compiles a fragment shader with the framework's vertex shader, and chooses how `READ` reads texels.
    ///
    /// One `in vec2`, of any name, is the coordinate across the target: 0 to 1 along x and y,
    /// ((x + 0.5) / width, (y + 0.5) / height) at the centre of texel (x, y). `varying`, of older shaders,
    /// counts as `in`, and is in texels where the text has rectangle textures. What a [dialect](Dialect) calls its result is the output `colour`. An ISF shader that has a
    /// [vertex shader of its own](Source::vertices) is drawn with that.
    ///
    /// # Errors
    ///
    /// [`Error::Unfed`] for any other input, and those of [`Kernel::new`].
    pub fn from_fragment(
        context: &Context,
        fragment: &Source,
        reads: Reads,
    ) -> Result<Kernel, Error> {
        if let Some(vertex) = fragment.own_vertices() {
            return Kernel::new(context, &vertex, fragment, reads);
        }
        let text = expand(fragment, &context.abilities().language(reads))?;
        let vertex = match coordinate(&text)? {
            Some(name) => {
                let vertex = coordinate_vertex(name)?;
                let is_surface = name == SURFACE && text.dialect() == Dialect::Sandbox;
                let surface = is_surface.then_some("QUADRILLE_SURFACE");
                let panels = fragment.is_in_panels().then_some("QUADRILLE_PANELS");
                let texels = text.counts_texels(name).then_some("QUADRILLE_TEXELS");
                surface
                    .into_iter()
                    .chain(texels)
                    .chain(panels)
                    .fold(vertex, |vertex, name| vertex.define(name, 1))
            }
            None => Source::library(Stage::Vertex, "vertex/rectangle.vert")?,
        };
        Kernel::new(context, &vertex, fragment, reads)
    }

    /// Compiles a vertex and a fragment shader, and chooses how `READ` reads texels in both. The vertex shader
    /// gets the corners of what is drawn from `include/rectangle.glsl`.
    ///
    /// # Errors
    ///
    /// [`Error::Shader`] if the text is incomplete (a missing `main` or included file), [`Error::Compile`] and
    /// [`Error::Link`] with the driver's diagnostics, [`Error::Unfed`] for a fragment input that the vertex shader
    /// does not write, [`Error::OutputsWithoutPlace`] for several outputs without locations, and limits of
    /// the device.
    pub fn new(
        context: &Context,
        vertex: &Source,
        fragment: &Source,
        reads: Reads,
    ) -> Result<Kernel, Error> {
        let abilities = context.abilities();
        let stores = fragment.needs_storage();
        let language = if stores {
            must_have_storage(
                context,
                &format!("{}, whose fragments use storage,", fragment.name()),
            )?;
            abilities.compute_language(reads)
        } else {
            abilities.language(reads)
        };
        let (interface, texts) = Interface::build(context, &[vertex, fragment], &language, &[])?;
        let fragments = || texts.iter().filter(|text| text.stage == Stage::Fragment);
        let own_vertices = fragment.has_vertices();
        // Those of another vertex shader are not watched.
        let may_loop = texts
            .iter()
            .any(|text| (own_vertices || text.stage == Stage::Fragment) && text.may_loop());
        let may_discard = fragments().any(Expanded::may_discard);
        let has = |words: &[&str]| fragments().any(|text| text.has_any_of(words));
        let (float_position, differences) =
            (has(&["gl_FragCoord"]), has(&["dFdx", "dFdy", "fwidth"]));
        let (outputs, dropped) = find_outputs(&interface, &texts)?;
        let kernel = Kernel {
            interface,
            stores,
            outputs,
            dropped,
            may_loop,
            may_discard,
            float_position,
            differences,
            own_vertices,
        };
        kernel.must_fit()?;
        Ok(kernel)
    }

    /// The name of the fragment shader.
    pub fn name(&self) -> &str {
        &self.interface.name
    }

    /// The context it lives in.
    pub fn context(&self) -> &Context {
        &self.interface.context
    }

    /// The outputs, by location.
    pub fn outputs(&self) -> &[Output] {
        &self.outputs
    }

    /// The names of the textures that it reads and the compiler kept, sorted.
    pub fn inputs(&self) -> Vec<&str> {
        self.interface.inputs()
    }

    /// The names of the other uniforms that the compiler kept, sorted.
    pub fn uniforms(&self) -> Vec<&str> {
        self.interface.uniforms()
    }

    /// The type of a texture or uniform that the compiler kept, and how many elements it has.
    pub fn type_of(&self, name: &str) -> Option<Type> {
        self.interface.type_of(name)
    }

    /// Refuses a value of another type than the uniform's.
    pub(crate) fn check_value(&self, name: &str, value: &Value) -> Result<(), Error> {
        self.interface.uniform(name, value).map(drop)
    }

    /// Whether the text declares a texture or uniform of this name, kept or not.
    pub fn declares(&self, name: &str) -> bool {
        self.interface.declares(name)
    }

    /// The outputs that the text declares and the driver removed, since nothing that is computed reaches
    /// them. Outputs in a branch of the text that `#if` excludes are among them.
    pub fn dropped_outputs(&self) -> &[String] {
        &self.dropped
    }

    /// Whether its text has loops, which a device with a loop budget may end early.
    pub(crate) fn may_loop(&self) -> bool {
        self.may_loop
    }

    /// Whether its fragments may end without writing.
    pub(crate) fn may_discard(&self) -> bool {
        self.may_discard
    }

    /// Whether its text samples by functions of GLSL, and so by the textures' own filters and wrap modes.
    pub(crate) fn samples(&self) -> bool {
        self.interface.samples
    }

    fn must_fit(&self) -> Result<(), Error> {
        let abilities = self.interface.context.abilities();
        let check = |what: &str, request: usize, limit: u32, remedy: &str| {
            if request <= limit as usize {
                return Ok(());
            }
            Err(Error::Gl(crate::gl::Error::TooLarge {
                what: self.interface.name.clone(),
                request: format!("{request} {what}"),
                limit: limit.into(),
                remedy: remedy.into(),
            }))
        };
        let targets = self.outputs.last().map_or(0, |output| output.location as usize + 1);
        check("targets", targets, abilities.max_targets, "split it into several passes")?;
        let inputs = self.inputs().len();
        check("textures", inputs, abilities.max_inputs, "pack several into the channels of one")
    }
}

/// The name of the only input of a fragment shader, if it has one and it is a coordinate.
fn coordinate(text: &Expanded) -> Result<Option<&str>, Error> {
    let mut coordinate: Option<&str> = None;
    for input in text.declarations().inputs.iter().filter(|input| is_users(input)) {
        let known = coordinate.is_none_or(|name| name == input.name);
        if input.kind != "vec2" || !known {
            return Err(unfed(input, text));
        }
        coordinate = Some(&input.name);
    }
    Ok(coordinate)
}

/// The vertex shader that outputs the coordinate under this name.
pub(super) fn coordinate_vertex(name: &str) -> Result<Source, crate::shader::Error> {
    Ok(Source::library(Stage::Vertex, "vertex/place.vert")?.define("PLACE", name))
}

/// The outputs that the driver kept, and those that it removed. The candidates come from the text, since
/// these versions of GL cannot list outputs.
fn find_outputs(
    interface: &Interface,
    texts: &[Expanded],
) -> Result<(Vec<Output>, Vec<String>), Error> {
    let fragments = texts.iter().filter(|text| text.stage == Stage::Fragment);
    let (mut outputs, mut dropped) = (Vec::new(), Vec::new());
    let mut placed = true;
    for output in fragments.flat_map(|text| &text.declarations().outputs) {
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

/// The number of components of the GLSL type of an output.
pub(super) fn components_of(kind: &str) -> usize {
    kind.split_once("vec").and_then(|(_, count)| count.parse().ok()).unwrap_or(1)
}

/// The class of the GLSL type of an output.
pub(crate) fn class_of(kind: &str) -> Class {
    match kind.as_bytes().first() {
        Some(b'i') => Class::Int,
        Some(b'u') => Class::Uint,
        _ => Class::Float,
    }
}
