//! The ranks of this process, and their devices.

use std::rc::Rc;

use crate::Context;

use super::{Communicator, Error, Result};

/// Ranks that compute together, each of this process's with a context of its own: with MPI a
/// process has one of both.
#[derive(Clone)]
pub struct Team {
    communicator: Rc<dyn Communicator>,
    contexts: Vec<Context>,
}

impl Team {
    /// Creates a team with a context for each of the communicator's [local](Communicator::local)
    /// ranks.
    ///
    /// # Errors
    ///
    /// [`Error::Contexts`] if there are not as many contexts.
    pub fn new(communicator: Rc<dyn Communicator>, contexts: Vec<Context>) -> Result<Team> {
        let (expected, got) = (communicator.local().len(), contexts.len());
        if expected != got {
            return Err(Error::Contexts { expected, got });
        }
        Ok(Team { communicator, contexts })
    }

    /// Returns the communicator, which carries messages.
    pub fn communicator(&self) -> &dyn Communicator {
        &*self.communicator
    }

    /// Returns the contexts of this process's ranks.
    pub fn contexts(&self) -> &[Context] {
        &self.contexts
    }

    /// Returns the ranks of this process, each with its context.
    pub fn local(&self) -> impl Iterator<Item = (usize, &Context)> {
        self.communicator.local().zip(&self.contexts)
    }
}
