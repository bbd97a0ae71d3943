//! Random nine-banded systems, their twin in double precision, and how far from it rounding
//! explains.
//!
//! One step computes `x + (b - A x) / d`, or `(b - (A - D) x) r` with `r = 1 / d` rounded on the
//! host. Its longest path has at most 12 roundings: a product, nine sums, a division, a sum. GLSL
//! lets a division be 2.5 units off, which counts as three, and leaves two in reserve: 16. So one
//! step is within `gamma_16 (|x| + (|b| + sum |a| |x|) / |d|)`, `gamma_k = k u / (1 - k u)`, `u =
//! 2^-24`, of the exact step from the same x (Higham, lemma 3.1). What the step before was off goes
//! on through `|A - D| / |d|`. Both together are carried along for each unknown.

use quadrille::data::{Band, NineBanded, random_couplings};
use quadrille::internal::reference::first_wrong;
use quadrille::internal::reference::jacobi::step_f64;

/// A system with a coupling in every place of its bands, across the ends of rows too.
#[derive(Clone)]
pub struct System {
    pub matrix: NineBanded,
    pub b: Vec<f32>,
    pub start: Vec<f32>,
}

impl System {
    pub fn random(n: usize, m: usize, seed: u64) -> System {
        let mut numbers = super::random(11 * n, seed).into_iter();
        let mut next = || numbers.next().unwrap();
        let matrix = random_couplings(n, m, &mut next).unwrap();
        let b = (0..n).map(|_| next()).collect();
        let start = (0..n).map(|_| next()).collect();
        System { matrix, b, start }
    }

    /// The system without these couplings.
    pub fn without(&self, removed: impl Fn(usize, Band) -> bool) -> System {
        let bands = Band::ALL.map(|band| {
            let entries = self.matrix.band(band).iter().enumerate();
            entries.map(|(row, a)| if removed(row, band) { 0.0 } else { *a }).collect()
        });
        System { matrix: NineBanded::new(self.matrix.m(), bands).unwrap(), ..self.clone() }
    }

    pub fn b_f64(&self) -> Vec<f64> {
        doubles(&self.b)
    }
}

pub fn doubles(singles: &[f32]) -> Vec<f64> {
    singles.iter().map(|x| f64::from(*x)).collect()
}

/// The result of a number of steps in double precision, and the allowed error of single precision.
pub struct Twin {
    pub x: Vec<f64>,
    pub bound: Vec<f64>,
}

impl Twin {
    pub fn after(system: &System, steps: u64) -> Twin {
        let b = system.b_f64();
        let mut twin = Twin { x: doubles(&system.start), bound: vec![0.0; system.b.len()] };
        for _ in 0..steps {
            let bound = twin.next_bound(system);
            twin = Twin { x: step_f64(&system.matrix, &b, &twin.x), bound };
        }
        twin
    }

    fn next_bound(&self, system: &System) -> Vec<f64> {
        let gamma = gamma(16.0);
        let (n, m) = (system.b.len(), system.matrix.m());
        let row = |i: usize| {
            let diagonal = f64::from(system.matrix.band(Band::DD)[i]).abs();
            let mut carried = 0.0;
            let mut magnitude = f64::from(system.b[i]).abs();
            for band in Band::ALL {
                let column = i.wrapping_add_signed(band.offset(m));
                if column >= n {
                    continue;
                }
                let a = f64::from(system.matrix.band(band)[i]).abs();
                magnitude += a * (self.x[column].abs() + self.bound[column]);
                if band != Band::DD {
                    carried += a * self.bound[column];
                }
            }
            let here = self.x[i].abs() + self.bound[i];
            carried / diagonal + gamma * (here + magnitude / diagonal)
        };
        (0..n).map(row).collect()
    }

    /// Each unknown with its bound.
    pub fn expected(&self) -> Vec<(f64, f64)> {
        self.x.iter().copied().zip(self.bound.iter().copied()).collect()
    }

    /// The first unknown that is farther off than rounding explains. The only comparison of
    /// iterates.
    pub fn first_wrong(&self, got: &[f32]) -> Option<usize> {
        first_wrong(got.iter().copied(), self.expected())
    }
}

/// The bound of k roundings to single precision, one after another.
pub fn gamma(k: f64) -> f64 {
    let unit = 0.5_f64.powi(24);
    k * unit / (1.0 - k * unit)
}
