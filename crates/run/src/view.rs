//! Textures as pictures: numbers through a colour map, or colours as they are, drawn on the device
//! at the size of a window. Use it to show a field while it changes; [`io`](quadrille::io) writes
//! pictures to files.

mod layout;
mod painter;

pub use layout::Layout;
pub use painter::{Painter, Shown};

/// Returns every shader of this module in every variant, to be checked as a set.
pub(crate) fn sources() -> Result<Vec<quadrille::shader::Source>, quadrille::shader::Error> {
    painter::sources()
}
