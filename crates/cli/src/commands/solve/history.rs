//! The residuals of a solve, as they were looked at.

use std::fmt::Write;

use quadrille::linalg::solve::{Look, Recorder};

use crate::output::progress::Bar;

pub(super) struct History {
    /// The names of the right-hand sides.
    names: Vec<String>,
    looks: Vec<Look>,
}

impl History {
    pub(super) fn new() -> History {
        History { names: Vec::new(), looks: Vec::new() }
    }

    /// Watches the solve of the next right-hand side, with a bar.
    pub(super) fn watch(&mut self, name: &str, from_zero: bool) -> Recorder<'_, Bar> {
        self.names.push(name.to_owned());
        let (side, bar) = (self.names.len() - 1, Bar::of_iterations());
        match from_zero {
            true => Recorder::from_zero(&mut self.looks, side, bar),
            false => Recorder::new(&mut self.looks, side, bar),
        }
    }

    /// Comma-separated values: the right-hand side counted from 0, iterations, the relative
    /// residual, milliseconds.
    pub(super) fn table(&self) -> String {
        let mut text = String::from("rhs,iteration,residual,milliseconds\n");
        for Look { side, iteration, residual, milliseconds, .. } in &self.looks {
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
        self.names.iter().enumerate().map(|(side, name)| (name.as_str(), of(side))).collect()
    }
}
