//! Copies in pieces by several threads of the host: one thread alone copies at a fraction of the
//! speed of a bus.

use std::convert::Infallible;
use std::sync::{Mutex, OnceLock, PoisonError, mpsc};
use std::thread;

/// The bytes that one thread copies at a time, while the device transfers others: enough that the
/// calls for it do not count, and few enough that several threads share 4 MB.
pub(super) const PIECE: usize = 1 << 20;

/// The most threads that copy. On the host of an H200, whose bus has 55 GB/s, 64 MB are uploaded at
/// 10 GB/s by one, 23 by two, 36 by four and 31 by eight.
const THREADS: usize = 4;

/// The most threads that copy to memory that was never written.
const THREADS_TO_NEW: usize = 16;

/// Returns the threads that copy this number of bytes.
pub(crate) fn threads_for(bytes: usize) -> usize {
    threads(THREADS, bytes)
}

fn threads(most: usize, bytes: usize) -> usize {
    // Asked once: the answer reads files, which would count beside a short transfer.
    static CORES: OnceLock<usize> = OnceLock::new();
    let cores = *CORES.get_or_init(|| thread::available_parallelism().map_or(1, usize::from));
    most.min(cores).min(bytes.div_ceil(PIECE))
}

/// Copies a slice to one of the same length by several threads, where that pays.
pub(crate) fn copy(from: &[u8], to: &mut [u8]) {
    copy_by(threads_for(from.len()), from, to);
}

/// Copies to memory that was never written: the kernel makes its pages during the copy, which takes
/// longer than the copy itself.
pub(crate) fn copy_to_new(from: &[u8], to: &mut [u8]) {
    copy_by(threads(THREADS_TO_NEW, from.len()), from, to);
}

fn copy_by(threads: usize, from: &[u8], to: &mut [u8]) {
    let pieces = from.chunks(PIECE).zip(to.chunks_mut(PIECE)).map(Ok::<_, Infallible>);
    let Ok(()) = copy_pieces(threads, pieces, |_| Ok(()));
}

/// A piece to copy: from here, to there, of one length.
pub(super) type Piece<'a> = (&'a [u8], &'a mut [u8]);

/// Copies pieces by at most this many threads, in the order of the list. The calling thread takes
/// the pieces from the list, which may wait for each, and then gets the number of each one that was
/// copied.
pub(super) fn copy_pieces<'a, E>(
    threads: usize,
    pieces: impl Iterator<Item = Result<Piece<'a>, E>>,
    mut copied: impl FnMut(usize) -> Result<(), E>,
) -> Result<(), E> {
    let (give, taken) = mpsc::channel::<(usize, Piece<'a>)>();
    let (report, reports) = mpsc::channel();
    let taken = Mutex::new(taken);
    let work = |report: mpsc::Sender<usize>| {
        while let Some((number, (from, to))) = next(&taken) {
            to.copy_from_slice(from);
            // A caller that has failed no longer listens.
            let _ = report.send(number);
        }
    };
    thread::scope(|scope| {
        let work = &work;
        let start = || {
            let report = report.clone();
            thread::Builder::new().spawn_scoped(scope, move || work(report)).is_ok()
        };
        let started = threads > 1 && (0..threads).map(|_| start()).fold(false, |any, ok| any | ok);
        for (number, piece) in pieces.enumerate() {
            // The receiver lives as long as this function.
            let _ = give.send((number, piece?));
        }
        drop(give);
        if !started {
            work(report.clone());
        }
        drop(report);
        reports.iter().try_for_each(&mut copied)
    })
}

fn next<T>(queue: &Mutex<mpsc::Receiver<T>>) -> Option<T> {
    queue.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_copied_and_every_piece_is_told_once() {
        for length in [0, 1, 7, 1000, 4099] {
            for threads in [0, 1, 2, 5] {
                let from: Vec<u8> = (0..length).map(|i| (i * 31 % 251) as u8).collect();
                let mut to = vec![255; length];
                let mut told = Vec::new();
                let pieces = from.chunks(64).zip(to.chunks_mut(64)).map(Ok::<_, ()>);
                copy_pieces(threads, pieces, |number| {
                    told.push(number);
                    Ok(())
                })
                .unwrap();
                told.sort_unstable();
                assert_eq!(to, from);
                assert_eq!(told, (0..length.div_ceil(64)).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn a_failure_on_either_side_ends_the_work() {
        let from = [1_u8; 64];
        for threads in [1, 3] {
            let mut to = [0; 64];
            let pieces = from.chunks(8).zip(to.chunks_mut(8)).map(Ok);
            let failed =
                copy_pieces(
                    threads,
                    pieces,
                    |number| {
                        if number == 3 { Err("the device") } else { Ok(()) }
                    },
                );
            assert_eq!(failed, Err("the device"));
            let mut to = [0; 64];
            let pieces = from.chunks(8).zip(to.chunks_mut(8)).enumerate();
            let pieces =
                pieces.map(|(i, piece)| if i == 3 { Err("the source") } else { Ok(piece) });
            assert_eq!(copy_pieces(threads, pieces, |_| Ok(())), Err("the source"));
        }
    }
}
