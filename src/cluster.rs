//! Several devices that compute together: grids in parts, a part for each rank, as a
//! message-passing program has them.
//!
//! A [`Team`] is the ranks of this process with their devices. A [`Communicator`] carries messages
//! between ranks: [`InProcess`] between the contexts of one thread, for tests and for several
//! devices of one program; with the feature `mpi`, `Mpi` between processes, on one host or many.
//! The code above does not know which one it uses: each process does the work of its own ranks
//! ([`local`](Communicator::local)), step by step, and all processes take the same steps.

#[cfg(feature = "files")]
pub mod checkpoint;
mod checkpointer;
mod communicator;
mod error;
pub(crate) mod halo;
pub mod jacobi;
pub mod matmul;
pub mod multigrid;
mod partition;
pub mod solve;
mod space;
mod team;

pub use checkpointer::Checkpointer;
pub use communicator::collective;
pub use communicator::in_process::InProcess;
pub use communicator::launched::{Launched, OnHost};
#[cfg(feature = "mpi")]
pub use communicator::mpi::Mpi;
pub use communicator::{Communicator, Incoming, Outgoing};
pub use error::{Error, Result};
pub use partition::Partition;
pub use space::{RankSpace, Vector};
pub use team::Team;
