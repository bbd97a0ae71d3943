//! Programs: compiling, linking, and the parameters that the driver reports.

pub(super) mod block;
#[cfg(any(unix, windows))]
pub(super) mod crash;
pub(super) mod glsl_type;
pub(super) mod parameter;
mod type_names;
pub(super) mod words;

use std::cell::RefCell;
use std::collections::HashMap;
use std::mem::take;

use glow::HasContext;

use crate::clock::Instant;
use crate::shader::Stage;

use super::context::Shared;
use super::object::owned::Owned;
use super::object::pool::IdleProgram;
use super::{Class, Context, Error, RECTANGLE, Type, TypeKind};
use block::{Block, Filled};
use parameter::{Home, Parameter, VertexInput};
use words::Words;

/// A linked program and its parameters by name.
pub(crate) struct Program {
    pub(super) owned: Owned<glow::Program>,
    /// All that it was built from.
    text: String,
    interface: Interface,
    /// The buffers of its uniform blocks, once it has been used.
    filled: RefCell<Vec<Filled>>,
}

/// What a linked program can be given.
#[derive(Default)]
pub(super) struct Interface {
    parameters: HashMap<String, Parameter>,
    blocks: Vec<Block>,
    vertex_inputs: Vec<VertexInput>,
}

/// A dropped program waits for the next one of the same text: its parameters are set before each
/// use.
impl Drop for Program {
    fn drop(&mut self) {
        let (text, interface) = (take(&mut self.text), take(&mut self.interface));
        let program = self.owned.give_up();
        self.owned.shared().keep_program(IdleProgram { program, text, interface });
    }
}

/// A value for a uniform: scalars, vectors of two to four components, square matrices column by
/// column, and slices for arrays.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[allow(missing_docs)] // Named after GLSL's types.
pub enum Value {
    Float(f32),
    Vec2([f32; 2]),
    Vec3([f32; 3]),
    Vec4([f32; 4]),
    Floats(Vec<f32>),
    Vec2s(Vec<[f32; 2]>),
    Vec3s(Vec<[f32; 3]>),
    Vec4s(Vec<[f32; 4]>),
    Mat2([f32; 4]),
    Mat3([f32; 9]),
    Mat4([f32; 16]),
    Int(i32),
    IVec2([i32; 2]),
    IVec3([i32; 3]),
    IVec4([i32; 4]),
    Ints(Vec<i32>),
    Uint(u32),
    UVec2([u32; 2]),
    UVec3([u32; 3]),
    UVec4([u32; 4]),
    Uints(Vec<u32>),
    Bool(bool),
    /// A value of any other type that is made of 32-bit numbers.
    Words(Words),
}

macro_rules! values {
    ($($type:ty => $variant:ident),*) => { $(
        impl From<$type> for Value {
            fn from(value: $type) -> Value { Value::$variant(value) }
        }
    )* };
}

values!(
    f32 => Float, [f32; 2] => Vec2, [f32; 3] => Vec3, [f32; 4] => Vec4, Vec<f32> => Floats,
    Vec<[f32; 4]> => Vec4s,
    Vec<[f32; 2]> => Vec2s, Vec<[f32; 3]> => Vec3s,
    i32 => Int, [i32; 2] => IVec2, [i32; 3] => IVec3, [i32; 4] => IVec4, Vec<i32> => Ints,
    u32 => Uint, [u32; 2] => UVec2, [u32; 3] => UVec3, [u32; 4] => UVec4, Vec<u32> => Uints,
    bool => Bool
);

/// Slices, and references to vectors and to arrays of any length, are arrays in the shader: `&[1.0,
/// 2.0]` is a `float[2]`, where `[1.0, 2.0]` is a `vec2`.
macro_rules! arrays {
    ($($element:ty => $variant:ident),*) => { $(
        impl From<&[$element]> for Value {
            fn from(elements: &[$element]) -> Value { Value::$variant(elements.to_vec()) }
        }

        impl From<&Vec<$element>> for Value {
            fn from(elements: &Vec<$element>) -> Value { Value::from(elements.as_slice()) }
        }

        impl<const N: usize> From<&[$element; N]> for Value {
            fn from(elements: &[$element; N]) -> Value { Value::from(elements.as_slice()) }
        }
    )* };
}

