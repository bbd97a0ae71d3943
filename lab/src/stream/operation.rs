//! The operations that are timed.

use super::super::Summary;

/// An operation that is timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// y := a x + y, each after the one before: 12 bytes an element.
    Saxpy,
    /// The sum, on the host: 4 bytes an element.
    Sum,
    /// The dot product, on the host: 8 bytes an element.
    Dot,
    /// The 2-norm, on the host: 4 bytes an element.
    Norm,
    /// From the host to the device: 4 bytes an element.
    Upload,
    /// Back, waiting for it: 4 bytes an element.
    Readback,
    /// Back through a pixel buffer and a fence: 4 bytes an element.
    ReadbackLater,
    /// A pass over one texel that needs the one before it.
    Pass,
}

impl Operation {
    /// All of them that work on vectors.
    pub const ON_VECTORS: [Operation; 7] = [
        Operation::Saxpy,
        Operation::Sum,
        Operation::Dot,
        Operation::Norm,
        Operation::Upload,
        Operation::Readback,
        Operation::ReadbackLater,
    ];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Operation::Saxpy => "saxpy",
            Operation::Sum => "sum",
            Operation::Dot => "dot",
            Operation::Norm => "norm",
            Operation::Upload => "upload",
            Operation::Readback => "readback",
            Operation::ReadbackLater => "readback-later",
            Operation::Pass => "pass",
        }
    }

    /// The unit of its rate.
    pub fn unit(self) -> &'static str {
        if self == Operation::Pass { "us/pass" } else { "GB/s" }
    }

    /// Bytes that count for each element.
    pub fn bytes(self) -> usize {
        match self {
            Operation::Saxpy => 12,
            Operation::Dot => 8,
            _ => 4,
        }
    }

    pub(super) fn rate(self, n: usize, summary: &Summary) -> f64 {
        match self {
            Operation::Pass => summary.median_ms * 1e3,
            _ => summary.rate((self.bytes() * n) as f64) / 1e9,
        }
    }
}
