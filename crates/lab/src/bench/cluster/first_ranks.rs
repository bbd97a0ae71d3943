//! The first of several ranks as ranks of their own, so that one run of several processes measures
//! fewer too.

use std::ops::Range;
use std::rc::Rc;

use quadrille::cluster::{Communicator, Error, Incoming, Outgoing, Team};

/// The first `count` ranks; the others take no part.
struct FirstRanks {
    all: Rc<dyn Communicator>,
    count: usize,
}

/// The team of the first ranks of a communicator, with as many of the contexts as are theirs.
pub(super) fn first(
    all: &Rc<dyn Communicator>,
    contexts: &[quadrille::Context],
    count: usize,
) -> Result<Team, Error> {
    let ranks = FirstRanks { all: all.clone(), count };
    let contexts = contexts[..ranks.local().len()].to_vec();
    Team::new(Rc::new(ranks), contexts)
}

impl Communicator for FirstRanks {
    fn size(&self) -> usize {
        self.count
    }

    fn local(&self) -> Range<usize> {
        let Range { start, end } = self.all.local();
        start.min(self.count)..end.min(self.count)
    }

    fn exchange(
        &self,
        outgoing: &[Outgoing<'_>],
        incoming: &mut [Incoming<'_>],
    ) -> Result<(), Error> {
        self.all.exchange(outgoing, incoming)
    }

    /// Gathers by messages from each to each: the collective operations of all would wait for those
    /// that take no part.
    fn all_gather(&self, local: &[u8], all: &mut [u8]) -> Result<(), Error> {
        let each = all.len() / self.count;
        let (mine, others) = (self.local(), |rank: usize| !self.local().contains(&rank));
        let mut incoming = Vec::new();
        for (from, part) in all.chunks_mut(each.max(1)).enumerate().take(self.count) {
            match others(from) {
                // To the first of this process; it has the same memory as the others.
                true => incoming.extend(mine.clone().next().map(|to| Incoming {
                    from,
                    to,
                    bytes: part,
                })),
                false => part.copy_from_slice(&local[(from - mine.start) * each..][..each]),
            }
        }
        let outgoing = mine.clone().flat_map(|from| {
            let bytes = &local[(from - mine.start) * each..][..each];
            (0..self.count).filter(|to| others(*to)).map(move |to| Outgoing { from, to, bytes })
        });
        self.all.exchange(&outgoing.collect::<Vec<_>>(), &mut incoming)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille::cluster::{InProcess, collective};

    #[test]
    fn the_first_ranks_know_what_each_of_them_has() {
        let all: Rc<dyn Communicator> = Rc::new(InProcess::new(5));
        let three = FirstRanks { all, count: 3 };
        assert_eq!((three.size(), three.local()), (3, 0..3));
        assert_eq!(collective::gathered(&three, &[3_u16, 1, 2]).unwrap(), [3, 1, 2]);
        assert_eq!(collective::sum(&three, &[1.0, 2.0, 4.0]).unwrap(), 7.0);
    }
}
