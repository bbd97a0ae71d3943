//! What a pass runs, compiled: a draw, a dispatch, or a primitive.

use quadrille::gl::{Context, Type, Value};
use quadrille::internal::shader::Expanded;
use quadrille::internal::stream::{Uniform, resolve};
use quadrille::shader::Stage;
use quadrille::stream::{self, ComputeKernel, Kernel};

use crate::Error;
use crate::setup::primitive::Primitive;
use crate::setup::{PassSetup, Program, Setup};
use crate::source::shader::Shader;

/// A compiled kernel and its text, or a primitive.
pub(crate) enum Work {
    Draw(Box<Compiled<Kernel>>),
    Dispatch(Box<Compiled<ComputeKernel>>),
    Primitive(Primitive),
}

/// A kernel of either stage and its text.
pub(crate) struct Compiled<K> {
    pub(crate) text: Expanded,
    pub(crate) kernel: K,
}

/// Does the same with either kernel.
macro_rules! with {
    ($work:expr, $kernel:ident => $do:expr, else $other:expr) => {
        match $work {
            Work::Draw(compiled) => {
                let $kernel = &compiled.kernel;
                $do
            }
            Work::Dispatch(compiled) => {
                let $kernel = &compiled.kernel;
                $do
            }
            Work::Primitive(_) => $other,
        }
    };
}

impl Work {
    /// Compiles the shader of a pass.
    pub(crate) fn new(context: &Context, program: &Program, setup: &Setup) -> Result<Work, Error> {
        let source = match program {
            Program::Shader(source) => source,
            Program::Primitive(primitive) => return Ok(Work::Primitive(primitive.clone())),
        };
        let text = resolve(context, source, setup.settings.reads)?;
        Ok(match text.stage {
            Stage::Compute => {
                let kernel = context.compute_kernel_of(&text)?;
                Work::Dispatch(Box::new(Compiled { text, kernel }))
            }
            _ => {
                let kernel = context.kernel_of(&text)?;
                Work::Draw(Box::new(Compiled { text, kernel }))
            }
        })
    }

    /// Describes what it reads and writes.
    pub(crate) fn shader(&self, pass: &PassSetup, setup: &Setup) -> Result<Shader, Error> {
        let given = pass.names().chain(setup.names());
        match self {
            Work::Draw(compiled) => {
                Shader::of(&compiled.kernel, &compiled.text, pass.source(), given)
            }
            Work::Dispatch(compiled) => Shader::dispatched(&compiled.kernel, given),
            Work::Primitive(primitive) => Ok(Shader::of_primitive(primitive)),
        }
    }

    /// Returns the text of a shader.
    pub(crate) fn text(&self) -> Option<&Expanded> {
        match self {
            Work::Draw(compiled) => Some(&compiled.text),
            Work::Dispatch(compiled) => Some(&compiled.text),
            Work::Primitive(_) => None,
        }
    }

    /// Returns the text of a fragment shader.
    pub(crate) fn drawn_text(&self) -> Option<&Expanded> {
        match self {
            Work::Draw(compiled) => Some(&compiled.text),
            _ => None,
        }
    }

    pub(crate) fn name(&self) -> &str {
        match self {
            Work::Primitive(primitive) => primitive.name(),
            work => with!(work, kernel => kernel.name(), else ""),
        }
    }

    pub(crate) fn uniforms(&self) -> Vec<&str> {
        with!(self, kernel => kernel.uniforms(), else Vec::new())
    }

    /// Returns the uniform that a name means.
    pub(crate) fn uniform(&self, name: &str) -> Result<Option<Uniform>, stream::Error> {
        let found = with!(self, kernel => kernel.named_uniforms().find(name), else Ok(None));
        found.map(Option::<&Uniform>::cloned).map_err(|may_be| {
            let (kernel, name) = (self.name().to_owned(), name.to_owned());
            stream::Error::Ambiguous { kernel, name, may_be }
        })
    }

    /// Returns the type of a texture, image or uniform that the compiler kept.
    pub(crate) fn type_of(&self, name: &str) -> Option<Type> {
        with!(self, kernel => kernel.type_of(name), else None)
    }

    pub(crate) fn declares(&self, name: &str) -> bool {
        with!(self, kernel => kernel.declares(name), else false)
    }

    pub(crate) fn check_value(&self, name: &str, value: &Value) -> Result<(), stream::Error> {
        with!(self, kernel => kernel.check_value(name, value), else Ok(()))
    }

    /// Returns whether it may leave cells of its outputs as they are.
    pub(crate) fn is_partial(&self) -> bool {
        match self {
            Work::Draw(compiled) => compiled.text.may_discard(),
            Work::Dispatch(_) => true,
            Work::Primitive(_) => false,
        }
    }
}
