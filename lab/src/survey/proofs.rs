//! Small computations whose results are compared with the CPU.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde::Serialize;

use quadrille::Extent;
use quadrille::data::random_couplings;
use quadrille::gl::Context;
use quadrille::linalg::jacobi::{Jacobi, Layout, Variant};
use quadrille::stream::reduce::{Reducer, error_bound};

use super::super::Error;
use super::super::twin::{self, Comparison};
use super::{DISTRUST, Trouble};

/// A computation and how far it was off.
#[derive(Clone, Debug, Serialize)]
pub struct Proof {
    /// The computation.
    pub what: String,
    /// The largest absolute error.
    pub max_error: f64,
    /// The largest error over what rounding may do: above 1 is wrong.
    pub of_bound: f64,
    /// Whether rounding explains all of it.
    pub right: bool,
}

impl Proof {
    pub(super) fn new(what: &str, comparison: Comparison) -> Proof {
        let Comparison { max_error, of_bound } = comparison;
        Proof { what: what.into(), max_error, of_bound, right: comparison.is_right() }
    }

    pub(super) fn trouble(&self) -> Option<Trouble> {
        let Proof { what, max_error, of_bound, right } = self;
        (!right).then(|| Trouble {
            what: what.clone(),
            reason: format!(
                "the error is {max_error:.1e}, {of_bound:.1e} times the bound of rounding"
            ),
            mend: DISTRUST.into(),
        })
    }
}

/// Iterations of each Jacobi proof.
const STEPS: u64 = 6;
/// Unknowns: a prime, so that the last row is cut.
const UNKNOWNS: usize = 1031;
/// The width of their rows: no multiple of four.
const WIDTH: usize = 31;

/// A sum, and a few Jacobi iterations in each layout.
pub(in super::super) fn run(context: &Context) -> Vec<(String, Result<Proof, Error>)> {
    let mut proofs = vec![("sum".to_owned(), sum(context))];
    for layout in Layout::ALL {
        proofs.push((format!("jacobi, {layout}"), jacobi(context, layout)));
    }
    for (what, proof) in &mut proofs {
        if let Ok(proof) = proof {
            proof.what.clone_from(what);
        }
    }
    proofs
}

fn sum(context: &Context) -> Result<Proof, Error> {
    let extent = Extent::new(113, 67);
    let mut generator = Pcg64Mcg::seed_from_u64(1);
    let numbers: Vec<f32> =
        (0..extent.texels()).map(|_| generator.random_range(-1.0..1.0_f32)).collect();
    let reducer = Reducer::new(context);
    let got = reducer.sum(&context.texture(extent, &numbers)?)?;
    Ok(Proof::new("sum", of_sum(got, &numbers, error_bound(extent, reducer.factor()))))
}

/// A sum with double precision; `bound` is relative to the sum of magnitudes.
fn of_sum(got: f64, numbers: &[f32], bound: f64) -> Comparison {
    let exact = numbers.iter().map(|x| f64::from(*x)).sum();
    let magnitude: f64 = numbers.iter().map(|x| f64::from(*x).abs()).sum();
    Comparison::of_number(got, exact, bound * magnitude)
}

fn jacobi(context: &Context, layout: Layout) -> Result<Proof, Error> {
    let mut matrices = Vec::new();
    let mut vectors = Vec::new();
    for system in 0..layout.systems() {
        let mut generator = Pcg64Mcg::seed_from_u64(system as u64);
        let mut next = || generator.random_range(-1.0..1.0_f32);
        matrices.push(random_couplings(UNKNOWNS, WIDTH, &mut next)?);
        let mut vector = || -> Vec<f32> { (0..UNKNOWNS).map(|_| next()).collect() };
        vectors.push((vector(), vector()));
    }
    let systems: Vec<_> = matrices.iter().collect();
    let sides: Vec<&[f32]> = vectors.iter().map(|(side, _)| side.as_slice()).collect();
    let starts: Vec<&[f32]> = vectors.iter().map(|(_, start)| start.as_slice()).collect();
    let wish = Variant { layout: Some(layout), ..Variant::default() };
    let mut jacobi = Jacobi::with_systems(context, &systems, wish)?;
    jacobi.set_systems(&sides, &starts)?;
    jacobi.iterate(STEPS)?;
    let mut comparison = Comparison::RIGHT;
    for (at, got) in jacobi.read()?.iter().enumerate() {
        let expected = twin::iterate(systems[at], sides[at], starts[at], STEPS)?;
        comparison = comparison.worse(expected.compare(got));
    }
    Ok(Proof::new("jacobi", comparison))
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille::stream::reduce::Factor;

    #[test]
    fn a_sum_without_one_number_is_no_proof() {
        let mut generator = Pcg64Mcg::seed_from_u64(1);
        let extent = Extent::new(113, 67);
        let bound = error_bound(extent, Factor::By4);
        for count in [2, 7, extent.texels()] {
            let numbers: Vec<f32> =
                (0..count).map(|_| generator.random_range(-1.0..1.0_f32)).collect();
            let exact: f64 = numbers.iter().map(|x| f64::from(*x)).sum();
            let right = |sum: f64| Proof::new("sum", of_sum(sum, &numbers, bound)).right;
            let magnitude: f64 = numbers.iter().map(|x| f64::from(*x).abs()).sum();
            let off = 2.0 * bound * magnitude;
            assert!(right(exact) && !right(exact + off) && !right(exact - off), "{count}");
            assert!(!right(f64::NAN) && !right(f64::INFINITY));
            for lost in numbers.iter().map(|x| f64::from(*x)).filter(|x| x.abs() > off) {
                assert!(!right(exact - lost), "{lost} of {count}");
            }
        }
    }
}
