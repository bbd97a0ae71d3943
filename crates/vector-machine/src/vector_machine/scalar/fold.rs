//! The place where the partial results of a function to a scalar are summed.

use crate::named::named_enum;

named_enum! {
    /// The place where partial results are summed.
    #[derive(Default, Hash)]
    #[non_exhaustive]
    pub enum Fold: "fold" {
        /// The host sums, in double precision, after reading all partial results: as in 2002.
        Host => "host",
        /// The device sums by passes that fold many texels into one; the host adds the last few,
        /// and those of a short vector, which take longer to fold than to read.
        #[default]
        Device => "device",
        /// The device sums by blending all partial results into one texel: a footnote of the paper.
        /// The order is the rasterizer's, and the sum is in single precision.
        Blending => "blending",
    }
}
