//! Compute kernels and their dispatches, where the context has them.

use crate::gl::{
    self, AnyTexture, Bindings, Buffer, BufferId, Compute, Context, Element, Parameter,
    ParameterKind, Program, Texel, Texture, Value, dispatch, must_live_in,
};
use crate::shader::{Expanded, Reads, Source};

use super::Error;
use super::build::{Built, Declared, array, build};

/// A compute program over storage buffers. Every block of its text says
/// `layout(std430, binding = N) buffer`, since ES has no other way to place it.
///
/// ```no_run
/// # // llvmpipe runs this; the test `compute.rs` does too, on contexts that have compute.
/// use quadrille::{Context, shader::Source};
/// let context = Context::headless()?;
/// let text = "
///     layout(local_size_x = 64) in;
///     layout(std430, binding = 0) readonly buffer Input { float x[]; };
///     layout(std430, binding = 1) writeonly buffer Output { float y[]; };
///     void main() {
///         uint i = gl_GlobalInvocationID.x;
///         if (i < uint(x.length())) y[i] = 2.0 * x[i];
///     }";
/// let kernel = context.compute_kernel(Source::compute("double.comp", text))?;
/// let x = context.buffer(&[1.0_f32, 2.0, 3.0])?;
/// let mut y = context.empty_buffer::<f32>(3)?;
/// kernel.dispatch().buffer("Input", &x).buffer_mut("Output", &mut y).run([1, 1, 1])?;
/// assert_eq!(y.read()?, [2.0, 4.0, 6.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ComputeKernel {
    context: Context,
    name: String,
    program: Program,
    declared: Declared,
    blocks: Vec<Block>,
}

struct Block {
    name: String,
    binding: u32,
}

impl Context {
    /// Compiles a compute shader; an error where the context has no compute shaders.
    pub fn compute_kernel(&self, source: Source) -> Result<ComputeKernel, Error> {
        let abilities = self.abilities();
        if abilities.compute.is_none() {
            return Err(Error::Gl(gl::Error::Unsupported {
                wish: format!("{}, a compute shader,", source.name()),
                lacks: "OpenGL 4.3 or OpenGL ES 3.1".into(),
                device: abilities.renderer.clone(),
                way_out: "use a fragment kernel".into(),
            }));
        }
        let dialect = abilities.compute_dialect(Reads::Fetch);
        let name = source.name().to_owned();
        let Built { program, texts, declared } = build(self, &name, &[&source], &dialect)?;
        let blocks = find_blocks(&name, &program, &texts)?;
        Ok(ComputeKernel { context: self.clone(), name, program, declared, blocks })
    }
}

/// The storage blocks that the compiler kept, bound where the text says: to ask the driver would
/// take a call that glow 0.18 makes with room for no answer.
fn find_blocks(kernel: &str, program: &Program, texts: &[Expanded]) -> Result<Vec<Block>, Error> {
    let bad = |text: String| Err(Error::Bad { kernel: kernel.to_owned(), text });
    let mut blocks: Vec<Block> = Vec::new();
    for declared in texts.iter().flat_map(|text| text.declarations().buffers.iter()) {
        let name = &declared.name;
        if !program.has_block(name)? {
            continue;
        }
        let Some(binding) = declared.binding else {
            return bad(format!(
                "block `{name}` has no place: write `layout(std430, binding = N)` before it, with a \
                 number for N"
            ));
        };
        if let Some(other) = blocks.iter().find(|other| other.binding == binding) {
            let other = &other.name;
            return bad(format!(
                "blocks `{other}` and `{name}` share binding {binding}: \
                 give each its own `layout(std430, binding = N)`"
            ));
        }
        blocks.push(Block { name: name.clone(), binding });
    }
    Ok(blocks)
}

impl ComputeKernel {
    /// Begins a dispatch.
    pub fn dispatch(&self) -> Dispatch<'_> {
        Dispatch {
            kernel: self,
            inputs: Vec::new(),
            images: Vec::new(),
            buffers: Vec::new(),
            uniforms: Vec::new(),
            fault: None,
        }
    }

    /// The name of its shader.
    pub fn name(&self) -> &str {
        &self.name
    }

    fn no_such(&self, what: &'static str, name: &str, has: Vec<String>) -> Error {
        Error::NoSuchName { kernel: self.name.clone(), what, name: name.to_owned(), has }
    }

    fn find(&self, what: &'static str, name: &str) -> Result<Option<&Parameter>, Error> {
        if let Some(parameter) = self.program.parameter(name) {
            return Ok(Some(parameter));
        }
        if self.declared.contains(name) {
            return Ok(None);
        }
        let mut has: Vec<String> = self.program.parameters().map(|p| p.name.clone()).collect();
        has.sort_unstable();
        Err(self.no_such(what, name, has))
    }

    fn block(&self, name: &str) -> Result<u32, Error> {
        match self.blocks.iter().find(|block| block.name == name) {
            Some(block) => Ok(block.binding),
            None => {
                let has = self.blocks.iter().map(|block| block.name.clone()).collect();
                Err(self.no_such("storage block", name, has))
            }
        }
    }
}

