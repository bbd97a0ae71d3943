//! The Jacobi solver in every layout, stage and way of reading, against its twin in double
//! precision; the tolerance is derived in `common/systems.rs`. All matrices have random couplings
//! across the ends of rows: with those of finite elements, which are zero, a wrong wrap cannot
//! show.

use crate::common::planted::faults_must_be_seen;
use crate::common::systems::{System, Twin};
use crate::common::variants::{
    READS, name, residual_and_bound, shaped, solver, systems, variant, variants, variants_of,
};
use crate::common::{Flavour, by_turns_on, is_thorough};
use proptest::prelude::*;
use quadrille::data::Band;
use quadrille::internal::reference::is_near;
use quadrille::linalg::jacobi::{ComputeShape, Jacobi, Layout, Optimization, Variant};
use quadrille::shader::Reads;
use quadrille::stream::facts;
use quadrille::{Context, Extent};

/// n and m: one unknown, less than a row, a row, whole rows, and one more or less; rows that fill
/// their texels of four, and rows with one to three lanes left.
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

/// Some steps of a variant are where the twin says, and so are the residuals.
fn check(context: &Context, chosen: Variant, (n, m): (usize, usize), seed: u64) {
    let systems = systems(chosen, n, m, seed);
    check_solver(solver(context, &systems, chosen), &systems, seed);
}

fn check_solver(mut jacobi: Jacobi, systems: &[System], seed: u64) {
    const STEPS: u64 = 6;
    jacobi.iterate(STEPS).unwrap();
    let m = systems[0].matrix.m();
    let place = format!("{}, n = {}, m = {m}", name(&jacobi), jacobi.n());
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
        assert!(is_near(norm, exact, bound), "residual {norm} for {exact} of {place}");
    }
    assert_eq!(jacobi.read().unwrap(), got, "looking at the residual changes nothing: {place}");
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
    crate::common::on(&[Flavour::Gl33], |context| {
        for (which, stage) in Optimization::DRAWN.into_iter().enumerate() {
            for (seed, size) in sizes(which) {
                // Each stage is read in both ways.
                let reads = READS[(which + seed / 4) % 2];
                check(context, variant(layout, stage, reads), size, seed as u64);
            }
        }
    });
}

/// The sizes for one of four variants, with a seed for each: where the test need not be thorough,
/// each size is for one of them. Making a solver is most of the time.
fn sizes(which: usize) -> impl Iterator<Item = (usize, (usize, usize))> {
    let step = if is_thorough() { 1 } else { 4 };
    SIZES.into_iter().enumerate().skip(which % step).step_by(step)
}

#[test]
fn every_variant_agrees_with_its_twin_on_every_context() {
    // Where the test need not be thorough, one context has the stages that the other leaves out.
    let check_all = |context: &Context, turn: usize, all: Vec<Variant>| {
        for chosen in all {
            let stage = chosen.optimization.map_or(0, |stage| stage as usize);
            let layout = chosen.layout.map_or(0, |layout| layout as usize);
            if is_thorough() || (stage + layout) % 2 == turn {
                check(context, chosen, (150, 13), 42);
            }
        }
    };
    crate::common::on(&[Flavour::Gl], |context| {
        check_all(context, 0, variants_of(context).collect());
    });
    crate::common::on(&[Flavour::Gles30], |context| check_all(context, 1, variants().collect()));
}

#[test]
fn the_compute_stage_agrees_with_its_twin_in_every_layout_and_size() {
    let layouts = Layout::ALL.into_iter().enumerate();
    by_turns_on(&[Flavour::Gl, Flavour::Gles], layouts, |context, (which, layout)| {
        if context.abilities().compute.is_none() {
            return crate::common::not_tested("no compute shaders"); // tests/compute.rs makes sure that llvmpipe has it.
        }
        let chosen = variant(*layout, Optimization::Compute, Reads::Fetch);
        sizes(*which).for_each(|(seed, size)| check(context, chosen, size, seed as u64));
    });
}

/// Every size again, half of them for a layout: widths around and below those of a work group, and
/// its border on every side.
#[test]
fn every_shape_of_the_compute_stage_agrees_with_the_twin() {
    const SHAPES: [ComputeShape; 5] = [
        ComputeShape::TILE,
        ComputeShape { group: [8, 8], ..ComputeShape::TILE },
        ComputeShape { group: [4, 2], tile: true, panels: false },
        ComputeShape { group: [2, 2], tile: false, panels: true },
        ComputeShape { group: [16, 16], tile: false, panels: true },
    ];
    crate::common::on(&[Flavour::Gl], |context| {
        if context.abilities().compute.is_none() {
            return crate::common::not_tested("no compute shaders"); // tests/compute.rs makes sure that llvmpipe has it.
        }
        for (which, layout) in Layout::ALL.into_iter().enumerate() {
            let sizes = SIZES.into_iter().chain([(1300, 131)]).enumerate();
            for (seed, size) in sizes.skip(which % 2).step_by(2) {
                let chosen = variant(layout, Optimization::Compute, Reads::Fetch);
                let shape = SHAPES[(which + seed) % SHAPES.len()];
                let systems = systems(chosen, size.0, size.1, seed as u64);
                check_solver(shaped(context, &systems, chosen, shape), &systems, seed as u64);
            }
        }
    });
}

