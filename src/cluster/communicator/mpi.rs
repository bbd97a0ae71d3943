//! Ranks of several processes, by MPI.

use std::ops::Range;

use ::mpi::environment::{self, Universe};
use ::mpi::request;
use ::mpi::topology::SimpleCommunicator;
use ::mpi::traits::{
    Communicator as _, CommunicatorCollectives as _, Destination as _, Equivalence as _,
    Source as _,
};

use super::in_process::bytes;
use crate::cluster::{Communicator, Error, Incoming, OnHost, Outgoing, Result};

/// The most bytes of one message of MPI, which counts in `int`: longer ones go in pieces. A
/// multiple of every type's size.
const LIMIT: usize = 1 << 30;

/// The processes of a program that `mpirun` or a similar launcher started, one rank each
/// (`MPI_COMM_WORLD`).
///
/// Made once in a process ([`join`](Mpi::join)) and used in the thread that made it. Dropping it
/// ends MPI in this process (`MPI_Finalize`), which waits for the other processes; if they cannot
/// get there, [`abort`](Mpi::abort) ends all of them, as a panic does.
///
/// MPI itself ends all processes, with a message of its own, when one of them dies or when a
/// message is longer than its receiver expects; one that is shorter is an [`Error::Message`]. A
/// message that nobody sends is waited for forever.
///
/// ```no_run
/// use quadrille::cluster::{Communicator, Mpi, collective};
/// let ranks = Mpi::join()?;
/// let sum = collective::sum(&ranks, &[ranks.local().start as f64])?;
/// # Ok::<(), quadrille::cluster::Error>(())
/// ```
pub struct Mpi {
    /// A duplicate, whose messages mix with no others of the program. Before `universe`, since MPI
    /// ends last.
    ranks: SimpleCommunicator,
    rank: usize,
    host: OnHost,
    limit: usize,
    _universe: Universe,
}

impl std::fmt::Debug for Mpi {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Mpi {{ rank: {} of {} }}", self.rank, self.size())
    }
}

impl Mpi {
    /// Initialises MPI and joins the other processes, all of which must do so. Without a launcher
    /// there is this process alone.
    ///
    /// # Errors
    ///
    /// [`Error::Joined`] if this process initialised MPI before, which it can do once.
    pub fn join() -> Result<Mpi> {
        // MPI is called by this thread alone; others may exist.
        let (universe, _) = environment::initialize_with_threading(::mpi::Threading::Funneled)
            .ok_or(Error::Joined)?;
        let ranks = universe.world().duplicate();
        let here = ranks.split_shared(ranks.rank());
        let host = OnHost { rank: here.rank() as usize, ranks: here.size() as usize };
        Ok(Mpi { rank: ranks.rank() as usize, ranks, host, limit: LIMIT, _universe: universe })
    }

    /// Limits messages to this many bytes, at least 1: longer ones go in pieces. All processes must
    /// set the same limit.
    #[doc(hidden)]
    #[must_use]
    pub fn limited_to(mut self, limit: usize) -> Mpi {
        self.limit = limit.clamp(1, LIMIT);
        self
    }

    /// Returns the position of this process among those of its host, for the choice of a device.
    pub fn on_host(&self) -> OnHost {
        self.host
    }

    /// Ends all processes at once, this one with an exit code. Nothing that they hold is dropped or
    /// written.
    pub fn abort(&self, code: i32) -> ! {
        self.ranks.abort(code)
    }

    /// Returns the name and version of the MPI library, as it calls itself.
    pub fn library() -> String {
        environment::library_version().unwrap_or_default().trim_end_matches('\0').to_owned()
    }

    /// Refuses a message that this process cannot send or receive: one between other ranks.
    fn check(&self, from: usize, to: usize, here: usize) -> Result<()> {
        if here == self.rank && from.max(to) < self.size() {
            return Ok(());
        }
        let expected = format!("one of rank {} of {}", self.rank, self.size());
        Err(Error::message((from, to), expected, "one of other ranks"))
    }
}

/// MPI_Finalize would wait for processes that wait for this one.
impl Drop for Mpi {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.abort(1);
        }
    }
}

impl Communicator for Mpi {
    fn size(&self) -> usize {
        self.ranks.size() as usize
    }

    fn local(&self) -> Range<usize> {
        self.rank..self.rank + 1
    }

    fn exchange(&self, outgoing: &[Outgoing<'_>], incoming: &mut [Incoming<'_>]) -> Result<()> {
        outgoing.iter().try_for_each(|sent| self.check(sent.from, sent.to, sent.from))?;
        incoming.iter().try_for_each(|wanted| self.check(wanted.from, wanted.to, wanted.to))?;
        let process = |rank: usize| self.ranks.process_at_rank(rank as i32);
        let mut short = None;
        request::scope(|scope| {
            let mut receives = Vec::new();
            for wanted in incoming {
                for piece in pieces_mut(wanted.bytes, self.limit) {
                    let expected = piece.len();
                    let request = process(wanted.from).immediate_receive_into(scope, piece);
                    receives.push((wanted.from, expected, request));
                }
            }
            let mut sends = Vec::new();
            for sent in outgoing {
                for piece in pieces(sent.bytes, self.limit) {
                    sends.push(process(sent.to).immediate_send(scope, piece));
                }
            }
            for (from, expected, request) in receives {
                let got = request.wait().count(u8::equivalent_datatype()) as usize;
                if got != expected {
                    short.get_or_insert((from, expected, got));
                }
            }
            sends.into_iter().for_each(request::Request::wait_without_status);
        });
        short.map_or(Ok(()), |(from, expected, got)| {
            Err(Error::message((from, self.rank), bytes(expected), bytes(got)))
        })
    }

    fn all_gather(&self, local: &[u8], all: &mut [u8]) -> Result<()> {
        let ranks = self.size();
        if local.len().checked_mul(ranks) != Some(all.len()) {
            let expected = format!("{} of all ranks", bytes(all.len()));
            return Err(Error::message((self.rank, self.rank), expected, bytes(local.len())));
        }
        if local.len() <= self.limit {
            self.ranks.all_gather_into(local, all);
            return Ok(());
        }
        let mut gathered = vec![0; ranks * self.limit];
        for (at, piece) in local.chunks(self.limit).enumerate() {
            let gathered = &mut gathered[..ranks * piece.len()];
            self.ranks.all_gather_into(piece, gathered);
            for (all, piece) in all.chunks_mut(local.len()).zip(gathered.chunks(piece.len())) {
                all[at * self.limit..][..piece.len()].copy_from_slice(piece);
            }
        }
        Ok(())
    }
}

/// Divides a message into pieces. An empty message is one empty piece: its receiver waits for it as
/// for any other.
fn pieces(bytes: &[u8], limit: usize) -> impl Iterator<Item = &[u8]> {
    let empty = bytes.is_empty().then_some(&[][..]);
    empty.into_iter().chain(bytes.chunks(limit))
}

fn pieces_mut(bytes: &mut [u8], limit: usize) -> impl Iterator<Item = &mut [u8]> {
    let empty: Option<&mut [u8]> = bytes.is_empty().then_some(&mut []);
    empty.into_iter().chain(bytes.chunks_mut(limit))
}
