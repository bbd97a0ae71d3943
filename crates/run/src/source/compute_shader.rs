//! The interface of a compute shader as data, from which a plan is made without a device.

use crate::error::{Result, ShaderError};
use quadrille::gl::Class;
use quadrille::internal::shader::{Storage, StorageBlock, StorageImage};
use quadrille::internal::stream::class_of;
use quadrille::stream::ComputeKernel;

use crate::source::place::Place;
use crate::source::shader::{ComputeInterface, Parameters, Shader, Stored};

impl Shader {
    /// Returns the names of a compute kernel; `given` are the names that the setup uses and that
    /// the compiler may have removed.
    pub(crate) fn dispatched<'a>(
        kernel: &ComputeKernel,
        given: impl Iterator<Item = &'a String>,
    ) -> Result<Shader> {
        let name = kernel.name().to_owned();
        let Parameters { samplers, layered, uniforms } = Parameters::of(kernel.interface())?;
        let storage = stored(kernel)?;
        let Storage { blocks, local, .. } = kernel.storage();
        let removed = |name: &&String| {
            let block = blocks.iter().any(|block| block.name == **name);
            let kept = kernel.type_of(name).is_some() || kernel.interface().has_block(name);
            !kept && (block || kernel.declares(name))
        };
        let removed = given.filter(removed).cloned().collect();
        let dispatched = Some(ComputeInterface { storage, local: *local });
        let samples = kernel.interface().samples();
        Ok(Shader {
            name,
            samplers,
            layered,
            uniforms,
            removed,
            samples,
            dispatched,
            ..Shader::default()
        })
    }
}

fn stored(kernel: &ComputeKernel) -> Result<Vec<Stored>> {
    let Storage { blocks, images, .. } = kernel.storage();
    let mut stored: Vec<Stored> = Vec::new();
    let kept = blocks.iter().filter(|block| kernel.interface().has_block(&block.name));
    let blocks = kept.map(|declared| block(kernel.name(), declared));
    let kept = images.iter().filter(|image| kernel.type_of(&image.name).is_some());
    let images = kept.map(|declared| image(kernel, declared));
    for found in blocks.chain(images) {
        let found = found?;
        match stored.iter().find(|other| other.name == found.name) {
            None => stored.push(found),
            Some(other) if other.kind == found.kind && other.access == found.access => {}
            Some(_) => {
                let (kernel, name) = (kernel.name().to_owned(), found.name);
                let why = "the text declares it twice, in different ways".to_owned();
                return Err(ShaderError::Storage { kernel, name, why }.into());
            }
        }
    }
    match stored.iter().any(|stored| stored.access.writes()) {
        true => Ok(stored),
        false => Err(ShaderError::NothingStored { kernel: kernel.name().to_owned() }.into()),
    }
}

/// Returns a block of one array, whose elements have no gaps between them.
fn block(kernel: &str, block: &StorageBlock) -> Result<Stored, ShaderError> {
    let fault = |why: String| {
        let (kernel, name) = (kernel.to_owned(), block.name.clone());
        ShaderError::Storage { kernel, name, why }
    };
    if !block.layout.iter().any(|word| word == "std430") {
        let why = "its layout is not std430, so that numbers may lie apart: write `layout(std430, binding = N)`";
        return Err(fault(why.to_owned()));
    }
    let [member] = block.members.as_slice() else {
        return Err(fault(format!("it has {} members", block.members.len())));
    };
    match member.length.as_deref() {
        Some("") => {}
        Some(length) => return Err(fault(format!("`{}` has the length {length}", member.name))),
        None => return Err(fault(format!("`{}` is no array", member.name))),
    }
    let channels = match member.kind.as_str() {
        "float" | "int" | "uint" => None,
        "vec2" | "ivec2" | "uvec2" => Some(2),
        "vec4" | "ivec4" | "uvec4" => Some(4),
        "vec3" | "ivec3" | "uvec3" => {
            let why = format!(
                "std430 leaves a gap behind each {}: read three numbers of a `float {}[]`, or use four channels",
                member.kind, member.name
            );
            return Err(fault(why));
        }
        kind => return Err(fault(format!("`{}` is of the type {kind}", member.name))),
    };
    let (name, kind) = (block.name.clone(), format!("{}[]", member.kind));
    let (place, class, access) = (Place::Buffer, class_of(&member.kind), block.access);
    Ok(Stored { name, kind, place, access, class, channels })
}

fn image(kernel: &ComputeKernel, image: &StorageImage) -> Result<Stored, ShaderError> {
    let fault = |why: String| {
        let (kernel, name) = (kernel.name().to_owned(), image.name.clone());
        ShaderError::Image { kernel, name, why }
    };
    let Some(format) = &image.format else {
        return Err(fault("it has no format".to_owned()));
    };
    let (class, channels) = match format.as_str() {
        "r32f" => (Class::Float, 1),
        "rg32f" => (Class::Float, 2),
        "rgba32f" => (Class::Float, 4),
        "r32i" => (Class::Int, 1),
        "rg32i" => (Class::Int, 2),
        "rgba32i" => (Class::Int, 4),
        "r32ui" => (Class::Uint, 1),
        "rgba32ui" => (Class::Uint, 4),
        other => return Err(fault(format!("its format is {other}"))),
    };
    let kind = kernel.type_of(&image.name).map(|glsl| glsl.to_string()).unwrap_or_default();
    let (name, access) = (image.name.clone(), image.access);
    Ok(Stored { name, kind, place: Place::Texture, access, class, channels: Some(channels) })
}
