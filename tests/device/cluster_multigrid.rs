//! Multigrid over ranks of one process against that of one rank: where a device computes each texel alike, bit for bit.

use std::rc::Rc;

use crate::common::ranks::{joined, random_matrix, stored, team};
use crate::common::{Flavour, by_turns, is_thorough, on};
use quadrille::Context;
use quadrille::cluster::multigrid::{Distribution, Multigrid};
use quadrille::cluster::{Error, Partition};
use quadrille::data::{Band, NineBanded, Stencil};
use quadrille::grid::DeviceGrid;
use quadrille::linalg::multigrid::{Axes, Cycle, Hierarchy, Options, Smoother};
use quadrille::linalg::nine_banded::Operator;
use rand::{RngExt, SeedableRng};

fn stencil(text: &str) -> NineBanded {
    text.parse::<Stencil>().unwrap().matrix().unwrap()
}

/// Random couplings under a diagonal that dominates.
fn random(n: usize, m: usize, symmetric: bool, seed: u64) -> NineBanded {
    let mut generator = rand_pcg::Pcg64Mcg::seed_from_u64(seed);
    let matrix = random_matrix(n, m, false, || generator.random_range(-1.0..0.5_f32));
    let entry = |band: Band, row: usize| {
        let column = row.wrapping_add_signed(band.offset(m));
        match band {
            Band::DD => 12.0,
            _ if symmetric && column < row => matrix.entry(column, row),
            _ => matrix.entry(row, column),
        }
    };
    NineBanded::new(m, Band::ALL.map(|band| (0..n).map(|row| entry(band, row)).collect())).unwrap()
}

#[derive(Clone, Copy, Debug)]
struct Case {
    across: [usize; 2],
    options: Options,
    distribution: Distribution,
}

/// A case with levels of no more than these points a rank gathered.
fn case(across: [usize; 2], fewest: usize) -> Case {
    let distribution = Distribution::new().fewest(fewest);
    Case { across, options: Options::new(), distribution }
}

/// The points of each level, and the ranks that have it.
type LevelsOnRanks = Vec<((usize, usize), usize)>;

/// A matrix in parts, all on this context.
struct Parts {
    partition: Partition,
    operators: Vec<Rc<Operator>>,
    multigrid: Multigrid,
}

impl Parts {
    fn new(context: &Context, matrix: &NineBanded, case: Case) -> Parts {
        let size = (matrix.n(), matrix.m());
        let partition = case.distribution.partition(size, case.across).unwrap();
        let operators = (0..partition.ranks()).map(|rank| {
            let local = matrix.block(&partition.stored(rank)).unwrap();
            Rc::new(Operator::new(context, &local).unwrap())
        });
        let operators: Vec<_> = operators.collect();
        let team = team(context, partition.ranks());
        let Case { options, distribution, .. } = case;
        let multigrid =
            Multigrid::new(&team, &partition, &operators, options, distribution).unwrap();
        Parts { partition, operators, multigrid }
    }

    /// What ranks own of these numbers, with NaN around it.
    fn scattered(&self, numbers: &[f32]) -> Vec<DeviceGrid> {
        let of_ranks = stored(&self.partition, numbers).into_iter().zip(&self.operators);
        let grids = of_ranks.enumerate().map(|(rank, (mut local, operator))| {
            let (inside, width) = (self.partition.inside(rank), operator.matrix().m());
            for (at, number) in local.iter_mut().enumerate() {
                let is_owned =
                    inside.columns.contains(&(at % width)) && inside.rows.contains(&(at / width));
                *number = if is_owned { *number } else { f32::NAN };
            }
            DeviceGrid::from_host(operator.context(), operator.plan(), &local).unwrap()
        });
        grids.collect()
    }

    fn gathered(&self, grids: &[DeviceGrid]) -> Vec<f32> {
        let owned = grids.iter().enumerate();
        let owned = owned.map(|(rank, grid)| self.partition.owned_of(rank, &grid.read().unwrap()));
        joined(&self.partition, &owned.collect::<Vec<_>>())
    }

