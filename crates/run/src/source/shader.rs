//! The interface of a compiled shader as data, from which a plan is made without a device.

use crate::dialect::isf::{Defaults, defaults};
use crate::dialect::{Dialect, dialect_of};
use crate::error::{Result, ShaderError};
use quadrille::gl::{Class, Type, TypeKind};
use quadrille::internal::shader::{Access, Expanded};
use quadrille::internal::stream::{Interface, Uniform, Uniforms, class_of};
use quadrille::shader::Source;
use quadrille::stream::{self, Kernel};

use crate::source::place::Place;

/// The names of a shader. Those that the compiler removed may be given, and have no effect.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shader {
    /// The shader's file.
    pub(crate) name: String,
    pub(crate) samplers: Vec<(String, Class)>,
    /// Those of them that read layers.
    pub(crate) layered: Vec<String>,
    /// Uniforms other than samplers.
    pub(crate) uniforms: Uniforms,
    pub(crate) removed: Vec<String>,
    /// Whether it samples by functions of GLSL.
    pub(crate) samples: bool,
    /// The samplers whose levels it asks for.
    pub(crate) levels: Vec<String>,
    /// Whether it has the position of a fragment as floats.
    pub(crate) float_position: bool,
    /// Whether it takes differences between fragments.
    pub(crate) differences: bool,
    /// Whether it is drawn with a vertex shader of its text's author.
    pub(crate) own_vertices: bool,
    /// The outputs in the order of their targets.
    pub(crate) outputs: Vec<Declared>,
    /// The interface that a compute shader has in place of outputs.
    pub(crate) dispatched: Option<ComputeInterface>,
    pub(crate) dialect: Dialect,
    /// The uniforms to which its text gives values.
    pub(crate) defaults: Defaults,
}

/// An output.
#[derive(Clone, Debug)]
pub(crate) struct Declared {
    pub(crate) name: String,
    /// The GLSL type.
    pub(crate) kind: String,
    pub(crate) class: Class,
    pub(crate) channels: usize,
}

/// The parts of the interface that only a compute shader has.
#[derive(Clone, Debug)]
pub(crate) struct ComputeInterface {
    pub(crate) storage: Vec<Stored>,
    /// The size of its work groups, where its text says it in numbers.
    pub(crate) local: Option<[u32; 3]>,
}

/// A storage block or an image of a compute shader.
#[derive(Clone, Debug)]
pub(crate) struct Stored {
    pub(crate) name: String,
    /// `float[]`, `vec4[]`, `image2D`.
    pub(crate) kind: String,
    pub(crate) place: Place,
    pub(crate) access: Access,
    pub(crate) class: Class,
    /// The channels of each cell; none for a block of numbers, which takes an array of any shape.
    pub(crate) channels: Option<usize>,
}

/// The samplers of a kernel of either stage, and its other uniforms.
pub(crate) struct Parameters {
    pub(crate) samplers: Vec<(String, Class)>,
    /// The samplers that read layers.
    pub(crate) layered: Vec<String>,
    pub(crate) uniforms: Uniforms,
}

impl Parameters {
    /// Returns those of a kernel; a type that cannot be given is refused.
    pub(crate) fn of(kernel: &Interface) -> Result<Parameters> {
        let untakable = |name: &str, glsl| {
            Err(ShaderError::Untakable {
                kernel: kernel.name().to_owned(),
                name: name.to_owned(),
                glsl,
            }
            .into())
        };
        let (mut samplers, mut layered) = (Vec::new(), Vec::new());
        for name in kernel.inputs() {
            match kernel.type_of(name) {
                Some(Type { kind: TypeKind::Sampler(class), length: 1 }) => {
                    samplers.push((name.to_owned(), class));
                }
                Some(Type { kind: TypeKind::SamplerArray(class), length: 1 }) => {
                    layered.push(name.to_owned());
                    samplers.push((name.to_owned(), class));
                }
                Some(glsl) => return untakable(name, glsl),
                None => {}
            }
        }
        let uniforms = kernel.named_uniforms();
        match uniforms.used().find(|uniform| uniform.glsl.count().is_none()) {
            Some(uniform) => untakable(&uniform.name, uniform.glsl),
            None => Ok(Parameters { samplers, layered, uniforms: uniforms.clone() }),
        }
    }
}

