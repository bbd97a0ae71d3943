//! Whose turn it is on the one device that all contexts of ANGLE share.
//!
//! ANGLE keeps the state of the Direct3D device as the context that was made current last left it,
//! in whatever thread that was, and takes a context that is current in its own thread for that one.
//! So threads enter ANGLE one at a time (`RendererLock`), and who comes after another context makes
//! its own current anew.

use std::sync::atomic::{AtomicU64, Ordering};

static TAKEN: AtomicU64 = AtomicU64::new(0);
static LAST: AtomicU64 = AtomicU64::new(0);

/// The number of a context.
pub(super) struct Turn(u64);

impl Turn {
    /// Numbers a context that was just made, which has the turn.
    pub(super) fn new() -> Turn {
        let turn = Turn(TAKEN.fetch_add(1, Ordering::Relaxed) + 1);
        turn.take();
        turn
    }

    /// Notes that the context was made current.
    pub(super) fn take(&self) {
        LAST.store(self.0, Ordering::Relaxed);
    }

    /// Notes that no context is current.
    pub(super) fn pass() {
        LAST.store(0, Ordering::Relaxed);
    }

    /// Returns whether no other context was made current since.
    pub(super) fn is_mine(&self) -> bool {
        LAST.load(Ordering::Relaxed) == self.0
    }
}