arrays!(
    f32 => Floats, [f32; 2] => Vec2s, [f32; 3] => Vec3s, [f32; 4] => Vec4s, i32 => Ints, u32 => Uints
);

/// Rounds to f32, so that a plain literal `2.0` may be passed.
impl From<f64> for Value {
    fn from(value: f64) -> Value {
        Value::Float(value as f32)
    }
}

impl Value {
    /// Returns the type that a uniform must have to take it.
    pub fn glsl(&self) -> Type {
        let array = |class, components, length| {
            let kind = TypeKind::Number { class, components };
            Type { kind, length }
        };
        let number = |class, components| array(class, components, 1);
        match self {
            Value::Float(_) => number(Class::Float, 1),
            Value::Vec2(_) => number(Class::Float, 2),
            Value::Vec3(_) => number(Class::Float, 3),
            Value::Vec4(_) => number(Class::Float, 4),
            Value::Floats(values) => array(Class::Float, 1, values.len()),
            Value::Vec2s(values) => array(Class::Float, 2, values.len()),
            Value::Vec3s(values) => array(Class::Float, 3, values.len()),
            Value::Vec4s(values) => array(Class::Float, 4, values.len()),
            Value::Mat2(_) => TypeKind::Matrix(2).into(),
            Value::Mat3(_) => TypeKind::Matrix(3).into(),
            Value::Mat4(_) => TypeKind::Matrix(4).into(),
            Value::Int(_) => number(Class::Int, 1),
            Value::IVec2(_) => number(Class::Int, 2),
            Value::IVec3(_) => number(Class::Int, 3),
            Value::IVec4(_) => number(Class::Int, 4),
            Value::Ints(values) => array(Class::Int, 1, values.len()),
            Value::Uint(_) => number(Class::Uint, 1),
            Value::UVec2(_) => number(Class::Uint, 2),
            Value::UVec3(_) => number(Class::Uint, 3),
            Value::UVec4(_) => number(Class::Uint, 4),
            Value::Uints(values) => array(Class::Uint, 1, values.len()),
            Value::Bool(_) => TypeKind::Bool.into(),
            Value::Words(words) => words.glsl(),
        }
    }
}

/// The reason of a failed build, with the driver's log.
pub(crate) enum BuildFailure {
    Compile { stage: Stage, log: String },
    Link { log: String },
    Other(Error),
}

impl From<Error> for BuildFailure {
    fn from(error: Error) -> BuildFailure {
        BuildFailure::Other(error)
    }
}

