//! The compilation of a pass's shader.

use crate::gl::Context;
use crate::shader::{Reads, Source};
use crate::stream::{Error, Kernel};

/// Compiles a shader that reads texels as suits the renderer, unless told.
pub(super) fn kernel(
    context: &Context,
    source: Source,
    reads: Option<Reads>,
) -> Result<Kernel, Error> {
    match reads {
        None => context.kernel(source),
        Some(reads) => Kernel::from_fragment(context, &source, reads),
    }
}
