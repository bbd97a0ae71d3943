//! The Jacobi solver in every layout, stage and way of reading, against its twin in double precision; the tolerance
//! is derived in `common/systems.rs`. All matrices have random couplings across the ends of rows: with those
//! of finite elements, which are zero, a wrong wrap cannot show.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod common;

use common::Flavour;
use common::systems::{System, Twin, doubles, gamma};
use proptest::prelude::*;
use quadrille::Context;
use quadrille::data::{Band, NineBanded, Stencil};
use quadrille::linalg::jacobi::{Jacobi, Layout, Stage, Stop, Variant};
use quadrille::reference::jacobi::residual_f64;
use quadrille::shader::Reads;
use quadrille::stream::card;
use quadrille::{Control, Extent, Progress};

const READS: [Reads; 2] = [Reads::Fetch, Reads::Sample];

/// n and m: one unknown, less than a row, a row, whole rows, and one more or less; rows that fill their texels of
/// four, and rows with one to three lanes left.
const SIZES: [(usize, usize); 18] = [
    (1, 3),
    (2, 3),
    (3, 3),
    (4, 3),
    (10, 3),
    (3, 4),
    (9, 4),
    (16, 4),
    (23, 5),
    (49, 7),
    (50, 7),
    (61, 8),
    (64, 8),
    (7, 13),
    (13, 13),
    (150, 13),
    (16, 16),
    (77, 16),
];

/// Every variant that draws.
fn variants() -> impl Iterator<Item = Variant> {
    Layout::ALL.into_iter().flat_map(|layout| {
        let of = move |stage| READS.map(|reads| variant(layout, stage, reads));
        Stage::DRAWN.into_iter().flat_map(of)
    })
}

/// Every variant that reads as suits its stage, with the compute stage where the context has it.
fn variants_of(context: &Context) -> impl Iterator<Item = Variant> {
    let computes = context.abilities().compute.is_some();
    let dispatched = Layout::ALL.map(|layout| variant(layout, Stage::Compute, Reads::Fetch));
    let dispatched = dispatched.into_iter().filter(move |_| computes);
    variants().filter(|wish| wish.reads == Some(Reads::Sample)).chain(dispatched)
}

fn variant(layout: Layout, stage: Stage, reads: Reads) -> Variant {
    Variant { layout: Some(layout), stage: Some(stage), reads: Some(reads) }
}

/// As many systems as the layout solves at once, each unlike the others.
fn systems(wish: Variant, n: usize, m: usize, seed: u64) -> Vec<System> {
    let count = wish.layout.map_or(1, Layout::systems) as u64;
    (0..count).map(|i| System::random(n, m, 4 * seed + i)).collect()
}

fn solver(context: &Context, systems: &[System], wish: Variant) -> Jacobi {
    let matrices: Vec<&NineBanded> = systems.iter().map(|system| &system.matrix).collect();
    let mut jacobi = Jacobi::with_systems(context, &matrices, wish).unwrap();
    let sides: Vec<&[f32]> = systems.iter().map(|system| system.b.as_slice()).collect();
    let starts: Vec<&[f32]> = systems.iter().map(|system| system.start.as_slice()).collect();
    jacobi.set(&sides, &starts).unwrap();
    jacobi
}

/// Some steps of a variant are where the twin says, and so are the residuals.
fn check(context: &Context, wish: Variant, (n, m): (usize, usize), seed: u64) {
    const STEPS: u64 = 6;
    let systems = systems(wish, n, m, seed);
    let mut jacobi = solver(context, &systems, wish);
    jacobi.iterate(STEPS).unwrap();
    let place = format!("{}, n = {n}, m = {m}", name(&jacobi));
    let got = jacobi.read().unwrap();
    assert_eq!(got.len(), systems.len());
    for (which, (system, x)) in systems.iter().zip(&got).enumerate() {
        let wrong = Twin::after(system, STEPS).first_wrong(x);
        assert_eq!(wrong, None, "system {which} of {place}");
    }
    if !seed.is_multiple_of(3) {
        return; // Compiling the residual's kernels is most of the time.
    }
    let norms = jacobi.residual_norms().unwrap();
    assert_eq!(norms.len(), systems.len());
    for ((system, x), norm) in systems.iter().zip(&got).zip(norms) {
        let (exact, bound) = residual_and_bound(system, x);
        assert!((norm - exact).abs() <= bound, "residual {norm} for {exact} of {place}");
    }
    assert_eq!(jacobi.read().unwrap(), got, "looking at the residual changes nothing: {place}");
}

