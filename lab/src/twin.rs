//! The results that a device should compute, in double precision, and how far from them single precision may
//! end.
//!
//! One step in single precision passes, on its longest path, a product, nine sums, a difference, a
//! quotient (which GLSL allows 2.5 units in the last place) and a sum: 17 roundings, 20 with a
//! reciprocal rounded before. So it is off by at most gamma_20 of its magnitudes
//! (|x| + (|b| + sum |a| |x|) / |d|), gamma_k = k u / (1 - k u), u = 2^-24 (Higham, Accuracy and
//! Stability of Numerical Algorithms, lemma 3.1), and the error from the steps before it goes
//! through the iteration matrix.

use quadrille::data::{Band, NineBanded};
use quadrille::internal::memory::{self, NoMemory};

pub use quadrille::internal::reference::Comparison;
pub(super) use quadrille::internal::reference::compare;

/// The roundings of one step.
const ROUNDINGS: f64 = 20.0;
/// The error that flushing denormals to zero may cause.
const FLUSHED: f64 = 1.2e-38;

/// The result of some Jacobi steps, and a bound on the error of single precision.
#[derive(Clone, Debug)]
pub struct Expected {
    x: Vec<f64>,
    bound: Vec<f64>,
}

/// Runs steps from a start.
pub fn iterate(
    matrix: &NineBanded,
    side: &[f32],
    start: &[f32],
    steps: u64,
) -> Result<Expected, NoMemory> {
    let mut expected = Expected { x: wide(start)?, bound: memory::zeroed(start.len())? };
    for _ in 0..steps {
        expected = step(matrix, side, &expected)?;
    }
    Ok(expected)
}

/// In double precision.
fn wide(numbers: &[f32]) -> Result<Vec<f64>, NoMemory> {
    memory::collected(numbers.len(), numbers.iter().map(|number| f64::from(*number)))
}

fn step(matrix: &NineBanded, side: &[f32], before: &Expected) -> Result<Expected, NoMemory> {
    let unit = 0.5_f64.powi(24);
    let gamma = ROUNDINGS * unit / (1.0 - ROUNDINGS * unit);
    let (n, m) = (matrix.n(), matrix.m());
    let mut residual = wide(side)?;
    let mut magnitude = memory::collected(n, residual.iter().map(|b| b.abs()))?;
    let mut inherited: Vec<f64> = memory::zeroed(n)?;
    for band in Band::ALL {
        let (entries, rows) = (matrix.band(band), band.rows(n, m));
        for row in rows {
            let column = row.wrapping_add_signed(band.offset(m));
            let (a, x, error) = (f64::from(entries[row]), before.x[column], before.bound[column]);
            residual[row] -= a * x;
            magnitude[row] += a.abs() * (x.abs() + error);
            if band != Band::DD {
                inherited[row] += a.abs() * error;
            }
        }
    }
    let diagonal = matrix.band(Band::DD);
    let mut after = Expected { x: memory::with_room(n)?, bound: memory::with_room(n)? };
    for row in 0..n {
        let (d, x, error) = (f64::from(diagonal[row]), before.x[row], before.bound[row]);
        after.x.push(x + residual[row] / d);
        let rounded = gamma * (x.abs() + error + magnitude[row] / d.abs());
        after.bound.push(inherited[row] / d.abs() + rounded + FLUSHED);
    }
    Ok(after)
}

impl Expected {
    /// Compares each number with its own bound.
    pub fn compare(&self, got: &[f32]) -> Comparison {
        compare(got.iter().copied(), self.x.iter().copied().zip(self.bound.iter().copied()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille::data::random_couplings;
    use quadrille::internal::reference::jacobi::step_loop;
    use rand::{RngExt, SeedableRng};

    fn system() -> (NineBanded, Vec<f32>, Vec<f32>) {
        let mut generator = rand_pcg::Pcg64Mcg::seed_from_u64(4);
        let mut next = || generator.random_range(-1.0..1.0_f32);
        let matrix = random_couplings(200, 13, &mut next).unwrap();
        let side = (0..200).map(|_| next()).collect();
        let start = (0..200).map(|_| next()).collect();
        (matrix, side, start)
    }

    fn run(matrix: &NineBanded, side: &[f32], start: &[f32]) -> Vec<f32> {
        let (mut x, mut new) = (start.to_vec(), start.to_vec());
        for _ in 0..5 {
            step_loop(matrix, side, &x, &mut new);
            std::mem::swap(&mut x, &mut new);
        }
        x
    }

    #[test]
    fn single_precision_stays_within_the_bound_and_not_far_below() {
        let (matrix, side, start) = system();
        let comparison =
            iterate(&matrix, &side, &start, 5).unwrap().compare(&run(&matrix, &side, &start));
        assert!(comparison.is_right(), "{comparison:?}");
        assert!(comparison.of_bound > 1e-3, "{comparison:?}");
    }

    #[test]
    fn an_unknown_that_is_twice_its_bound_away_is_seen_wherever_it_is() {
        let (matrix, side, start) = system();
        let expected = iterate(&matrix, &side, &start, 5).unwrap();
        let right: Vec<f32> = expected.x.iter().map(|x| *x as f32).collect();
        assert!(expected.compare(&right).is_right());
        for at in 0..right.len() {
            let moved = |by: f64| {
                let mut wrong = right.clone();
                wrong[at] = (expected.x[at] + by * expected.bound[at]) as f32;
                expected.compare(&wrong).is_right()
            };
            assert!(moved(0.5) && !moved(2.0) && !moved(-2.0), "{at}");
        }
    }

    #[test]
    fn a_lost_coupling_and_a_nan_are_seen() {
        let (matrix, side, start) = system();
        let expected = iterate(&matrix, &side, &start, 5).unwrap();
        let mut bands = Band::ALL.map(|band| matrix.band(band).to_vec());
        bands[Band::DU.index()][12] = 0.0;
        let broken = NineBanded::new(13, bands).unwrap();
        assert!(!expected.compare(&run(&broken, &side, &start)).is_right());
        let mut poisoned = run(&matrix, &side, &start);
        poisoned[7] = f32::NAN;
        assert!(!expected.compare(&poisoned).is_right());
        assert!(!expected.compare(&poisoned[1..]).is_right());
    }
}
