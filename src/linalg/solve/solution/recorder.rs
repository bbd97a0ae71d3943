//! The residuals of solutions, as they were looked at.

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
///
/// ```
/// use quadrille::data::Stencil;
/// use quadrille::linalg::solve::{Options, Recorder, Solver};
/// let matrix = "poisson5:30".parse::<Stencil>()?.matrix()?;
/// let mut solver = Solver::on_host(&matrix, Options::new())?;
/// let mut looks = Vec::new();
/// let mut recorder = Recorder::from_zero(&mut looks, 0, ());
/// let solution = solver.solve_observed(&[1.0; 900], &mut recorder)?;
/// recorder.end(solution.iterations, solution.residual);
/// assert_eq!((looks[0].iteration, looks[0].residual), (0, 1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Recorder<'a, O> {
    looks: &'a mut Vec<Look>,
    observer: O,
    side: usize,
    begun: Instant,
}

impl<'a, O: Observer> Recorder<'a, O> {
    /// Records a solution that begins now.
    pub fn new(looks: &'a mut Vec<Look>, side: usize, observer: O) -> Recorder<'a, O> {
        Recorder { looks, observer, side, begun: Instant::now() }
    }

    /// Records a solution that begins now with zeros, whose relative residual is 1.
    pub fn from_zero(looks: &'a mut Vec<Look>, side: usize, observer: O) -> Recorder<'a, O> {
        let mut recorder = Recorder::new(looks, side, observer);
        recorder.learn(0, 1.0);
        recorder
    }

    fn learn(&mut self, iteration: u64, residual: f64) {
        let milliseconds = self.begun.elapsed().as_secs_f64() * 1e3;
        self.looks.push(Look { side: self.side, iteration, residual, milliseconds });
    }

    /// Ends the record with the residual of the solution as it is returned.
    pub fn end(mut self, iteration: u64, residual: f64) {
        let last = self.looks.last().map(|last| (last.side, last.iteration, last.residual));
        if last != Some((self.side, iteration, residual)) {
            self.learn(iteration, residual);
        }
    }
}

impl<O: Observer> Observer for Recorder<'_, O> {
    fn observe(&mut self, progress: &Progress) -> Control {
        if let Some(residual) = progress.residual {
            self.learn(progress.done, residual);
        }
        self.observer.observe(progress)
    }
}
