//! Progress and cancellation of long work, without a word about how they are shown.

/// Whether work goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// Go on.
    Continue,
    /// Stop at the next safe point with what there is.
    Stop,
}

/// How far long work has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Steps done.
    pub done: u64,
    /// Steps expected in all, where a count or a forecast is known.
    pub expected: Option<u64>,
    /// The number that the work tries to make small (a residual), where there is one.
    pub residual: Option<f64>,
}

/// Watches long work and may stop it. Any `FnMut(&Progress) -> Control` is one, and `()` watches
/// nothing.
pub trait Observer {
    /// Called at safe points, where everything done so far could be returned.
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
