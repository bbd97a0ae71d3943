//! A program on either engine, and its launch: the same arguments by the same names, whether a pass draws a text or a
//! dispatch runs it.
//!
//! An operation that computes each texel by itself is one text in two stages. It includes `include/each_texel.glsl`, which
//! says how each stage writes its targets. What only a dispatch can do has a text of its own, writes buffers, and says its
//! work groups.

use std::hash::Hash;
use std::rc::Rc;

use crate::Extent;
use crate::gl::{
    self, AnyTexture, Attribute, Blend, Buffer, Context, Element, Fenced, Hosted, Staging, Target,
    Texel, Use, Value,
};
use crate::shader::Source;

use super::group::{Group, Setup};
use super::kept::Kept;
use super::kernel::interface::Arguments;
use super::{
    Capture, CaptureKernel, ComputeKernel, Dispatch, Engine, Error, Geometry, Kernel, Pass, Result,
};

/// A text that is compiled for an engine.
pub struct Program(Stage);

enum Stage {
    Fragment(Kernel),
    Compute(ComputeKernel, Group),
    /// A vertex stage whose output goes to a buffer.
    Captured(CaptureKernel),
}

impl Program {
    /// Compiles a text of the stage that the engine has ([`Setup::library`]).
    ///
    /// # Errors
    /// Those of [`Context::kernel`] and [`Context::compute_kernel`].
    pub fn new(context: &Context, setup: Setup, source: Source) -> Result<Program> {
        Ok(Program(match setup {
            Setup::Fragment => Stage::Fragment(context.kernel(source)?),
            Setup::Compute(group) => Stage::Compute(context.compute_kernel(source)?, group),
        }))
    }

    /// Compiles a compute shader of which each launch says its work groups.
    ///
    /// # Errors
    /// Those of [`Context::compute_kernel`].
    pub fn compute(context: &Context, source: Source) -> Result<Program> {
        Program::new(context, Setup::Compute(Group::new(1, 1)), source)
    }

    /// Returns the engine that runs it: of a vertex stage the one that draws.
    pub fn engine(&self) -> Engine {
        match self.0 {
            Stage::Fragment(_) | Stage::Captured(_) => Engine::Fragment,
            Stage::Compute(..) => Engine::Compute,
        }
    }

    /// Begins a launch.
    pub fn launch(&self) -> Launch<'_> {
        let interface = match &self.0 {
            Stage::Fragment(kernel) => &kernel.interface,
            Stage::Compute(kernel, _) => &kernel.interface,
            Stage::Captured(kernel) => &kernel.interface,
        };
        Launch {
            program: self,
            arguments: Arguments::new(interface),
            attributes: Vec::new(),
            over: Geometry::Full,
            blend: Blend::Replace,
            groups: None,
            hosted: None,
            ordered: true,
        }
    }
}

impl From<Kernel> for Program {
    /// Takes a kernel that has more than a fragment stage, or another way of reading texels than its context.
    fn from(kernel: Kernel) -> Program {
        Program(Stage::Fragment(kernel))
    }
}

impl From<CaptureKernel> for Program {
    fn from(kernel: CaptureKernel) -> Program {
        Program(Stage::Captured(kernel))
    }
}

/// A run of a program: its inputs, uniforms and buffers by name, and the texels to compute. Errors in any of them are
/// returned when it runs.
#[must_use = "a launch does nothing until it has targets"]
pub struct Launch<'a> {
    program: &'a Program,
    arguments: Arguments<'a>,
    attributes: Vec<Attribute>,
    over: Geometry<'a>,
    blend: Blend,
    groups: Option<[u32; 3]>,
    hosted: Option<Hosted<'a>>,
    ordered: bool,
}

impl<'a> Launch<'a> {
    /// Binds a texture to a sampler.
    pub fn input(mut self, name: &str, texture: &'a dyn AnyTexture) -> Self {
        self.arguments.input(name, texture);
        self
    }

    /// Sets a uniform.
    pub fn uniform(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.arguments.uniform(name, value.into());
        self
    }

