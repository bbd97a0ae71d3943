//! Systems of three dimensions on several ranks of one process, each with a slab: solutions against the whole matrix.

use crate::common::in_turn;
use crate::common::ranks::{stored, team};
use crate::common::systems::doubles;
use quadrille::Context;
use quadrille::cluster::Partition;
use quadrille::cluster::solve::Solver;
use quadrille::data::{Grid3, GridMatrix, Stencil3};
use quadrille::internal::Ability;
use quadrille::linalg::multigrid;
use quadrille::linalg::solve::{Method, Options, Preconditioner, ResidualOn, Solution};

fn stencil(text: &str) -> GridMatrix {
    text.parse::<Stencil3>().unwrap().matrix().unwrap()
}

fn solve(matrix: &GridMatrix, ranks: usize, b: &[f64], options: Options) -> Solution {
    let context = Context::headless().unwrap();
    let partition = Partition::of_slabs(matrix.grid(), ranks).unwrap();
    let mut solver = Solver::of_grid(&team(&context, ranks), &partition, matrix, options).unwrap();
    solver.solve(&stored(&partition, b).concat(), &mut ()).unwrap()
}

fn norm(numbers: &[f64]) -> f64 {
    numbers.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// The relative residual of the whole system.
fn residual(matrix: &GridMatrix, b: &[f64], solution: &Solution) -> f64 {
    let mean = solution.removed_mean.unwrap_or(0.0);
    let b: Vec<f64> = b.iter().map(|b| b - mean).collect();
    let mut product = vec![0.0; matrix.n()];
    matrix.add_product(&solution.x, &mut product);
    let r: Vec<f64> = b.iter().zip(product).map(|(b, p)| b - p).collect();
    norm(&r) / norm(&b)
}

#[test]
fn systems_in_slabs_are_solved_to_double_precision() {
    let multigrid = Preconditioner::Multigrid(multigrid::Options::new());
    let cases = [
        ("poisson7:17x13x19", 1, multigrid, 7),
        ("poisson7:17x13x19", 2, multigrid, 7),
        ("poisson7:9x12x17", 4, multigrid, 7),
        ("poisson7:9x12x16", 7, multigrid, 7),
        ("poisson7:20x9x22:z=0.01", 3, multigrid, 7),
        ("poisson7:9x12x16", 3, Preconditioner::Jacobi, 60),
        ("fe27:13x9x14:sides=periodic+neumann+dirichlet", 2, multigrid, 8),
        ("poisson7:11x10x12:sides=neumann", 3, multigrid, 8),
        ("jump7:12x11x16:cell=4", 4, multigrid, 12),
        ("convection7:13x9x12:z=0.5", 3, multigrid, 8),
        ("poisson7:6x5x8", 2, multigrid, 2),
        ("heat7:7x5x3", 3, Preconditioner::Identity, 40),
        ("random7:6x5x7", 2, Preconditioner::Jacobi, 500),
    ];
    let on_device = crate::common::computing().map(|_| ResidualOn::Device);
    let places: Vec<_> = [Some(ResidualOn::Host), on_device].into_iter().flatten().collect();
    for (turn, (text, ranks, preconditioner, most)) in cases.into_iter().enumerate() {
        let matrix = stencil(text);
        let b = doubles(&crate::common::random(matrix.n(), 4));
        let options = Options::new().tolerance(1e-12).preconditioner(preconditioner).project(true);
        for &place in in_turn(&places, turn, places.len()) {
            let solution = solve(&matrix, ranks, &b, options.residual_on(place));
            assert!(solution.converged(), "{text} on {ranks}: {:?}", solution.ending);
            assert!(solution.iterations <= 2 * most, "{text} on {ranks}: {}", solution.iterations);
            let found = residual(&matrix, &b, &solution);
            assert!(found <= 1.1e-12, "{text} on {ranks}, {place:?}: {found}");
        }
    }
}

/// The coupling of two slabs, left out of one of them, is noticed.
#[test]
fn a_coupling_between_slabs_is_part_of_the_residual() {
    let matrix = stencil("poisson7:6x5x8");
    let b = doubles(&crate::common::random(matrix.n(), 4));
    let options = Options::new().tolerance(1e-10);
    let rows = matrix.csr().unwrap();
    let (row, column) = (3 * 30 + 7, 4 * 30 + 7);
    let entries = || {
        let of_row = |row: usize| {
            let (columns, values) = rows.row(row);
            let pairs = columns.iter().zip(values);
            pairs.map(|(column, value)| (row, *column as usize, *value)).collect::<Vec<_>>()
        };
        let all = (0..matrix.n()).flat_map(of_row);
        let lost = [(row, column), (column, row)];
        all.filter(|(row, column, _)| !lost.contains(&(*row, *column))).collect::<Vec<_>>()
    };
    let wrong = GridMatrix::from_entries(matrix.grid(), entries).unwrap();
    let solution = solve(&wrong, 2, &b, options);
    assert!(residual(&wrong, &b, &solution) <= 1.1e-10);
    assert!(residual(&matrix, &b, &solution) > 1e-4);
}

#[test]
fn what_slabs_cannot_be_is_said() {
    let context = Context::headless().unwrap();
    let grid = Grid3::new(6, 5, 4).unwrap();
    let error = Partition::of_slabs(grid, 5).unwrap_err().to_string();
    assert!(error.contains("5 ranks") && error.contains("slices along z, 4"), "{error}");
    let two = Partition::of_slabs(grid, 2).unwrap();
    let refused = |context: &Context, partition: &Partition, text: &str, options: Options| {
        let team = team(context, 2);
        let made = Solver::of_grid(&team, partition, &stencil(text), options);
        made.map(|_| ()).unwrap_err().to_string()
    };
    let plain = Options::new();
    let error = refused(&context, &two, "poisson7:6x5x4:sides=periodic", plain);
    assert!(error.contains("slabs along z, whose ends"), "{error}");
    let error = refused(&context, &two, "poisson7:6x4x5", plain);
    assert!(error.contains("expected slabs of a grid of 6 x 4 x 5"), "{error}");
    let error = refused(&context, &two, "poisson7:6x5x4", plain.method(Method::Fft));
    assert!(error.contains("fft"), "{error}");
    let small = Context::builder().without(Ability::LargerTextures(64)).build().unwrap();
    let deep = Partition::of_slabs(Grid3::new(6, 20, 8).unwrap(), 2).unwrap();
    let error = refused(&small, &deep, "poisson7:6x20x8", plain);
    assert!(error.contains("8 slices of 20 lines") && error.contains("3 slices fit"), "{error}");
    let thin = Partition::of_slabs(grid, 4).unwrap();
    let multigrid = Preconditioner::Multigrid(multigrid::Options::new());
    let options = plain.preconditioner(multigrid);
    let made = Solver::of_grid(&team(&context, 4), &thin, &stencil("poisson7:6x5x4"), options);
    let error = made.map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("at least two slices"), "{error}");
}
