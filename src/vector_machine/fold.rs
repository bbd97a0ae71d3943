//! Where the partial results of a function to a scalar are summed.

use std::fmt;

/// Who sums the partial results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Fold {
    /// The host, in double precision, after reading all of them: the document's way.
    Host,
    /// The device, by passes that fold many texels into one; the host adds the last few, and those of
    /// a short vector, which take longer to fold than to read.
    #[default]
    Device,
    /// The device, by blending all of them into one texel: the document's footnote. The order is
    /// the rasterizer's, and the sum is in single precision.
    Blending,
}

impl Fold {
    /// All of them.
    pub const ALL: [Fold; 3] = [Fold::Host, Fold::Device, Fold::Blending];

    /// Its name in commands and reports.
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
