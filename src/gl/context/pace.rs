//! When a driver needs commands between those of the work, because it does not keep their order or does
//! not return.

use std::cell::Cell;

use crate::gl::Abilities;

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

    /// Returns whether the device must have finished before an upload from the host's memory, which
    /// else overtakes earlier commands. A flush is not enough, and an upload from a buffer waits by
    /// itself.
    pub(super) fn finishes(&self) -> bool {
        if self.uploads_overtake {
            self.targets.set(0);
        }
        self.uploads_overtake
    }

    /// Counts a target that is bound, and returns whether a flush must come before it.
    pub(super) fn flushes(&self) -> bool {
        let Some(limit) = self.targets_at_a_time else { return false };
        let targets = self.targets.get();
        self.targets.set(targets % limit + 1);
        targets == limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flushes_come_between_so_many_targets() {
        let pace = |uploads_overtake, targets_at_a_time| Pace {
            uploads_overtake,
            targets_at_a_time,
            targets: Cell::default(),
        };
        let usual = pace(false, None);
        assert!((0..99).all(|_| !usual.flushes() && !usual.finishes()));
        let slow = pace(true, Some(2));
        assert_eq!([(); 6].map(|()| slow.flushes()), [false, false, true, false, true, false]);
        assert!(slow.finishes());
        assert_eq!([(); 3].map(|()| slow.flushes()), [false, false, true]);
    }
}