impl Shader {
    /// Returns the names of a kernel; `given` are the names that the setup uses and that the
    /// compiler may have removed.
    pub(crate) fn of<'a>(
        kernel: &Kernel,
        text: &Expanded,
        source: Option<&Source>,
        given: impl Iterator<Item = &'a String>,
    ) -> Result<Shader> {
        let outputs = outputs(kernel)?;
        let Parameters { samplers, layered, uniforms } = Parameters::of(kernel.interface())?;
        let removed = |name: &&String| kernel.type_of(name).is_none() && kernel.declares(name);
        let removed = given.filter(removed).cloned().collect();
        let (name, samples) = (kernel.name().to_owned(), kernel.interface().samples());
        Ok(Shader {
            name,
            samplers,
            layered,
            uniforms,
            removed,
            samples,
            levels: kernel.interface().level_inputs().to_vec(),
            float_position: text.has_any_of(&["gl_FragCoord"]),
            differences: text.has_any_of(&["dFdx", "dFdy", "fwidth"]),
            own_vertices: text.has_own_vertices(),
            outputs,
            dispatched: None,
            dialect: dialect_of(text),
            defaults: source.map(defaults).transpose()?.unwrap_or_default(),
        })
    }

    fn stored(&self, keep: impl Fn(Access) -> bool) -> impl Iterator<Item = &String> {
        let stored = self.dispatched.iter().flat_map(|dispatched| &dispatched.storage);
        stored.filter(move |stored| keep(stored.access)).map(|stored| &stored.name)
    }

    /// Yields the names of the samplers, and of the blocks and images that the shader only reads.
    pub(crate) fn read_names(&self) -> impl Iterator<Item = &String> {
        let samplers = self.samplers.iter().map(|(name, _)| name);
        samplers.chain(self.stored(|access| access == Access::Reads))
    }

    /// Yields the names that can be given: those that the shader reads, and the blocks and images
    /// whose first values it changes.
    pub(crate) fn given_names(&self) -> impl Iterator<Item = &String> {
        self.read_names().chain(self.stored(Access::writes))
    }

    /// Yields the names of the outputs, or of the blocks and images that the shader writes.
    pub(crate) fn written_names(&self) -> impl Iterator<Item = &String> {
        self.outputs.iter().map(|output| &output.name).chain(self.stored(Access::writes))
    }

    /// Returns whether it only reads what has this name.
    pub(crate) fn reads(&self, name: &str) -> bool {
        self.read_names().any(|known| known == name)
    }

    /// Returns whether what is given under this name is what it changes.
    pub(crate) fn begins_with(&self, name: &str) -> bool {
        self.stored(Access::writes).any(|known| known == name)
    }

    /// Returns the uniform that a name means.
    pub(crate) fn uniform(&self, name: &str) -> Result<Option<&Uniform>> {
        self.uniforms.find(name).map_err(|may_be| {
            let (kernel, name) = (self.name.clone(), name.to_owned());
            stream::Error::Ambiguous { kernel, name, may_be }.into()
        })
    }

    pub(crate) fn has_removed(&self, name: &str) -> bool {
        self.removed.iter().any(|removed| removed == name)
    }
}

fn outputs(kernel: &Kernel) -> Result<Vec<Declared>> {
    if kernel.outputs().is_empty() {
        let dropped = kernel.dropped_outputs().to_vec();
        return Err(ShaderError::NoOutput { kernel: kernel.name().into(), dropped }.into());
    }
    let in_order = |(slot, output): (usize, &stream::Output)| output.location as usize == slot;
    if !kernel.outputs().iter().enumerate().all(in_order) {
        let has = kernel.outputs().iter().map(|o| format!("{} {}", o.location, o.name)).collect();
        let dropped = kernel.dropped_outputs().to_vec();
        return Err(ShaderError::Locations { kernel: kernel.name().into(), has, dropped }.into());
    }
    kernel.outputs().iter().map(|output| declared(kernel, output)).collect()
}

fn declared(kernel: &Kernel, output: &stream::Output) -> Result<Declared> {
    let (name, kind) = (output.name.clone(), output.kind.clone());
    let channels = match kind.as_str() {
        "float" | "int" | "uint" => 1,
        "vec2" | "ivec2" | "uvec2" => 2,
        "vec3" | "ivec3" | "uvec3" => 3,
        "vec4" | "ivec4" | "uvec4" => 4,
        _ => {
            return Err(ShaderError::OutputType { kernel: kernel.name().into(), name, kind }.into());
        }
    };
    Ok(Declared { name, class: class_of(&kind), kind, channels })
}
