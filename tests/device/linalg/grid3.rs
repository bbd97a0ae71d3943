//! Matrices on grids of three dimensions on a device, against sums in double precision and the twin of multigrid.

use crate::common::levels::{space_hierarchy, space_levels};
use crate::common::systems::{doubles, gamma};
use crate::common::{by_turns, is_thorough};
use quadrille::Context;
use quadrille::data::{Grid3, GridMatrix, Stencil3};
use quadrille::grid::DeviceGrid;
use quadrille::internal::Ability;
use quadrille::linalg::grid3::{Hierarchy, Operator};
use quadrille::linalg::krylov::{DeviceOperator, DeviceSpace, Preconditioner};
use quadrille::linalg::multigrid::{CoarsenAlong, Options};
use quadrille::linalg::solve::{self, Solver};
use quadrille::stream::Engine;
use rand::{RngExt, SeedableRng};

fn stencil(text: &str) -> GridMatrix {
    text.parse::<Stencil3>().unwrap().matrix().unwrap()
}

/// Random couplings of both signs under a diagonal that dominates.
fn random(grid: Grid3, neighbours: usize, symmetric: bool) -> GridMatrix {
    let mut generator = rand_pcg::Pcg64Mcg::seed_from_u64(7);
    let numbers: Vec<f64> =
        (0..27 * grid.n()).map(|_| generator.random_range(-1.0..1.0_f32).into()).collect();
    let entries = || {
        let mut entries = Vec::new();
        for row in 0..grid.n() {
            let at = grid.place(row);
            for k in 0..27 {
                let step = [k % 3, k / 3 % 3, k / 9].map(|step| step as isize - 1);
                let far: isize = step.iter().map(|step| step.abs()).sum();
                if neighbours == 7 && far > 1 {
                    continue;
                }
                let to = [0, 1, 2].map(|axis| at[axis].wrapping_add_signed(step[axis]));
                if to.iter().zip(grid.points()).any(|(to, points)| *to >= points) {
                    continue;
                }
                let column = grid.index(to);
                let number = match symmetric && column < row {
                    true => numbers[27 * column + 26 - k],
                    false => numbers[27 * row + k],
                };
                entries.push((row, column, if k == 13 { 30.0 + number } else { number }));
            }
        }
        entries
    };
    GridMatrix::from_entries(grid, entries).unwrap()
}

fn numbers(count: usize, seed: u64) -> Vec<f32> {
    crate::common::random(count, seed)
}

/// The product as sums in double precision, and the bounds of its elements.
fn expected(matrix: &GridMatrix, x: &[f32]) -> Vec<(f64, f64)> {
    let csr = matrix.csr().unwrap();
    let row = |row: usize| {
        let (columns, values) = csr.row(row);
        let here = f64::from(x[row]);
        let (mut sum, mut size) = (0.0, 0.0);
        for (column, a) in columns.iter().zip(values) {
            let x = f64::from(x[*column as usize]);
            sum += a * x;
            // A rounded number times a difference, and its part of the rounded sum of the row.
            size += a.abs() * (x.abs() + 2.0 * here.abs());
        }
        (sum, gamma(32.0) * size)
    };
    (0..matrix.n()).map(row).collect()
}

/// A matrix in the form that it has and with stored numbers, on each engine of a context. Where a test need not be
/// thorough each form is on one engine, since each of the four has programs of its own.
fn in_all_forms(context: &Context, matrix: &GridMatrix) -> Vec<(GridMatrix, Engine)> {
    let forms = [matrix.in_stored_form().unwrap(), matrix.clone()];
    let on = |engine: Engine| forms.clone().map(|matrix| (matrix, engine));
    let all: Vec<_> = Engine::of(context).into_iter().flat_map(on).collect();
    match &all[..] {
        [one, _, _, other] if !is_thorough() => vec![one.clone(), other.clone()],
        _ => all,
    }
}