    /// Sets a uniform where the text declares it.
    pub fn uniform_if_declared(self, name: &str, value: impl Into<Value>) -> Self {
        if self.arguments.interface.declares(name) { self.uniform(name, value) } else { self }
    }

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

    /// Binds memory of the host to write without submitting the dispatch, which is submitted with later commands.
    pub fn staging_mut_later<T: Texel>(mut self, block: &str, to: &'a mut Staging<T>) -> Self {
        self.hosted = self.arguments.staging(block, to, Fenced::Later(Use::Writes));
        self
    }

    /// Binds memory of the host to read, which is mapped: writing it waits for the dispatch if that is fenced; otherwise
    /// the writer must wait for a later fence.
    pub fn staging<T: Texel>(mut self, block: &str, from: &'a Staging<T>, fenced: bool) -> Self {
        let fenced = if fenced { Fenced::Later(Use::Reads) } else { Fenced::Not };
        self.hosted = self.arguments.staging(block, from, fenced);
        self
    }

    /// Sets the texels to compute; all of the targets by default. A dispatch computes a rectangle, by a text that defines
    /// `PART`, or all.
    pub fn over(mut self, geometry: Geometry<'a>) -> Self {
        self.over = geometry;
        self
    }

    /// Feeds an input of a vertex stage, whose text gives it this location, from a buffer: the first point gets element
    /// `first`, and each further point the one that is `step` elements on. Bytes become fractions of 255. Location 0 is
    /// taken.
    pub fn attribute<T: Texel + Element>(
        mut self,
        location: u32,
        buffer: &'a Buffer<T>,
        [first, step]: [usize; 2],
    ) -> Self {
        match buffer.id_in(&self.arguments.interface.context, "a buffer of attributes") {
            Ok(id) => {
                let (format, length) = (T::FORMAT, buffer.len());
                let attribute = Attribute { location, buffer: id, format, first, step, length };
                self.attributes.push(attribute);
            }
            Err(error) => self.arguments.blame(error.into()),
        }
        self
    }

    /// Sets how a pass combines its results with the target; they replace its texels by default.
    pub fn blend(mut self, blend: Blend) -> Self {
        self.blend = blend;
        self
    }

    /// Sets how many invocations a dispatch has across and down; by default one for each texel that it computes.
    pub fn invocations(self, extent: Extent) -> Self {
        match self.program.0 {
            Stage::Fragment(_) | Stage::Captured(_) => self,
            Stage::Compute(_, group) => self.groups(group.cover(extent)),
        }
    }

    /// Sets the work groups of a dispatch along x, y and z.
    pub fn groups(mut self, groups: [u32; 3]) -> Self {
        self.groups = Some(groups);
        self
    }

    /// Lets the device run what follows at the same time: nothing may read or write what this writes, nor write what it
    /// reads, until a dispatch that is not unordered has followed.
    pub fn unordered(mut self) -> Self {
        self.ordered = false;
        self
    }

    /// Runs a vertex stage over this number of points; the buffer may be larger.
    ///
    /// # Errors
    /// Those of [`Capture::run_over`]; [`Error::Targets`] of another stage.
    pub fn capture<T: Element>(self, points: usize, results: &mut Buffer<T>) -> Result<()> {
        match &self.program.0 {
            Stage::Captured(kernel) => {
                Capture::with(kernel, self.arguments).run_over(points, results)
            }
            _ => Err(wrong_targets(&self.arguments, "textures, by `into`")),
        }
    }

    /// Runs a dispatch that writes buffers alone.
    ///
    /// # Errors
    /// Those of [`Dispatch::run`].
    pub fn run(self, groups: [u32; 3]) -> Result<()> {
        self.groups(groups).into(&mut [])
    }

