//! The compiled shader of a pass: a draw or a dispatch.

use quadrille::gl::{Context, Type, Value};
use quadrille::internal::shader::Expanded;
use quadrille::internal::stream::resolve;
use quadrille::shader::{Source, Stage};
use quadrille::stream::{self, ComputeKernel, Kernel};

use crate::Error;
use crate::setup::{PassSetup, Setup};
use crate::source::shader::Shader;

/// A compiled kernel and its text.
pub(crate) struct Work {
    pub(crate) text: Expanded,
    pub(crate) kernel: Compiled,
}

/// A kernel of either stage.
pub(crate) enum Compiled {
    Draw(Box<Kernel>),
    Dispatch(Box<ComputeKernel>),
}

/// Does the same with either kernel.
macro_rules! with {
    ($work:expr, $kernel:ident => $do:expr) => {
        match &$work.kernel {
            Compiled::Draw($kernel) => $do,
            Compiled::Dispatch($kernel) => $do,
        }
    };
}

impl Work {
    /// Compiles the shader of a pass.
    pub(crate) fn new(context: &Context, source: &Source, setup: &Setup) -> Result<Work, Error> {
        let text = resolve(context, source, setup.settings.reads)?;
        let kernel = match text.stage {
            Stage::Compute => Compiled::Dispatch(Box::new(context.compute_kernel_of(&text)?)),
            _ => Compiled::Draw(Box::new(context.kernel_of(&text)?)),
        };
        Ok(Work { text, kernel })
    }

    /// Describes what the kernel reads and writes.
    pub(crate) fn shader(&self, pass: &PassSetup, setup: &Setup) -> Result<Shader, Error> {
        let given = pass.names().chain(setup.names());
        match &self.kernel {
            Compiled::Draw(kernel) => Shader::of(kernel, &self.text, &pass.source, given),
            Compiled::Dispatch(kernel) => Shader::dispatched(kernel, given),
        }
    }

    pub(crate) fn name(&self) -> &str {
        with!(self, kernel => kernel.name())
    }

    pub(crate) fn uniforms(&self) -> Vec<&str> {
        with!(self, kernel => kernel.uniforms())
    }

    pub(crate) fn type_of(&self, name: &str) -> Option<Type> {
        with!(self, kernel => kernel.type_of(name))
    }

    pub(crate) fn declares(&self, name: &str) -> bool {
        with!(self, kernel => kernel.declares(name))
    }

    pub(crate) fn check_value(&self, name: &str, value: &Value) -> Result<(), stream::Error> {
        with!(self, kernel => kernel.check_value(name, value))
    }

    /// Returns whether it may leave cells of its outputs as they are.
    pub(crate) fn is_partial(&self) -> bool {
        match self.kernel {
            Compiled::Draw(_) => self.text.may_discard(),
            Compiled::Dispatch(_) => true,
        }
    }
}
