//! The residuals of a solve, as they were looked at.

use std::fmt::Write;

use quadrille::linalg::solve::{Look, Solved};

use super::system::Side;

pub(super) struct History<'a> {
    /// The right-hand sides.
    sides: &'a [Side],
    looks: &'a [Look],
}

impl<'a> History<'a> {
    pub(super) fn new(sides: &'a [Side], solved: &'a Solved) -> History<'a> {
        History { sides: &sides[..solved.sides.len()], looks: &solved.looks }
    }

    /// Comma-separated values: the right-hand side counted from 0, iterations, the relative
    /// residual, milliseconds.
    pub(super) fn table(&self) -> String {
        let mut text = String::from("rhs,iteration,residual,milliseconds\n");
        for Look { side, iteration, residual, milliseconds, .. } in self.looks {
            // Writing to a string does not fail.
            let _ = writeln!(text, "{side},{iteration},{residual:e},{milliseconds:.3}");
        }
        text
    }

    /// The points of each right-hand side, iterations and residual, with its name.
    pub(super) fn lines(&self) -> Vec<(&str, Vec<(u64, f64)>)> {
        let of = |side: usize| {
            let looks = self.looks.iter().filter(move |look| look.side == side);
            looks.map(|look| (look.iteration, look.residual)).collect()
        };
        self.sides.iter().enumerate().map(|(at, side)| (&*side.name, of(at))).collect()
    }
}