    /// Computes one target, by the name of its output.
    ///
    /// # Errors
    /// Those of [`into`](Self::into).
    pub fn write<'b, T: Target>(self, name: &str, target: &'b mut T) -> Result<()>
    where
        'a: 'b,
    {
        self.into(&mut [(name, target)])
    }

    /// Computes targets of one extent, each by the name of its output.
    ///
    /// # Errors
    /// Those of [`Pass::draw_into`] and of [`Dispatch::run`]; [`gl::Error::Outside`] for a rectangle outside the targets.
    pub fn into<'b>(self, targets: &'b mut [(&str, &mut dyn Target)]) -> Result<()>
    where
        'a: 'b,
    {
        let Launch { program, arguments, attributes, over, blend, groups, hosted, ordered }: Launch<'b> = self;
        match &program.0 {
            Stage::Fragment(kernel) => {
                let targets: Vec<&dyn AnyTexture> =
                    targets.iter().map(|(_, target)| &**target as &dyn AnyTexture).collect();
                Pass { kernel, arguments, attributes, geometry: over, blend }.run(&targets)
            }
            Stage::Compute(_, group) => {
                let (arguments, extent) = placed(arguments, &over, targets)?;
                let dispatch = Dispatch { arguments, hosted, ordered };
                dispatch.run(groups.unwrap_or_else(|| group.cover(extent)))
            }
            Stage::Captured(_) => Err(wrong_targets(&arguments, "a buffer, by `capture`")),
        }
    }
}

fn wrong_targets(arguments: &Arguments<'_>, writes: &str) -> Error {
    let (kernel, outputs) = (arguments.interface.name.clone(), vec![writes.to_owned()]);
    Error::Targets { kernel, outputs, got: Vec::new(), dropped: Box::default() }
}

/// Gives a dispatch its targets and the place of the texels that it computes, where its text asks for it. Returns their
/// extent too.
fn placed<'a>(
    mut arguments: Arguments<'a>,
    over: &Geometry<'_>,
    targets: &'a [(&str, &mut dyn Target)],
) -> Result<(Arguments<'a>, Extent)> {
    let mut extent = targets.first().map_or_else(Extent::default, |(_, target)| target.extent());
    if let Geometry::Rectangle(rectangle) = *over {
        if !rectangle.fits(extent) {
            let what = format!("a dispatch of {}", arguments.interface.name);
            return Err(gl::Error::Outside { what, rectangle, extent }.into());
        }
        arguments.uniform("part", [rectangle.x as i32, rectangle.y as i32].into());
        extent = Extent::new(rectangle.width, rectangle.height);
    }
    if arguments.interface.declares("extent") {
        arguments.uniform("extent", [extent.width as i32, extent.height as i32].into());
    }
    for (name, target) in targets {
        arguments.image(name, &**target);
    }
    Ok((arguments, extent))
}

/// The programs of one kind of work, each compiled when it is first needed.
pub struct Programs<K> {
    context: Context,
    setup: Setup,
    compiled: Kept<K, Program>,
}

impl<K: Clone + Eq + Hash> Programs<K> {
    /// Compiles nothing yet.
    pub fn new(context: &Context, setup: Setup) -> Programs<K> {
        Programs { context: context.clone(), setup, compiled: Kept::default() }
    }

    /// Returns the context that they are compiled for.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Returns the engine that they are compiled for.
    pub fn engine(&self) -> Engine {
        self.setup.engine()
    }

    /// Returns the program of a key, of which `source` says the text.
    ///
    /// # Errors
    /// Those of [`Program::new`] and of the text.
    pub fn get<E: From<Error>>(
        &self,
        key: &K,
        source: impl FnOnce(&K, Setup) -> Result<Source, E>,
    ) -> Result<Rc<Program>, E> {
        self.get_or(key, || Ok(Program::new(&self.context, self.setup, source(key, self.setup)?)?))
    }

    /// Returns the program of a key, which is made where there is none yet.
    ///
    /// # Errors
    /// Those of making it.
    pub fn get_or<E>(
        &self,
        key: &K,
        make: impl FnOnce() -> Result<Program, E>,
    ) -> Result<Rc<Program>, E> {
        self.compiled.get_or(key, make)
    }
}
