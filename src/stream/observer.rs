//! Progress and cancellation of long work, and checkpoints of it.

use std::time::Duration;

use crate::clock::Instant;

/// The decision of an observer to continue or stop the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// The work continues.
    Continue,
    /// The work stops at the next safe point, with the results so far.
    Stop,
}

/// The state of long work.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// The number of finished steps.
    pub done: u64,
    /// The expected number of steps, if it is known or estimated.
    pub expected: Option<u64>,
    /// The residual or another number that the work reduces, if it has one.
    pub residual: Option<f64>,
}

impl Progress {
    /// Makes the state after `done` steps.
    pub fn new(done: u64, expected: Option<u64>) -> Progress {
        Progress { done, expected, residual: None }
    }

    /// Sets the residual.
    #[must_use]
    pub fn residual(self, residual: f64) -> Progress {
        Progress { residual: Some(residual), ..self }
    }
}

/// Watches long work and may stop it. Any `FnMut(&Progress) -> Control` is one, and `()` watches
/// nothing.
pub trait Observer {
    /// Receives the progress at safe points, where everything done so far could be returned.
    fn observe(&mut self, progress: &Progress) -> Control;

    /// Returns whether [`keep`](Self::keep) should receive x now, which a solver of linear systems asks after each look at
    /// the residual.
    fn is_due(&mut self) -> bool {
        false
    }

    /// Receives the x that a solver of linear systems has reached after this many iterations, from which another run can
    /// go on.
    fn keep(&mut self, _done: u64, _x: Vec<f64>) {}
}

impl<F: FnMut(&Progress) -> Control> Observer for F {
    fn observe(&mut self, progress: &Progress) -> Control {
        self(progress)
    }
}

impl Observer for () {
    fn observe(&mut self, _: &Progress) -> Control {
        Control::Continue
    }
}

/// An observer that another watches by, and that hands x to a function whenever a time has passed.
///
/// ```
/// use std::time::Duration;
/// use quadrille::{Checkpoints, data::Stencil};
/// use quadrille::linalg::solve::{Options, Session, Side, Solver};
/// let matrix = "poisson5:60".parse::<Stencil>()?.matrix()?;
/// let context = quadrille::Context::headless()?;
/// let options = Options::new().iterations(40);
/// let mut session = Session::new(Solver::new(&context, &matrix, options)?)?;
/// let b = [1.0; 3600];
/// let (mut last, mut nobody) = ((0, vec![0.0; 3600]), ());
/// let mut checkpoints = Checkpoints::new(&mut nobody, Duration::ZERO, |done, x| last = (done, x));
/// session.solve([Ok(Side::new(&b))], &mut checkpoints)?;
/// // Another run goes on from there.
/// let (done, x) = last;
/// let solved = session.solve([Ok(Side::new(&b).x0(x).after(done))], &mut ())?;
/// assert!(done > 0 && solved.iterations() > done);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Checkpoints<'a, K> {
    observer: &'a mut dyn Observer,
    every: Duration,
    last: Instant,
    keep: K,
}

impl<'a, K: FnMut(u64, Vec<f64>)> Checkpoints<'a, K> {
    /// Hands x to a function each time that this has passed since the last.
    pub fn new(observer: &'a mut dyn Observer, every: Duration, keep: K) -> Checkpoints<'a, K> {
        Checkpoints { observer, every, last: Instant::now(), keep }
    }
}

impl<K: FnMut(u64, Vec<f64>)> Observer for Checkpoints<'_, K> {
    fn observe(&mut self, progress: &Progress) -> Control {
        self.observer.observe(progress)
    }

    fn is_due(&mut self) -> bool {
        self.last.elapsed() >= self.every
    }

    fn keep(&mut self, done: u64, x: Vec<f64>) {
        (self.keep)(done, x);
        self.last = Instant::now();
    }
}
