//! Commands that a driver needs between those of the work, because it does not keep their order or
//! does not return.

use std::cell::Cell;

use glow::HasContext;

use super::Shared;
use crate::gl::{Abilities, Error};

/// What a driver needs, and what it was given.
pub(super) struct Pace {
    uploads_overtake: bool,
    targets_at_a_time: Option<u32>,
    /// The targets that were bound since the last flush.
    targets: Cell<u32>,
}

impl Pace {
    pub(super) fn of(abilities: &Abilities) -> Pace {
        Pace {
            uploads_overtake: !abilities.ordered_uploads,
            targets_at_a_time: abilities.targets_at_a_time(),
            targets: Cell::default(),
        }
    }
}

impl Shared {
    /// Waits for the device before an upload from the host's memory that would overtake earlier
    /// commands. A flush is not enough, and an upload from a buffer waits by itself.
    pub(in crate::gl) fn before_upload(&self) -> Result<(), Error> {
        if self.pace.uploads_overtake {
            // SAFETY: entered.
            unsafe { self.enter()?.finish() };
            self.pace.targets.set(0);
        }
        Ok(())
    }

    /// Flushes before a further target is bound, where the driver can only hold so many.
    pub(in crate::gl) fn before_target(&self) -> Result<(), Error> {
        let Some(limit) = self.pace.targets_at_a_time else { return Ok(()) };
        let targets = self.pace.targets.get();
        if targets == limit {
            // SAFETY: entered.
            unsafe { self.enter()?.flush() };
        }
        self.pace.targets.set(targets % limit + 1);
        Ok(())
    }
}
