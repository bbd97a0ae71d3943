//! Ranks of one process.

use std::ops::Range;

use crate::cluster::{Communicator, Error, Incoming, Outgoing, Result};

/// Ranks that all belong to this process: messages are copies.
///
/// ```
/// use quadrille::cluster::{Communicator, InProcess, Incoming, Outgoing};
/// let ranks = InProcess::new(2);
/// let mut arrived = [0; 3];
/// ranks.exchange(
///     &[Outgoing { from: 0, to: 1, bytes: &[1, 2, 3] }],
///     &mut [Incoming { from: 0, to: 1, bytes: &mut arrived }],
/// )?;
/// assert_eq!(arrived, [1, 2, 3]);
/// # Ok::<(), quadrille::cluster::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct InProcess {
    ranks: usize,
}

impl InProcess {
    /// Makes a communicator of this number of ranks, at least 1.
    pub fn new(ranks: usize) -> InProcess {
        InProcess { ranks: ranks.max(1) }
    }
}

impl Communicator for InProcess {
    fn size(&self) -> usize {
        self.ranks
    }

    fn local(&self) -> Range<usize> {
        0..self.ranks
    }

    fn exchange(&self, outgoing: &[Outgoing<'_>], incoming: &mut [Incoming<'_>]) -> Result<()> {
        let mut waiting: Vec<&mut Incoming<'_>> = incoming.iter_mut().collect();
        for sent in outgoing {
            let goes_to =
                |wanted: &&mut Incoming<'_>| (wanted.from, wanted.to) == (sent.from, sent.to);
            let at = waiting.iter().position(goes_to);
            let (pair, got) = ((sent.from, sent.to), bytes(sent.bytes.len()));
            let Some(at) = at else { return Err(Error::message(pair, "none", got)) };
            let wanted = waiting.remove(at);
            if wanted.bytes.len() != sent.bytes.len() {
                return Err(Error::message(pair, bytes(wanted.bytes.len()), got));
            }
            wanted.bytes.copy_from_slice(sent.bytes);
        }
        match waiting.first() {
            None => Ok(()),
            Some(Incoming { from, to, bytes: missing }) => {
                Err(Error::message((*from, *to), bytes(missing.len()), "none"))
            }
        }
    }

    fn all_gather(&self, local: &[u8], all: &mut [u8]) -> Result<()> {
        if local.len() != all.len() {
            let expected = format!("{} of all ranks", bytes(all.len()));
            return Err(Error::message((0, 0), expected, bytes(local.len())));
        }
        all.copy_from_slice(local);
        Ok(())
    }
}

pub(crate) fn bytes(count: usize) -> String {
    format!("{count} bytes")
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    /// Messages of a pair arrive in their order, those of several pairs do not mix.
    #[test]
    fn messages_go_where_they_belong() {
        let ranks = InProcess::new(3);
        let out = |from, to, bytes| Outgoing { from, to, bytes };
        let (mut first, mut second, mut other) = ([0], [0], [0, 0]);
        ranks
            .exchange(
                &[out(0, 1, &[1]), out(2, 1, &[7, 8]), out(0, 1, &[2])],
                &mut [
                    Incoming { from: 2, to: 1, bytes: &mut other },
                    Incoming { from: 0, to: 1, bytes: &mut first },
                    Incoming { from: 0, to: 1, bytes: &mut second },
                ],
            )
            .unwrap();
        assert_eq!((first, second, other), ([1], [2], [7, 8]));
    }

    #[test]
    fn messages_that_do_not_fit_are_refused() {
        let ranks = InProcess::new(2);
        let out = [Outgoing { from: 0, to: 1, bytes: &[1, 2] }];
        let says = |result: Result<()>| result.unwrap_err().to_string();
        let mut short = [0];
        let mut incoming = [Incoming { from: 0, to: 1, bytes: &mut short }];
        let text = says(ranks.exchange(&out, &mut incoming));
        assert_eq!(text, "a message from rank 0 to rank 1: expected 1 bytes, got 2 bytes");
        assert!(says(ranks.exchange(&out, &mut [])).ends_with("expected none, got 2 bytes"));
        assert!(says(ranks.exchange(&[], &mut incoming)).ends_with("expected 1 bytes, got none"));
        assert!(
            says(ranks.all_gather(&[1], &mut [0, 0])).contains("expected 2 bytes of all ranks")
        );
    }
}