    fn cycle(&mut self, r: &[f32], start: bool) -> Vec<f32> {
        let (r, mut z) = (self.scattered(r), self.scattered(&vec![f32::NAN; r.len()]));
        match start {
            true => self.multigrid.start(&r, &mut z).unwrap(),
            false => self.multigrid.apply(&r, &mut z).unwrap(),
        }
        self.gathered(&z)
    }
}

/// The largest difference from what one rank computes with this matrix, relative to its largest number.
fn distance(context: &Context, matrix: &NineBanded, parts: &mut Parts) -> f32 {
    let operator = Rc::new(Operator::new(context, matrix).unwrap());
    let mut one = Hierarchy::new(&operator, *parts.multigrid.options()).unwrap();
    let levels = parts.multigrid.levels().into_iter().map(|(points, _)| points);
    assert_eq!(levels.collect::<Vec<_>>(), one.levels().collect::<Vec<_>>());
    assert_eq!(parts.multigrid.smoothers(), one.smoothers());
    let r = crate::common::random(matrix.n(), 3);
    let device_r = DeviceGrid::from_host(context, operator.plan(), &r).unwrap();
    let mut z = DeviceGrid::zeros(context, operator.plan()).unwrap();
    let mut most = 0.0_f32;
    // Each begins with what the one before has left.
    for start in [false, true, false] {
        match start {
            true => one.start(&device_r, &mut z).unwrap(),
            false => one.apply(&device_r, &mut z).unwrap(),
        }
        let (expected, got) = (z.read().unwrap(), parts.cycle(&r, start));
        let largest = expected.iter().fold(0.0_f32, |most, z| most.max(z.abs()));
        for (got, expected) in got.iter().zip(&expected) {
            assert!(got.is_finite() && expected.is_finite());
            most = most.max((got - expected).abs() / largest);
        }
    }
    most
}

/// Compares ranks with one, and returns the levels.
fn check(context: &Context, matrix: &NineBanded, case: Case) -> LevelsOnRanks {
    let mut parts = Parts::new(context, matrix, case);
    let distance = distance(context, matrix, &mut parts);
    let most = if context.abilities().software { 0.0 } else { 1e-5 };
    let levels = parts.multigrid.levels();
    assert!(distance <= most, "{case:?} {levels:?}: {distance}");
    levels
}

fn ranks(levels: &LevelsOnRanks) -> Vec<usize> {
    levels.iter().map(|level| level.1).collect()
}

/// Blocks, strips, one axis coarsened, nonsymmetric matrices, and parts too small to be coarsened.
#[test]
fn cycles_are_those_of_one_rank() {
    let points = Options::new().smoother(Smoother::Jacobi);
    let cases = [
        (stencil("poisson5:127x130"), case([1, 2], 100), vec![2, 2, 2, 1]),
        (stencil("fe9:131x80:anisotropy=0.01"), case([3, 1], 30), vec![3, 3, 3, 3, 3, 1]),
        (
            random(97 * 83, 97, true, 1),
            Case { options: points, ..case([2, 2], 100) },
            vec![4, 4, 4, 1],
        ),
        (
            random(61 * 64 - 5, 61, false, 2),
            Case { options: points.symmetric(false), ..case([1, 3], 100) },
            vec![3, 3, 1],
        ),
        (stencil("poisson5:30x23"), case([2, 5], 30), vec![1, 1]),
    ];
    by_turns(cases, |context, (matrix, case, expected)| {
        assert_eq!(ranks(&check(context, matrix, *case)), *expected);
    });
}

/// Cycles and smoothers; lines are solved where a rank has them whole.
#[test]
fn smoothers_and_cycles_are_those_of_one_rank() {
    let with = |options: Options, case: Case| Case { options, ..case };
    let (v, cuts) = (Options::new(), case([2, 2], 50));
    let deep = Case { distribution: cuts.distribution.depth(2), ..case([1, 2], 50) };
    let text = "jump:67x90:ratio=1000:cell=5";
    let cases = [
        (text, with(v.cycle(Cycle::W), cuts)),
        (text, with(v.cycle(Cycle::F).smoother(Smoother::GaussSeidel), cuts)),
        (text, with(v.smoother(Smoother::Zebra(Axes::Both)), cuts)),
        (text, with(v.smoother(Smoother::GaussSeidel).same_order(true), deep)),
        ("neumann5:72x90", with(v.constant_null_space(true), deep)),
        (text, deep),
    ];
    by_turns(cases, |context, (text, case)| {
        check(context, &stencil(text), *case);
    });
}

