//! What keeps the state of a long computation, so that another can go on from it.

use std::cell::RefCell;

use super::{Error, Team, collective};

/// Keeps the x that a solver has reached, as in a [checkpoint](super) of all ranks.
///
/// All processes call with what concerns their own ranks. Whether x is kept is for the process of the first rank to say.
pub trait Keeper<X: ?Sized> {
    /// Whether x should be kept now.
    fn is_due(&mut self) -> bool;

    /// Keeps x after this number of iterations: of each local rank what it owns.
    ///
    /// # Errors
    ///
    /// [`Error::Kept`] for what went wrong.
    fn keep(&mut self, iterations: u64, x: &X) -> Result<(), Error>;
}

/// Keeps nothing.
impl<X: ?Sized> Keeper<X> for () {
    fn is_due(&mut self) -> bool {
        false
    }

    fn keep(&mut self, _: u64, _: &X) -> Result<(), Error> {
        Ok(())
    }
}

/// A keeper that all processes ask at the same steps.
pub(super) struct CollectiveKeeper<'a, X: ?Sized> {
    team: &'a Team,
    keeper: RefCell<&'a mut dyn Keeper<X>>,
}

impl<'a, X: ?Sized> CollectiveKeeper<'a, X> {
    pub(super) fn new(team: &'a Team, keeper: &'a mut dyn Keeper<X>) -> CollectiveKeeper<'a, X> {
        CollectiveKeeper { team, keeper: RefCell::new(keeper) }
    }

    /// Whether the first rank's is due.
    pub(super) fn is_due(&self) -> Result<bool, Error> {
        let ranks = self.team.communicator();
        collective::any(ranks, ranks.local().contains(&0) && self.keeper.borrow_mut().is_due())
    }

    pub(super) fn keep(&self, iterations: u64, x: &X) -> Result<(), Error> {
        self.keeper.borrow_mut().keep(iterations, x)
    }
}
