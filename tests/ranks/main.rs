//! Ranks of several processes, by MPI: the checks that ranks of one process pass too, in every
//! process of a program. `tests/mpi` starts it with several numbers of processes.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

#[path = "../common/messages.rs"]
mod messages;
mod multigrid;
#[path = "../common/shared_files.rs"]
mod shared_files;
mod solvers;

use std::rc::Rc;
use std::time::Instant;

use quadrille::cluster::{Communicator, Incoming, Launched, Mpi, Outgoing};
use quadrille::{Context, Kind};

type Check = (&'static str, fn(&Mpi));

const CHECKS: [Check; 8] = [
    ("the launcher and MPI agree", launched),
    ("messages between all ranks", |ranks| messages::all_to_all(ranks)),
    ("messages between some ranks", |ranks| messages::rings(ranks)),
    ("what all ranks come to know", |ranks| messages::known_to_all(ranks)),
    ("what does not fit is refused", |ranks| messages::refused(ranks)),
    ("checkpoints", |ranks| shared_files::checkpoints(ranks)),
    ("checkpoints that fail", |ranks| shared_files::failing_checkpoints(ranks)),
    ("arrays in parts", |ranks| shared_files::arrays(ranks)),
];

fn main() {
    let mut ranks = Mpi::join().unwrap();
    too_short(&ranks);
    // Whole messages, messages in pieces of a prime number of bytes, and byte by byte.
    for limit in [1 << 30, 7, 1] {
        ranks = ranks.limited_to(limit);
        for (name, check) in CHECKS {
            let begun = Instant::now();
            check(&ranks);
            if ranks.local().start == 0 {
                println!("{name}, at most {limit} bytes at once: ok, {:.1?}", begun.elapsed());
            }
        }
    }
    let ranks = ranks.limited_to(1 << 30);
    let rank = ranks.local().start;
    let ranks = Rc::new(ranks);
    computations(&ranks);
    let begun = Instant::now();
    multigrid::check(ranks);
    if rank == 0 {
        println!("multigrid: ok, {:.1?}", begun.elapsed());
    }
}

type Computation = (&'static str, fn(&Rc<Mpi>, &Context, u64));

/// Computations on random grids, the same on all ranks.
const COMPUTATIONS: [Computation; 3] = [
    ("Jacobi's iteration", solvers::jacobi),
    ("solutions", solvers::solve),
    ("products", solvers::product),
];

fn computations(ranks: &Rc<Mpi>) {
    let thorough = std::env::var_os("QUADRILLE_THOROUGH").is_some();
    let context = Context::builder().device("llvmpipe").build().unwrap();
    for (name, compute) in COMPUTATIONS {
        let begun = Instant::now();
        let count = if thorough { 8 } else { 5 };
        (0..count).for_each(|seed| compute(ranks, &context, seed));
        if ranks.local().start == 0 {
            println!("{name}, {count} at random: ok, {:.1?}", begun.elapsed());
        }
    }
}

fn launched(ranks: &Mpi) {
    let launched = Launched::here();
    assert_eq!(launched.map_or(1, |launched| launched.processes), ranks.size());
    let (host, size) = (ranks.on_host(), ranks.size());
    // All processes of the tests are on one host.
    assert_eq!((host.rank, host.ranks), (ranks.local().start, size));
    assert!(!Mpi::library().is_empty());
    let again = Mpi::join().unwrap_err();
    assert_eq!(again.kind(), Kind::Failed);
    assert!(again.to_string().contains("has initialised MPI before"));
}

/// Each rank sends the next one a byte less than that expects, within a piece.
fn too_short(ranks: &Mpi) {
    let (here, size) = (ranks.local().start, ranks.size());
    let (next, previous) = ((here + 1) % size, (here + size - 1) % size);
    let mut arrived = [0; 5];
    let result = ranks.exchange(
        &[Outgoing { from: here, to: next, bytes: &[1, 2, 3, 4] }],
        &mut [Incoming { from: previous, to: here, bytes: &mut arrived }],
    );
    let text = result.unwrap_err().to_string();
    let expected =
        format!("a message from rank {previous} to rank {here}: expected 5 bytes, got 4");
    assert!(text.starts_with(&expected), "{text}");
}
