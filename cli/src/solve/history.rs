//! The residuals of a solve, as they were looked at.

use std::fmt::Write;
use std::time::Instant;

use quadrille::observer::{Control, Observer, Progress};

use super::super::progress::Turns;

pub(super) struct History {
    /// The names of the right-hand sides.
    names: Vec<String>,
    points: Vec<Point>,
}

struct Point {
    side: usize,
    iteration: u64,
    residual: f64,
    milliseconds: f64,
}

impl History {
    pub(super) fn new() -> History {
        History { names: Vec::new(), points: Vec::new() }
    }

    /// Watches the solve of the next right-hand side, with a bar.
    pub(super) fn watch(&mut self, name: &str) -> Watch<'_> {
        self.names.push(name.to_owned());
        let watch = Watch { history: self, bar: Turns::of_iterations(), begun: Instant::now() };
        watch.history.learn(0, 1.0, watch.begun);
        watch
    }

    fn learn(&mut self, iteration: u64, residual: f64, begun: Instant) {
        let milliseconds = begun.elapsed().as_secs_f64() * 1e3;
        let side = self.names.len() - 1;
        self.points.push(Point { side, iteration, residual, milliseconds });
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

/// Shows progress, keeps it, and stops at Ctrl-C.
pub(super) struct Watch<'a> {
    history: &'a mut History,
    bar: Turns,
    begun: Instant,
}

impl Watch<'_> {
    /// The residual of the solution as it is returned, which ends the history.
    pub(super) fn end(self, iteration: u64, residual: f64) {
        let last = self.history.points.last();
        if last.is_none_or(|last| (last.iteration, last.residual) != (iteration, residual)) {
            self.history.learn(iteration, residual, self.begun);
        }
    }
}

impl Observer for Watch<'_> {
    fn observe(&mut self, progress: &Progress) -> Control {
        if let Some(residual) = progress.residual {
            self.history.learn(progress.done, residual, self.begun);
        }
        self.bar.show(progress)
    }
}