fn product(context: &Context, matrix: &GridMatrix, engine: Engine, x: &[f32]) -> Vec<f32> {
    let operator = Operator::on(context, matrix, engine).unwrap();
    let x = DeviceGrid::from_host(context, operator.plan(), x).unwrap();
    let poison = vec![f32::NAN; matrix.n()];
    let mut y = DeviceGrid::from_host(context, operator.plan(), &poison).unwrap();
    operator.apply(&x, &mut y).unwrap();
    y.read().unwrap()
}

/// Where a product is off: the row, what came and what was expected.
fn first_wrong(got: &[f32], expected: &[(f64, f64)]) -> Option<(usize, f32, f64)> {
    got.iter()
        .zip(expected)
        .position(|(got, (sum, bound))| got.is_nan() || (f64::from(*got) - sum).abs() > *bound)
        .map(|row| (row, got[row], expected[row].0))
}

const STENCILS: [&str; 16] = [
    "poisson7:9x7x5",
    "poisson7:8x6x4:x=0.5:z=0.125:sides=periodic",
    "poisson7:5x3x4:sides=neumann+periodic+dirichlet",
    "poisson7:1x5x3",
    "poisson7:2x1x1:sides=periodic",
    "poisson7:1:sides=neumann",
    "fe27:9x7x5",
    "fe27:6x5x4:sides=periodic+dirichlet+neumann",
    "fe27:7x5x6:sides=neumann",
    "fe27:13x2x2:y=0.25:sides=periodic",
    "heat7:17x3x1:step=2",
    "jump7:11x9x7:cell=2",
    "jump7:4x4x9:ratio=100:cell=3",
    "random7:6x13x5",
    "convection7:10x4x7:y=-0.5:z=0.25",
    "convection7:3x1x2:peclet=4",
];

#[test]
fn products_are_those_of_the_matrix_in_either_form() {
    by_turns(STENCILS, |context, text| {
        let matrix = stencil(text);
        let x = numbers(matrix.n(), 2);
        let expected = expected(&matrix, &x);
        for (matrix, engine) in in_all_forms(context, &matrix) {
            let got = product(context, &matrix, engine, &x);
            let stored = matrix.is_stored();
            assert_eq!(first_wrong(&got, &expected), None, "{text} stored: {stored} {engine}");
        }
    });
}

/// The levels as the device computes them, and as the host does where a matrix is small.
fn hierarchies(
    context: &Context,
    (matrix, engine): (&GridMatrix, Engine),
    options: Options,
) -> (DeviceSpace<Operator>, [Hierarchy; 2]) {
    let space = DeviceSpace::with(Operator::on(context, matrix, engine).unwrap()).unwrap();
    let on_device = Hierarchy::on_device(space.operator(), options).unwrap();
    let hierarchies = [on_device, Hierarchy::new(space.operator(), options).unwrap()];
    (space, hierarchies)
}

/// The largest difference of two matrices over the largest number.
fn difference(one: &GridMatrix, other: &GridMatrix) -> f64 {
    let (one, other) = (one.csr().unwrap(), other.csr().unwrap());
    let (mut most, mut size) = (0.0_f64, 0.0_f64);
    for (a, b) in [(&one, &other), (&other, &one)] {
        for row in 0..a.shape().rows {
            let (columns, values) = a.row(row);
            for (column, value) in columns.iter().zip(values) {
                most = most.max((value - b.entry(row, *column as usize)).abs());
                size = size.max(value.abs());
            }
        }
    }
    most / size
}

