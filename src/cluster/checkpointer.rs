//! The interface that saves the state of a long computation, so that another can continue from it.

use std::cell::RefCell;

use super::{Result, Team, collective};

/// A place to save the x that a solver has reached, for example a [checkpoint](super) of all ranks.
///
/// All processes call it, each with the data of its own ranks. The process of the first rank
/// decides whether x is saved.
pub trait Checkpointer<X: ?Sized> {
    /// Returns whether x should be saved now.
    fn is_due(&mut self) -> bool;

    /// Keeps x after this number of iterations: of each local rank what it owns.
    ///
    /// # Errors
    ///
    /// [`Error::Kept`](super::Error::Kept) for what went wrong.
    fn keep(&mut self, iterations: u64, x: &X) -> Result<()>;
}

/// Keeps nothing.
impl<X: ?Sized> Checkpointer<X> for () {
    fn is_due(&mut self) -> bool {
        false
    }

    fn keep(&mut self, _: u64, _: &X) -> Result<()> {
        Ok(())
    }
}

/// A checkpointer that all processes ask at the same steps.
pub(super) struct CollectiveCheckpointer<'a, X: ?Sized> {
    team: &'a Team,
    checkpointer: RefCell<&'a mut dyn Checkpointer<X>>,
}

impl<'a, X: ?Sized> CollectiveCheckpointer<'a, X> {
    pub(super) fn new(
        team: &'a Team,
        checkpointer: &'a mut dyn Checkpointer<X>,
    ) -> CollectiveCheckpointer<'a, X> {
        CollectiveCheckpointer { team, checkpointer: RefCell::new(checkpointer) }
    }

    /// Returns whether the first rank's is due.
    pub(super) fn is_due(&self) -> Result<bool> {
        let ranks = self.team.communicator();
        collective::any(
            ranks,
            ranks.local().contains(&0) && self.checkpointer.borrow_mut().is_due(),
        )
    }

    pub(super) fn keep(&self, iterations: u64, x: &X) -> Result<()> {
        self.checkpointer.borrow_mut().keep(iterations, x)
    }
}
