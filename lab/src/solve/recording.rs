//! The residuals of solutions, as they were looked at.

use std::time::Instant;

use quadrille::observer::{Control, Observer, Progress};

/// A look at the residual of a right-hand side, which is counted from 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    pub side: usize,
    pub iteration: u64,
    pub residual: f64,
    /// Since its solution began.
    pub milliseconds: f64,
}

/// An observer that records the solution of a right-hand side, and leaves it to another whether that goes on.
pub struct Recording<'a, O> {
    points: &'a mut Vec<Point>,
    observer: O,
    side: usize,
    begun: Instant,
}

impl<'a, O: Observer> Recording<'a, O> {
    /// Of a solution that begins now.
    pub fn new(points: &'a mut Vec<Point>, side: usize, observer: O) -> Recording<'a, O> {
        Recording { points, observer, side, begun: Instant::now() }
    }

    /// Of one that begins with zeros, whose relative residual is 1.
    pub fn from_zero(points: &'a mut Vec<Point>, side: usize, observer: O) -> Recording<'a, O> {
        let mut recording = Recording::new(points, side, observer);
        recording.learn(0, 1.0);
        recording
    }

    fn learn(&mut self, iteration: u64, residual: f64) {
        let milliseconds = self.begun.elapsed().as_secs_f64() * 1e3;
        self.points.push(Point { side: self.side, iteration, residual, milliseconds });
    }

    /// The residual of the solution as it is returned, which ends the record.
    pub fn end(mut self, iteration: u64, residual: f64) {
        let last = self.points.last().map(|last| (last.side, last.iteration, last.residual));
        if last != Some((self.side, iteration, residual)) {
            self.learn(iteration, residual);
        }
    }
}

impl<O: Observer> Observer for Recording<'_, O> {
    fn observe(&mut self, progress: &Progress) -> Control {
        if let Some(residual) = progress.residual {
            self.learn(progress.done, residual);
        }
        self.observer.observe(progress)
    }
}
