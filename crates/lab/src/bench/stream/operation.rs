//! The operations that are timed.

use crate::Summary;
use crate::report::names::named_enum;

named_enum! {
    /// An operation that is timed.
    pub enum Operation: "operation" {
        /// y := x, and x := y: 8 bytes an element.
        Copy => "copy",
        /// x := a x: 8 bytes an element.
        Scal => "scal",
        /// y := a x + y, each after the one before: 12 bytes an element.
        Saxpy => "saxpy",
        /// y := a x + b y: 12 bytes an element.
        Axpby => "axpby",
        /// A rotation of x and y: 16 bytes an element.
        Rot => "rot",
        /// z := y + a (x - y), compiled from an expression: 12 bytes an element.
        Map => "map",
        /// z := the sums of all of x up to each element: 8 bytes an element.
        Scan => "scan",
        /// The sum, on the host: 4 bytes an element.
        Sum => "sum",
        /// The dot product, on the host: 8 bytes an element.
        Dot => "dot",
        /// The 2-norm, on the host: 4 bytes an element.
        Norm => "norm",
        /// The 2-norm without overflow, on the host: 4 bytes an element.
        Nrm2 => "nrm2",
        /// The sum of magnitudes, on the host: 4 bytes an element.
        Asum => "asum",
        /// The index of the largest magnitude, on the host: 4 bytes an element.
        Iamax => "iamax",
        /// The sum, left on the device: 4 bytes an element.
        SumInto => "sum-on-device",
        /// The dot product, left on the device: 8 bytes an element.
        DotInto => "dot-on-device",
        /// The 2-norm without overflow, left on the device: 4 bytes an element.
        Nrm2Into => "nrm2-on-device",
        /// The sum of magnitudes, left on the device: 4 bytes an element.
        AsumInto => "asum-on-device",
        /// An upload from the host to the device: 4 bytes an element.
        Upload => "upload",
        /// Back, waiting for it: 4 bytes an element.
        Readback => "readback",
        /// Back through a pixel buffer and a fence: 4 bytes an element.
        ReadbackLater => "readback-later",
        /// An upload from memory of the host that stays mapped: 4 bytes an element.
        UploadStaging => "upload-staging",
        /// Back into such memory: 4 bytes an element.
        ReadbackStaging => "readback-staging",
        /// x and y exchanged, of which nothing is copied.
        Swap => "swap",
        /// A dispatch over one texel that needs the one before it.
        Dispatch => "dispatch",
        /// A pass over one texel that needs the one before it.
        Pass => "pass",
    }
}

// In the order of the table.
impl Operation {
    /// The operations that change vectors; the copy first, whose rate the others are compared with.
    pub const VECTORS: [Operation; 7] = [
        Operation::Copy,
        Operation::Scal,
        Operation::Saxpy,
        Operation::Axpby,
        Operation::Rot,
        Operation::Map,
        Operation::Scan,
    ];

    /// The operations that end with a number on the host: a call waits for it.
    pub const TO_HOST: [Operation; 6] = [
        Operation::Sum,
        Operation::Dot,
        Operation::Norm,
        Operation::Nrm2,
        Operation::Asum,
        Operation::Iamax,
    ];

    /// The operations that leave their number on the device, where the next operation reads it:
    /// calls follow each other without a wait.
    pub const LEFT_ON_DEVICE: [Operation; 4] =
        [Operation::SumInto, Operation::DotInto, Operation::Nrm2Into, Operation::AsumInto];

    /// Transfers, which have no engine.
    pub const TRANSFERS: [Operation; 5] = [
        Operation::Upload,
        Operation::Readback,
        Operation::ReadbackLater,
        Operation::UploadStaging,
        Operation::ReadbackStaging,
    ];

    /// The operations that cost the same at every size.
    pub const FIXED: [Operation; 3] = [Operation::Swap, Operation::Dispatch, Operation::Pass];

    /// The unit of its rate.
    pub fn unit(self) -> &'static str {
        match self {
            Operation::Swap => "us/swap",
            Operation::Dispatch => "us/dispatch",
            Operation::Pass => "us/pass",
            _ => "GB/s",
        }
    }

    /// Bytes that count for each element.
    pub fn bytes(self) -> usize {
        match self {
            Operation::Rot => 16,
            Operation::Saxpy | Operation::Axpby | Operation::Map => 12,
            Operation::Copy
            | Operation::Scal
            | Operation::Scan
            | Operation::Dot
            | Operation::DotInto => 8,
            _ => 4,
        }
    }

    /// Whether its result stays on the device, so that the device's own clock can time it.
    pub(super) fn stays_on_device(self) -> bool {
        Operation::VECTORS.contains(&self) || Operation::LEFT_ON_DEVICE.contains(&self)
    }

    /// Whether engines run it.
    pub(super) fn has_engine(self) -> bool {
        !Operation::TRANSFERS.contains(&self) && !self.is_fixed()
    }

    /// Whether its time does not depend on the size.
    pub(super) fn is_fixed(self) -> bool {
        Operation::FIXED.contains(&self)
    }

    pub(super) fn rate(self, n: usize, summary: &Summary) -> f64 {
        match self.is_fixed() {
            true => summary.median_ms * 1e3,
            false => summary.rate((self.bytes() * n) as f64) / 1e9,
        }
    }
}
