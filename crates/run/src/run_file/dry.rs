//! Plans of descriptions whose shaders are not compiled, for tests and fuzzers.

use crate::dialect::Dialect;
use quadrille::Extent;
use quadrille::gl::{Class, Type};
use quadrille::internal::stream::{Uniform, Uniforms, class_of};

use crate::Result;
use crate::experiment::planned;
use crate::lower::{backbuffer, grey, layers_as_rows};
use crate::plan::validate;
use crate::run_file::RunFile;
use crate::setup::{PassSetup, Program, Setup};
use crate::source::shader::{Declared, Shader};

/// The declarations of a fragment shader, as a compiler would report them.
#[derive(Clone, Debug, Default)]
pub struct Declares {
    /// The samplers, each with the class of its numbers.
    pub samplers: Vec<(String, Class)>,
    /// Other uniforms, with their types.
    pub uniforms: Vec<(String, Type)>,
    /// The outputs: their names, their GLSL types and their channels.
    pub outputs: Vec<(String, &'static str, usize)>,
}

impl Declares {
    fn shader(&self, pass: &PassSetup) -> Shader {
        let outputs = self.outputs.iter().map(|(name, kind, channels)| Declared {
            name: name.clone(),
            kind: (*kind).to_owned(),
            class: class_of(kind),
            channels: *channels,
        });
        Shader {
            name: pass.program().name().to_owned(),
            samplers: self.samplers.clone(),
            layered: Vec::new(),
            uniforms: Uniforms(self.uniforms.iter().map(loose).collect()),
            removed: Vec::new(),
            samples: true,
            levels: Vec::new(),
            float_position: false,
            differences: false,
            own_vertices: false,
            outputs: outputs.collect(),
            dispatched: None,
            dialect: Dialect::Plain,
            defaults: Default::default(),
        }
    }
}

fn loose((name, glsl): &(String, Type)) -> Uniform {
    Uniform { name: name.clone(), glsl: *glsl, member: None }
}

/// Returns the names and the extents of the outputs of its passes, if their shaders declared this,
/// on a device whose textures have at most this side.
///
/// # Errors
/// As [`Experiment::from_passes`](crate::Experiment::from_passes), except for errors that only a
/// compiler finds.
pub fn dry(
    run: &RunFile,
    setup: Setup,
    declared: &[Declares],
    limit: u32,
) -> Result<Vec<(String, Extent)>> {
    let passes = run.passes()?;
    validate::check_names(&passes, &setup)?;
    validate::flips(&passes, &setup)?;
    let shaders: Vec<Shader> = (passes.iter().zip(declared.iter().cycle()))
        .map(|(pass, declared)| match pass.program() {
            Program::Primitive(primitive) => Shader::of_primitive(primitive),
            Program::Shader(_) => declared.shader(pass),
        })
        .collect();
    let setup = backbuffer::fed(&passes, &shaders, setup)?;
    let setup = grey::shown(&passes, &shaders, setup)?;
    let setup = layers_as_rows::in_blocks(&passes, &shaders, setup);
    let plan = planned(limit, &passes, &shaders, &setup)?;
    let outputs = plan.outputs.into_iter();
    Ok(outputs.map(|output| (output.name, output.cells.extent)).collect())
}
