//! The compiled shader of a pass: a draw or a dispatch.

use crate::gl::{Context, Type, Value};
use crate::shader::{Source, Stage};
use crate::stream::{self, ComputeKernel, Kernel};

use super::setup::{PassSetup, Setup};
use super::shader::Shader;
use super::{Error, compile};

/// What runs.
pub(super) enum Work {
    Draw(Box<Kernel>),
    Dispatch(Box<ComputeKernel>),
}

/// Does the same with either kernel.
macro_rules! with {
    ($work:expr, $kernel:ident => $do:expr) => {
        match $work {
            Work::Draw($kernel) => $do,
            Work::Dispatch($kernel) => $do,
        }
    };
}

impl Work {
    /// Compiles the shader of a pass.
    pub(super) fn new(context: &Context, source: &Source, setup: &Setup) -> Result<Work, Error> {
        Ok(match source.stage() {
            Stage::Compute => Work::Dispatch(Box::new(context.compute_kernel(source.clone())?)),
            _ => Work::Draw(Box::new(compile::kernel(context, source.clone(), setup.reads)?)),
        })
    }

    /// What it reads and writes.
    pub(super) fn shader(&self, pass: &PassSetup, setup: &Setup) -> Result<Shader, Error> {
        let given = pass.names().chain(setup.names());
        match self {
            Work::Draw(kernel) => Shader::of(kernel, &pass.source, given),
            Work::Dispatch(kernel) => Shader::dispatched(kernel, given),
        }
    }

    pub(super) fn name(&self) -> &str {
        with!(self, kernel => kernel.name())
    }

    pub(super) fn uniforms(&self) -> Vec<&str> {
        with!(self, kernel => kernel.uniforms())
    }

    pub(super) fn type_of(&self, name: &str) -> Option<Type> {
        with!(self, kernel => kernel.type_of(name))
    }

    pub(super) fn declares(&self, name: &str) -> bool {
        with!(self, kernel => kernel.declares(name))
    }

    pub(super) fn check_value(&self, name: &str, value: &Value) -> Result<(), stream::Error> {
        with!(self, kernel => kernel.check_value(name, value))
    }

    /// Whether it may leave cells of its outputs as they are.
    pub(super) fn is_partial(&self) -> bool {
        match self {
            Work::Draw(kernel) => kernel.may_discard(),
            Work::Dispatch(_) => true,
        }
    }
}
