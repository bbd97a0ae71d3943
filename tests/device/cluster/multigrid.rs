//! Multigrid over ranks of one process against that of one rank: where a device computes each texel
//! alike, bit for bit.

use std::rc::Rc;

use crate::common::ranks::{joined, random_matrix, stored, team};
use crate::common::{Flavour, by_turns, is_thorough, on};
use quadrille::Context;
use quadrille::cluster::multigrid::{Distribution, Multigrid};
use quadrille::cluster::{Partition, RankSpace, Vector};
use quadrille::data::{Band, NineBanded, Stencil};
use quadrille::grid::{DeviceGrid, Halo};
use quadrille::linalg::krylov::{Cg, DeviceSpace, Method, Preconditioner, Space};
use quadrille::linalg::multigrid::{Hierarchy, Options, Smoother};
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
    let distribution = Distribution::new().fewest(fewest).halo(4);
    Case { across, options: Options::new(), distribution }
}

/// The points of each level, and the ranks that have it.
type LevelsOnRanks = Vec<((usize, usize), usize)>;

/// A matrix in parts, all on this context.
struct Parts {
    space: RankSpace,
    multigrid: Multigrid,
}

impl Parts {
    fn new(context: &Context, matrix: &NineBanded, case: Case) -> Parts {
        let Case { across, options, distribution } = case;
        let partition = distribution.partition((matrix.n(), matrix.m()), across).unwrap();
        let blocks = (0..partition.ranks()).map(|rank| matrix.block(&partition.stored(rank)));
        let blocks = blocks.collect::<Result<Vec<_>, _>>().unwrap();
        let team = team(context, partition.ranks());
        let space = RankSpace::new(&team, &partition, &blocks).unwrap();
        let multigrid = Multigrid::new(&space, options, distribution).unwrap();
        Parts { space, multigrid }
    }

    /// Gives each rank what it owns of these numbers, with NaN around it.
    fn scattered(&self, numbers: &[f32]) -> Vector {
        let partition = self.space.partition();
        let numbers: Vec<f64> = numbers.iter().map(|number| f64::from(*number)).collect();
        let mut of_ranks = stored(partition, &numbers);
        for (rank, local) in of_ranks.iter_mut().enumerate() {
            let (inside, (_, width)) = (partition.inside(rank), partition.stored_size(rank));
            for (at, number) in local.iter_mut().enumerate() {
                let is_owned =
                    inside.columns.contains(&(at % width)) && inside.rows.contains(&(at / width));
                *number = if is_owned { *number } else { f64::NAN };
            }
        }
        let mut vector = self.space.vector().unwrap();
        self.space.write(&of_ranks.concat(), 1.0, &mut vector).unwrap();
        vector
    }

    fn gathered(&self, vector: &Vector) -> Vec<f32> {
        let partition = self.space.partition();
        let mut numbers = vec![0.0; self.space.length()];
        self.space.add_to(vector, 1.0, &mut numbers).unwrap();
        let mut rest = numbers.as_slice();
        let of_rank = |rank: usize| {
            let (local, others) = rest.split_at(partition.stored_size(rank).0);
            rest = others;
            partition.owned_of(rank, local)
        };
        let owned: Vec<_> = (0..partition.ranks()).map(of_rank).collect();
        joined(partition, &owned).into_iter().map(|number| number as f32).collect()
    }

    fn cycle(&mut self, r: &[f32]) -> Vec<f32> {
        let (r, mut z) = (self.scattered(r), self.scattered(&vec![f32::NAN; r.len()]));
        self.multigrid.apply(&self.space, &r, &mut z).unwrap();
        self.gathered(&z)
    }
}

/// The largest difference from what one rank computes with this matrix, relative to its largest
/// number.
fn distance(context: &Context, matrix: &NineBanded, parts: &mut Parts) -> f32 {
    let operator = Rc::new(Operator::new(context, matrix).unwrap());
    let mut one = Hierarchy::on_device(&operator, *parts.multigrid.options()).unwrap();
    let levels = parts.multigrid.levels().into_iter().map(|(points, _)| points);
    assert_eq!(levels.collect::<Vec<_>>(), one.levels().collect::<Vec<_>>());
    assert_eq!(parts.multigrid.smoothers(), one.smoothers());
    let r = crate::common::random(matrix.n(), 3);
    let device_r = DeviceGrid::from_host(context, operator.plan(), &r).unwrap();
    let mut z = DeviceGrid::zeros(context, operator.plan()).unwrap();
    let mut most = 0.0_f32;
    // The second begins with what the first has left.
    for _ in 0..2 {
        one.apply(&device_r, &mut z).unwrap();
        let (expected, got) = (z.read().unwrap(), parts.cycle(&r));
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

/// Smoothers; lines are solved where a rank has them whole.
#[test]
fn smoothers_are_those_of_one_rank() {
    let with = |options: Options, case: Case| Case { options, ..case };
    let (v, cuts) = (Options::new(), case([2, 2], 50));
    let deep = Case { distribution: cuts.distribution.halo(6), ..case([1, 2], 50) };
    let text = "jump:67x90:ratio=1000:cell=5";
    let cases = [
        (text, with(v.smoother(Smoother::LineJacobi), cuts)),
        (text, with(v.smoother(Smoother::LineJacobi), deep)),
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
                1 => options.smoother(Smoother::LineJacobi),
                _ => options.smoother(Smoother::Jacobi),
            };
            let fewest = generator.random_range(10..400);
            let distribution = Distribution::new().fewest(fewest);
            let distribution = distribution.halo(generator.random_range(4..9));
            let matrix = random(width * height - missing, width, symmetric, seed);
            check(context, &matrix, Case { across, options, distribution });
        }
    });
}

