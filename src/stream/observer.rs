//! Progress and cancellation of long work.

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
