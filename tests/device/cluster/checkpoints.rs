//! Solvers on several ranks write checkpoints, and other ranks go on from them.

use std::path::Path;
use std::time::Duration;

use crate::common::by_turns;
use crate::common::ranks::{joined, stored, team};
use quadrille::cluster::checkpoint::{Checkpoint, Identity, Keep, Numbers, State, Writer};
use quadrille::cluster::{Checkpointer, Partition, Team, jacobi, solve};
use quadrille::data::Stencil;
use quadrille::grid::Halo;
use quadrille::linalg::jacobi::{Jacobi, Stop, Variant};
use quadrille::linalg::solve::{Error, Options};
use quadrille::{Context, Control, Observer, Progress};

const SIZE: (usize, usize) = (61 * 40, 61);

/// Stops at a look, as a process that is ended does.
struct StopAt(u32);

impl Observer for StopAt {
    fn observe(&mut self, _: &Progress) -> Control {
        self.0 = self.0.saturating_sub(1);
        if self.0 == 0 { Control::Stop } else { Control::Continue }
    }
}

fn ranks(context: &Context, across: [usize; 2]) -> (Team, Partition) {
    let partition = Partition::new(SIZE, across, Halo { steps: 2, across_ends: false }).unwrap();
    (team(context, partition.ranks()), partition)
}

fn stencil() -> Stencil {
    "heat9:61x40".parse().unwrap()
}

fn identity() -> Identity {
    Identity::new(SIZE.0, SIZE.1).with("stencil", stencil().to_string())
}

fn keep(folder: &Path, team: &Team, partition: &Partition) -> Keep {
    let writer = Writer::new(team.communicator(), folder, identity()).unwrap();
    Keep::new(team, partition, writer, Duration::ZERO)
}

/// The state that ranks store, halos too.
fn read(folder: &Path, team: &Team, partition: &Partition) -> State {
    let checkpoint = Checkpoint::open(team.communicator(), folder).unwrap();
    checkpoint.must_be_of(&identity()).unwrap();
    let blocks: Vec<_> = (0..partition.ranks()).map(|rank| partition.stored(rank)).collect();
    checkpoint.read(team.communicator(), &blocks).unwrap()
}

fn b() -> Vec<f32> {
    (0..SIZE.0).map(|at| (at * 37 % 101) as f32 / 50.0 - 1.0).collect()
}

/// Runs Jacobi's iteration from x on the ranks of a team; returns the steps and x.
fn iterate(
    (team, partition): (&Team, &Partition),
    x: &[Vec<f32>],
    stop: Stop,
    observer: &mut dyn Observer,
    keep: &mut Keep,
) -> (u64, Vec<f32>) {
    let block = |rank| stencil().block(&partition.stored(rank)).unwrap();
    let matrices: Vec<_> = (0..partition.ranks()).map(block).collect();
    let systems: Vec<_> = matrices.iter().map(|matrix| [matrix]).collect();
    let systems: Vec<&[_]> = systems.iter().map(|systems| &systems[..]).collect();
    let mut jacobi = jacobi::Jacobi::new(team, partition, &systems, Variant::default()).unwrap();
    let b = stored(partition, &b());
    let b: Vec<_> = b.iter().map(|b| [&b[..]]).collect();
    let x: Vec<_> = x.iter().map(|x| [&x[..]]).collect();
    let b: Vec<&[&[f32]]> = b.iter().map(|b| &b[..]).collect();
    let x: Vec<&[&[f32]]> = x.iter().map(|x| &x[..]).collect();
    let solution = jacobi.solve_keeping(&b, &x, stop, observer, keep).unwrap();
    let owned: Vec<_> = solution.systems.iter().map(|systems| systems[0].clone()).collect();
    (solution.iterations, joined(partition, &owned))
}

