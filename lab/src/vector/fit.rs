//! Time as a fixed cost and a cost for each opcode.

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
        let count = points.len() as f64;
        let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
        let (x, y) = (mean(|point| point.0), mean(|point| point.1));
        let spread: f64 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
        if spread <= 0.0 || points.is_empty() {
            return None;
        }
        let slope = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum::<f64>() / spread;
        Some(Line { fixed_ms: y - slope * x, per_opcode_ms: slope })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_goes_through_its_points() {
        let line = Line::through(&[(10.0, 25.0), (20.0, 45.0), (40.0, 85.0)]);
        let near = |line: Line| (line.fixed_ms - 5.0).abs() + (line.per_opcode_ms - 2.0).abs();
        assert!(line.is_some_and(|line| near(line) < 1e-9), "{line:?}");
        // The points are above and below the line alike.
        let line = Line::through(&[(0.0, 1.0), (0.0, 3.0), (1.0, 2.0), (1.0, 4.0)]);
        assert_eq!(line, Some(Line { fixed_ms: 2.0, per_opcode_ms: 1.0 }));
    }

    #[test]
    fn one_number_of_opcodes_has_no_line() {
        assert_eq!([Line::through(&[]), Line::through(&[(1.0, 2.0), (1.0, 3.0)])], [None; 2]);
    }
}
