//! Time as a fixed cost and a cost for each opcode.

use super::super::statistics::line_through;

/// A straight line.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Line {
    /// The cost of a call without any opcode.
    pub fixed_ms: f64,
    /// The cost of an opcode.
    pub per_opcode_ms: f64,
}

impl Line {
    /// The line of least squares through points (opcodes, milliseconds); none through fewer than two
    /// numbers of opcodes.
    pub fn through(points: &[(f64, f64)]) -> Option<Line> {
        let (fixed_ms, per_opcode_ms) = line_through(points)?;
        Some(Line { fixed_ms, per_opcode_ms })
    }
}
