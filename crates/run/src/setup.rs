//! The description of an experiment: plain data, checked when the experiment is made.

pub(super) mod array;
pub(super) mod frames;
pub(super) mod origin;
pub(super) mod precision;
pub(super) mod primitive;
pub(super) mod samplings;
pub(super) mod scale;
pub(super) mod settings;

use quadrille::Extent;
use quadrille::data::{self, Field};
use quadrille::gl::{Sampling, Value};
use quadrille::shader::{Reads, Source};

use crate::Result;
use crate::dialect::Dialects;
use crate::setup::array::Array;
use crate::setup::frames::Frames;
use crate::setup::precision::Precision;
use crate::setup::primitive::Primitive;
use crate::setup::samplings::Samplings;
use crate::setup::scale::{Scale, Size};
use crate::setup::settings::{Settings, Uniform};

/// The inputs, uniforms and feedback of an experiment, by the names of its shaders.
///
/// ```
/// use quadrille::{Extent, data::Field};
/// use quadrille_run::Setup;
/// let setup = Setup::new()
///     .input("u", Field::line(vec![0.0_f32, 1.0, 0.0])?)
///     .uniform("rate", "0.1")
///     .feedback("next", "u");
/// # Ok::<(), quadrille::data::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Setup {
    pub(super) arrays: Vec<Array>,
    pub(super) settings: Settings,
    /// Whether inputs and uniforms that no shader has are left out, in place of an error.
    pub(super) leaves_out: bool,
    /// Further facts that must be the same in a checkpoint, besides the experiment itself.
    pub(super) facts: Vec<(String, String)>,
}

/// What a pass runs.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Program {
    /// A fragment or compute shader.
    Shader(Source),
    /// A primitive of the library.
    Primitive(Primitive),
}

/// A shader's dialect is recognised by its text, unless it was named.
impl From<Source> for Program {
    fn from(source: Source) -> Program {
        Program::Shader(source.recognised())
    }
}

impl From<Primitive> for Program {
    fn from(primitive: Primitive) -> Program {
        Program::Primitive(primitive)
    }
}

impl Program {
    pub(super) fn shader(&self) -> Option<&Source> {
        match self {
            Program::Shader(source) => Some(source),
            Program::Primitive(_) => None,
        }
    }

    pub(super) fn primitive(&self) -> Option<&Primitive> {
        match self {
            Program::Shader(_) => None,
            Program::Primitive(primitive) => Some(primitive),
        }
    }

    /// Returns the name: of a shader, that of its file.
    pub fn name(&self) -> &str {
        match self {
            Program::Shader(source) => source.name(),
            Program::Primitive(primitive) => primitive.name(),
        }
    }

    /// Changes a shader.
    pub(super) fn map<E>(
        self,
        change: impl FnOnce(Source) -> Result<Source, E>,
    ) -> Result<Program, E> {
        match self {
            Program::Shader(source) => change(source).map(Program::Shader),
            primitive => Ok(primitive),
        }
    }
}

/// A pass of an experiment: a shader or a [`Primitive`], the arrays that its samplers read, and its
/// own uniforms and extent.
///
/// A sampler reads the input of the same name unless [`read`](PassSetup::read) says otherwise.
///
/// `S` is what runs, or in a [`RunFile`](crate::RunFile) where a shader is read from.
#[derive(Clone, Debug)]
#[must_use]
pub struct PassSetup<S = Program> {
    /// Empty for the one shader without a name.
    pub(super) name: String,
    pub(super) source: S,
    pub(super) reads: Vec<(String, String)>,
    pub(super) uniforms: Vec<(String, Uniform)>,
    pub(super) size: Option<Size>,
    pub(super) groups: Option<[u32; 3]>,
    /// The number of runs in a step, if it was set.
    pub(super) repeat: Option<u32>,
    /// The outputs and the samplers that read them in the next repetition.
    pub(super) feedback: Vec<(String, String)>,
}

impl Setup {
    /// Creates an empty setup.
    pub fn new() -> Setup {
        Setup::default()
    }

    /// Creates a setup of these settings and arrays. The inputs in the settings are ignored: the
    /// arrays take their place.
    pub fn of(settings: Settings, arrays: Vec<Array>) -> Setup {
        Setup { settings, arrays, ..Setup::default() }
    }

    /// Sets an input to a field.
    pub fn input(self, name: impl Into<String>, field: Field) -> Setup {
        self.array(Array::new(name, field))
    }

