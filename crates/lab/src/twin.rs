//! The results that a device should compute, in double precision, and how far from them single
//! precision may end.
//!
//! One step in single precision passes, on its longest path, a product, nine sums, a difference, a
//! quotient (which GLSL allows 2.5 units in the last place) and a sum: 17 roundings, 20 with a
//! reciprocal rounded before. So it is off by at most gamma_20 of its magnitudes
//! (|x| + (|b| + sum |a| |x|) / |d|), gamma_k = k u / (1 - k u), u = 2^-24 (Higham, Accuracy and
//! Stability of Numerical Algorithms, lemma 3.1), and the error from the steps before it goes
//! through the iteration matrix.

mod spectrum;

use quadrille::data::{Band, NineBanded, SplitMix64, random_couplings};
use quadrille::gl::Context;
use quadrille::linalg::jacobi::{Jacobi, Variant};
use quadrille::{NoMemory, memory};

use crate::Result;

pub use quadrille::testing::Comparison;
pub use spectrum::Spectrum;

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

/// A system with random couplings, also across the ends of rows, which a wrong wrap cannot survive;
/// its right-hand side and a start.
pub struct System {
    pub matrix: NineBanded,
    pub side: Vec<f32>,
    pub start: Vec<f32>,
}

impl System {
    /// Makes a random system of `n` unknowns in rows of `m`, with numbers from -1 to 1.
    pub fn random(n: usize, m: usize, seed: u64) -> Result<System> {
        let mut random = SplitMix64::new(seed);
        let mut next = || random.symmetric();
        let matrix = random_couplings(n, m, &mut next)?;
        let side = memory::collected(n, (0..n).map(|_| next()))?;
        let start = memory::collected(n, (0..n).map(|_| next()))?;
        Ok(System { matrix, side, start })
    }

    /// Makes a solver that iterates some systems on the device, from their starts.
    pub fn solver<'a>(
        context: &Context,
        systems: impl Iterator<Item = &'a System> + Clone,
        variant: Variant,
    ) -> Result<Jacobi> {
        let matrices: Vec<_> = systems.clone().map(|system| &system.matrix).collect();
        let sides: Vec<_> = systems.clone().map(|system| system.side.as_slice()).collect();
        let starts: Vec<_> = systems.map(|system| system.start.as_slice()).collect();
        let mut jacobi = Jacobi::with_systems(context, &matrices, variant)?;
        jacobi.set_systems(&sides, &starts)?;
        Ok(jacobi)
    }

    pub fn after(&self, steps: u64) -> Result<Expected, NoMemory> {
        iterate(&self.matrix, &self.side, &self.start, steps)
    }
}

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
        Comparison::of(got.iter().copied(), self.x.iter().copied().zip(self.bound.iter().copied()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::planted::faults_must_be_seen;
    use quadrille::internal::reference::jacobi::step_loop;

    fn system() -> System {
        System::random(200, 13, 4).unwrap()
    }

    fn run(system: &System) -> Vec<f32> {
        let (mut x, mut new) = (system.start.clone(), system.start.clone());
        for _ in 0..5 {
            step_loop(&system.matrix, &system.side, &x, &mut new);
            std::mem::swap(&mut x, &mut new);
        }
        x
    }

    #[test]
    fn single_precision_stays_within_the_bound_and_not_far_below() {
        let system = system();
        let comparison = system.after(5).unwrap().compare(&run(&system));
        assert!(comparison.is_right(), "{comparison:?}");
        assert!(comparison.of_bound > 1e-3, "{comparison:?}");
    }

    #[test]
    fn an_unknown_that_is_twice_its_bound_away_is_seen_wherever_it_is() {
        let expected = system().after(5).unwrap();
        let all = expected.x.iter().copied().zip(expected.bound.iter().copied());
        faults_must_be_seen(&all.collect::<Vec<_>>(), |got| expected.compare(got).is_right());
    }

    #[test]
    fn a_lost_coupling_is_seen() {
        let mut system = system();
        let expected = system.after(5).unwrap();
        let mut bands = Band::ALL.map(|band| system.matrix.band(band).to_vec());
        bands[Band::DU.index()][12] = 0.0;
        system.matrix = NineBanded::new(13, bands).unwrap();
        assert!(!expected.compare(&run(&system)).is_right());
    }
}
