//! The CPU versions of a Jacobi step against each other and against double precision.
//!
//! A row of either single-precision version passes at most 12 roundings on its longest path: a
//! product, nine sums, a division, a sum. So each result differs from the exact one by at most
//! gamma_12 (|x| + (|b| + sum |a| |x|) / |d|), gamma_k = k u / (1 - k u), u = 2^-24 (Higham, lemma
//! 3.1); one more rounding covers the twin's own.

use crate::planted::faults_must_be_seen;
use proptest::prelude::*;
use quadrille::data::{Band, NineBanded, Stencil, random_couplings};
use quadrille::internal::reference::jacobi::{residual_f64, step_bands, step_f64, step_loop};
use quadrille::internal::reference::{self, is_near};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

type Step = fn(&NineBanded, &[f32], &[f32], &mut [f32]);
const STEPS: [(&str, Step); 2] = [("loop", step_loop), ("bands", step_bands)];

struct System {
    matrix: NineBanded,
    b: Vec<f32>,
    x: Vec<f32>,
}

fn random_system(n: usize, m: usize, seed: u64) -> System {
    let mut generator = Pcg64Mcg::seed_from_u64(seed);
    let mut next = || generator.random_range(-1.0..1.0_f32);
    let matrix = random_couplings(n, m, &mut next).unwrap();
    let b = (0..n).map(|_| next()).collect();
    let x = (0..n).map(|_| next()).collect();
    System { matrix, b, x }
}

fn doubles(singles: &[f32]) -> Vec<f64> {
    singles.iter().map(|&number| f64::from(number)).collect()
}

/// The first row where `got` is farther from the twin than rounding explains.
fn first_wrong(system: &System, got: &[f32]) -> Option<usize> {
    reference::first_wrong(got.iter().copied(), twin(system))
}

/// Each unknown after a step, and how far from it rounding may end.
fn twin(system: &System) -> Vec<(f64, f64)> {
    let (b, x) = (doubles(&system.b), doubles(&system.x));
    let exact = step_f64(&system.matrix, &b, &x);
    let unit = f64::from(f32::EPSILON) / 2.0;
    let gamma = 13.0 * unit / (1.0 - 13.0 * unit);
    let row = |i: usize| {
        let products = Band::ALL.iter().map(|&band| {
            let column = i.wrapping_add_signed(band.offset(system.matrix.m()));
            (f64::from(system.matrix.band(band)[i]) * x.get(column).unwrap_or(&0.0)).abs()
        });
        let diagonal = f64::from(system.matrix.band(Band::DD)[i]).abs();
        let magnitude = x[i].abs() + (b[i].abs() + products.sum::<f64>()) / diagonal;
        (exact[i], gamma * magnitude)
    };
    (0..system.matrix.n()).map(row).collect()
}

proptest! {
    #[test]
    fn both_agree_with_double_precision(n in 1_usize..200, m in 3_usize..40, seed in any::<u64>()) {
        let system = random_system(n, m, seed);
        for (name, step) in STEPS {
            let mut out = vec![f32::NAN; n];
            step(&system.matrix, &system.b, &system.x, &mut out);
            prop_assert_eq!(first_wrong(&system, &out), None, "{}", name);
        }
    }

    #[test]
    fn the_twin_is_the_formula(n in 1_usize..40, m in 3_usize..9, seed in any::<u64>()) {
        let System { matrix, b, x } = random_system(n, m, seed);
        let (b, x) = (doubles(&b), doubles(&x));
        let new = step_f64(&matrix, &b, &x);
        for i in 0..n {
            let product: f64 = (0..n).map(|j| f64::from(matrix.entry(i, j)) * x[j]).sum();
            let expected = x[i] + (b[i] - product) / f64::from(matrix.entry(i, i));
            prop_assert!(is_near(new[i], expected, 1e-13));
        }
    }
}

#[test]
fn the_tolerance_notices_any_coupling_that_is_missing() {
    let (n, m) = (40, 7);
    let system = random_system(n, m, 3);
    for band in Band::ALL.into_iter().skip(1) {
        for row in 0..n {
            if system.matrix.band(band)[row] == 0.0 {
                continue;
            }
            let mut bands = Band::ALL.map(|band| system.matrix.band(band).to_vec());
            bands[band.index()][row] = 0.0;
            let broken = NineBanded::new(m, bands).unwrap();
            for (name, step) in STEPS {
                let mut out = vec![0.0; n];
                step(&broken, &system.b, &system.x, &mut out);
                assert_eq!(first_wrong(&system, &out), Some(row), "{name}: {band} in row {row}");
            }
        }
    }
}

#[test]
fn the_tolerance_notices_a_nan_and_an_unknown_that_is_twice_its_bound_away() {
    let system = random_system(40, 7, 3);
    faults_must_be_seen(&twin(&system), |got| first_wrong(&system, got).is_none());
}

#[test]
fn iterating_solves_the_system() {
    let matrix = "heat9:31x17".parse::<Stencil>().unwrap().matrix().unwrap();
    let solution = random_system(matrix.n(), 31, 5).x;
    let exact = matrix.multiply_f64(&doubles(&solution));
    let b: Vec<f32> = exact.iter().map(|&number| number as f32).collect();
    for (name, step) in STEPS {
        let (mut x, mut new) = (vec![0.0; matrix.n()], vec![0.0; matrix.n()]);
        assert_eq!(residual_f64(&matrix, &doubles(&x), &doubles(&b)), 1.0);
        for _ in 0..100 {
            step(&matrix, &b, &x, &mut new);
            std::mem::swap(&mut x, &mut new);
        }
        let residual = residual_f64(&matrix, &doubles(&x), &doubles(&b));
        assert!(residual < 1e-6, "{name}: {residual}");
    }
}

#[test]
fn the_residual_of_a_zero_right_hand_side_is_not_divided() {
    let matrix = random_system(4, 3, 1).matrix;
    let x = [1.0, 0.0, 0.0, 0.0];
    let norm = matrix.multiply_f64(&x).iter().map(|y| y * y).sum::<f64>().sqrt();
    assert_eq!(residual_f64(&matrix, &x, &[0.0; 4]), norm);
}

#[test]
#[should_panic(expected = "vectors must have length 4: [4, 3, 4]")]
fn a_vector_of_another_length_is_not_read_past() {
    let system = random_system(4, 3, 1);
    step_loop(&system.matrix, &system.b, &system.x[..3], &mut [0.0; 4]);
}
