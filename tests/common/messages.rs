//! The contract of every communicator: the same checks for ranks of one process and for those of
//! several.
#![allow(unreachable_pub, clippy::unwrap_used, reason = "every test program takes what it needs")]

use quadrille::cluster::{Communicator, Incoming, Outgoing, collective};

/// Lengths around those at which a message is cut, and none.
const LENGTHS: [usize; 8] = [0, 1, 2, 7, 8, 9, 64, 1009];

/// The bytes of a message: others for each pair of ranks and each message between them.
fn text(from: usize, to: usize, number: usize) -> Vec<u8> {
    let seed = (from * 131 + to) * 131 + number;
    (0..LENGTHS[number]).map(|at| (seed * 167 + at * 29 + at / 251) as u8).collect()
}

/// Each pair of ranks, both ways and a rank with itself, with messages of all lengths, in their
/// order.
pub fn all_to_all(ranks: &dyn Communicator) {
    let pairs = |local_is_first: bool| {
        let (all, local) = (0..ranks.size(), ranks.local());
        let pairs = local.flat_map(move |here| all.clone().map(move |there| (here, there)));
        pairs.map(move |(here, there)| if local_is_first { (here, there) } else { (there, here) })
    };
    let numbered = |(from, to)| (0..LENGTHS.len()).map(move |number| (from, to, number));
    let sent =
        pairs(true).flat_map(numbered).map(|(from, to, number)| (from, to, text(from, to, number)));
    let sent: Vec<_> = sent.collect();
    let outgoing = sent.iter().map(|(from, to, bytes)| Outgoing { from: *from, to: *to, bytes });
    let mut arrived: Vec<_> =
        pairs(false).flat_map(numbered).map(|at| (at, vec![0; LENGTHS[at.2]])).collect();
    let incoming = arrived.iter_mut();
    let incoming = incoming.map(|((from, to, _), bytes)| Incoming { from: *from, to: *to, bytes });
    ranks.exchange(&outgoing.collect::<Vec<_>>(), &mut incoming.collect::<Vec<_>>()).unwrap();
    for ((from, to, number), bytes) in arrived {
        assert!(bytes == text(from, to, number), "message {number} from rank {from} to {to}");
    }
}

/// Exchanges in a row, of which some concern a part of the ranks.
pub fn rings(ranks: &dyn Communicator) {
    let size = ranks.size();
    for step in 0..20_usize {
        let takes_part = |rank: usize| rank.is_multiple_of(step % 3 + 1);
        let members: Vec<usize> = (0..size).filter(|rank| takes_part(*rank)).collect();
        let next = |rank| {
            let at = members.iter().position(|member| *member == rank).unwrap();
            members[(at + 1) % members.len()]
        };
        let here: Vec<usize> = ranks.local().filter(|rank| takes_part(*rank)).collect();
        let sent: Vec<_> = here.iter().map(|rank| (*rank, [step as u8, *rank as u8])).collect();
        let outgoing =
            sent.iter().map(|(from, bytes)| Outgoing { from: *from, to: next(*from), bytes });
        let from = |to| *members.iter().find(|member| next(**member) == to).unwrap();
        let mut arrived: Vec<_> = here.iter().map(|to| (from(*to), *to, [0; 2])).collect();
        let incoming = arrived.iter_mut();
        let incoming = incoming.map(|(from, to, bytes)| Incoming { from: *from, to: *to, bytes });
        ranks.exchange(&outgoing.collect::<Vec<_>>(), &mut incoming.collect::<Vec<_>>()).unwrap();
        for (from, to, bytes) in arrived {
            assert_eq!(bytes, [step as u8, from as u8], "step {step}, from rank {from} to {to}");
        }
    }
}

/// Checks that collective results are the same everywhere.
pub fn known_to_all(ranks: &dyn Communicator) {
    let (size, local) = (ranks.size(), ranks.local());
    let numbers = |rank: usize| [rank as u64 * 3 + 1, !(rank as u64)];
    let here: Vec<[u64; 2]> = local.clone().map(numbers).collect();
    let all: Vec<[u64; 2]> = (0..size).map(numbers).collect();
    assert_eq!(collective::gathered(ranks, &here).unwrap(), all);
    // Sums whose bits depend on their order.
    let terms = |rank: usize| 1.0 / (3.0 + rank as f64).powi(rank as i32 * 7 % 5);
    let here: Vec<f64> = local.clone().map(terms).collect();
    assert_eq!(collective::sum(ranks, &here).unwrap(), (0..size).map(terms).sum::<f64>());
    assert_eq!(
        collective::largest(ranks, &here).unwrap(),
        (0..size).map(terms).fold(0.0, f64::max)
    );
    for chosen in 0..size {
        assert!(collective::any(ranks, local.contains(&chosen)).unwrap());
        let expected: Vec<u8> = (0..997 + chosen).map(|at| (at * 7 + chosen) as u8).collect();
        let mut bytes = if local.contains(&chosen) { expected.clone() } else { vec![9; chosen] };
        collective::broadcast(ranks, chosen, &mut bytes).unwrap();
        assert!(bytes == expected, "of rank {chosen}");
    }
    assert!(!collective::any(ranks, false).unwrap());
    let name = |rank: usize| "µ".repeat(rank * 3 % 7);
    let here: Vec<String> = local.map(name).collect();
    assert_eq!(collective::texts(ranks, &here).unwrap(), (0..size).map(name).collect::<Vec<_>>());
    let nothing = vec![String::new(); here.len()];
    assert_eq!(collective::texts(ranks, &nothing).unwrap(), vec![String::new(); size]);
}

/// Checks that what does not fit is refused where it is seen, and that the ranks can continue.
pub fn refused(ranks: &dyn Communicator) {
    let (size, local) = (ranks.size(), ranks.local());
    let nowhere = Outgoing { from: local.start, to: size, bytes: &[] };
    assert!(ranks.exchange(&[nowhere], &mut []).is_err());
    let mut nothing = [];
    let from_nowhere = Incoming { from: size, to: local.start, bytes: &mut nothing };
    assert!(ranks.exchange(&[], &mut [from_nowhere]).is_err());
    assert!(ranks.all_gather(&vec![0; local.len()], &mut vec![0; size + 1]).is_err());
    all_to_all(ranks);
}
