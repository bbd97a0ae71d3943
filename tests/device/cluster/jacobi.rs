//! Jacobi's iteration on several ranks has the bits of one rank's.

use crate::common::ranks::{joined, random_matrix, stored, team};
use crate::common::{Flavour, by_turns, by_turns_on, is_thorough};
use quadrille::cluster::{Checkpointer, Partition, jacobi};
use quadrille::data::NineBanded;
use quadrille::grid::Halo;
use quadrille::linalg::jacobi::{Error, Jacobi, Layout, Optimization, Stop, Variant};
use quadrille::{Context, Progress};
use rand::{RngExt, SeedableRng};

struct Case {
    size: (usize, usize),
    across: [usize; 2],
    steps: usize,
    across_ends: bool,
    variant: Variant,
}

/// Systems of a case, as many as its layout has: matrices, right-hand sides and first x.
struct Systems {
    matrices: Vec<NineBanded>,
    b: Vec<Vec<f32>>,
    x: Vec<Vec<f32>>,
}

fn systems(case: &Case, seed: u64) -> Systems {
    let mut generator = rand_pcg::Pcg64Mcg::seed_from_u64(seed);
    let mut next = || generator.random_range(-1.0..1.0_f32);
    let ((n, m), count) = (case.size, case.variant.layout.map_or(1, Layout::systems));
    let matrices = (0..count).map(|_| random_matrix(n, m, case.across_ends, &mut next)).collect();
    let mut vectors = || (0..count).map(|_| (0..n).map(|_| next()).collect()).collect();
    Systems { matrices, b: vectors(), x: vectors() }
}

fn partition(case: &Case) -> Partition {
    let halo = Halo { steps: case.steps, across_ends: case.across_ends };
    Partition::new(case.size, case.across, halo).unwrap()
}

/// The vectors of each system as ranks store them: by rank, then by system.
fn by_rank(partition: &Partition, systems: &[Vec<f32>]) -> Vec<Vec<Vec<f32>>> {
    let of_systems: Vec<_> = systems.iter().map(|vector| stored(partition, vector)).collect();
    let of_rank = |rank: usize| of_systems.iter().map(|ranks| ranks[rank].clone()).collect();
    (0..partition.ranks()).map(of_rank).collect()
}

fn slices(vectors: &[Vec<f32>]) -> Vec<&[f32]> {
    vectors.iter().map(Vec::as_slice).collect()
}

fn on_ranks(context: &Context, case: &Case, systems: &Systems) -> jacobi::Jacobi {
    made_on_ranks(context, case, systems).unwrap()
}

fn made_on_ranks(
    context: &Context,
    case: &Case,
    systems: &Systems,
) -> Result<jacobi::Jacobi, quadrille::cluster::Error> {
    let partition = partition(case);
    let team = team(context, partition.ranks());
    let blocks: Vec<Vec<NineBanded>> = (0..partition.ranks())
        .map(|rank| {
            let block = partition.stored(rank);
            systems.matrices.iter().map(|matrix| matrix.block(&block).unwrap()).collect()
        })
        .collect();
    let blocks: Vec<Vec<&NineBanded>> = blocks.iter().map(|of| of.iter().collect()).collect();
    let blocks: Vec<&[&NineBanded]> = blocks.iter().map(Vec::as_slice).collect();
    jacobi::Jacobi::new(&team, &partition, &blocks, case.variant)
}

fn set(jacobi: &mut jacobi::Jacobi, systems: &Systems) {
    let (b, x) = (by_rank(jacobi.partition(), &systems.b), by_rank(jacobi.partition(), &systems.x));
    let (b, x): (Vec<_>, Vec<_>) =
        (b.iter().map(|b| slices(b)).collect(), x.iter().map(|x| slices(x)).collect());
    let (b, x): (Vec<_>, Vec<_>) =
        (b.iter().map(Vec::as_slice).collect(), x.iter().map(Vec::as_slice).collect());
    jacobi.set_systems(&b, &x).unwrap();
}

