//! Solvers and products on the ranks of several processes, each with a context of its own: random
//! grids and numbers of rows and columns of ranks, the same on all ranks, beside what each computes
//! alone.

use std::rc::Rc;

use quadrille::cluster::jacobi::Jacobi;
use quadrille::cluster::matmul::{self, Layout, Part, Rank, RankGrid};
use quadrille::cluster::solve::{self, Solver};
use quadrille::cluster::{Communicator, Error, InProcess, Mpi, Partition, Team};
use quadrille::data::{Block, Matrix, NineBanded, Stencil};
use quadrille::grid::Halo;
use quadrille::linalg::jacobi::{self as one_rank, Stop, Variant};
use quadrille::linalg::solve::{self as alone, Options};
use quadrille::{Context, Shape};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;

/// A case that all ranks choose alike.
struct Case {
    stencil: Stencil,
    size: (usize, usize),
    across: [usize; 2],
    steps: usize,
    random: Pcg32,
}

const STENCILS: [&str; 4] = ["poisson5", "fe9", "heat9", "random"];

/// The columns and rows of so many ranks, chosen at random.
fn across(ranks: usize, random: &mut Pcg32) -> [usize; 2] {
    let columns: Vec<usize> =
        (1..=ranks).filter(|columns| ranks.is_multiple_of(*columns)).collect();
    let columns = columns[random.random_range(0..columns.len())];
    [columns, ranks / columns]
}

fn case(ranks: usize, seed: u64) -> Case {
    let mut random = Pcg32::seed_from_u64(seed);
    let across = across(ranks, &mut random);
    let side = |parts: usize, random: &mut Pcg32| random.random_range(8 * parts..8 * parts + 40);
    let (width, height) = (side(across[0], &mut random), side(across[1], &mut random));
    let name = STENCILS[random.random_range(0..STENCILS.len())];
    let stencil = format!("{name}:{width}x{height}").parse().unwrap();
    let steps = random.random_range(1..5);
    Case { stencil, size: (width * height, width), across, steps, random }
}

/// Numbers that follow from their place in the whole.
fn number(at: usize) -> f32 {
    ((at * 2654435761) % 1009) as f32 / 512.0 - 1.0
}

fn of_block(block: &Block, (n, m): (usize, usize)) -> Vec<f32> {
    block.rows.clone().flat_map(|row| block.in_row(row, n, m)).map(number).collect()
}

fn team(ranks: &Rc<Mpi>, context: &Context) -> Team {
    Team::new(ranks.clone(), vec![context.clone()]).unwrap()
}

/// Jacobi's x has the bits of one rank after equal numbers of steps.
pub(super) fn jacobi(ranks: &Rc<Mpi>, context: &Context, seed: u64) {
    let Case { stencil, size, across, steps, mut random } = case(ranks.size(), seed);
    let here = ranks.local().start;
    let partition = Partition::new(size, across, Halo { steps, across_ends: false });
    let partition = match partition {
        Err(Error::DeepHalo { .. } | Error::TooManyRanks { .. }) => return,
        partition => partition.unwrap(),
    };
    let layouts = [one_rank::Layout::Packed, one_rank::Layout::Red, one_rank::Layout::Separate];
    let variant = Variant::default().layout(layouts[random.random_range(0..layouts.len())]);
    let matrix: NineBanded = stencil.block(&partition.stored(here)).unwrap();
    let mut several =
        Jacobi::new(&team(ranks, context), &partition, &[&[&matrix]], variant).unwrap();
    let (b, zero) = (of_block(&partition.stored(here), size), vec![0.0; matrix.n()]);
    let stop = Stop::iterations(random.random_range(1..40));
    let got = several.solve(&[&[&b]], &[&[&zero]], stop, &mut ()).unwrap();
    let whole = stencil.matrix().unwrap();
    let mut one = one_rank::Jacobi::with_systems(context, &[&whole], variant).unwrap();
    let (b, zero) = ((0..size.0).map(number).collect::<Vec<_>>(), vec![0.0; size.0]);
    let expected = one.solve_observed(&[&b], &[&zero], stop, &mut ()).unwrap();
    let expected = owned_of(expected.x(), &partition.owned(here), size);
    let what = format!("{stencil}, {across:?} ranks, halo {steps}, {:?}", one.variant());
    assert!(bits(&got.systems[0][0]) == bits(&expected), "rank {here}: {what}");
}

