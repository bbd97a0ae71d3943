//! The environment that a launcher such as `mpirun` gives to the processes that it started.

mod terminal;

use std::sync::OnceLock;

use quadrille::cluster::Launched;

pub(crate) use terminal::terminal;

/// The launched process, as the launcher describes it; `None` without one.
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
