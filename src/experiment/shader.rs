//! What a compiled shader reads and writes, as data from which a plan is made without a device.

use crate::gl::{Class, Type, TypeKind};
use crate::stream::{self, Kernel, class_of};

use super::Error;

/// The names of a shader. Those that the compiler removed may be given, and have no effect.
#[derive(Clone, Debug)]
pub(super) struct Shader {
    /// The shader's file.
    pub(super) name: String,
    pub(super) samplers: Vec<(String, Class)>,
    /// Uniforms other than samplers.
    pub(super) uniforms: Vec<(String, Type)>,
    pub(super) removed: Vec<String>,
    /// By target.
    pub(super) outputs: Vec<Declared>,
}

/// An output.
#[derive(Clone, Debug)]
pub(super) struct Declared {
    pub(super) name: String,
    /// Its GLSL type.
    pub(super) kind: String,
    pub(super) class: Class,
    pub(super) channels: usize,
}

impl Shader {
    /// The names of a kernel; `given` are those that it may have declared in vain.
    pub(super) fn of<'a>(
        kernel: &Kernel,
        given: impl Iterator<Item = &'a String>,
    ) -> Result<Shader, Error> {
        let outputs = outputs(kernel)?;
        let (mut samplers, mut uniforms) = (Vec::new(), Vec::new());
        for name in kernel.inputs().into_iter().chain(kernel.uniforms()) {
            let name = name.to_owned();
            match kernel.type_of(&name) {
                Some(Type { kind: TypeKind::Sampler(class), length: 1 }) => {
                    samplers.push((name, class));
                }
                Some(glsl) if matches!(glsl.kind, TypeKind::Sampler(_) | TypeKind::Other(_)) => {
                    return Err(Error::Untakable { kernel: kernel.name().to_owned(), name, glsl });
                }
                Some(glsl) => uniforms.push((name, glsl)),
                None => {}
            }
        }
        let removed = |name: &&String| kernel.type_of(name).is_none() && kernel.declares(name);
        let removed = given.filter(removed).cloned().collect();
        Ok(Shader { name: kernel.name().to_owned(), samplers, uniforms, removed, outputs })
    }

    pub(super) fn sampler(&self, name: &str) -> Option<Class> {
        self.samplers.iter().find(|(known, _)| known == name).map(|(_, class)| *class)
    }

    pub(super) fn uniform(&self, name: &str) -> Option<Type> {
        self.uniforms.iter().find(|(known, _)| known == name).map(|(_, glsl)| *glsl)
    }

    pub(super) fn has_removed(&self, name: &str) -> bool {
        self.removed.iter().any(|removed| removed == name)
    }
}

fn outputs(kernel: &Kernel) -> Result<Vec<Declared>, Error> {
    if kernel.outputs().is_empty() {
        let dropped = kernel.dropped_outputs().to_vec();
        return Err(Error::NoOutput { kernel: kernel.name().into(), dropped });
    }
    let in_order = |(slot, output): (usize, &stream::Output)| output.location as usize == slot;
    if !kernel.outputs().iter().enumerate().all(in_order) {
        let has = kernel.outputs().iter().map(|o| format!("{} {}", o.location, o.name)).collect();
        let dropped = kernel.dropped_outputs().to_vec();
        return Err(Error::Locations { kernel: kernel.name().into(), has, dropped });
    }
    kernel.outputs().iter().map(|output| declared(kernel, output)).collect()
}

fn declared(kernel: &Kernel, output: &stream::Output) -> Result<Declared, Error> {
    let (name, kind) = (output.name.clone(), output.kind.clone());
    let channels = match kind.as_str() {
        "float" | "int" | "uint" => 1,
        "vec2" | "ivec2" | "uvec2" => 2,
        "vec3" | "ivec3" | "uvec3" => 3,
        "vec4" | "ivec4" | "uvec4" => 4,
        _ => return Err(Error::OutputType { kernel: kernel.name().into(), name, kind }),
    };
    Ok(Declared { name, class: class_of(&kind), kind, channels })
}
