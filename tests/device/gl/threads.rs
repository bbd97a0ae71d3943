//! Threads that compute at the same time, each in a context of its own.

use std::time::{Duration, Instant};

use crate::common::Flavour;
use quadrille::Context;
use quadrille::data::Stencil;
use quadrille::linalg::jacobi::{Jacobi, Stop, Variant};

/// Many draws in a row, and then a readback, some times.
fn solved(context: &Context) -> Vec<f32> {
    let matrix = "heat9:24".parse::<Stencil>().unwrap().matrix().unwrap();
    let b = crate::common::random(matrix.n(), 1);
    let mut jacobi = Jacobi::new(context, &matrix, Variant::default()).unwrap();
    let mut solve = || jacobi.solve(&b, Stop::iterations(200)).unwrap().x().to_vec();
    let found = solve();
    (1..10).for_each(|_| assert!(solve() == found));
    found
}

/// llvmpipe looks into what the contexts of other threads draw, without a lock: without ours one
/// run in six of such work ended with a segmentation fault.
#[test]
fn threads_with_contexts_of_their_own_do_not_disturb_each_other() {
    let make = |index: usize| Flavour::ALL[index % Flavour::ALL.len()].builder().build().unwrap();
    let alone: Vec<_> = (0..2).map(|index| solved(&make(index))).collect();
    let time = Duration::from_secs(if crate::common::is_thorough() { 10 } else { 2 });
    let until = Instant::now() + time;
    let work = &|index: usize| {
        let mut rounds = 0;
        while Instant::now() < until {
            let context = make(index);
            for _ in 0..5 {
                assert!(solved(&context) == alone[index], "thread {index}, round {rounds}");
                rounds += 1;
            }
            context.check().unwrap();
        }
        rounds
    };
    let rounds: Vec<u32> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..2).map(|index| scope.spawn(move || work(index))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    eprintln!("{rounds:?} rounds");
    assert!(rounds.iter().all(|rounds| *rounds > 0), "{rounds:?}");
}
