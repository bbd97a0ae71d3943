//! Compute kernels and their dispatches, where the context has them.

use crate::gl::{
    self, AnyTexture, Buffer, Compute, Context, Element, Fenced, Hosted, Staging, Texel, Texture,
    Type, Use, Value, dispatch,
};
use crate::shader::{Expanded, Source, Storage};

#[cfg(doc)]
use super::Error;
use super::Result;
use super::kernel::interface::{Arguments, Interface};
use super::kernel::resolve::resolve;

/// A compute shader with named storage buffers, textures and uniforms, where the context has
/// compute shaders (OpenGL 4.3, OpenGL ES 3.1). Every block needs `layout(std430, binding = N)
/// buffer`, which OpenGL ES requires.
///
/// ```no_run
/// # // llvmpipe runs this; the test `compute.rs` does too, on contexts that have compute.
/// use quadrille::{Context, Source};
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
/// let mut y = context.uninit_buffer::<f32>(3)?;
/// kernel.dispatch().buffer("Input", &x).buffer_mut("Output", &mut y).run([1, 1, 1])?;
/// assert_eq!(y.read()?, [2.0, 4.0, 6.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ComputeKernel {
    pub(super) interface: Interface,
    storage: Storage,
}

impl Context {
    /// Compiles a compute shader.
    ///
    /// # Errors
    ///
    /// [`gl::Error::Unsupported`] if the context has no compute shaders, [`Error::Shader`] if the
    /// text is incomplete, [`Error::Compile`] and [`Error::Link`] with the driver's diagnostics,
    /// [`Error::BlockWithoutBinding`] and [`Error::SharedBinding`] for blocks without a binding of
    /// their own.
    pub fn compute_kernel(&self, source: Source) -> Result<ComputeKernel> {
        self.compute_kernel_of(&resolve(self, &source, None)?)
    }

    /// Compiles the text of a compute shader.
    #[doc(hidden)]
    pub fn compute_kernel_of(&self, text: &Expanded) -> Result<ComputeKernel> {
        let interface = Interface::build(self, &[text], &[])?;
        Ok(ComputeKernel { interface, storage: text.storage().clone() })
    }
}

impl ComputeKernel {
    /// Begins a dispatch.
    pub fn dispatch(&self) -> Dispatch<'_> {
        Dispatch { arguments: Arguments::new(&self.interface), hosted: None, ordered: true }
    }

    /// Returns the name of the shader.
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

    /// Returns the names of the textures that it samples and the compiler kept, sorted.
    pub fn inputs(&self) -> Vec<&str> {
        self.interface.inputs()
    }

    /// Returns the names of the other uniforms that the compiler kept, sorted.
    pub fn uniforms(&self) -> Vec<&str> {
        self.interface.uniforms()
    }

    /// Returns the type of a texture, image or uniform that the compiler kept, and how many
    /// elements it has.
    pub fn type_of(&self, name: &str) -> Option<Type> {
        self.interface.type_of(name)
    }

    /// Returns whether the text declares a texture, image or uniform of this name, kept or not.
    pub fn declares(&self, name: &str) -> bool {
        self.interface.declares(name)
    }

    /// Returns the blocks and images of its text, kept or not, and the size of its work groups.
    #[doc(hidden)]
    pub fn storage(&self) -> &Storage {
        &self.storage
    }
}

/// A run of a compute kernel: its buffers, textures and uniforms by name. What it writes is
/// borrowed mutably.
#[must_use = "a dispatch does nothing until it is run"]
pub struct Dispatch<'a> {
    pub(super) arguments: Arguments<'a>,
    pub(super) hosted: Option<Hosted<'a>>,
    /// Whether what follows sees what this writes.
    pub(super) ordered: bool,
}

impl<'a> Dispatch<'a> {
    /// Binds a storage buffer to read.
    pub fn buffer<T: Element>(mut self, block: &str, buffer: &'a Buffer<T>) -> Self {
        self.arguments.buffer(block, buffer);
        self
    }