fn check(context: &Context, case: &Case, seed: u64) {
    let systems = systems(case, seed);
    let matrices: Vec<_> = systems.matrices.iter().collect();
    let one = Jacobi::with_systems(context, &matrices, case.variant);
    let several = made_on_ranks(context, case, &systems);
    // Devices that divide by reciprocals refuse some widths.
    let (mut one, mut several) = match (one, several) {
        (Err(Error::FloorInexact { .. }), _) => return,
        (_, Err(quadrille::cluster::Error::Jacobi(Error::FloorInexact { .. }))) => return,
        (one, several) => (one.unwrap(), several.unwrap()),
    };
    one.set_systems(&slices(&systems.b), &slices(&systems.x)).unwrap();
    set(&mut several, &systems);
    let place =
        format!("{:?} on {:?}, halo {}, {:?}", case.size, case.across, case.steps, one.variant());
    for (steps, overlaps) in [(3, true), (5, false), (1, true)] {
        several.overlap(overlaps);
        one.iterate(steps).unwrap();
        several.iterate(steps).unwrap();
        let (expected, got) = (one.read().unwrap(), several.read().unwrap());
        for (system, expected) in expected.iter().enumerate() {
            let owned: Vec<_> = got.iter().map(|systems| systems[system].clone()).collect();
            let got = joined(several.partition(), &owned);
            let bits = |x: &[f32]| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            assert!(bits(&got) == bits(expected), "{place}, system {system}");
        }
        let norms =
            one.residual_norms().unwrap().into_iter().zip(several.residual_norms().unwrap());
        for (expected, got) in norms {
            assert!((got - expected).abs() <= 1e-5 * expected, "{place}: {got}, {expected}");
        }
    }
}

fn variant(layout: Layout, optimization: Optimization) -> Variant {
    Variant::default().layout(layout).optimization(optimization)
}

#[test]
fn x_has_the_bits_of_one_rank() {
    let mut cases = Vec::new();
    for layout in Layout::ALL {
        for (index, optimization) in Optimization::ALL.into_iter().enumerate() {
            let (size, across, steps) = [
                ((61 * 40, 61), [2, 2], 2),
                ((37 * 23, 37), [3, 1], 1),
                ((20 * 51, 20), [1, 4], 5),
                ((13 * 30, 13), [2, 3], 3),
            ][(index + layout as usize) % 4];
            let variant = variant(layout, optimization);
            cases.push(Case { size, across, steps, across_ends: false, variant });
        }
    }
    by_turns_on(&[Flavour::Gl, Flavour::Gles], cases, |context, case| {
        let computes = context.abilities().compute.is_some();
        if computes || case.variant.optimization != Some(Optimization::Compute) {
            check(context, case, 3);
        }
    });
}

/// Strips, of grids whose rows go on in the next or whose last row is shorter.
#[test]
fn x_has_the_bits_of_one_rank_across_the_ends_of_rows() {
    let mut cases = Vec::new();
    for (size, ranks, steps) in [((700, 13), 4, 1), ((701, 17), 3, 4), ((64 * 9, 64), 2, 2)] {
        for layout in [Layout::Packed, Layout::Red] {
            let variant = Variant::default().layout(layout);
            cases.push(Case { size, across: [1, ranks], steps, across_ends: true, variant });
        }
    }
    by_turns(cases, |context, case| check(context, case, 5));
}

/// Tries random shapes and ranks, also where each rank has several panels.
#[test]
fn x_has_the_bits_of_one_rank_at_random() {
    let mut generator = rand_pcg::Pcg64Mcg::seed_from_u64(11);
    let mut up_to = |most: usize| generator.random_range(1..=most);
    let mut cases = Vec::new();
    while cases.len() < if is_thorough() { 60 } else { 12 } {
        let (width, height, steps) = (2 + up_to(70), up_to(60), up_to(6));
        let across = [up_to(3), up_to(4)];
        let halo = Halo { steps, across_ends: false };
        if Partition::new((width * height, width), across, halo).is_ok() {
            let size = (width * height, width);
            let variant = Variant::default();
            cases.push(Case { size, across, steps, across_ends: false, variant });
        }
    }
    by_turns(cases, |context, case| check(context, case, 7));
}

#[test]
fn ranks_of_several_panels_have_the_bits_of_one() {
    use quadrille::internal::Ability;
    let small = Context::builder().without(Ability::LargerTextures(100)).build().unwrap();
    for (across, steps) in [([2, 2], 1), ([1, 2], 4), ([2, 1], 2)] {
        let size = (90 * 130, 90);
        let variant = Variant::default();
        check(&small, &Case { size, across, steps, across_ends: false, variant }, 9);
    }
}

/// A copy that is left out, or goes astray, shows.
#[test]
fn without_messages_x_is_another() {
    let context = Context::headless().unwrap();
    let variant = Variant::default();
    let case = Case { size: (61 * 40, 61), across: [2, 2], steps: 2, across_ends: false, variant };
    let systems = systems(&case, 3);
    let mut several = on_ranks(&context, &case, &systems);
    set(&mut several, &systems);
    several.iterate(5).unwrap();
    let right = several.read().unwrap();
    set(&mut several, &systems);
    several.iterate_alone(5).unwrap();
    assert_ne!(several.read().unwrap(), right);
}