impl Program {
    /// Compiles and links shaders whose text is complete. `attributes` fixes where inputs of the
    /// vertex stage are; `captured` names the outputs of that stage that go to a buffer.
    pub(crate) fn build(
        context: &Context,
        shaders: &[(Stage, &str)],
        attributes: &[(u32, &str)],
        captured: &[&str],
    ) -> Result<Program, BuildFailure> {
        let text = format!("{shaders:?}{attributes:?}{captured:?}");
        let idle = context.shared.programs.borrow_mut().take(&text);
        if let Some(IdleProgram { program, text, interface }) = idle {
            let owned = Owned::adopt(context, program);
            return Ok(Program { owned, text, interface, filled: RefCell::default() });
        }
        let begun = Instant::now();
        let compiled = shaders
            .iter()
            .map(|(stage, text)| compile(context, *stage, text))
            .collect::<Result<Vec<_>, _>>()?;
        // SAFETY: `make` enters the context.
        let owned = Owned::make(context, |gl| unsafe { gl.create_program() })?;
        let gl = context.shared.enter()?;
        // SAFETY: entered; program and shaders are alive, and detached before the shaders go.
        let linked = unsafe {
            for shader in &compiled {
                gl.attach_shader(owned.name(), shader.name());
            }
            for (index, name) in attributes {
                gl.bind_attrib_location(owned.name(), *index, name);
            }
            if !captured.is_empty() {
                let mode = glow::INTERLEAVED_ATTRIBS;
                gl.transform_feedback_varyings(owned.name(), captured, mode);
            }
            gl.link_program(owned.name());
            for shader in &compiled {
                gl.detach_shader(owned.name(), shader.name());
            }
            gl.get_program_link_status(owned.name())
        };
        if !linked {
            let failure = failed(&gl, &owned, shaders, &compiled);
            context.shared.drain_messages();
            return Err(failure);
        }
        let interface = reflect(&gl, &context.shared, owned.name());
        context.shared.check(|| "linking a program".into())?;
        // Mesa compiles here a shader that is in its cache and whose program was
        // evicted: its warnings come now, and are not errors of a later call.
        context.shared.drain_messages();
        let compiling = &context.shared.compiling;
        compiling.set(compiling.get() + begun.elapsed());
        Ok(Program { owned, text, interface, filled: RefCell::default() })
    }

    /// Returns the uniforms that the compiler kept.
    pub(crate) fn parameters(&self) -> impl Iterator<Item = &Parameter> {
        self.interface.parameters.values()
    }

    pub(crate) fn parameter(&self, name: &str) -> Option<&Parameter> {
        self.interface.parameters.get(name)
    }

    /// Returns the inputs of the vertex stage that the compiler kept, besides GL's own and the rectangle.
    pub(crate) fn vertex_inputs(&self) -> &[VertexInput] {
        &self.interface.vertex_inputs
    }

    /// Returns the target of an output; `None` if the compiler found no such output.
    pub(crate) fn output_location(&self, name: &str) -> Result<Option<u32>, Error> {
        let gl = self.owned.shared().enter()?;
        // SAFETY: entered; the program is alive and linked.
        let location = unsafe { gl.get_frag_data_location(self.owned.name(), name) };
        Ok(u32::try_from(location).ok())
    }

    /// Returns the type of the first output that goes to a buffer.
    pub(crate) fn captured(&self) -> Result<Option<Type>, Error> {
        let gl = self.owned.shared().enter()?;
        // SAFETY: entered; the program is alive and linked.
        let varying = unsafe { gl.get_transform_feedback_varying(self.owned.name(), 0) };
        self.owned.shared().check(|| "asking what a program captures".into())?;
        let length = |size| usize::try_from(size).unwrap_or(0);
        Ok(varying.map(|v| Type { kind: TypeKind::of(v.tftype), length: length(v.size) }))
    }

    /// Returns whether a compute program has a storage block of this name that the compiler kept.
    pub(crate) fn has_block(&self, name: &str) -> Result<bool, Error> {
        // Older contexts have neither storage blocks nor this question: ANGLE's answer is an error.
        if self.owned.shared().abilities().compute.is_none() {
            return Ok(false);
        }
        let gl = self.owned.shared().enter()?;
        // SAFETY: entered; the program is alive and linked.
        let block = unsafe { gl.get_shader_storage_block_index(self.owned.name(), name) };
        Ok(block.is_some())
    }
}

fn compile(
    context: &Context,
    stage: Stage,
    text: &str,
) -> Result<Owned<glow::Shader>, BuildFailure> {
    let kind = match stage {
        Stage::Vertex => glow::VERTEX_SHADER,
        Stage::Fragment => glow::FRAGMENT_SHADER,
        Stage::Compute => glow::COMPUTE_SHADER,
    };
    // SAFETY: `make` enters the context.
    let owned = Owned::make(context, |gl| unsafe { gl.create_shader(kind) })?;
    let gl = context.shared.enter()?;
    // SAFETY: entered; the shader is alive.
    unsafe {
        gl.shader_source(owned.name(), text);
        gl.compile_shader(owned.name());
    }
    // The log comes as debug messages too, warnings among them, which are not errors of
    // a later call.
    context.shared.drain_messages();
    Ok(owned)
}

