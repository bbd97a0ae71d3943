//! Numbers as a person sees them: a texture's texels as colours, in a picture as large as a window,
//! made on the device.

mod layout;
mod painter;
mod scale;

pub use layout::Layout;
pub use painter::{Painter, Shown};
pub use scale::Scale;

/// Every shader of this module in every variant, to be checked as a set.
pub(crate) fn sources() -> Result<Vec<crate::shader::Source>, crate::shader::Error> {
    painter::sources()
}
