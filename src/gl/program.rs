//! Programs: compiling, linking, and the parameters that the driver reports.

mod block;
#[cfg(any(unix, windows))]
pub(super) mod crash;
pub(super) mod glsl_type;
pub(super) mod parameter;
pub(super) mod set;
mod type_names;
pub(super) mod value;

use std::mem::take;

use glow::HasContext;

use crate::clock::Instant;
use crate::shader::Stage;

use super::context::{Range, Shared};
use super::object::owned::Owned;
use super::object::pool::IdleProgram;
use super::{Context, Error, Result, Type, TypeKind};
use block::Buffers;
use parameter::{Home, Interface, Parameter, VertexInput};
use value::Value;

/// A linked program and its parameters by name.
pub(crate) struct Program {
    pub(super) owned: Owned<glow::Program>,
    /// All that it was built from.
    text: String,
    interface: Interface,
    buffers: Buffers,
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
            return Ok(Program { owned, text, interface, buffers: Buffers::default() });
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
        Ok(Program { owned, text, interface, buffers: Buffers::default() })
    }

    /// Returns the uniforms that the compiler kept.
    pub(crate) fn parameters(&self) -> impl Iterator<Item = &Parameter> {
        self.interface.parameters.values()
    }

    pub(crate) fn parameter(&self, name: &str) -> Option<&Parameter> {
        self.interface.parameters.get(name)
    }

    /// Returns the inputs of the vertex stage that the compiler kept, besides GL's own.
    pub(crate) fn vertex_inputs(&self) -> &[VertexInput] {
        &self.interface.vertex_inputs
    }

    /// Returns whether it has uniform blocks.
    pub(crate) fn has_blocks(&self) -> bool {
        !self.interface.blocks.is_empty()
    }

    /// Fills its uniform blocks; members that are not given are 0. Returns what a caller has bound in their places.
    pub(super) fn fill_blocks(
        &self,
        context: &Context,
        uniforms: &[(&Parameter, &Value)],
    ) -> Result<Vec<Range>> {
        self.buffers.fill(context, &self.interface.blocks, uniforms)
    }

    /// # Safety
    /// The context is current, and the blocks are filled.
    pub(super) unsafe fn bind_blocks(&self, gl: &glow::Context) {
        unsafe { self.buffers.bind(gl) };
    }

    /// Returns the target of an output; `None` if the compiler found no such output.
    pub(crate) fn output_location(&self, name: &str) -> Result<Option<u32>> {
        let gl = self.owned.shared().enter()?;
        // SAFETY: entered; the program is alive and linked.
        let location = unsafe { gl.get_frag_data_location(self.owned.name(), name) };
        Ok(u32::try_from(location).ok())
    }

    /// Returns the type of the first output that goes to a buffer.
    pub(crate) fn captured(&self) -> Result<Option<Type>> {
        let gl = self.owned.shared().enter()?;
        // SAFETY: entered; the program is alive and linked.
        let varying = unsafe { gl.get_transform_feedback_varying(self.owned.name(), 0) };
        self.owned.shared().check(|| "asking what a program captures".into())?;
        let length = |size| usize::try_from(size).unwrap_or(0);
        Ok(varying.map(|v| Type { kind: TypeKind::of(v.tftype), length: length(v.size) }))
    }

    /// Returns whether a compute program has a storage block of this name that the compiler kept.
    pub(crate) fn has_block(&self, name: &str) -> Result<bool> {
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
        let is_own = active.name.starts_with("gl_");
        let location = gl.get_attrib_location(program, &active.name).filter(|_| !is_own)?;
        let length = usize::try_from(active.size).unwrap_or(1);
        let glsl = Type { kind: TypeKind::of(active.atype), length };
        Some(VertexInput { name: active.name, glsl, location })
    };
    (0..unsafe { gl.get_active_attributes(program) }).filter_map(input).collect()
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
