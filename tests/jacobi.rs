//! The Jacobi solver in every layout, stage and way of reading, against its twin in double precision; the tolerance
//! is derived in `common/systems.rs`. All matrices have random couplings across the ends of rows: with those
//! of finite elements, which are zero, a wrong wrap cannot show.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

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
    (1, 3), (2, 3), (3, 3), (4, 3), (10, 3), (3, 4), (9, 4), (16, 4), (23, 5), (49, 7), (50, 7),
    (61, 8), (64, 8), (7, 13), (13, 13), (150, 13), (16, 16), (77, 16),
];

fn variants() -> impl Iterator<Item = Variant> {
    Layout::ALL.into_iter().flat_map(|layout| {
        Stage::ALL.into_iter().flat_map(move |stage| {
            READS.map(|reads| Variant {
                layout: Some(layout),
                stage: Some(stage),
                reads: Some(reads),
            })
        })
    })
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
        for (stage, reads) in Stage::ALL.into_iter().flat_map(|s| READS.map(|r| (s, r))) {
            for (seed, size) in SIZES.into_iter().enumerate() {
                check(context, variant(layout, stage, reads), size, seed as u64);
            }
        }
    });
}

#[test]
fn every_variant_agrees_with_its_twin_on_every_context() {
    common::on(&[Flavour::Gl, Flavour::Gles30, Flavour::Gles], |context| {
        for wish in variants() {
            check(context, wish, (150, 13), 40);
        }
    });
}