fn name(jacobi: &Jacobi) -> String {
    let chosen = jacobi.chosen();
    format!("{}, {}, {:?}", chosen.layout, chosen.stage, chosen.reads)
}

/// The norm of b - A x for the x that is there. Each element is off by at most gamma_16 of its terms, counted as a
/// step is, and the norm of the whole by the norm of that and by what the reduction adds.
fn residual_and_bound(system: &System, x: &[f32]) -> (f64, f64) {
    let (x, b) = (doubles(x), system.b_f64());
    let product = system.matrix.multiply_f64(&x);
    let magnitudes: Vec<f64> = x.iter().map(|x| x.abs()).collect();
    let bands = Band::ALL.map(|band| system.matrix.band(band).iter().map(|a| a.abs()).collect());
    let absolute = NineBanded::new(system.matrix.m(), bands).unwrap().multiply_f64(&magnitudes);
    let norm = |v: &mut dyn Iterator<Item = f64>| v.map(|r| r * r).sum::<f64>().sqrt();
    let exact = norm(&mut b.iter().zip(&product).map(|(b, p)| b - p));
    let off = gamma(16.0) * norm(&mut b.iter().zip(&absolute).map(|(b, a)| b.abs() + a));
    (exact, off + gamma(200.0) * exact)
}

#[test]
fn red_agrees_with_its_twin_in_every_stage_and_size() {
    every_size(Layout::Red);
}

#[test]
fn separate_agrees_with_its_twin_in_every_stage_and_size() {
    every_size(Layout::Separate);
}

#[test]
fn rgba_agrees_with_its_twins_in_every_stage_and_size() {
    every_size(Layout::Rgba);
}

#[test]
fn packed_agrees_with_its_twin_in_every_stage_and_size() {
    every_size(Layout::Packed);
}

fn every_size(layout: Layout) {
    common::on(&[Flavour::Gl33], |context| {
        for (stage, reads) in Stage::DRAWN.into_iter().flat_map(|s| READS.map(|r| (s, r))) {
            for (seed, size) in SIZES.into_iter().enumerate() {
                check(context, variant(layout, stage, reads), size, seed as u64);
            }
        }
    });
}

#[test]
fn every_variant_agrees_with_its_twin_on_every_context() {
    common::on(&[Flavour::Gl, Flavour::Gles30, Flavour::Gles], |context| {
        let fetching = variants().filter(|wish| wish.reads == Some(Reads::Fetch));
        for wish in variants_of(context).chain(fetching) {
            check(context, wish, (150, 13), 42);
        }
    });
}

#[test]
fn the_compute_stage_agrees_with_its_twin_in_every_layout_and_size() {
    common::on(&[Flavour::Gl, Flavour::Gles], |context| {
        if context.abilities().compute.is_none() {
            return; // tests/compute.rs makes sure that llvmpipe has it.
        }
        for layout in Layout::ALL {
            for (seed, size) in SIZES.into_iter().enumerate() {
                check(context, variant(layout, Stage::Compute, Reads::Fetch), size, seed as u64);
            }
        }
    });
}

#[test]
fn the_widest_rows_agree_with_their_twin() {
    common::on(&[Flavour::Gl33, Flavour::Gles30], |context| {
        let limit = context.abilities().max_texture_size as usize;
        for (layout, m) in [(Layout::Red, limit), (Layout::Packed, limit / 9 * 4 - 3)] {
            for stage in [Stage::Boundary, Stage::Neighbours] {
                for reads in READS {
                    check(context, variant(layout, stage, reads), (2 * m + m / 3, m), 0);
                }
            }
        }
    });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]
    #[test]
    fn any_shape_agrees_with_its_twin(
        n in 1_usize..400,
        m in prop::sample::select(vec![3_usize, 5, 7, 11, 13, 17, 19, 23, 29, 31]),
        which in 0_usize..32,
        seed in any::<u32>()
    ) {
        let wish = variants().nth(which).unwrap();
        common::on(&[Flavour::Gl33], |context| check(context, wish, (n, m), u64::from(seed)));
    }
}

/// Whether a coupling goes across the end of a grid row.
fn wraps(row: usize, band: Band, m: usize) -> bool {
    match band {
        Band::DL | Band::LL | Band::UL => row.is_multiple_of(m),
        Band::DU | Band::LU | Band::UU => row % m == m - 1,
        Band::DD | Band::LD | Band::UD => false,
    }
}

