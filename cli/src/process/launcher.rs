//! What a launcher such as `mpirun` says of the processes that it started.

mod terminal;

use std::sync::OnceLock;

use quadrille::cluster::Launched;

pub(crate) use terminal::terminal;

/// What the launcher says; nothing without one.
pub(crate) fn launched() -> Option<Launched> {
    static LAUNCHED: OnceLock<Option<Launched>> = OnceLock::new();
    *LAUNCHED.get_or_init(Launched::here)
}

/// The number of processes that run this command together.
pub(crate) fn processes() -> usize {
    launched().map_or(1, |launched| launched.processes)
}

/// The number of this process.
pub(crate) fn rank() -> usize {
    launched().map_or(0, |launched| launched.rank)
}
