//! Small computations whose results are compared with the CPU.

use serde::Serialize;

use quadrille::data::Matrix;
use quadrille::gl::Context;
use quadrille::linalg::jacobi::{Layout, Variant};
use quadrille::stream::reduce::{Reducer, error_bound};
use quadrille::{Extent, Shape};

use super::super::twin::{Comparison, System};
use super::{DISTRUST, Trouble};
use crate::Result;

#[derive(Clone, Debug, Serialize)]
pub struct Proof {
    pub what: String,
    pub max_error: f64,
    /// The largest error over what rounding may do: above 1 is wrong.
    pub of_bound: f64,
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

const STEPS: u64 = 6;
/// Unknowns: a prime, so that the last row is cut.
const UNKNOWNS: usize = 1031;
/// The width of their rows: no multiple of four.
const WIDTH: usize = 31;

/// A sum, and a few Jacobi iterations in each layout.
pub fn run(context: &Context) -> Vec<(String, Result<Proof>)> {
    let jacobi = |layout| (format!("jacobi, {layout}"), jacobi(context, layout));
    let compared = [("sum".to_owned(), sum(context))].into_iter().chain(Layout::ALL.map(jacobi));
    let proof = |(what, compared): (String, Result<Comparison>)| {
        let proof = compared.map(|comparison| Proof::new(&what, comparison));
        (what, proof)
    };
    compared.map(proof).collect()
}

fn sum(context: &Context) -> Result<Comparison> {
    let extent = Extent::new(113, 67);
    let numbers = numbers(extent.texels())?;
    let reducer = Reducer::new(context);
    let got = reducer.sum(&context.texture(extent, &numbers)?)?;
    Ok(of_sum(got, &numbers, error_bound(extent, reducer.factor())))
}

/// Random numbers from -1 to 1.
fn numbers(count: usize) -> Result<Vec<f32>> {
    Ok(Matrix::random(Shape::new(1, count), 1)?.into_elements())
}

/// A sum with double precision; `bound` is relative to the sum of magnitudes.
fn of_sum(got: f64, numbers: &[f32], bound: f64) -> Comparison {
    let exact = numbers.iter().map(|x| f64::from(*x)).sum();
    let magnitude: f64 = numbers.iter().map(|x| f64::from(*x).abs()).sum();
    Comparison::of_number(got, exact, bound * magnitude)
}

fn jacobi(context: &Context, layout: Layout) -> Result<Comparison> {
    let systems = (0..layout.systems() as u64).map(|i| System::random(UNKNOWNS, WIDTH, i));
    let systems = systems.collect::<Result<Vec<System>>>()?;
    let mut jacobi = System::solver(context, systems.iter(), Variant::default().layout(layout))?;
    jacobi.iterate(STEPS)?;
    let mut comparison = Comparison::RIGHT;
    for (system, got) in systems.iter().zip(jacobi.read()?) {
        comparison = comparison.worse(system.after(STEPS)?.compare(&got));
    }
    Ok(comparison)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille::stream::reduce::Factor;

    #[test]
    fn a_sum_without_one_number_is_no_proof() {
        let extent = Extent::new(113, 67);
        let bound = error_bound(extent, Factor::By4);
        for count in [2, 7, extent.texels()] {
            let numbers = numbers(count).unwrap();
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
