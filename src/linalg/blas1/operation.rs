//! The element-wise operations as expressions.

use super::expression::Expressions;

/// An element-wise operation of the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Operation {
    Copy,
    Scal,
    Axpy,
    Axpby,
    /// Two vectors move along two others: x + a p, and r - a q.
    Advance,
    /// [`Advance`](Operation::Advance), and the sum of d r r with the new r.
    AdvanceAndWeigh,
    /// The product element by element.
    Multiply,
    /// [`Multiply`](Operation::Multiply), and the dot product of the second vector and the result.
    MultiplyAndDot,
    Rot,
    /// The sum of two vectors: of parts of sums.
    Add,
    /// A norm from the parts of a sum of squares.
    Root,
}

impl Operation {
    pub(super) const ALL: [Operation; 11] = [
        Operation::Copy,
        Operation::Scal,
        Operation::Axpy,
        Operation::Axpby,
        Operation::Advance,
        Operation::AdvanceAndWeigh,
        Operation::Multiply,
        Operation::MultiplyAndDot,
        Operation::Rot,
        Operation::Add,
        Operation::Root,
    ];

    /// Returns the expressions of the operation, which call functions of `glsl/include/blas1.glsl`.
    pub(super) fn expressions(self) -> Expressions {
        let own = Expressions::own;
        match self {
            Operation::Copy => own(&["x"], &["x"], &[]),
            Operation::Scal => own(&["a * x"], &["x"], &["a"]),
            Operation::Axpy => own(&["axpy(a, x, y)"], &["x", "y"], &["a"]),
            Operation::Axpby => own(&["axpby(a, x, b, y)"], &["x", "y"], &["a", "b"]),
            Operation::Advance => {
                own(&["axpy(a, p, x)", "axpy(-a, q, r)"], &["p", "q", "x", "r"], &["a"])
            }
            Operation::AdvanceAndWeigh => {
                let next = "axpy(-a, q, r)";
                let weight = format!("{next} * (d * {next})");
                own(&["axpy(a, p, x)", next, &weight], &["p", "q", "d", "x", "r"], &["a"]).summed()
            }
            Operation::Multiply => own(&["x * y"], &["x", "y"], &[]),
            Operation::MultiplyAndDot => own(&["x * y", "y * (x * y)"], &["x", "y"], &[]).summed(),
            Operation::Rot => {
                own(&["axpby(c, x, s, y)", "axpby(c, y, -s, x)"], &["x", "y"], &["c", "s"])
            }
            Operation::Add => own(&["x + y"], &["x", "y"], &[]),
            Operation::Root => own(&["root_of(sums)"], &[], &["sums"]).of_texels(),
        }
    }

    /// Returns whether it also leaves a sum, which compute shaders alone do.
    pub(super) fn is_summed(self) -> bool {
        matches!(self, Operation::MultiplyAndDot | Operation::AdvanceAndWeigh)
    }

    /// Returns the bits of its scalars that are on the device in every use.
    pub(super) fn on_device(self) -> u32 {
        u32::from(self == Operation::Root)
    }
}