#[test]
fn a_solution_is_that_of_one_rank() {
    by_turns([1e-6_f32, 1.0, 1e20], |context, factor| {
        let variant = Variant::default();
        let case =
            Case { size: (61 * 40, 61), across: [2, 3], steps: 3, across_ends: false, variant };
        let mut systems = systems(&case, 4);
        systems.b[0].iter_mut().for_each(|b| *b *= factor);
        systems.x[0].fill(0.0);
        let mut several = on_ranks(context, &case, &systems);
        let (b, x) =
            (by_rank(several.partition(), &systems.b), by_rank(several.partition(), &systems.x));
        let (b, x): (Vec<_>, Vec<_>) =
            (b.iter().map(|b| slices(b)).collect(), x.iter().map(|x| slices(x)).collect());
        let (b, x): (Vec<_>, Vec<_>) =
            (b.iter().map(Vec::as_slice).collect(), x.iter().map(Vec::as_slice).collect());
        let mut looks = 0;
        let mut count = |_: &Progress| {
            looks += 1;
            quadrille::Control::Continue
        };
        let solution = several.solve(&b, &x, Stop::residual(1e-5), &mut count).unwrap();
        assert!(looks > 0 && solution.converged == Some(true) && solution.residual <= 1e-5);
        let mut one = Jacobi::new(context, &systems.matrices[0], variant).unwrap();
        let expected = one
            .solve_observed(
                &[&systems.b[0]],
                &[&systems.x[0]],
                Stop::iterations(solution.iterations),
                &mut (),
            )
            .unwrap();
        let owned: Vec<_> = solution.systems.iter().map(|systems| systems[0].clone()).collect();
        assert_eq!(joined(several.partition(), &owned), expected.x());
        let ratio = solution.residual / expected.residual;
        assert!((ratio - 1.0).abs() < 1e-12, "{ratio}");
    });
}

/// Keeps x at the second look.
struct Second {
    looks: u32,
    kept: Option<(u64, jacobi::Owned)>,
}

impl Checkpointer<jacobi::Owned> for Second {
    fn is_due(&mut self) -> bool {
        self.looks += 1;
        self.looks == 2
    }

    fn keep(&mut self, done: u64, x: &jacobi::Owned) -> Result<(), quadrille::cluster::Error> {
        self.kept = Some((done, x.clone()));
        Ok(())
    }
}

#[test]
fn other_ranks_go_on_from_what_was_kept_to_the_same_bits() {
    by_turns([([1, 3], [2, 2]), ([2, 1], [1, 4])], |context, (before, after)| {
        let variant = Variant::default();
        let case =
            |across| Case { size: (61 * 40, 61), across, steps: 2, across_ends: false, variant };
        let (first, second) = (case(*before), case(*after));
        let mut systems = systems(&first, 6);
        let solve = |case: &Case, systems: &Systems, stop: Stop, checkpointer: &mut Second| {
            let mut jacobi = on_ranks(context, case, systems);
            let partition = jacobi.partition().clone();
            let (b, x) = (by_rank(&partition, &systems.b), by_rank(&partition, &systems.x));
            let (b, x): (Vec<_>, Vec<_>) =
                (b.iter().map(|b| slices(b)).collect(), x.iter().map(|x| slices(x)).collect());
            let (b, x): (Vec<_>, Vec<_>) =
                (b.iter().map(Vec::as_slice).collect(), x.iter().map(Vec::as_slice).collect());
            let solution = jacobi.solve_keeping(&b, &x, stop, &mut (), checkpointer).unwrap();
            let owned: Vec<_> = solution.systems.iter().map(|x| x[0].clone()).collect();
            joined(&partition, &owned)
        };
        let mut checkpointer = Second { looks: 0, kept: None };
        let whole = solve(&first, &systems, Stop::iterations(50), &mut checkpointer);
        let (done, kept) = checkpointer.kept.unwrap();
        assert!(done > 0 && done < 50);
        let kept: Vec<_> = kept.iter().map(|x| x[0].clone()).collect();
        systems.x[0] = joined(&partition(&first), &kept);
        let mut checkpointer = Second { looks: 9, kept: None };
        let rest = solve(&second, &systems, Stop::iterations(50 - done), &mut checkpointer);
        assert!(rest.iter().zip(&whole).all(|(a, b)| a.to_bits() == b.to_bits()));
    });
}