    /// Sets an input to a sequence of frames, one for each step; `first` is the one of the first
    /// step.
    pub fn frames(self, name: impl Into<String>, frames: Frames, first: Field) -> Setup {
        self.array(Array { frames: Some(frames), ..Array::new(name, first) })
    }

    /// Sets an input to an array, or to a sequence of arrays.
    pub fn array(mut self, array: Array) -> Setup {
        self.arrays.push(array);
        self
    }

    /// Adds a fact that must be the same in a [checkpoint](crate::Experiment::load), besides the
    /// experiment itself: the seed of its inputs, for example.
    pub fn fact(mut self, name: impl Into<String>, value: impl Into<String>) -> Setup {
        self.facts.push((name.into(), value.into()));
        self
    }

    /// Sets the shape of an input, as NumPy defines it: one axis, two, or three of which the last
    /// has a length of 1 to 4; for a `sampler2DArray` three of any lengths, layers first, or four
    /// of which the last has a length of 1 to 4, which a storage block takes as rows.
    /// [`Experiment::write`](crate::Experiment::write) brings its values before the first step.
    ///
    /// # Errors
    /// [`data::ArrayError::FieldShape`] and [`data::ArrayError::FieldEmpty`] for another shape.
    pub fn shape(self, name: impl Into<String>, shape: &[usize]) -> Result<Setup, data::Error> {
        Ok(self.array(Array::shaped(name, shape)?))
    }

    /// Sets a uniform by a text, which is converted to the type that the shader declares: `0.5`,
    /// `true`, or `1,0,0` for a vector, an array, or a matrix column by column. With several
    /// passes, each that declares it gets it.
    pub fn uniform(mut self, name: impl Into<String>, text: impl Into<String>) -> Setup {
        self.settings.uniforms.push((name.into(), Uniform::Text(text.into())));
        self
    }

    /// Sets a uniform to a value.
    pub fn value(mut self, name: impl Into<String>, value: impl Into<Value>) -> Setup {
        self.settings.uniforms.push((name.into(), Uniform::Value(value.into())));
        self
    }

    /// Sets the extent of the outputs; by default that of the inputs.
    pub fn extent(mut self, extent: Extent) -> Setup {
        self.settings.size = Some(extent);
        self
    }

    /// Sets the number of work groups of compute shaders along x, y and z; by default one
    /// invocation for each cell, where that is clear.
    pub fn groups(mut self, groups: [u32; 3]) -> Setup {
        self.settings.groups = Some(groups);
        self
    }

    /// Leaves out the inputs and uniforms that no shader has, in place of an error.
    pub(crate) fn leaving_out(mut self) -> Setup {
        self.leaves_out = true;
        self
    }

    /// Sets how `READ` reads texels, which changes no result; by default as suits the renderer.
    pub fn reads(mut self, reads: Reads) -> Setup {
        self.settings.reads = Some(reads);
        self
    }

