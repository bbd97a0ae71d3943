//! Textures as pictures: numbers through a colour scale, or colours as they are, drawn on the device at the size of a
//! window. Use it to show a field while it changes; [`io`](crate::io) writes pictures to files.

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