#[test]
fn the_widest_rows_agree_with_their_twin() {
    use Optimization::{Boundary, Neighbours};
    use Reads::{Fetch, Sample};
    // In this order each context has either stage and either way of reading.
    let both = [(Boundary, Fetch), (Boundary, Sample), (Neighbours, Sample), (Neighbours, Fetch)];
    let cases =
        [Layout::Red, Layout::Packed].map(|layout| both.map(|(s, r)| variant(layout, s, r)));
    by_turns_on(&[Flavour::Gl33, Flavour::Gles30], cases.into_iter().flatten(), |context, case| {
        let limit = context.abilities().max_texture_size as usize;
        let m = if case.layout == Some(Layout::Red) { limit } else { limit / 10 * 4 - 3 };
        check(context, *case, (2 * m + m / 3, m), 0);
    });
}

#[test]
fn rows_too_long_for_packed_go_to_red_unless_packed_was_asked_for() {
    crate::common::on(&[Flavour::Gl33], |context| {
        let m = context.abilities().max_texture_size as usize;
        let System { matrix, .. } = System::random(m + 1, m, 1);
        let chosen = Jacobi::new(context, &matrix, Variant::default()).unwrap().variant();
        assert_eq!(chosen.layout, Layout::Red);
        let packed = Variant::new().layout(Layout::Packed);
        let error = Jacobi::new(context, &matrix, packed).err().unwrap().to_string();
        assert!(error.contains("layout packed of up to"), "{error}");
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
        let chosen = variants().nth(which).unwrap();
        crate::common::on(&[Flavour::Gl33], |context| check(context, chosen, (n, m), u64::from(seed)));
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
    crate::common::on(&[Flavour::Gl33], |context| {
        let (n, m) = (150, 13);
        for chosen in variants() {
            let systems = systems(chosen, n, m, 2);
            let mut jacobi = solver(context, &systems, chosen);
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
    crate::common::on(&[Flavour::Gl33], |context| {
        let (n, m) = (23, 5);
        let chosen = variant(Layout::Rgba, Optimization::Neighbours, Reads::Sample);
        let systems = systems(chosen, n, m, 6);
        let mut jacobi = solver(context, &systems, chosen);
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
    crate::common::on(&[Flavour::Gl33], |context| {
        let systems = [System::random(150, 13, 1)];
        for stage in Optimization::DRAWN {
            let jacobi = solver(context, &systems, variant(Layout::Red, stage, Reads::Fetch));
            let covers = facts::covering_lines(context, Extent::new(13, 12)).unwrap().is_some();
            let expected = (stage >= Optimization::Boundary).then_some(covers);
            assert_eq!(jacobi.draws_lines(), expected, "{stage}");
        }
    });
}

#[test]
fn an_iterate_that_is_twice_its_bound_away_is_wrong_wherever_it_is() {
    let twin = Twin::after(&System::random(61, 8, 3), 3);
    faults_must_be_seen(&twin.expected(), |got| twin.first_wrong(got).is_none());
    let right: Vec<f32> = twin.x.iter().map(|x| *x as f32).collect();
    let unbounded = Twin { bound: vec![f64::INFINITY; 61], x: twin.x.clone() };
    assert_eq!(unbounded.first_wrong(&right), Some(0));
}

#[test]
fn a_residual_that_is_twice_its_bound_away_or_lost_a_coupling_is_wrong() {
    for (n, m) in [(1, 3), (2, 3), (7, 3)] {
        let system = System::random(n, m, 3);
        let (exact, bound) = residual_and_bound(&system, &system.start);
        faults_must_be_seen(&[(exact, bound)], |got| match got {
            [norm] => is_near(*norm, exact, bound),
            _ => false,
        });
        for lost in Band::ALL.into_iter().filter(|band| system.matrix.band(*band)[n / 2] != 0.0) {
            let fewer = system.without(|row, band| (row, band) == (n / 2, lost));
            let (other, _) = residual_and_bound(&fewer, &system.start);
            assert!(!is_near(other, exact, bound), "{lost} of {n}");
        }
    }
}