    /// Sets how `texture()` samples an input, or an output that a later pass reads (`pass.output`):
    /// by default the nearest texel, and outside of the array the nearest one of its edge. `READ`
    /// and `texelFetch` read texels exactly in any case. An input keeps its sampling when an output
    /// replaces it.
    ///
    /// ```
    /// use quadrille::{Context, Extent, data::Field, shader::Source};
    /// use quadrille_run::{Experiment, Setup};
    /// use quadrille::gl::{Filter, Sampling, Wrap};
    /// let context = Context::headless()?;
    /// let between = Source::fragment("between.frag", "
    ///     uniform sampler2D x;
    ///     out float y;
    ///     void main() { y = texture(x, vec2(TEXEL.x, 0.5) / vec2(textureSize(x, 0))).r; }");
    /// let setup = Setup::new()
    ///     .input("x", Field::line(vec![0.0_f32, 8.0])?)
    ///     .sampling("x", Sampling { filter: Filter::Linear, wrap: Wrap::Repeat });
    /// let mut experiment = Experiment::new(&context, &between, setup)?;
    /// experiment.step()?;
    /// assert_eq!(experiment.read("y")?, Field::line(vec![4.0_f32, 4.0])?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sampling(self, name: impl Into<String>, sampling: Sampling) -> Setup {
        let name = name.into();
        let of_one = Samplings::new().wrap(name.clone(), sampling.wrap);
        self.samplings(of_one.filter(name, sampling.filter))
    }

    /// Sets the precision in which an input of floats is held on the device, and so the output that
    /// replaces it. In half precision its numbers are rounded, as
    /// [`Experiment::rounded`](crate::Experiment::rounded) reports; a number that would become
    /// infinite is refused with [`InputError::AboveHalf`](crate::error::InputError). The default is
    /// single precision, or half for a field [that is stored in it](Field::is_half) and that no
    /// output replaces.
    pub fn precision(mut self, input: impl Into<String>, precision: Precision) -> Setup {
        self.settings.precisions.push((input.into(), precision));
        self
    }

    /// Sets how far the shaders read from their own texels, by default 0, for arrays that are
    /// larger than a texture along an axis. These are computed in panels, each with a halo so wide
    /// around it; the results have the bits that one texture would give. A read beyond is noticed:
    /// [`LimitError::TooFar`](crate::error::LimitError) refuses the result, with the distance. The
    /// array repeats at its ends, as `READ_WRAPPED` reads it.
    ///
    /// ```
    /// use quadrille::{Context, data::Field, shader::Source};
    /// use quadrille_run::{Experiment, Setup};
    /// let context = Context::headless()?;
    /// let difference = Source::fragment("difference.frag", "
    ///     uniform sampler2D x;
    ///     out float d;
    ///     void main() { d = READ(x, TEXEL).r - READ_CLAMPED(x, TEXEL - ivec2(1, 0)).r; }");
    /// let numbers: Vec<f32> = (0..100_000).map(|i| i as f32).collect();
    /// let setup = Setup::new().input("x", Field::line(numbers)?).halo(1);
    /// let mut experiment = Experiment::new(&context, &difference, setup)?;
    /// experiment.step()?;
    /// let mut expected = vec![1.0_f32; 100_000];
    /// expected[0] = 0.0;
    /// assert_eq!(experiment.read("d")?, Field::line(expected)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn halo(mut self, texels: u32) -> Setup {
        self.settings.halo = Some(texels);
        self
    }

    /// Sets how several inputs are sampled, or all of them: see [`sampling`](Setup::sampling).
    pub fn samplings(mut self, samplings: Samplings) -> Setup {
        self.settings.samplings.add(samplings);
        self
    }

    /// Sets the number of steps per second of the clock that shaders of some
    /// [dialects](crate::Dialect) read, by default 60. The time of a step is its number divided by
    /// the rate, however long it takes to compute.
    pub fn rate(mut self, rate: f64) -> Setup {
        self.settings.rate = Some(rate);
        self
    }

    /// Sets whether y = 0 is the last row of arrays and the bottom of pictures: rows are then
    /// reversed where the host's numbers enter and leave. This is the default for shaders of
    /// [dialects](crate::Dialect) in which y = 0 is the bottom.
    pub fn flip(mut self, flip: bool) -> Setup {
        self.settings.flip = Some(flip);
        self
    }

    /// Returns an input, and its index.
    pub(super) fn find(&self, name: &str) -> Option<(usize, &Array)> {
        self.arrays.iter().enumerate().find(|(_, array)| array.name == name)
    }

    /// Returns the passes, whose shaders take what the settings say of all.
    pub(super) fn passes(&self, passes: &[PassSetup]) -> Result<Vec<PassSetup>> {
        let pass = |pass: &PassSetup| {
            Ok(pass.with(pass.source.clone().map(|source| self.settings.source(source))?))
        };
        passes.iter().map(pass).collect()
    }

    /// Returns the names that a shader may have declared.
    pub(super) fn names(&self) -> impl Iterator<Item = &String> {
        let arrays = self.arrays.iter().map(|array| &array.name);
        arrays.chain(self.settings.uniforms.iter().map(|(name, _)| name))
    }

    /// Makes an output the next step's input. With several passes an output is named `pass.output`.
    pub fn feedback(mut self, output: impl Into<String>, input: impl Into<String>) -> Setup {
        self.settings.feedback.push((output.into(), input.into()));
        self
    }
}

impl PassSetup {
    /// Makes a pass of this name, with a shader or a [`Primitive`]; a name is not empty and contains
    /// no dot. A shader's dialect is recognised by its text, unless it was named.
    pub fn new(name: impl Into<String>, program: impl Into<Program>) -> PassSetup {
        PassSetup::plain(name.into(), program.into())
    }

    /// Renames the pass.
    pub fn named(self, name: impl Into<String>) -> PassSetup {
        PassSetup { name: name.into(), ..self }
    }

    /// Returns what it runs.
    pub fn program(&self) -> &Program {
        &self.source
    }

    /// Returns the shader, with its dialect; none where a primitive runs.
    pub fn source(&self) -> Option<&Source> {
        self.source.shader()
    }
}