/// Nine ranks, then four, then one.
#[test]
fn levels_are_gathered_step_by_step() {
    on(&[Flavour::Gl], |context| {
        let levels = check(context, &stencil("poisson5:200"), case([3, 3], 70));
        assert_eq!(ranks(&levels), [9, 9, 9, 4, 1]);
    });
}

/// Another number in the matrix of one rank.
#[test]
fn the_comparison_sees_faults() {
    on(&[Flavour::Gl], |context| {
        let matrix = random(40 * 64, 40, true, 4);
        let mut bands = Band::ALL.map(|band| matrix.band(band).to_vec());
        bands[Band::DD.index()][1000] += 1e-3;
        let mut parts = Parts::new(context, &matrix, case([1, 2], 50));
        assert!(distance(context, &NineBanded::new(40, bands).unwrap(), &mut parts) > 1e-6);
    });
}

/// Random grids, ranks and distributions.
#[test]
fn any_ranks_give_what_one_does() {
    let count = if is_thorough() { 40 } else { 2 };
    on(&[Flavour::Gl], |context| {
        let mut generator = rand_pcg::Pcg64Mcg::seed_from_u64(11);
        for seed in 0..count {
            let (width, height) = (generator.random_range(5..90), generator.random_range(8..150));
            let across = match generator.random_range(0..3) {
                0 => [1, generator.random_range(1..=height.min(7))],
                1 => [generator.random_range(1..=(width / 4).min(5)), 1],
                _ => {
                    [generator.random_range(1..=(width / 4).min(3)), generator.random_range(1..=3)]
                }
            };
            let symmetric = generator.random_range(0..2) == 0;
            let missing = if across[0] == 1 { generator.random_range(0..width) } else { 0 };
            let options = Options::new().symmetric(symmetric);
            let options = match generator.random_range(0..4) {
                0 => options,
                1 => options.smoother(Smoother::GaussSeidel),
                _ => options.smoother(Smoother::Jacobi),
            };
            let fewest = generator.random_range(10..400);
            let distribution = Distribution::new().fewest(fewest);
            let distribution = distribution.depth(generator.random_range(1..3));
            let matrix = random(width * height - missing, width, symmetric, seed);
            check(context, &matrix, Case { across, options, distribution });
        }
    });
}

#[test]
fn what_does_not_fit_is_refused() {
    let context = Context::headless().unwrap();
    let matrix = stencil("poisson5:20");
    let partition = Distribution::new().partition((400, 20), [1, 2]).unwrap();
    let block = matrix.block(&partition.stored(0)).unwrap();
    let operators = |matrix: &NineBanded, count| {
        let operator = Rc::new(Operator::new(&context, matrix).unwrap());
        std::iter::repeat_n(operator, count).collect::<Vec<_>>()
    };
    let refused = |ranks: usize, operators: &[Rc<Operator>]| {
        let (options, distribution) = (Options::new(), Distribution::new());
        let team = team(&context, ranks);
        Multigrid::new(&team, &partition, operators, options, distribution).err().unwrap()
    };
    let error = refused(3, &operators(&block, 3));
    assert!(matches!(error, Error::Ranks { expected: 2, got: 3 }), "{error}");
    let error = refused(2, &operators(&block, 1));
    assert!(matches!(error, Error::Part { rank: 0, .. }), "{error}");
    let error = refused(2, &operators(&matrix, 2));
    assert!(matches!(error, Error::Part { rank: 0, .. }), "{error}");
    let across = random_matrix(block.n(), 20, true, || 0.5);
    let error = refused(2, &operators(&across, 2));
    assert!(error.to_string().contains("couples the end of a row of 20"), "{error}");
}