/// Steps to 1e-5 of the first residual.
fn steps<S: Space>(space: &S, r: &[f64], multigrid: &mut impl Preconditioner<S>) -> usize
where
    S::Error: std::fmt::Debug,
{
    let mut cg = Cg::new(space).unwrap();
    space.write(r, 1.0, cg.residual_mut()).unwrap();
    cg.restart(space).unwrap();
    let goal = 1e-5 * space.norm(cg.residual()).unwrap();
    let step = |_: &usize| {
        cg.step(space, multigrid).unwrap();
        space.norm(cg.residual()).unwrap() <= goal
    };
    (1..40).find(step).unwrap_or(40)
}

#[test]
fn conjugate_gradients_take_as_many_steps_as_on_one_rank() {
    let singular = Options::new().constant_null_space(true);
    let cases = [
        ("poisson5:126", case([2, 2], 100)),
        ("jump:130x64:ratio=1000:cell=16", case([3, 1], 50)),
        ("neumann5:60x50", Case { options: singular, ..case([1, 2], 100) }),
    ];
    by_turns(cases, |context, (text, case)| {
        let matrix = stencil(text);
        let b = crate::common::random(matrix.n(), 5).into_iter().map(f64::from);
        let b = matrix.multiply_f64(&b.collect::<Vec<_>>());
        let space = DeviceSpace::new(context, &matrix).unwrap();
        let mut one = Hierarchy::on_device(space.operator(), case.options).unwrap();
        let expected = steps(&space, &b, &mut one);
        let mut parts = Parts::new(context, &matrix, *case);
        let b = stored(parts.space.partition(), &b).concat();
        let got = steps(&parts.space, &b, &mut parts.multigrid);
        assert!(expected < 12 && got <= expected + 1, "{text}: {got}, on one rank {expected}");
        assert_eq!(parts.multigrid.applications(), one.applications());
    });
}

/// The halos of the residual stay valid through steps: a cycle from it equals one from refreshed
/// halos.
#[test]
fn steps_keep_the_halos_of_the_residual() {
    on(&[Flavour::Gl], |context| {
        let matrix = stencil("jump:140x130:ratio=1000:cell=16");
        let mut parts = Parts::new(context, &matrix, case([2, 2], 100));
        let b: Vec<f64> = crate::common::random(matrix.n(), 6).into_iter().map(f64::from).collect();
        let b = stored(parts.space.partition(), &b).concat();
        let Parts { space, multigrid } = &mut parts;
        let mut cg = Cg::new(space).unwrap();
        space.write(&b, 1.0, cg.residual_mut()).unwrap();
        cg.restart(space).unwrap();
        for _ in 0..3 {
            cg.step(space, multigrid).unwrap();
        }
        let mut z = space.vector().unwrap();
        multigrid.apply(space, cg.residual(), &mut z).unwrap();
        let (got, r) = (parts.gathered(&z), parts.gathered(cg.residual()));
        let expected = parts.cycle(&r);
        let largest = expected.iter().fold(0.0_f32, |most, z| most.max(z.abs()));
        let most = if context.abilities().software { 0.0 } else { 1e-5 * largest };
        assert!(got.iter().zip(&expected).all(|(got, z)| (got - z).abs() <= most));
    });
}

#[test]
fn couplings_across_the_ends_of_rows_are_refused() {
    let context = Context::headless().unwrap();
    let matrix = random_matrix(300, 15, true, || 0.5);
    let halo = Halo { steps: 1, across_ends: true };
    let partition = Partition::new((300, 15), [1, 2], halo).unwrap();
    let blocks = [0, 1].map(|rank| matrix.block(&partition.stored(rank)).unwrap());
    let space = RankSpace::new(&team(&context, 2), &partition, &blocks).unwrap();
    let error = Multigrid::new(&space, Options::new(), Distribution::new()).err().unwrap();
    assert!(error.to_string().contains("couples the end of a row of 15"), "{error}");
    assert_eq!(error.kind(), quadrille::Kind::Input);
}
