//! The compiled shader of a pass: a draw or a dispatch.

use crate::gl::{Context, Type, Value};
use crate::shader::{Expanded, Source, Stage};
use crate::stream::{self, ComputeKernel, Kernel, resolve};

use crate::experiment::Error;
use crate::experiment::setup::{PassSetup, Setup};
use crate::experiment::source::shader::Shader;

/// What runs, and its text.
pub(in crate::experiment) struct Work {
    pub(in crate::experiment) text: Expanded,
    pub(in crate::experiment) kernel: Compiled,
}

/// A kernel of either stage.
pub(in crate::experiment) enum Compiled {
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
    pub(in crate::experiment) fn new(
        context: &Context,
        source: &Source,
        setup: &Setup,
    ) -> Result<Work, Error> {
        let text = resolve(context, source, setup.settings.reads)?;
        let kernel = match text.stage {
            Stage::Compute => Compiled::Dispatch(Box::new(context.compute_kernel_of(&text)?)),
            _ => Compiled::Draw(Box::new(context.kernel_of(&text)?)),
        };
        Ok(Work { text, kernel })
    }

    /// What it reads and writes.
    pub(in crate::experiment) fn shader(
        &self,
        pass: &PassSetup,
        setup: &Setup,
    ) -> Result<Shader, Error> {
        let given = pass.names().chain(setup.names());
        match &self.kernel {
            Compiled::Draw(kernel) => Shader::of(kernel, &self.text, &pass.source, given),
            Compiled::Dispatch(kernel) => Shader::dispatched(kernel, given),
        }
    }

    pub(in crate::experiment) fn name(&self) -> &str {
        with!(self, kernel => kernel.name())
    }

    pub(in crate::experiment) fn uniforms(&self) -> Vec<&str> {
        with!(self, kernel => kernel.uniforms())
    }

    pub(in crate::experiment) fn type_of(&self, name: &str) -> Option<Type> {
        with!(self, kernel => kernel.type_of(name))
    }

    pub(in crate::experiment) fn declares(&self, name: &str) -> bool {
        with!(self, kernel => kernel.declares(name))
    }

    pub(in crate::experiment) fn check_value(
        &self,
        name: &str,
        value: &Value,
    ) -> Result<(), stream::Error> {
        with!(self, kernel => kernel.check_value(name, value))
    }

    /// Whether it may leave cells of its outputs as they are.
    pub(in crate::experiment) fn is_partial(&self) -> bool {
        match self.kernel {
            Compiled::Draw(_) => self.text.may_discard(),
            Compiled::Dispatch(_) => true,
        }
    }
}