#[test]
fn the_comparison_notices_a_missing_wrap() {
    common::on(&[Flavour::Gl33], |context| {
        let (n, m) = (150, 13);
        for wish in variants() {
            let systems = systems(wish, n, m, 2);
            let mut jacobi = solver(context, &systems, wish);
            jacobi.iterate(3).unwrap();
            for (system, x) in systems.iter().zip(jacobi.read().unwrap()) {
                assert_eq!(Twin::after(system, 3).first_wrong(&x), None);
                for side in [0, m - 1] {
                    let cut = system.without(|row, band| row % m == side && wraps(row, band, m));
                    assert!(Twin::after(&cut, 3).first_wrong(&x).is_some(), "{}", name(&jacobi));
                }
            }
        }
    });
}

#[test]
fn the_comparison_notices_any_one_coupling_and_any_other_system() {
    common::on(&[Flavour::Gl33], |context| {
        let (n, m) = (23, 5);
        let wish = variant(Layout::Rgba, Stage::Neighbours, Reads::Sample);
        let systems = systems(wish, n, m, 6);
        let mut jacobi = solver(context, &systems, wish);
        jacobi.iterate(1).unwrap();
        let got = jacobi.read().unwrap();
        for (i, system) in systems.iter().enumerate() {
            for band in Band::ALL.into_iter().skip(1) {
                for row in band.rows(n, m) {
                    let broken = system.without(|r, b| (r, b) == (row, band));
                    assert_eq!(Twin::after(&broken, 1).first_wrong(&got[i]), Some(row), "{band}");
                }
            }
            for (j, x) in got.iter().enumerate() {
                assert_eq!(Twin::after(system, 1).first_wrong(x).is_none(), i == j);
            }
            assert!(Twin::after(system, 2).first_wrong(&got[i]).is_some(), "one step is not two");
        }
    });
}

#[test]
fn lines_are_drawn_where_they_cover() {
    common::on(&[Flavour::Gl33], |context| {
        let systems = [System::random(150, 13, 1)];
        for stage in Stage::DRAWN {
            let jacobi = solver(context, &systems, variant(Layout::Red, stage, Reads::Fetch));
            let covers = card::lines_cover(context, Extent::new(13, 12)).unwrap();
            let expected = (stage >= Stage::Boundary).then_some(covers);
            assert_eq!(jacobi.draws_lines(), expected, "{stage}");
        }
    });
}

#[test]
fn all_variants_solve_the_heat_step_to_the_same_answer() {
    common::on(&[Flavour::Gl33], |context| {
        let matrix = "heat9:24x17".parse::<Stencil>().unwrap().matrix().unwrap();
        let solution = common::random(matrix.n(), 8);
        let b: Vec<f32> =
            matrix.multiply_f64(&doubles(&solution)).iter().map(|b| *b as f32).collect();
        for wish in variants() {
            let count = wish.layout.unwrap().systems();
            let mut jacobi = Jacobi::with_systems(context, &vec![&matrix; count], wish).unwrap();
            let (sides, zero) = (vec![b.as_slice(); count], vec![0.0; matrix.n()]);
            let starts = vec![zero.as_slice(); count];
            let found =
                jacobi.solve_observed(&sides, &starts, Stop::residual(1e-5), &mut ()).unwrap();
            assert_eq!((found.converged, found.stopped), (Some(true), false));
            assert!(found.residual <= 1e-5);
            for x in &found.systems {
                let exact = residual_f64(&matrix, &doubles(x), &doubles(&b));
                assert!(exact < 2e-5, "{exact}: {}", name(&jacobi));
                // The least eigenvalue of the heat step is 1, so the error is no larger than the residual.
                let norm = b.iter().map(|b| f64::from(*b).powi(2)).sum::<f64>().sqrt();
                let error: f64 =
                    x.iter().zip(&solution).map(|(x, s)| f64::from(x - s).powi(2)).sum();
                assert!(error.sqrt() <= 2e-5 * norm, "{}", name(&jacobi));
            }
        }
    });
}

#[test]
fn exactly_as_many_iterations_are_done_as_were_asked_for() {
    common::on(&[Flavour::Gl33, Flavour::Gles30], |context| {
        let system = System::random(61, 8, 3);
        let mut jacobi = Jacobi::new(context, &system.matrix, Variant::default()).unwrap();
        for count in [0, 1, 2, 7, 8, 9, 31] {
            let zero = System { start: vec![0.0; 61], ..system.clone() };
            let found = jacobi.solve(&system.b, Stop::iterations(count)).unwrap();
            assert_eq!((found.iterations, found.converged, found.stopped), (count, None, false));
            assert_eq!(Twin::after(&zero, count).first_wrong(found.x()), None, "{count}");
            let (exact, bound) = residual_and_bound(&system, found.x());
            let norm = system.b_f64().iter().map(|b| b * b).sum::<f64>().sqrt();
            assert!((found.residual * norm - exact).abs() <= bound);
        }
    });
}

