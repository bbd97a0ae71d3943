//! The residuals of solutions, as they were looked at.

use super::super::Solution;
use crate::clock::Instant;
use crate::stream::observer::{Control, Observer, Progress};

/// A look at the residual of a solution.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Look {
    /// The right-hand side, counted from 0.
    pub side: usize,
    /// The steps of the method so far.
    pub iteration: u64,
    /// The residual over the right-hand side, in their 2-norms.
    pub residual: f64,
    /// The time since the solution began.
    pub milliseconds: f64,
}

/// An observer that records the solution of a right-hand side, and leaves it to another whether
/// that continues.
pub(crate) struct Recorder<'a> {
    pub(crate) looks: &'a mut Vec<Look>,
    pub(crate) observer: &'a mut dyn Observer,
    pub(crate) side: usize,
    /// The iterations of another run that this one continues.
    pub(crate) done: u64,
    pub(crate) begun: Instant,
}

impl Recorder<'_> {
    pub(crate) fn learn(&mut self, iteration: u64, residual: f64) {
        let milliseconds = self.begun.elapsed().as_secs_f64() * 1e3;
        self.looks.push(Look { side: self.side, iteration, residual, milliseconds });
    }

    /// Ends the record with the residual of the solution as it is returned.
    pub(crate) fn end(mut self, solution: &Solution) {
        let end = (self.side, solution.iterations, solution.deciding_residual());
        if self.looks.last().map(|last| (last.side, last.iteration, last.residual)) != Some(end) {
            self.learn(end.1, end.2);
        }
    }
}

impl Observer for Recorder<'_> {
    fn observe(&mut self, progress: &Progress) -> Control {
        let progress = Progress {
            done: self.done + progress.done,
            expected: progress.expected.map(|expected| self.done + expected),
            ..*progress
        };
        if let Some(residual) = progress.residual {
            self.learn(progress.done, residual);
        }
        self.observer.observe(&progress)
    }

    fn is_due(&mut self) -> bool {
        self.observer.is_due()
    }

    fn keep(&mut self, done: u64, x: Vec<f64>) {
        self.observer.keep(self.done + done, x);
    }
}
