//! The names of a shader: what it can be given and what it writes, known before any input is given.

use quadrille::gl::{Class, Context, Type};
use quadrille::internal::stream::Uniforms;
use quadrille::shader::Source;

use super::notes::{self, Note};
use crate::Result;
use crate::lower::isf_passes;
use crate::setup::{PassSetup, Setup};
use crate::source::compiled::Executable;

/// The names of a fragment or compute shader that an [`Experiment`](crate::Experiment) can be
/// given. Names that the compiler removed are not among them.
///
/// ```
/// use quadrille::{Context, Source};
/// use quadrille_run::Names;
/// let context = Context::headless()?;
/// let halve = Source::fragment("scale.frag", "
///     uniform sampler2D x;
///     uniform float factor;
///     out float y;
///     void main() { y = factor * READ(x, TEXEL).r; }");
/// let names = Names::of(&context, &halve)?;
/// assert_eq!((names.inputs.as_slice(), names.outputs.as_slice()), (["x".into()].as_slice(), ["y".into()].as_slice()));
/// assert_eq!(names.type_of("factor").map(|glsl| glsl.to_string()).as_deref(), Some("float"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Names {
    /// The samplers and, of a compute shader, the storage blocks and images, including those that
    /// it writes: they may be given first values.
    pub inputs: Vec<String>,
    /// The other uniforms, with the GLSL type of each.
    pub uniforms: Vec<(String, Type)>,
    /// The outputs, or the storage blocks and images that the shader writes.
    pub outputs: Vec<String>,
    /// What the shader leaves to chance.
    pub notes: Vec<Note>,
    classes: Vec<(String, Class)>,
    named: Uniforms,
}

impl Names {
    /// Compiles a shader for its names.
    ///
    /// # Errors
    /// Those of [`Experiment::new`](crate::Experiment::new) for a shader that no setup suits.
    pub fn of(context: &Context, source: &Source) -> Result<Names> {
        Names::of_pass(context, &PassSetup::new("", source.clone()))
    }

    /// Compiles the shader of a pass for its names, or takes those of a primitive.
    ///
    /// # Errors
    /// As [`Names::of`].
    pub fn of_pass(context: &Context, pass: &PassSetup) -> Result<Names> {
        let setup = Setup::new();
        let executable = Executable::new(context, pass.program(), &setup)?;
        let shader = executable.shader(pass, &setup)?;
        let of_targets = isf_passes::outputs(pass)?;
        Ok(Names {
            inputs: shader.given_names().cloned().collect(),
            uniforms: shader.uniforms.used().map(|one| (one.name.clone(), one.glsl)).collect(),
            notes: notes::notes(context, executable.text().into_iter()),
            named: shader.uniforms.clone(),
            classes: shader.samplers.clone(),
            outputs: of_targets.unwrap_or_else(|| shader.written_names().cloned().collect()),
        })
    }

    /// Adds the uniforms of another shader, which is given the same values.
    pub fn add_uniforms(&mut self, other: &Names) {
        self.uniforms.extend_from_slice(&other.uniforms);
        for uniform in &other.named.0 {
            if !self.named.0.contains(uniform) {
                self.named.0.push(uniform.clone());
            }
        }
    }

    /// Returns the class of the numbers that a sampler reads.
    pub fn class_of(&self, sampler: &str) -> Option<Class> {
        self.classes.iter().find(|(known, _)| known == sampler).map(|(_, class)| *class)
    }

    /// Returns the type of a uniform other than samplers and images, by any of its names: a member of a uniform
    /// block has its own, and that with the name of the block in front.
    pub fn type_of(&self, uniform: &str) -> Option<Type> {
        self.named.find(uniform).ok().flatten().map(|uniform| uniform.glsl)
    }
}
