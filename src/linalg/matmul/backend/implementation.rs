//! Options to the implementation that runs them.

use crate::gl::Context;

use super::host::Serial;
use super::{Backend, Operands};
use crate::linalg::matmul::{Element, Method, Options, Result};

/// Returns the implementation of these options; on the host if no method is set.
pub(crate) fn backend<T: Element>(
    context: &Context,
    options: &Options,
    operands: Operands,
) -> Result<Box<dyn Backend<T>>> {
    let method = options.method.unwrap_or(Method::Serial);
    options.must_suit(method)?;
    method.must_run_on::<T>(context.abilities())?;
    if operands.is_empty() || method == Method::Serial {
        return Ok(Box::new(Serial::new(operands.a, operands.b)?));
    }
    T::backend(context, method, options, operands)
}
