//! What a pass runs, compiled: a draw, a dispatch, or a primitive.

use quadrille::gl::{Context, Type, Value};
use quadrille::internal::shader::Expanded;
use quadrille::internal::stream::{Interface, Uniform, resolve};
use quadrille::shader::Stage;
use quadrille::stream::{self, ComputeKernel, Kernel};

use crate::Result;
use crate::setup::primitive::Primitive;
use crate::setup::{PassSetup, Program, Setup};
use crate::source::shader::Shader;

/// A compiled kernel and its text, or a primitive.
pub(crate) enum Executable {
    Draw(Box<Compiled<Kernel>>),
    Dispatch(Box<Compiled<ComputeKernel>>),
    Primitive(Primitive),
}

/// A kernel of either stage and its text.
pub(crate) struct Compiled<K> {
    pub(crate) text: Expanded,
    pub(crate) kernel: K,
}

impl Executable {
    /// Compiles the shader of a pass.
    pub(crate) fn new(context: &Context, program: &Program, setup: &Setup) -> Result<Executable> {
        let source = match program {
            Program::Shader(source) => source,
            Program::Primitive(primitive) => return Ok(Executable::Primitive(primitive.clone())),
        };
        let text = resolve(context, source, setup.settings.reads)?;
        Ok(match text.stage {
            Stage::Compute => {
                let kernel = context.compute_kernel_of(&text)?;
                Executable::Dispatch(Box::new(Compiled { text, kernel }))
            }
            _ => {
                let kernel = context.kernel_of(&text)?;
                Executable::Draw(Box::new(Compiled { text, kernel }))
            }
        })
    }

    /// Describes what it reads and writes.
    pub(crate) fn shader(&self, pass: &PassSetup, setup: &Setup) -> Result<Shader> {
        let given = pass.names().chain(setup.names());
        match self {
            Executable::Draw(compiled) => {
                Shader::of(&compiled.kernel, &compiled.text, pass.source(), given)
            }
            Executable::Dispatch(compiled) => Shader::dispatched(&compiled.kernel, given),
            Executable::Primitive(primitive) => Ok(Shader::of_primitive(primitive)),
        }
    }

    /// Returns the text of a shader.
    pub(crate) fn text(&self) -> Option<&Expanded> {
        match self {
            Executable::Draw(compiled) => Some(&compiled.text),
            Executable::Dispatch(compiled) => Some(&compiled.text),
            Executable::Primitive(_) => None,
        }
    }

    /// Returns the text of a fragment shader.
    pub(crate) fn drawn_text(&self) -> Option<&Expanded> {
        match self {
            Executable::Draw(compiled) => Some(&compiled.text),
            _ => None,
        }
    }

    /// Returns the parameters of a shader.
    fn interface(&self) -> Option<&Interface> {
        match self {
            Executable::Draw(compiled) => Some(compiled.kernel.interface()),
            Executable::Dispatch(compiled) => Some(compiled.kernel.interface()),
            Executable::Primitive(_) => None,
        }
    }

    pub(crate) fn name(&self) -> &str {
        match self {
            Executable::Primitive(primitive) => primitive.name(),
            executable => executable.interface().map_or("", Interface::name),
        }
    }

    pub(crate) fn uniforms(&self) -> Vec<&str> {
        self.interface().map(Interface::uniforms).unwrap_or_default()
    }

    /// Returns the uniform that a name means.
    pub(crate) fn uniform(&self, name: &str) -> Result<Option<Uniform>, stream::Error> {
        let Some(interface) = self.interface() else { return Ok(None) };
        let found = interface.named_uniforms().find(name);
        found.map(Option::<&Uniform>::cloned).map_err(|may_be| {
            let (kernel, name) = (self.name().to_owned(), name.to_owned());
            stream::Error::Ambiguous { kernel, name, may_be }
        })
    }

    /// Returns the type of a texture, image or uniform that the compiler kept.
    pub(crate) fn type_of(&self, name: &str) -> Option<Type> {
        self.interface()?.type_of(name)
    }

    pub(crate) fn declares(&self, name: &str) -> bool {
        self.interface().is_some_and(|interface| interface.declares(name))
    }

    pub(crate) fn check_value(&self, name: &str, value: &Value) -> Result<(), stream::Error> {
        self.interface().map_or(Ok(()), |interface| interface.check_value(name, value))
    }

    /// Returns whether it may leave cells of its outputs as they are.
    pub(crate) fn is_partial(&self) -> bool {
        match self {
            Executable::Draw(compiled) => compiled.text.may_discard(),
            Executable::Dispatch(_) => true,
            Executable::Primitive(_) => false,
        }
    }
}