#[test]
fn levels_are_those_of_the_twin_in_either_form() {
    let stencils = [
        ("poisson7:17x13x9", true),
        ("poisson7:24x11x9:z=0.01", true),
        ("poisson7:16x12x10:sides=neumann+periodic+dirichlet", true),
        ("poisson7:12x12x8:sides=periodic", true),
        ("fe27:11x12x13", true),
        ("fe27:12x9x10:x=0.01:sides=periodic+neumann+dirichlet", true),
        ("jump7:13x11x12:ratio=10:cell=3", true),
        ("convection7:14x9x11:y=0.5:z=-0.25", false),
        ("convection7:11x10x9:x=0:y=0", false),
        ("heat7:40x5x5", true),
    ];
    by_turns(stencils, |context, (text, symmetric)| {
        let matrix = stencil(text);
        let options = Options::new().symmetric(*symmetric);
        let levels = space_levels(&matrix, CoarsenAlong::Strong, *symmetric);
        assert!(levels.len() > 1, "{text}");
        for (matrix, engine) in in_all_forms(context, &matrix) {
            let (_, hierarchies) = hierarchies(context, (&matrix, engine), options);
            let points: Vec<_> = levels.iter().map(|level| level.matrix.grid().points()).collect();
            let stored = matrix.is_stored();
            for hierarchy in hierarchies {
                assert_eq!(hierarchy.levels(), points, "{text} {stored}");
                for (at, level) in levels.iter().enumerate() {
                    let got = hierarchy.matrix(at).unwrap().unwrap();
                    let off = difference(&got, &level.matrix);
                    assert!(off < 2e-5, "{text} {engine} stored {stored}, level {at}: {off}");
                }
            }
        }
    });
}

fn norm(numbers: &[f64]) -> f64 {
    numbers.iter().map(|x| x * x).sum::<f64>().sqrt()
}

#[test]
fn cycles_are_those_of_the_twin() {
    let cases = [
        ("poisson7:17x13x9", true),
        ("poisson7:24x16x10:sides=periodic+dirichlet+dirichlet", true),
        ("poisson7:20x9x11:z=0.01", true),
        ("fe27:11x12x13", true),
        ("jump7:20x11x12:ratio=10:cell=3", true),
        ("convection7:14x9x11:y=0.5:z=-0.25", false),
        ("convection7:37x20x41:x=0.1:y=-1:z=0.5", false),
    ];
    by_turns(cases, |context, (text, symmetric)| {
        let matrix = stencil(text);
        let options = Options::new().symmetric(*symmetric);
        let twin = space_hierarchy(&matrix, CoarsenAlong::Strong, *symmetric);
        let r = numbers(matrix.n(), 3);
        let expected = twin.apply(&doubles(&r)).unwrap();
        for (matrix, engine) in in_all_forms(context, &matrix) {
            let (space, hierarchies) = hierarchies(context, (&matrix, engine), options);
            let plan = space.operator().plan();
            let r = DeviceGrid::from_host(context, plan, &r).unwrap();
            let poison = vec![f32::NAN; matrix.n()];
            for mut hierarchy in hierarchies {
                let mut z = DeviceGrid::from_host(context, plan, &poison).unwrap();
                hierarchy.apply(&space, &r, &mut z).unwrap();
                let got = doubles(&z.read().unwrap());
                let off: Vec<f64> = got.iter().zip(&expected).map(|(got, x)| got - x).collect();
                let off = norm(&off) / norm(&expected);
                assert!(off < 1e-4, "{text} {engine} stored {}: {off}", matrix.is_stored());
            }
        }
    });
}

#[test]
fn systems_are_solved_to_double_precision() {
    let cases = [
        ("poisson7:33x31x35", 8),
        ("poisson7:40x32x36:z=0.01", 10),
        ("poisson7:33:sides=neumann", 10),
        ("poisson7:32:sides=periodic", 10),
        ("fe27:33x32x34", 9),
        ("jump7:33:cell=8", 16),
        ("heat7:33", 10),
        ("convection7:33:y=0.5:z=-0.25", 12),
        ("random7:12x11x10", 400),
    ];
    by_turns(cases, |context, (text, most)| {
        let matrix = stencil(text);
        let b = doubles(&numbers(matrix.n(), 4));
        let options = solve::Options::new().tolerance(1e-12).project(true);
        let mut solver = Solver::of_grid(context, &matrix, options).unwrap();
        let solution = solver.solve(&b).unwrap();
        assert!(solution.converged(), "{text}: {:?} {}", solution.ending, solution.residual);
        assert!(solution.iterations <= 2 * most, "{text}: {} steps", solution.iterations);
        let mut r = b.clone();
        let mean = solution.removed_mean.unwrap_or(0.0);
        r.iter_mut().for_each(|r| *r -= mean);
        let size = norm(&r);
        let mut product = vec![0.0; matrix.n()];
        matrix.add_product(&solution.x, &mut product);
        r.iter_mut().zip(product).for_each(|(r, p)| *r -= p);
        assert!(norm(&r) <= 2e-12 * size, "{text}: {}", norm(&r) / size);
    });
}

