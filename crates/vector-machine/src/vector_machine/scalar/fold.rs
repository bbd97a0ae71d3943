//! The place where the partial results of a function to a scalar are summed.

use std::fmt;

/// The place where partial results are summed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Fold {
    /// The host sums, in double precision, after reading all partial results: as in 2002.
    Host,
    /// The device sums by passes that fold many texels into one; the host adds the last few, and
    /// those of a short vector, which take longer to fold than to read.
    #[default]
    Device,
    /// The device sums by blending all partial results into one texel: a footnote of the paper. The
    /// order is the rasterizer's, and the sum is in single precision.
    Blending,
}

impl Fold {
    /// The list of all folds.
    pub const ALL: [Fold; 3] = [Fold::Host, Fold::Device, Fold::Blending];

    /// Returns the name of the fold.
    pub fn name(self) -> &'static str {
        match self {
            Fold::Host => "host",
            Fold::Device => "device",
            Fold::Blending => "blending",
        }
    }
}

impl fmt::Display for Fold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
