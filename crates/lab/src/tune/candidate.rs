//! A way of doing the operation of a question.

use std::time::Duration;

use quadrille::error::Kind;
use quadrille::gl::Context;
use quadrille::stream::choice::Entry;
use quadrille::testing::Comparison;

use super::question::Question;
use super::subject::{Running, Subject};
use crate::bench::runner;
use crate::{Error, MeasurementError, Result};

/// A way, by its text.
pub(super) struct Candidate<'a> {
    pub(super) context: &'a Context,
    pub(super) question: &'a Question,
    pub(super) subject: &'a dyn Subject,
    pub(super) choice: String,
    pub(super) running: Option<Box<dyn Running + 'a>>,
}

impl runner::Case for Candidate<'_> {
    type Time = Duration;

    /// Sets the choice as the tuned choice of the context, which is the way of users.
    fn prepare(&mut self) -> Result<()> {
        let (name, size) = (self.question.operation.name(), self.question.size());
        let entry = Entry::new(size, self.choice.clone(), 0.0);
        self.context.use_tuned(name, vec![entry]);
        let started = self.subject.start(self.context);
        self.context.use_tuned(name, Vec::new());
        let started = started?;
        let got = started.choice();
        if got != self.choice {
            return Err(MeasurementError::Choice { choice: self.choice.clone(), got }.into());
        }
        self.running = Some(started);
        Ok(())
    }

    fn check(&mut self) -> Result<Comparison> {
        self.running.as_mut().map_or(Ok(Comparison::WRONG), |running| running.check())
    }

    fn time(&mut self, parts: u64) -> Result<Duration> {
        let context = self.context;
        self.running.as_mut().map_or(Ok(Duration::ZERO), |running| running.time(context, parts))
    }

    fn release(&mut self) {
        self.running = None;
    }

    /// Also for sizes that a way does not take.
    fn is_skipped_for(error: &Error) -> bool {
        error.kind().is_device_limit() || error.kind() == Kind::Input
    }
}