#[test]
fn random_matrices_are_solved_in_either_dimension_of_neighbours() {
    let cases = [(7, true), (7, false), (27, true), (27, false)];
    by_turns(cases, |context, (neighbours, symmetric)| {
        let matrix = random(Grid3::new(11, 13, 9).unwrap(), *neighbours, *symmetric);
        assert_eq!((matrix.is_star(), matrix.is_stored()), (*neighbours == 7, true));
        let x = numbers(matrix.n(), 2);
        for engine in Engine::of(context) {
            let got = product(context, &matrix, engine, &x);
            assert_eq!(first_wrong(&got, &expected(&matrix, &x)), None, "{engine}");
        }
        let b = doubles(&x);
        let multigrid = solve::Preconditioner::Multigrid(Options::new());
        let options = solve::Options::new().tolerance(1e-12).preconditioner(multigrid);
        let solution = Solver::of_grid(context, &matrix, options).unwrap().solve(&b).unwrap();
        assert!(solution.converged(), "{neighbours} {symmetric}: {}", solution.residual);
    });
}

/// A coupling that is missing at a corner of the grid is noticed by the same comparison.
#[test]
fn a_coupling_less_is_noticed() {
    let context = Context::headless().unwrap();
    let grid = Grid3::new(6, 5, 4).unwrap();
    let right = stencil("poisson7:6x5x4");
    let csr = right.csr().unwrap();
    let x = numbers(right.n(), 2);
    for lost in [(0, 1), (grid.n() - 1, grid.n() - 7), (5, 35)] {
        let entries = || {
            let all = (0..grid.n()).flat_map(|row| {
                let (columns, values) = csr.row(row);
                let columns: Vec<_> = columns.iter().map(|column| *column as usize).collect();
                columns
                    .into_iter()
                    .zip(values.to_vec())
                    .map(move |(column, value)| (row, column, value))
            });
            all.filter(|(row, column, _)| (*row, *column) != lost).collect::<Vec<_>>()
        };
        let wrong = GridMatrix::from_entries(grid, entries).unwrap();
        for engine in Engine::of(&context) {
            let found = first_wrong(&product(&context, &wrong, engine, &x), &expected(&right, &x));
            assert_eq!(found.map(|(row, ..)| row), Some(lost.0), "{engine}");
        }
    }
}

/// A grid that is too high for a texture lies in stacks side by side, with the same numbers.
#[test]
fn grids_in_stacks_are_like_others() {
    let small = Context::builder().without(Ability::LargerTextures(512)).build().unwrap();
    let stencils = [
        "poisson7:9x31x40",
        "poisson7:20x32x24:sides=periodic",
        "fe27:12x20x32:sides=neumann+dirichlet+periodic",
        "jump7:9x25x28:cell=2",
        "convection7:11x29x23:y=-0.5",
    ];
    for text in stencils {
        let matrix = stencil(text);
        let x = numbers(matrix.n(), 2);
        let expected = expected(&matrix, &x);
        for (matrix, engine) in in_all_forms(&small, &matrix) {
            let got = product(&small, &matrix, engine, &x);
            assert_eq!(first_wrong(&got, &expected), None, "{text} {engine}");
        }
        let options = solve::Options::new().tolerance(1e-11).project(true);
        let multigrid = solve::Preconditioner::Multigrid(Options::new());
        let mut solver =
            Solver::of_grid(&small, &matrix, options.preconditioner(multigrid)).unwrap();
        let b = doubles(&x);
        let solution = solver.solve(&b).unwrap();
        assert!(
            solution.converged() && solution.iterations < 30,
            "{text}: {}",
            solution.iterations
        );
    }
    let large = stencil("poisson7:128");
    let error = Operator::new(&small, &large).map(|_| ()).unwrap_err().to_string();
    assert!(
        error.contains("128 x 128 x 128") && error.contains("512") && error.contains("cube"),
        "{error}"
    );
}
