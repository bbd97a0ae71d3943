//! Smoothers by lines.

use super::Nine;
use crate::linalg::multigrid::plan::Axis;

/// A pivot below this fraction of the diagonal is rounding error in single precision: its unknown
/// becomes zero.
const FLOOR: f64 = 1e-6;

/// Runs a sweep by lines along an axis: x + w T^-1 (b - A x).
pub(super) fn lines(a: &Nine, axis: Axis, damping: f64, b: &[f64], x: &mut [f64]) {
    let change = solve_lines(a, axis, &a.residual(b, x));
    x.iter_mut().zip(change).for_each(|(x, change)| *x += damping * change);
}

/// Returns T^-1 d by Gauss's elimination along each line, where T has the matrix's couplings along
/// the axis alone.
pub fn solve_lines(a: &Nine, axis: Axis, d: &[f64]) -> Vec<f64> {
    let (width, height) = a.extent();
    let mut x = vec![0.0; d.len()];
    let (lines, length) = if axis == Axis::X { (height, width) } else { (width, height) };
    for line in 0..lines {
        let index = |at: usize| if axis == Axis::X { line * width + at } else { at * width + line };
        solve_line(
            length,
            |at| a.rows()[index(at)],
            axis,
            |at| d[index(at)],
            |at, value| {
                x[index(at)] = value;
            },
        );
    }
    x
}

/// Solves a line of some length, given by functions of the position on it.
fn solve_line(
    length: usize,
    row: impl Fn(usize) -> [f64; 9],
    axis: Axis,
    d: impl Fn(usize) -> f64,
    mut set: impl FnMut(usize, f64),
) {
    let (lower, upper) = if axis == Axis::X { (3, 5) } else { (1, 7) };
    // Of each row after elimination: the coupling to the next one and the right-hand side.
    let mut eliminated = Vec::with_capacity(length);
    let (mut coupling, mut right) = (0.0, 0.0);
    for at in 0..length {
        let row = row(at);
        let pivot = row[4] - row[lower] * coupling;
        let is_number = pivot.abs() > FLOOR * row[4].abs();
        let reciprocal = if is_number { 1.0 / pivot } else { 0.0 };
        (coupling, right) = (row[upper] * reciprocal, (d(at) - row[lower] * right) * reciprocal);
        eliminated.push((coupling, right));
    }
    let mut next = 0.0;
    for (at, (coupling, right)) in eliminated.into_iter().enumerate().rev() {
        next = right - coupling * next;
        set(at, next);
    }
}
