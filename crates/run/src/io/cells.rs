//! The cells of a field: the class of its numbers, the number of channels of each cell, and the
//! extent.

use std::fmt;

use quadrille::Extent;
use quadrille::gl::Class;

/// The channels of a colour without alpha.
pub(crate) const COLOUR: usize = 3;

/// The cells of an input or an output. Feedback joins equal ones alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cells {
    /// The class of the numbers: floats, integers or unsigned integers.
    pub class: Class,
    /// The number of channels, 1 to 4.
    pub channels: usize,
    /// The number of cells along each axis.
    pub extent: Extent,
}

impl fmt::Display for Cells {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Cells { class, channels, extent: Extent { width, height } } = self;
        let plural = if *channels == 1 { "" } else { "s" };
        write!(f, "{channels} channel{plural} of {}, {width} x {height}", words(*class).0)
    }
}

/// Returns the word for a class of numbers, and the sampler that reads it.
pub(crate) fn words(class: Class) -> (&'static str, &'static str) {
    match class {
        Class::Float => ("floats", "sampler2D"),
        Class::Int => ("integers", "isampler2D"),
        Class::Uint => ("unsigned integers", "usampler2D"),
    }
}