/// One run of a compute kernel. What it writes is borrowed mutably, so that nothing can read it
/// meanwhile.
#[must_use = "a dispatch does nothing until it is run"]
pub struct Dispatch<'a> {
    kernel: &'a ComputeKernel,
    inputs: Vec<(u32, &'a dyn AnyTexture)>,
    images: Vec<(u32, &'a dyn AnyTexture)>,
    buffers: Vec<(u32, BufferId)>,
    uniforms: Vec<(&'a Parameter, Value)>,
    fault: Option<Error>,
}

impl<'a> Dispatch<'a> {
    /// Gives a buffer to read.
    pub fn buffer<T: Element>(self, block: &str, buffer: &'a Buffer<T>) -> Self {
        self.bind(block, buffer)
    }

    /// Gives a buffer to write.
    pub fn buffer_mut<T: Element>(self, block: &str, buffer: &'a mut Buffer<T>) -> Self {
        self.bind(block, buffer)
    }

    fn bind<T: Element>(mut self, block: &str, buffer: &'a Buffer<T>) -> Self {
        let id = buffer.id_in(&self.kernel.context, &format!("block `{block}`"));
        match (self.kernel.block(block), id) {
            (Ok(binding), Ok(id)) => self.buffers.push((binding, id)),
            (Err(error), _) => self.blame(error),
            (_, Err(error)) => self.blame(error.into()),
        }
        self
    }

    /// Gives a texture to read through a sampler.
    pub fn input(mut self, name: &str, texture: &'a dyn AnyTexture) -> Self {
        match self.check_texture(name, texture, ParameterKind::Sampler(texture.format().class)) {
            Ok(Some(unit)) => self.inputs.push((unit, texture)),
            Ok(None) => {}
            Err(error) => self.blame(error),
        }
        self
    }

    /// Gives a texture to write through an image.
    pub fn image_mut<T: Texel>(mut self, name: &str, texture: &'a mut Texture<T>) -> Self {
        let texture: &'a dyn AnyTexture = texture;
        match self.check_texture(name, texture, ParameterKind::Image(texture.format().class)) {
            Ok(Some(unit)) => self.images.push((unit, texture)),
            Ok(None) => {}
            Err(error) => self.blame(error),
        }
        self
    }

    fn check_texture(
        &self,
        name: &str,
        texture: &dyn AnyTexture,
        kind: ParameterKind,
    ) -> Result<Option<u32>, Error> {
        let Some(parameter) = self.kernel.find("input", name)? else { return Ok(None) };
        must_live_in(&self.kernel.context, texture, &format!("`{name}`"))?;
        if parameter.kind == kind {
            return Ok(Some(parameter.unit));
        }
        let got = format!("a {kind} of {}", texture.format().name);
        Err(self.wrong_type(name, parameter.kind.to_string(), got))
    }

    /// Gives a number, or a few.
    pub fn uniform(mut self, name: &str, value: impl Into<Value>) -> Self {
        let value = value.into();
        match self.kernel.find("uniform", name) {
            Ok(Some(parameter)) if self.kernel.declared.takes(parameter, &value) => {
                self.uniforms.push((parameter, value));
            }
            Ok(Some(parameter)) => {
                let (kind, length) = value.kind();
                let got = format!("a {}", array(kind, length));
                let expected = self.kernel.declared.describe(parameter);
                let error = self.wrong_type(name, expected, got);
                self.blame(error);
            }
            Ok(None) => {}
            Err(error) => self.blame(error),
        }
        self
    }

    fn wrong_type(&self, name: &str, expected: String, got: String) -> Error {
        let (kernel, name) = (self.kernel.name.clone(), name.to_owned());
        Error::WrongType { kernel, name, expected, got }
    }

    fn blame(&mut self, error: Error) {
        self.fault.get_or_insert(error);
    }

    /// Runs this many work groups along x, y and z. What was written is visible to all that
    /// follows.
    pub fn run(self, groups: [u32; 3]) -> Result<(), Error> {
        if let Some(error) = self.fault {
            return Err(error);
        }
        self.must_be_complete()?;
        self.must_fit(groups)?;
        let uniforms: Vec<(&Parameter, &Value)> =
            self.uniforms.iter().map(|(parameter, value)| (*parameter, value)).collect();
        let bindings =
            Bindings { program: &self.kernel.program, inputs: &self.inputs, uniforms: &uniforms };
        let work = Compute { bindings, buffers: &self.buffers, images: &self.images, groups };
        Ok(dispatch(&self.kernel.context, &work)?)
    }

    fn must_be_complete(&self) -> Result<(), Error> {
        let texture_given = |parameter: &Parameter, list: &[(u32, &dyn AnyTexture)]| {
            list.iter().any(|(unit, _)| *unit == parameter.unit)
        };
        let given = |parameter: &Parameter| match parameter.kind {
            ParameterKind::Sampler(_) => texture_given(parameter, &self.inputs),
            ParameterKind::Image(_) => texture_given(parameter, &self.images),
            _ => self.uniforms.iter().any(|(known, _)| known.name == parameter.name),
        };
        let parameters = self.kernel.program.parameters().filter(|p| !given(p));
        let mut missing: Vec<String> =
            parameters.map(|p| format!("{} {}", p.kind, p.name)).collect();
        let bound = |block: &&Block| self.buffers.iter().any(|(b, _)| *b == block.binding);
        let blocks = self.kernel.blocks.iter().filter(|block| !bound(block));
        missing.extend(blocks.map(|block| format!("buffer {}", block.name)));
        if missing.is_empty() {
            return Ok(());
        }
        missing.sort_unstable();
        Err(Error::Missing { kernel: self.kernel.name.clone(), missing })
    }

    fn must_fit(&self, groups: [u32; 3]) -> Result<(), Error> {
        let Some(limits) = self.kernel.context.abilities().compute else { return Ok(()) };
        for (wish, limit) in groups.into_iter().zip(limits.max_groups) {
            if wish > limit {
                return Err(Error::Gl(gl::Error::TooLarge {
                    what: self.kernel.name.clone(),
                    wish: format!("{wish} work groups along one axis"),
                    limit: limit.into(),
                    fits: "use more axes, or more work in each group".into(),
                }));
            }
        }
        Ok(())
    }
}
