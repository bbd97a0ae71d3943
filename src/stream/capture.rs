//! Vertex shaders whose outputs go to a buffer by transform feedback; nothing is drawn.

use crate::Extent;
use crate::gl::{
    self, AnyTexture, Buffer, Capture as Work, Context, Element, Texture, Type, Unorm8, Value,
    capture,
};
use crate::shader::{Source, Stage, expand};

use super::kernel::interface::{Arguments, Interface};
use super::{Argument, Error, Result};

/// A vertex shader that runs once for each point, and whose output goes to a buffer by transform
/// feedback. Every context has it, so it is the way to fill buffers where there are no compute
/// shaders.
///
/// ```
/// use quadrille::{Context, Source, stream::CaptureKernel};
/// let context = Context::headless()?;
/// let text = "
///     out float square;
///     void main() { square = float(gl_VertexID) * float(gl_VertexID); }";
/// let kernel = CaptureKernel::new(&context, &Source::vertex("squares.vert", text), "square")?;
/// let mut squares = context.uninit_buffer::<f32>(4)?;
/// kernel.capture().run(&mut squares)?;
/// assert_eq!(squares.read()?, [0.0, 1.0, 4.0, 9.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct CaptureKernel {
    pub(super) interface: Interface,
    output: String,
    /// The GLSL type of the output.
    glsl: Type,
    canvas: Texture<Unorm8>,
}

impl CaptureKernel {
    /// Compiles a vertex shader, one of whose outputs is captured.
    ///
    /// # Errors
    ///
    /// [`Error::Shader`] if the text is incomplete, [`Error::Compile`] and [`Error::Link`] with the
    /// driver's diagnostics, the latter also if there is no such output.
    pub fn new(context: &Context, vertex: &Source, output: &str) -> Result<Self> {
        let nothing = no_fragments()?;
        let abilities = context.abilities();
        let language = abilities.language(abilities.reads());
        let texts = [expand(&nothing, &language)?, expand(vertex, &language)?];
        let interface = Interface::build(context, &[&texts[0], &texts[1]], &[output])?;
        let glsl = interface.program.captured()?.ok_or_else(|| Error::NoSuchName {
            kernel: interface.name.clone(),
            what: "output",
            name: output.to_owned(),
            has: Vec::new(),
        })?;
        let canvas = context.uninit(Extent::new(1, 1))?;
        Ok(CaptureKernel { interface, output: output.to_owned(), glsl, canvas })
    }

    /// Begins a run.
    pub fn capture(&self) -> Capture<'_> {
        Capture::with(self, Arguments::new(&self.interface))
    }
}

/// Returns an empty fragment shader, since OpenGL ES links no program without a fragment shader,
/// even if none is ever run.
fn no_fragments() -> Result<Source> {
    Ok(Source::library(Stage::Fragment, "vertex/nothing.frag")?)
}

/// Returns every shader of this module, to be checked as a set.
pub(crate) fn sources() -> Result<[Source; 1]> {
    Ok([no_fragments()?])
}

/// A run of a vertex shader over points. Errors in its arguments are returned when it runs.
#[must_use = "a capture does nothing until it runs"]
pub struct Capture<'a> {
    arguments: Arguments<'a>,
    output: &'a str,
    glsl: Type,
    canvas: &'a Texture<Unorm8>,
}

impl<'a> Capture<'a> {
    pub(super) fn with(kernel: &'a CaptureKernel, arguments: Arguments<'a>) -> Capture<'a> {
        let CaptureKernel { output, glsl, canvas, .. } = kernel;
        Capture { arguments, output, glsl: *glsl, canvas }
    }

    /// Binds a texture to a sampler.
    pub fn input(mut self, name: &str, texture: &'a dyn AnyTexture) -> Self {
        self.arguments.input(name, texture);
        self
    }

    /// Sets a uniform: a number, a vector, a matrix, or an array of them.
    pub fn uniform(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.arguments.uniform(name, value.into());
        self
    }

    /// Runs over as many points as the buffer has elements.
    ///
    /// # Errors
    ///
    /// Those of [`run_over`](Capture::run_over).
    pub fn run<T: Element>(self, results: &mut Buffer<T>) -> Result<()> {
        let points = results.len();
        self.run_over(points, results)
    }

    /// Runs over this number of points; the buffer may be larger.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchName`], [`Error::WrongType`] and [`Error::Missing`] if the arguments or the
    /// type of the buffer do not match the kernel, [`gl::Error::Length`] if the buffer is too
    /// small, [`gl::Error::Unsupported`] if the device does not [capture](Context::captures) this
    /// type, and errors of the device.
    pub fn run_over<T: Element>(self, points: usize, results: &mut Buffer<T>) -> Result<()> {
        self.must_match::<T>()?;
        let context = &self.arguments.interface.context;
        if !context.captures::<T>()? {
            let request = format!("capturing an output of type {}", T::GLSL);
            let remedy = "draw the points into a texture, or capture a vec4 if that works here";
            let lacks = "transform feedback of it";
            return Err(context.abilities().lack(request, lacks, remedy).into());
        }
        self.run_untried(points, results)
    }

    fn must_match<T: Element>(&self) -> Result<()> {
        let interface = self.arguments.interface;
        if self.glsl.to_string() == T::GLSL {
            return Ok(());
        }
        let (got, expected) = (Argument::Buffer { element: T::GLSL }, self.glsl);
        let (kernel, name) = (interface.name.clone(), self.output.to_owned());
        Err(Error::WrongType { kernel, name, expected, got })
    }

    /// Runs whether or not the device captures this type.
    pub(super) fn run_untried<T: Element>(
        mut self,
        points: usize,
        results: &mut Buffer<T>,
    ) -> Result<()> {
        self.must_match::<T>()?;
        self.arguments.check()?;
        let interface = self.arguments.interface;
        interface.must_be_fed(|_| false)?;
        let context = &interface.context;
        let buffer = results.id_in(context, "the buffer to fill")?;
        if points > results.len() {
            let (what, expected) = ("room for what points give".to_owned(), points);
            return Err(gl::Error::Length { what, expected, got: results.len() }.into());
        }
        let points = u32::try_from(points).unwrap_or(u32::MAX);
        if points == 0 {
            return Ok(());
        }
        let canvas = self.canvas;
        Ok(self
            .arguments
            .bind(None, |bindings| capture(context, &Work { bindings, buffer, points, canvas }))?)
    }
}