fn bits(numbers: &[f32]) -> Vec<u32> {
    numbers.iter().map(|number| number.to_bits()).collect()
}

fn owned_of<T: Copy>(whole: &[T], owned: &Block, (n, m): (usize, usize)) -> Vec<T> {
    let rows = owned.rows.clone();
    rows.flat_map(|row| whole[owned.in_row(row, n, m)].iter().copied()).collect()
}

/// A solution is that of one rank to within what the tolerance leaves.
pub(super) fn solve(ranks: &Rc<Mpi>, context: &Context, seed: u64) {
    let Case { stencil, size, across, .. } = case(ranks.size(), seed);
    let here = ranks.local().start;
    let options = Options::new().tolerance(1e-11);
    let partition = solve::partition(size, across, false, options).unwrap();
    let stored = partition.stored(here);
    let matrices = [stencil.block_f64(&stored).unwrap()];
    let mut several = Solver::new(&team(ranks, context), &partition, &matrices, options).unwrap();
    let wide = |numbers: Vec<f32>| numbers.into_iter().map(f64::from).collect::<Vec<_>>();
    let got = several.solve(&wide(of_block(&stored, size)), &mut ()).unwrap();
    let whole = stencil.matrix_f64().unwrap();
    let mut one = alone::Solver::new(context, &whole, options).unwrap();
    let b = wide((0..size.0).map(number).collect());
    let expected = one.solve(&b).unwrap();
    let what = format!("{stencil}, {across:?} ranks, rank {here}");
    assert!(got.converged() && expected.converged(), "{what}");
    let (few, many) =
        (expected.iterations.min(got.iterations), expected.iterations.max(got.iterations));
    // Sums in another order are rounded otherwise, which turns conjugate gradients in 32-bit floats
    // to another way: the more, the more iterations a system takes.
    assert!(many <= few + 2 + few / 3, "{what}: {many} iterations beside {few}");
    let largest = expected.x.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    let expected = owned_of(&expected.x, &partition.owned(here), size);
    let differences = got.x.iter().zip(&expected).map(|(got, expected)| (got - expected).abs());
    let most = differences.fold(0.0, f64::max);
    // The condition of these grids is below 10^6.
    assert!(most <= 1e-5 * largest, "{what}: {most} of {largest}");
}

/// A product has the bits of one rank, whatever the grid of ranks.
pub(super) fn product(ranks: &Rc<Mpi>, context: &Context, seed: u64) {
    let mut random = Pcg32::seed_from_u64(seed);
    let [columns, rows] = across(ranks.size(), &mut random);
    let mut side = |least: usize| random.random_range(least..70);
    let (m, k, n) = (side(rows), side(0), side(columns));
    let (a, b) = (Shape::new(m, k), Shape::new(k, n));
    let (a, b): (Matrix<f32>, Matrix<f32>) =
        (Matrix::random(a, seed).unwrap(), Matrix::random(b, seed + 1).unwrap());
    let options = matmul::Options::default().width(side(1));
    let c = Shape::new(m, n);
    let run = |ranks: &dyn Communicator, grid: RankGrid| {
        let here = ranks.local().start;
        let layout = Layout::new(a.shape(), b.shape(), grid, None).unwrap();
        let mut of_a = Part::whole(a.clone());
        let mut of_b = Part::whole(b.clone());
        let block = layout.of_c(here);
        let mut of_c = Part::zeros(c, block.clone()).unwrap();
        let rank = Rank { context, a: &mut of_a, b: &mut of_b, c: &mut of_c };
        matmul::multiply(ranks, &mut [rank], &options.grid(grid), &mut ()).unwrap();
        (block, of_c.into_matrix())
    };
    let (block, got) = run(&**ranks, RankGrid { columns, rows });
    let (_, expected) = run(&InProcess::new(1), RankGrid { columns: 1, rows: 1 });
    let expected = owned_of(expected.elements(), &block, (m * n, n));
    let what = format!("{m} x {k} x {n} on {columns} x {rows} ranks");
    assert!(bits(got.elements()) == bits(&expected), "rank {}: {what}", ranks.local().start);
}
