//! The residuals of a solve, as they were looked at.

use std::fmt::Write;

use quadrille_lab::solve::{Point, Recording};

use super::super::progress::Turns;

pub(super) struct History {
    /// The names of the right-hand sides.
    names: Vec<String>,
    points: Vec<Point>,
}

impl History {
    pub(super) fn new() -> History {
        History { names: Vec::new(), points: Vec::new() }
    }

    /// Watches the solve of the next right-hand side, with a bar.
    pub(super) fn watch(&mut self, name: &str) -> Recording<'_, Turns> {
        self.names.push(name.to_owned());
        Recording::from_zero(&mut self.points, self.names.len() - 1, Turns::of_iterations())
    }

    /// Comma-separated values: the right-hand side counted from 0, iterations, the relative residual, milliseconds.
    pub(super) fn table(&self) -> String {
        let mut text = String::from("rhs,iteration,residual,milliseconds\n");
        for Point { side, iteration, residual, milliseconds } in &self.points {
            // Writing to a string does not fail.
            let _ = writeln!(text, "{side},{iteration},{residual:e},{milliseconds:.3}");
        }
        text
    }

    /// The points of each right-hand side, iterations and residual, with its name.
    pub(super) fn lines(&self) -> Vec<(&str, Vec<(u64, f64)>)> {
        let of = |side: usize| {
            let points = self.points.iter().filter(move |point| point.side == side);
            points.map(|point| (point.iteration, point.residual)).collect()
        };
        self.names.iter().enumerate().map(|(side, name)| (name.as_str(), of(side))).collect()
    }
}