    /// Binds a storage buffer to write.
    pub fn buffer_mut<T: Element>(mut self, block: &str, buffer: &'a mut Buffer<T>) -> Self {
        self.arguments.buffer(block, buffer);
        self
    }

    /// Binds memory of the host to write, which is mapped: reading it waits for the dispatch.
    pub(crate) fn staging_mut<T: Texel>(mut self, block: &str, to: &'a mut Staging<T>) -> Self {
        self.hosted = self.arguments.staging(block, to, Fenced::Submitted(Use::Writes));
        self
    }

    /// Binds a texture to a sampler.
    pub fn input(mut self, name: &str, texture: &'a dyn AnyTexture) -> Self {
        self.arguments.input(name, texture);
        self
    }

    /// Binds a texture to an image, to write.
    pub fn image_mut<T: Texel>(mut self, name: &str, texture: &'a mut Texture<T>) -> Self {
        self.arguments.image(name, texture);
        self
    }

    /// Binds a texture to an image that the shader only reads, or that the caller may have written.
    #[doc(hidden)]
    pub fn image(mut self, name: &str, texture: &'a dyn AnyTexture) -> Self {
        self.arguments.image(name, texture);
        self
    }

    /// Sets a uniform: a number, a vector, a matrix, or an array of them.
    pub fn uniform(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.arguments.uniform(name, value.into());
        self
    }

    /// Runs this number of work groups along x, y and z. What it writes is visible to all later
    /// work.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchName`], [`Error::WrongType`] and [`Error::Missing`] if the arguments do not
    /// match the kernel, [`gl::Error::TooLarge`] for more work groups than the device allows, and
    /// errors of the device.
    pub fn run(mut self, groups: [u32; 3]) -> Result<()> {
        self.arguments.check()?;
        self.must_fit(groups)?;
        let (context, hosted) = (&self.arguments.interface.context, self.hosted);
        let ordered = self.ordered;
        Ok(self.arguments.bind(None, |bindings| {
            dispatch(context, &Compute { bindings, groups, hosted, ordered })
        })?)
    }

    fn must_fit(&self, groups: [u32; 3]) -> Result<()> {
        let interface = self.arguments.interface;
        let Some(limits) = interface.context.abilities().compute else { return Ok(()) };
        for (request, limit) in groups.into_iter().zip(limits.max_groups) {
            let request = (request as usize, "work groups along one axis");
            let remedy = "use more axes, or more work in each group";
            gl::must_fit(&interface.name, request, limit as usize, remedy)?;
        }
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    /// A software renderer is done when the dispatch returns; hardware is not.
    #[test]
    fn memory_of_the_host_that_a_dispatch_writes_is_behind_a_fence() {
        let text = "layout(local_size_x = 1) in;
            layout(std430, binding = 0) writeonly buffer To { vec4 to[]; };
            void main() { to[gl_GlobalInvocationID.x] = vec4(7.0); }";
        let (context, other) = (Context::headless().unwrap(), Context::headless().unwrap());
        let kernel = context.compute_kernel(Source::compute("seven.comp", text)).unwrap();
        let mut to = context.staging::<[f32; 4]>(3).unwrap();
        to.as_mut_slice().unwrap().fill([0.0; 4]);
        assert_eq!(context.objects().unwrap().fences, 0);
        kernel.dispatch().staging_mut("To", &mut to).run([2, 1, 1]).unwrap();
        assert_eq!(context.objects().unwrap().fences, 1);
        assert_eq!(to.as_slice().unwrap(), [[7.0; 4], [7.0; 4], [0.0; 4]]);
        assert_eq!(context.objects().unwrap().fences, 0);
        let mut foreign = other.staging::<[f32; 4]>(3).unwrap();
        assert!(kernel.dispatch().staging_mut("To", &mut foreign).run([1, 1, 1]).is_err());
    }
}