impl<S> PassSetup<S> {
    pub(super) fn plain(name: String, source: S) -> PassSetup<S> {
        let (size, groups, repeat) = (None, None, None);
        let (reads, uniforms, feedback) = (Vec::new(), Vec::new(), Vec::new());
        PassSetup { name, source, reads, uniforms, size, groups, repeat, feedback }
    }

    /// Replaces the shader.
    pub(super) fn with<T>(&self, source: T) -> PassSetup<T> {
        let PassSetup { name, reads, uniforms, size, groups, repeat, feedback, .. } = self;
        PassSetup {
            name: name.clone(),
            source,
            reads: reads.clone(),
            uniforms: uniforms.clone(),
            size: size.clone(),
            groups: *groups,
            repeat: *repeat,
            feedback: feedback.clone(),
        }
    }

    /// Lets a sampler read an input of another name, or `pass.output`: the output of an earlier
    /// pass of the same step.
    pub fn read(mut self, sampler: impl Into<String>, from: impl Into<String>) -> PassSetup<S> {
        self.reads.push((sampler.into(), from.into()));
        self
    }

    /// Sets a uniform of this pass alone by a text, as [`Setup::uniform`] does for all.
    pub fn uniform(mut self, name: impl Into<String>, text: impl Into<String>) -> PassSetup<S> {
        self.uniforms.push((name.into(), Uniform::Text(text.into())));
        self
    }

    /// Sets a uniform of this pass alone to a value.
    pub fn value(mut self, name: impl Into<String>, value: impl Into<Value>) -> PassSetup<S> {
        self.uniforms.push((name.into(), Uniform::Value(value.into())));
        self
    }

    /// Sets the extent of this pass's outputs; by default that of the setup, else that of what the
    /// pass reads.
    pub fn extent(mut self, extent: Extent) -> PassSetup<S> {
        self.size = Some(Size::Extent(extent));
        self
    }

    /// Sets the extent of this pass's outputs by that of an input, of an earlier output, or of the
    /// setup.
    pub fn scale(mut self, scale: Scale) -> PassSetup<S> {
        self.size = Some(Size::Scale(scale));
        self
    }

    /// Sets how often this pass runs in each step: the outputs that
    /// [`feedback`](PassSetup::feedback) names are read by the next repetition. `uniform int
    /// repetition` counts from 0, unless it is given.
    ///
    /// ```
    /// use quadrille::{Context, data::Field, shader::Source};
    /// use quadrille_run::{Experiment, PassSetup, Setup};
    /// let context = Context::headless()?;
    /// let double = Source::fragment("double.frag", "
    ///     uniform sampler2D x;
    ///     uniform int repetition;
    ///     out float y;
    ///     void main() { y = 2.0 * READ(x, TEXEL).r + float(repetition); }");
    /// let pass = PassSetup::new("double", double).repeat(3).feedback("y", "x");
    /// let setup = Setup::new().input("x", Field::line(vec![1.0_f32, 8.0])?);
    /// let mut experiment = Experiment::from_passes(&context, [pass], setup)?;
    /// experiment.step()?;
    /// assert_eq!(experiment.read("double.y")?, Field::line(vec![12.0_f32, 68.0])?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn repeat(mut self, count: u32) -> PassSetup<S> {
        self.repeat = Some(count);
        self
    }

    /// Lets a sampler of this pass read one of its outputs from the second repetition on; in the
    /// first repetition it reads the array that it would read otherwise.
    pub fn feedback(
        mut self,
        output: impl Into<String>,
        sampler: impl Into<String>,
    ) -> PassSetup<S> {
        self.feedback.push((output.into(), sampler.into()));
        self
    }

    /// Sets the number of work groups of this pass's compute shader.
    pub fn groups(mut self, groups: [u32; 3]) -> PassSetup<S> {
        self.groups = Some(groups);
        self
    }

    /// Returns the names that its shader may have declared.
    pub(super) fn names(&self) -> impl Iterator<Item = &String> {
        let samplers = self.reads.iter().map(|(sampler, _)| sampler);
        let fed = self.feedback.iter().map(|(_, sampler)| sampler);
        samplers.chain(fed).chain(self.uniforms.iter().map(|(name, _)| name))
    }

    /// Returns the full name of an output of this pass, `pass.output`; the only pass of an experiment
    /// may have no name.
    pub fn full_name(&self, output: &str) -> String {
        match self.name.as_str() {
            "" => output.to_owned(),
            name => format!("{name}.{output}"),
        }
    }
}
