//! Multigrid on ranks of several processes: a cycle is that of one rank, which each process
//! computes too.

use std::rc::Rc;

use quadrille::Context;
use quadrille::cluster::multigrid::{Distribution, Multigrid};
use quadrille::cluster::{Communicator, Mpi, RankSpace, Team};
use quadrille::data::{NineBanded, Stencil};
use quadrille::grid::DeviceGrid;
use quadrille::linalg::krylov::{Preconditioner, Space};
use quadrille::linalg::multigrid::{Hierarchy, Options};
use quadrille::linalg::nine_banded::Operator;

/// Strips, and with an even number of ranks blocks.
pub(crate) fn check(ranks: Rc<Mpi>) {
    let (size, context) = (ranks.size(), Context::headless().unwrap());
    let team = Team::new(ranks, vec![context]).unwrap();
    let blocks = if size.is_multiple_of(2) { [2, size / 2] } else { [size, 1] };
    for across in [[1, size], blocks] {
        let matrix: Stencil = "jump:130x150:ratio=1000:cell=16".parse().unwrap();
        cycle(&team, &matrix.matrix().unwrap(), across);
    }
}

fn cycle(team: &Team, matrix: &NineBanded, across: [usize; 2]) {
    let (options, distribution) = (Options::new(), Distribution::new().fewest(100).halo(4));
    let (n, m) = (matrix.n(), matrix.m());
    let number = |at: usize| f64::from((at * at % 101) as u8) / 101.0 - 0.5;
    let partition = distribution.partition((n, m), across).unwrap();
    let rank = team.communicator().local().start;
    let stored = partition.stored(rank);
    let space = RankSpace::new(team, &partition, &[matrix.block(&stored).unwrap()]).unwrap();
    let mut multigrid = Multigrid::new(&space, options, distribution).unwrap();
    let numbers: Vec<f64> =
        stored.rows.clone().flat_map(|row| stored.in_row(row, n, m)).map(number).collect();
    let (mut r, mut z) = (space.vector().unwrap(), space.vector().unwrap());
    space.write(&numbers, 1.0, &mut r).unwrap();
    multigrid.apply(&space, &r, &mut z).unwrap();
    let mut got = vec![0.0; space.length()];
    space.add_to(&z, 1.0, &mut got).unwrap();

    let context = &team.contexts()[0];
    let operator = Rc::new(Operator::new(context, matrix).unwrap());
    let mut one = Hierarchy::on_device(&operator, options).unwrap();
    let r: Vec<f32> = (0..n).map(|at| number(at) as f32).collect();
    let r = DeviceGrid::from_host(context, operator.plan(), &r).unwrap();
    let mut z = DeviceGrid::zeros(context, operator.plan()).unwrap();
    one.apply(&r, &mut z).unwrap();
    let expected = z.read().unwrap();
    let largest = expected.iter().fold(0.0_f32, |most, z| most.max(z.abs()));
    let most = if context.abilities().software { 0.0 } else { 1e-5 * f64::from(largest) };
    let owned = partition.owned(rank);
    let owned = owned.rows.clone().flat_map(|row| owned.in_row(row, n, m));
    for (got, at) in partition.owned_of(rank, &got).into_iter().zip(owned) {
        let expected = f64::from(expected[at]);
        assert!((got - expected).abs() <= most, "{across:?}, {at}: {got}, on one rank {expected}");
    }
}
