//! Messages between ranks: the interface, its implementations, and collective operations.

pub mod collective;
pub(super) mod in_process;
pub(super) mod launched;
#[cfg(feature = "mpi")]
pub(super) mod mpi;

use std::ops::Range;

use super::Result;

/// A message from a rank of this process.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)] // Named after what they are.
pub struct Outgoing<'a> {
    pub from: usize,
    pub to: usize,
    pub bytes: &'a [u8],
}

/// A message to a rank of this process, and where it goes: as long as what was sent.
#[derive(Debug)]
#[allow(missing_docs)] // Named after what they are.
pub struct Incoming<'a> {
    pub from: usize,
    pub to: usize,
    pub bytes: &'a mut [u8],
}

/// Ranks that compute together, numbered from 0, and messages between them.
///
/// Each process passes the data of its own ranks, and all processes make the same calls in the same
/// order, as for collective operations of MPI; a process none of whose ranks sends or receives
/// anything may leave an [`exchange`](Self::exchange) out. Messages from one rank to another arrive
/// in the order in which they were sent.
pub trait Communicator {
    /// Returns the number of ranks.
    fn size(&self) -> usize;

    /// Returns the ranks of this process.
    fn local(&self) -> Range<usize>;

    /// Sends and receives messages, all at once. Returns when all of `incoming` have arrived, and
    /// `outgoing` may be changed.
    ///
    /// # Errors
    ///
    /// [`Error::Message`](super::Error::Message) for a message that nothing receives, that nothing sends, or of another
    /// length than is expected.
    fn exchange(&self, outgoing: &[Outgoing<'_>], incoming: &mut [Incoming<'_>]) -> Result<()>;

    /// Gives all ranks what each of them has: `local` has equally many bytes of each rank of this
    /// process, one after the other, and `all` as many of every rank, in the order of their
    /// numbers.
    ///
    /// # Errors
    ///
    /// [`Error::Message`](super::Error::Message) if the lengths do not fit.
    fn all_gather(&self, local: &[u8], all: &mut [u8]) -> Result<()>;
}
