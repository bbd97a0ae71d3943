//! Preconditioners.

use super::{Factor, Space};
use crate::NoMemory;

/// An approximate inverse of a matrix.
pub trait Preconditioner<S: Space> {
    /// z = M r.
    ///
    /// # Errors
    ///
    /// Errors of the space.
    fn apply(&mut self, space: &S, r: &S::Vector, z: &mut S::Vector) -> Result<(), S::Error>;

    /// z = M r and product = r . z.
    ///
    /// # Errors
    ///
    /// Errors of the space.
    fn apply_and_dot(
        &mut self,
        space: &S,
        r: &S::Vector,
        z: &mut S::Vector,
        product: &mut S::Scalar,
    ) -> Result<(), S::Error> {
        self.apply(space, r, z)?;
        space.dot(r, z, product)
    }

    /// Sets z to an approximate solution of A z = r to start from, better than M r; false if there is none, with z undefined.
    ///
    /// # Errors
    ///
    /// Errors of the space.
    fn start(&mut self, _: &S, _: &S::Vector, _: &mut S::Vector) -> Result<bool, S::Error> {
        Ok(false)
    }

    /// The diagonal of M, if M is a diagonal matrix: methods then compute z in passing.
    fn diagonal(&self) -> Option<&S::Vector> {
        None
    }

    /// The products with the matrix that [`apply`](Preconditioner::apply) takes.
    fn applications(&self) -> u64 {
        0
    }
}

/// No preconditioner: z = r.
pub struct Identity;

impl<S: Space> Preconditioner<S> for Identity {
    fn apply(&mut self, space: &S, r: &S::Vector, z: &mut S::Vector) -> Result<(), S::Error> {
        space.copy(r, z)
    }
}

/// Jacobi's preconditioner: division by the diagonal.
pub struct Jacobi<V> {
    reciprocals: V,
}

impl<V> Jacobi<V> {
    /// Makes the preconditioner of a matrix with this diagonal, on which no number is zero.
    ///
    /// # Errors
    ///
    /// Out of memory, and errors of the device.
    pub fn new<S: Space<Vector = V>>(space: &S, diagonal: &[f64]) -> Result<Jacobi<V>, S::Error> {
        let reciprocals = diagonal.iter().map(|d| d.recip());
        let numbers = crate::memory::collected(diagonal.len(), reciprocals)?;
        let mut reciprocals = space.vector()?;
        space.write(&numbers, 1.0, &mut reciprocals)?;
        Ok(Jacobi { reciprocals })
    }
}

impl<S: Space> Preconditioner<S> for Jacobi<S::Vector> {
    fn apply(&mut self, space: &S, r: &S::Vector, z: &mut S::Vector) -> Result<(), S::Error> {
        space.multiply(&self.reciprocals, r, z)
    }

    fn apply_and_dot(
        &mut self,
        space: &S,
        r: &S::Vector,
        z: &mut S::Vector,
        product: &mut S::Scalar,
    ) -> Result<(), S::Error> {
        space.multiply_and_dot(&self.reciprocals, r, z, product)
    }

    fn diagonal(&self) -> Option<&S::Vector> {
        Some(&self.reciprocals)
    }
}

/// A polynomial in D^-1 A, D the diagonal of A, which Chebyshev's iteration makes small on the upper part of the
/// spectrum: Saad, *Iterative Methods for Sparse Linear Systems*, 2nd edition, algorithm 12.1. For symmetric positive definite matrices; then
/// it is symmetric and positive definite too.
pub struct Chebyshev<V> {
    jacobi: Jacobi<V>,
    steps: u64,
    /// The eigenvalues of D^-1 A from which on, and up to which, the polynomial is small.
    low: f64,
    high: f64,
    correction: V,
    product: V,
    scratch: V,
}

/// The part of the spectrum that the polynomial covers: from the largest eigenvalue down to this fraction of it.
const COVERED: f64 = 30.0;
/// The estimate of the power method is from below; beyond the interval the polynomial grows fast.
const MARGIN: f64 = 1.1;
const POWER_STEPS: u64 = 20;

impl<V> Chebyshev<V> {
    /// A polynomial of a degree below `steps`, for a matrix with this diagonal. The largest eigenvalue of D^-1 A is estimated by
    /// the power method, and `bound`, which no eigenvalue exceeds, caps the estimate.
    ///
    /// # Errors
    ///
    /// Out of memory, and errors of the device.
    pub fn new<S: Space<Vector = V>>(
        space: &S,
        diagonal: &[f64],
        bound: f64,
        steps: u64,
    ) -> Result<Chebyshev<V>, S::Error> {
        let mut chebyshev = Chebyshev {
            jacobi: Jacobi::new(space, diagonal)?,
            steps: steps.max(1),
            low: 0.0,
            high: 0.0,
            correction: space.vector()?,
            product: space.vector()?,
            scratch: space.vector()?,
        };
        let largest = chebyshev.largest_eigenvalue(space)?;
        let estimate = if largest.is_finite() && largest > 0.0 { largest } else { bound };
        chebyshev.high = (MARGIN * estimate).min(bound);
        chebyshev.low = chebyshev.high / COVERED;
        Ok(chebyshev)
    }

    /// The largest eigenvalue of D^-1 A that was estimated, with its margin.
    pub fn high(&self) -> f64 {
        self.high
    }

    fn largest_eigenvalue<S: Space<Vector = V>>(&mut self, space: &S) -> Result<f64, S::Error> {
        space.write(&start(space.length())?, 1.0, &mut self.correction)?;
        let mut growth = 0.0;
        let mut norm = space.norm(&self.correction)?;
        for _ in 0..POWER_STEPS {
            space.apply(&self.correction, &mut self.product)?;
            self.jacobi.apply(space, &self.product, &mut self.correction)?;
            let next = space.norm(&self.correction)?;
            growth = next / norm;
            norm = next;
        }
        Ok(growth)
    }
}

/// Numbers of every frequency, the same in each run.
fn start(length: usize) -> Result<Vec<f64>, NoMemory> {
    let mut bits = crate::data::SplitMix64::new(1);
    crate::memory::collected(
        length,
        (0..length).map(|_| (bits.next() >> 11) as f64 * 2.0_f64.powi(-52) - 1.0),
    )
}

impl<S: Space> Preconditioner<S> for Chebyshev<S::Vector> {
    /// z is carried along, and d, the last change of it: `correction`.
    fn apply(&mut self, space: &S, r: &S::Vector, z: &mut S::Vector) -> Result<(), S::Error> {
        let (one, number) = (Factor::Number(1.0), Factor::Number);
        let (middle, half) = ((self.high + self.low) / 2.0, (self.high - self.low) / 2.0);
        let sigma = middle / half;
        let mut rho = 1.0 / sigma;
        self.jacobi.apply(space, r, &mut self.scratch)?;
        space.axpby(number(1.0 / middle), &self.scratch, number(0.0), &mut self.correction)?;
        space.clear(z)?;
        for _ in 1..self.steps {
            space.axpby(one, &self.correction, one, z)?;
            let next = 1.0 / (2.0 * sigma - rho);
            space.apply(z, &mut self.product)?;
            space.axpby(one, r, number(-1.0), &mut self.product)?;
            self.jacobi.apply(space, &self.product, &mut self.scratch)?;
            let (by_residual, by_last) = (2.0 * next / half, next * rho);
            space.axpby(
                number(by_residual),
                &self.scratch,
                number(by_last),
                &mut self.correction,
            )?;
            rho = next;
        }
        space.axpby(one, &self.correction, one, z)
    }

    fn applications(&self) -> u64 {
        self.steps - 1
    }
}