/// Returns why a program was not linked: the first shader that was not compiled, or what the linker says. A driver
/// that compiles in threads of its own waits for them at each such question, so none is asked before.
fn failed(
    gl: &glow::Context,
    program: &Owned<glow::Program>,
    shaders: &[(Stage, &str)],
    compiled: &[Owned<glow::Shader>],
) -> BuildFailure {
    for ((stage, _), shader) in shaders.iter().zip(compiled) {
        // SAFETY: the caller entered; the shader is alive.
        unsafe {
            if !gl.get_shader_compile_status(shader.name()) {
                let log = gl.get_shader_info_log(shader.name());
                return BuildFailure::Compile { stage: *stage, log };
            }
        }
    }
    // SAFETY: the caller entered; the program is alive.
    let log = unsafe { gl.get_program_info_log(program.name()) };
    BuildFailure::Link { log }
}

/// Lists what it can be given, and gives each sampler and image a unit of its own, once.
fn reflect(gl: &glow::Context, shared: &Shared, program: glow::Program) -> Interface {
    let (mut parameters, mut unplaced) = (Vec::new(), Vec::new());
    let (mut samplers, mut images) = (0, 0);
    // SAFETY: the caller entered; the program is linked and becomes the one in use.
    unsafe {
        gl.use_program(Some(program));
        for index in 0..gl.get_active_uniforms(program) {
            let Some(active) = gl.get_active_uniform(program, index) else { continue };
            let name = active.name.strip_suffix("[0]").unwrap_or(&active.name).to_owned();
            let kind = TypeKind::of(active.utype);
            let glsl = Type { kind, length: usize::try_from(active.size).unwrap_or(1) };
            let Some(location) = gl.get_uniform_location(program, &active.name) else {
                // GL has uniforms of its own.
                if !name.starts_with("gl_") {
                    unplaced.push((index, name, glsl));
                }
                continue;
            };
            let next = match kind {
                TypeKind::Sampler(_) | TypeKind::SamplerArray(_) => Some(&mut samplers),
                TypeKind::Image(_) => Some(&mut images),
                _ => None,
            };
            let mut unit = 0;
            if let Some(next) = next {
                unit = *next;
                *next += 1;
                // ES fixes an image's unit in the text, and this call is an error there.
                if matches!(kind, TypeKind::Image(_)) && gl.version().is_embedded {
                    let mut binding = [0];
                    gl.get_uniform_i32(program, &location, &mut binding);
                    unit = binding[0] as u32;
                } else {
                    gl.uniform_1_i32(Some(&location), unit as i32);
                }
            }
            parameters.push(Parameter { name, glsl, unit, home: Home::Location(location) });
        }
        let blocks = block::blocks(gl, program);
        let mut members = block::parameters(gl, shared, program, &blocks, &unplaced);
        block::named_apart(&mut members);
        parameters.extend(members);
        let named = |parameter: Parameter| (parameter.name.clone(), parameter);
        let parameters = parameters.into_iter().map(named).collect();
        Interface { parameters, blocks, vertex_inputs: vertex_inputs(gl, program) }
    }
}

/// # Safety
/// The context is current and the program linked.
unsafe fn vertex_inputs(gl: &glow::Context, program: glow::Program) -> Vec<VertexInput> {
    let input = |index| unsafe {
        let active = gl.get_active_attribute(program, index)?;
        let is_own = active.name.starts_with("gl_") || active.name == RECTANGLE.1;
        let location = gl.get_attrib_location(program, &active.name).filter(|_| !is_own)?;
        let length = usize::try_from(active.size).unwrap_or(1);
        let glsl = Type { kind: TypeKind::of(active.atype), length };
        Some(VertexInput { name: active.name, glsl, location })
    };
    (0..unsafe { gl.get_active_attributes(program) }).filter_map(input).collect()
}