#[test]
fn other_ranks_go_on_with_jacobi_to_the_bits_of_one() {
    by_turns([([1, 3], [2, 2]), ([2, 1], [1, 1])], |context, (before, after)| {
        let steps = 60;
        let folder = tempfile::tempdir().unwrap();
        let zero = vec![0.0; SIZE.0];
        let (team, partition) = ranks(context, *before);
        let start = stored(&partition, &zero);
        let mut first = keep(folder.path(), &team, &partition);
        let stop = Stop::iterations(steps);
        iterate((&team, &partition), &start, stop, &mut StopAt(3), &mut first);

        let (team, partition) = ranks(context, *after);
        let state = read(folder.path(), &team, &partition);
        let done = state.iteration;
        assert!(done > 0 && done < steps, "{done}");
        let x = state.named(&Keep::name(0)).unwrap().iter().map(|numbers| match numbers {
            Numbers::Single(x) => x.clone(),
            Numbers::Double(_) => panic!("x is in single precision"),
        });
        let x: Vec<_> = x.collect();
        let mut second = keep(folder.path(), &team, &partition);
        second.beside(State::new(done));
        let rest = Stop::iterations(steps - done);
        let (_, x) = iterate((&team, &partition), &x, rest, &mut (), &mut second);

        let matrix = stencil().matrix().unwrap();
        let mut one = Jacobi::new(context, &matrix, Variant::default()).unwrap();
        one.set_systems(&[&b()], &[&zero]).unwrap();
        one.iterate(steps).unwrap();
        assert!(x.iter().zip(&one.read().unwrap()[0]).all(|(a, b)| a.to_bits() == b.to_bits()));
        // The steps of both are counted in what the second keeps.
        let last = read(folder.path(), &team, &partition).iteration;
        assert!(last > done && last <= steps, "{last} after {done}");
    });
}

/// Solvers ask at each look, and once more where x has been corrected.
#[test]
fn a_checkpoint_stays_due_until_it_is_written() {
    by_turns([()], |context, ()| {
        let folder = tempfile::tempdir().unwrap();
        let (team, partition) = ranks(context, [1, 1]);
        let writer = Writer::new(team.communicator(), folder.path(), identity()).unwrap();
        let every = Duration::from_millis(500);
        let mut keep = Keep::new(&team, &partition, writer, every);
        let is_due = |keep: &mut Keep| Checkpointer::<Vec<Vec<f64>>>::is_due(keep);
        assert!(!is_due(&mut keep));
        std::thread::sleep(every);
        assert!(is_due(&mut keep) && is_due(&mut keep));
        keep.keep(7, &vec![vec![1.0; SIZE.0]]).unwrap();
        assert!(!is_due(&mut keep));
        assert_eq!(read(folder.path(), &team, &partition).iteration, 7);
    });
}

#[test]
fn other_ranks_go_on_with_a_solution() {
    by_turns([([1, 2], [3, 1])], |context, (before, after)| {
        let folder = tempfile::tempdir().unwrap();
        let solve = |(team, partition): (&Team, &Partition), x: Option<&[f64]>, looks| {
            let block = |rank| stencil().block_f64(&partition.stored(rank)).unwrap();
            let matrices: Vec<_> = (0..partition.ranks()).map(block).collect();
            let options = Options::new().tolerance(1e-10).check_every(2);
            let mut solver = solve::Solver::new(team, partition, &matrices, options).unwrap();
            let b: Vec<f64> = b().into_iter().map(f64::from).collect();
            let b = stored(partition, &b).concat();
            solver.save_to(keep(folder.path(), team, partition));
            let zeros = vec![0.0; b.len()];
            solver.solve_from(&b, x.unwrap_or(&zeros), &mut StopAt(looks))
        };
        let (team, partition) = ranks(context, *before);
        assert!(matches!(solve((&team, &partition), None, 4), Err(Error::NotConverged(_))));

        let (team, partition) = ranks(context, *after);
        let state = read(folder.path(), &team, &partition);
        assert!(state.iteration > 0);
        let x = state.named(&Keep::name(0)).unwrap().iter().map(|numbers| match numbers {
            Numbers::Double(x) => x.as_slice(),
            Numbers::Single(_) => panic!("x is in double precision"),
        });
        let x = x.collect::<Vec<_>>().concat();
        assert!(x.iter().any(|x| *x != 0.0));
        let solution = solve((&team, &partition), Some(&x), 1000).unwrap();
        assert!(solution.converged() && solution.residual <= 1e-10, "{}", solution.residual);
    });
}