#[test]
fn a_limit_of_iterations_stops_before_the_tolerance_and_says_so() {
    common::on(&[Flavour::Gl33], |context| {
        let system = System::random(61, 8, 3);
        let mut jacobi = Jacobi::new(context, &system.matrix, Variant::default()).unwrap();
        let found = jacobi.solve(&system.b, Stop::residual(1e-6).within(3)).unwrap();
        assert_eq!((found.iterations, found.converged), (3, Some(false)));
        assert!(found.residual > 1e-6);
        let found = jacobi.solve(&system.b, Stop::residual(0.0).within(5)).unwrap();
        assert_eq!((found.iterations, found.converged), (5, Some(false)));
    });
}

#[test]
fn a_tolerance_that_floats_cannot_reach_ends_and_says_so() {
    common::on(&[Flavour::Gl33, Flavour::Gles30], |context| {
        for (stencil, most) in [("heat9:24", 10_000), ("fe9:16", 100_000)] {
            let matrix = stencil.parse::<Stencil>().unwrap().matrix().unwrap();
            let b = common::random(matrix.n(), 1);
            let mut jacobi = Jacobi::new(context, &matrix, Variant::default()).unwrap();
            let found = jacobi.solve(&b, Stop::residual(1e-12)).unwrap();
            assert_eq!((found.converged, found.stagnated), (Some(false), true), "{stencil}");
            assert!(found.iterations < most, "{stencil}: {} iterations", found.iterations);
            // It did not give up early: this is what rounding leaves.
            assert!(found.residual < 1e-5, "{stencil}: {}", found.residual);
            let found = jacobi.solve(&b, Stop::residual(1e-4)).unwrap();
            assert_eq!((found.converged, found.stagnated), (Some(true), false), "{stencil}");
            let found = jacobi.solve(&b, Stop::iterations(5000)).unwrap();
            assert_eq!((found.iterations, found.stagnated), (5000, false), "{stencil}");
        }
    });
}

#[test]
fn a_solver_takes_one_right_hand_side_after_another() {
    common::on(&[Flavour::Gl33], |context| {
        for layout in [Layout::Red, Layout::Packed] {
            let wish = variant(layout, Stage::Boundary, Reads::Fetch);
            let mut system = System::random(61, 8, 3);
            let mut jacobi = solver(context, &[system.clone()], wish);
            for seed in 0..4 {
                system.b = common::random(61, seed);
                let zero = System { start: vec![0.0; 61], ..system.clone() };
                let found = jacobi.solve(&system.b, Stop::iterations(4)).unwrap();
                assert_eq!(Twin::after(&zero, 4).first_wrong(found.x()), None);
            }
        }
    });
}

#[test]
fn a_right_hand_side_of_zeros_has_the_solution_zero() {
    common::on(&[Flavour::Gl33], |context| {
        let system = System::random(61, 8, 3);
        let mut jacobi = Jacobi::new(context, &system.matrix, Variant::default()).unwrap();
        let found = jacobi.solve(&[0.0; 61], Stop::residual(1e-5)).unwrap();
        assert_eq!((found.x(), found.residual), ([0.0; 61].as_slice(), 0.0));
        assert_eq!((found.iterations, found.converged), (0, Some(true)));
        // From another start it has to be found, and the residual is not relative to zero.
        let sides: [&[f32]; 1] = [&[0.0; 61]];
        let found =
            jacobi.solve_observed(&sides, &[&system.start], Stop::residual(1e-5), &mut ()).unwrap();
        assert!(found.iterations > 0 && found.residual <= 1e-5);
    });
}

#[test]
fn the_size_of_the_right_hand_side_does_not_matter() {
    common::on(&[Flavour::Gl33], |context| {
        for wish in [Layout::Red, Layout::Rgba, Layout::Packed]
            .map(|layout| variant(layout, Stage::Neighbours, Reads::Sample))
        {
            let systems = systems(wish, 61, 8, 3);
            let mut jacobi = solver(context, &systems, wish);
            let zero = vec![0.0; 61];
            let starts = vec![zero.as_slice(); systems.len()];
            // Squares of these leave the range of floats at either end.
            for scale in [1e-25_f32, 1e-12, 1.0, 1e12, 1e25] {
                let b: Vec<Vec<f32>> =
                    systems.iter().map(|s| s.b.iter().map(|b| b * scale).collect()).collect();
                let sides: Vec<&[f32]> = b.iter().map(Vec::as_slice).collect();
                let found = jacobi
                    .solve_observed(&sides, &starts, Stop::residual(1e-5), &mut ())
                    .unwrap_or_else(|error| panic!("scale {scale:e}: {error}"));
                assert_eq!(found.converged, Some(true));
                for ((system, b), x) in systems.iter().zip(&b).zip(&found.systems) {
                    let exact = residual_f64(&system.matrix, &doubles(x), &doubles(b));
                    assert!(exact < 2e-5, "scale {scale:e}: {exact}, {}", name(&jacobi));
                }
            }
        }
    });
}

