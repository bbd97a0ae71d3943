//! Panels from their owners to all ranks beside them: along a binomial tree, all rows and columns
//! of ranks at once.

use crate::cluster::{Communicator, Incoming, Outgoing};
use crate::linalg::matmul::Element;

use super::Result;
use super::strip::Memory;

/// The role of one of `count` ranks in a round of a broadcast along a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Sends(usize),
    Receives(usize),
    Waits,
}

impl Role {
    /// Renumbers the other rank of the role.
    pub(super) fn numbered(self, number: impl Fn(usize) -> usize) -> Role {
        match self {
            Role::Sends(to) => Role::Sends(number(to)),
            Role::Receives(from) => Role::Receives(number(from)),
            Role::Waits => Role::Waits,
        }
    }
}

/// Returns the rounds of a broadcast among this many ranks.
pub(super) fn rounds(count: usize) -> u32 {
    count.next_power_of_two().trailing_zeros()
}

/// Returns the role of a rank in a round. In round r the first 2^r ranks from the owner on have the
/// panel, and each sends it to the rank 2^r further on.
pub(super) fn role(position: usize, owner: usize, count: usize, round: u32) -> Role {
    let (from_owner, distance) = ((position + count - owner) % count, 1 << round);
    let at = |from_owner: usize| (from_owner + owner) % count;
    if from_owner >= distance {
        let is_next = from_owner < 2 * distance;
        return if is_next { Role::Receives(at(from_owner - distance)) } else { Role::Waits };
    }
    match from_owner + distance {
        to if to < count => Role::Sends(at(to)),
        _ => Role::Waits,
    }
}

/// A strip of a rank, and with whom the rank exchanges it in this round: ranks by number.
pub(super) struct Exchanged<'a, 'b, T: Element> {
    pub(super) rank: usize,
    pub(super) role: Role,
    pub(super) strip: &'a mut Memory<'b, T>,
}

/// Sends and receives strips, and returns the bytes that were sent.
pub(super) fn exchange<'a, 'b: 'a, T: Element>(
    ranks: &dyn Communicator,
    strips: impl Iterator<Item = Exchanged<'a, 'b, T>>,
) -> Result<u64> {
    let (mut outgoing, mut incoming) = (Vec::new(), Vec::new());
    for Exchanged { rank, role, strip } in strips {
        match role {
            Role::Sends(to) => {
                outgoing.push(Outgoing { from: rank, to, bytes: strip.bytes()? });
            }
            Role::Receives(from) => {
                incoming.push(Incoming { from, to: rank, bytes: strip.bytes_mut()? });
            }
            Role::Waits => {}
        }
    }
    if !outgoing.is_empty() || !incoming.is_empty() {
        ranks.exchange(&outgoing, &mut incoming)?;
    }
    Ok(outgoing.iter().map(|message| message.bytes.len() as u64).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that senders have the panel, that receivers have not and are expected, and that all
    /// have it in the end.
    #[test]
    fn a_panel_reaches_each_rank_once() {
        for count in 1..20 {
            for owner in 0..count {
                let mut has = vec![false; count];
                has[owner] = true;
                for round in 0..rounds(count) {
                    let before = has.clone();
                    for rank in 0..count {
                        match role(rank, owner, count, round) {
                            Role::Sends(to) => {
                                assert!(before[rank] && !before[to]);
                                assert_eq!(role(to, owner, count, round), Role::Receives(rank));
                            }
                            Role::Receives(from) => {
                                assert_eq!(role(from, owner, count, round), Role::Sends(rank));
                                has[rank] = true;
                            }
                            Role::Waits => {}
                        }
                    }
                }
                assert!(has.iter().all(|has| *has), "{count} ranks from {owner}");
            }
        }
    }
}