/// Sets a uniform that has a location.
///
/// # Safety
/// The parameter's program is in use, and the value has its type and length.
pub(super) unsafe fn set(gl: &glow::Context, parameter: &Parameter, value: &Value) {
    let Home::Location(location) = &parameter.home else { return };
    let at = Some(location);
    unsafe {
        match value {
            Value::Float(v) => gl.uniform_1_f32(at, *v),
            Value::Vec2(v) => gl.uniform_2_f32_slice(at, v),
            Value::Vec3(v) => gl.uniform_3_f32_slice(at, v),
            Value::Vec4(v) => gl.uniform_4_f32_slice(at, v),
            Value::Floats(v) => gl.uniform_1_f32_slice(at, v),
            Value::Vec2s(v) => gl.uniform_2_f32_slice(at, v.as_flattened()),
            Value::Vec3s(v) => gl.uniform_3_f32_slice(at, v.as_flattened()),
            Value::Vec4s(v) => gl.uniform_4_f32_slice(at, v.as_flattened()),
            Value::Mat2(v) => gl.uniform_matrix_2_f32_slice(at, false, v),
            Value::Mat3(v) => gl.uniform_matrix_3_f32_slice(at, false, v),
            Value::Mat4(v) => gl.uniform_matrix_4_f32_slice(at, false, v),
            Value::Int(v) => gl.uniform_1_i32(at, *v),
            Value::IVec2(v) => gl.uniform_2_i32_slice(at, v),
            Value::IVec3(v) => gl.uniform_3_i32_slice(at, v),
            Value::IVec4(v) => gl.uniform_4_i32_slice(at, v),
            Value::Ints(v) => gl.uniform_1_i32_slice(at, v),
            Value::Uint(v) => gl.uniform_1_u32(at, *v),
            Value::UVec2(v) => gl.uniform_2_u32_slice(at, v),
            Value::UVec3(v) => gl.uniform_3_u32_slice(at, v),
            Value::UVec4(v) => gl.uniform_4_u32_slice(at, v),
            Value::Uints(v) => gl.uniform_1_u32_slice(at, v),
            Value::Bool(v) => gl.uniform_1_i32(at, i32::from(*v)),
            Value::Words(words) => words.set(gl, location),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    const VERTEX: &str = "#version 330\nvoid main() { gl_Position = vec4(0.0); }";
    const FRAGMENT: &str =
        "#version 330\nuniform float s; out vec4 value; void main() { value = vec4(s); }";

    fn program(context: &Context, fragment: &str) -> Program {
        let shaders = [(Stage::Vertex, VERTEX), (Stage::Fragment, fragment)];
        Program::build(context, &shaders, &[], &[]).unwrap_or_else(|_| panic!("it compiles"))
    }

    #[test]
    fn a_dropped_program_is_the_next_one_of_its_text_alone() {
        let context = Context::headless().unwrap();
        let made = || context.shared.made.get();
        let first = program(&context, FRAGMENT);
        let before = made();
        let second = program(&context, FRAGMENT);
        assert!(made() > before, "the first is still in use");
        let name = second.owned.name();
        drop(second);
        assert_eq!(context.objects().unwrap().programs, 1);
        let before = made();
        let other = program(&context, &FRAGMENT.replace("vec4(s)", "vec4(s + 1.0)"));
        assert!(made() > before);
        let before = made();
        let third = program(&context, FRAGMENT);
        assert_eq!((third.owned.name(), made()), (name, before));
        assert!(third.parameter("s").is_some());
        drop((first, other, third));
        assert_eq!(context.objects().unwrap().programs, 0);
    }
}