#[test]
fn the_observer_sees_the_residual_fall_and_the_forecast_come_true() {
    common::on(&[Flavour::Gl33], |context| {
        let matrix = "fe9:24".parse::<Stencil>().unwrap().matrix().unwrap();
        let b = common::random(matrix.n(), 1);
        let mut jacobi = Jacobi::new(context, &matrix, Variant::default()).unwrap();
        let mut seen: Vec<Progress> = Vec::new();
        let mut watch = |progress: &Progress| {
            seen.push(*progress);
            Control::Continue
        };
        let zero = vec![0.0; matrix.n()];
        let found =
            jacobi.solve_observed(&[&b], &[&zero], Stop::residual(1e-4), &mut watch).unwrap();
        assert!(seen.len() > 3);
        assert!(seen.windows(2).all(|pair| pair[0].done < pair[1].done));
        let last = seen.last().unwrap();
        assert_eq!((last.done, last.residual), (found.iterations, Some(found.residual)));
        assert_eq!(last.expected, Some(found.iterations));
        // Finite elements make the residual fall steadily: half way the forecast is good.
        let half = seen.iter().find(|progress| 2 * progress.done >= found.iterations).unwrap();
        let expected = half.expected.unwrap() as f64;
        let count = found.iterations as f64;
        assert!((0.5..2.0).contains(&(expected / count)), "{expected} forecast of {count}");
    });
}

#[test]
fn the_observer_stops_it_with_what_there_is() {
    common::on(&[Flavour::Gl33], |context| {
        let system = System::random(150, 13, 3);
        let mut jacobi = Jacobi::new(context, &system.matrix, Variant::default()).unwrap();
        let mut stop = |_: &Progress| Control::Stop;
        let zero = System { start: vec![0.0; 150], ..system.clone() };
        for (wish, converged) in
            [(Stop::residual(1e-30), Some(false)), (Stop::iterations(1_000_000), None)]
        {
            let found =
                jacobi.solve_observed(&[&system.b], &[&zero.start], wish, &mut stop).unwrap();
            assert!(found.stopped && found.iterations > 0 && found.iterations < 1000);
            assert_eq!(found.converged, converged);
            assert_eq!(Twin::after(&zero, found.iterations).first_wrong(found.x()), None);
        }
    });
}

#[test]
fn iterating_makes_no_object_and_takes_no_memory() {
    common::each(|context| {
        for wish in variants_of(context) {
            let systems = systems(wish, 150, 13, 5);
            let mut jacobi = solver(context, &systems, wish);
            jacobi.iterate(1).unwrap();
            jacobi.residual_norms().unwrap();
            let before = context.objects().unwrap();
            for _ in 0..10 {
                jacobi.iterate(7).unwrap();
                jacobi.residual_norms().unwrap();
                assert_eq!(context.objects().unwrap(), before, "{}", name(&jacobi));
            }
        }
    });
}

#[test]
fn memory_is_the_bands_the_right_hand_side_two_iterates_and_a_tenth_at_most() {
    common::on(&[Flavour::Gl], |context| {
        let matrix = "heat9:256".parse::<Stencil>().unwrap().matrix().unwrap();
        let b = common::random(matrix.n(), 1);
        for wish in variants_of(context) {
            let count = wish.layout.unwrap().systems();
            let mut jacobi = Jacobi::with_systems(context, &vec![&matrix; count], wish).unwrap();
            let (sides, zero) = (vec![b.as_slice(); count], vec![0.0; matrix.n()]);
            let starts = vec![zero.as_slice(); count];
            jacobi.solve_observed(&sides, &starts, Stop::iterations(20), &mut ()).unwrap();
            let need = (9 + 1 + 2) * 4 * matrix.n() as u64 * count as u64;
            let held = context.objects().unwrap().bytes;
            assert!(held >= need, "{held} bytes cannot hold it: {}", name(&jacobi));
            assert!(held * 10 <= need * 11, "{held} bytes for {need}: {}", name(&jacobi));
        }
    });
}
