//! Chebyshev's polynomial as a preconditioner: Saad, *Iterative Methods for Sparse Linear Systems*,
//! 2nd edition, algorithm 12.1, for D^-1 A.

use super::{Factor, Preconditioner, Space};

/// The preconditioner of a few steps of Chebyshev's iteration with the diagonal D: it takes products
/// with the matrix instead of dot products, of which each waits for the whole vector.
///
/// The polynomial damps the eigenvalues of D^-1 A from a thirtieth of the largest on, and is positive
/// for all below the largest: with a symmetric positive definite matrix the preconditioner is so too.
/// Eigenvalues far from the real line, as matrices have that are far from symmetric, it makes worse.
pub struct Chebyshev<S: Space> {
    reciprocals: S::Vector,
    /// The largest eigenvalue of D^-1 A, or a bound of it.
    largest: f64,
    /// The last step, a residual, and that divided by the diagonal.
    step: S::Vector,
    residual: S::Vector,
    divided: S::Vector,
}

/// The degree of the polynomial: a product for each but the first.
const DEGREE: u64 = 4;
/// The largest eigenvalue over the least that the polynomial damps well.
const SPAN: f64 = 30.0;

impl<S: Space> Chebyshev<S> {
    /// Makes the preconditioner of a matrix with this diagonal, on which no number is zero, where no
    /// eigenvalue of D^-1 A is larger than `largest`.
    ///
    /// # Errors
    ///
    /// Out of memory, and errors of the device.
    pub fn new(space: &S, diagonal: &[f64], largest: f64) -> Result<Chebyshev<S>, S::Error> {
        let reciprocals = diagonal.iter().map(|d| d.recip());
        let numbers = crate::memory::collected(diagonal.len(), reciprocals)?;
        let vector = || space.vector();
        let mut chebyshev = Chebyshev {
            reciprocals: vector()?,
            largest,
            step: vector()?,
            residual: vector()?,
            divided: vector()?,
        };
        space.write(&numbers, 1.0, &mut chebyshev.reciprocals)?;
        Ok(chebyshev)
    }
}

impl<S: Space> Preconditioner<S> for Chebyshev<S> {
    fn apply(&mut self, space: &S, r: &S::Vector, z: &mut S::Vector) -> Result<(), S::Error> {
        let Chebyshev { reciprocals, largest, step, residual, divided } = self;
        let least = *largest / SPAN;
        let (middle, half) = ((*largest + least) / 2.0, (*largest - least) / 2.0);
        let sigma = middle / half;
        let (one, minus) = (Factor::Number(1.0), Factor::Number(-1.0));
        let mut rho = 1.0 / sigma;
        space.multiply(reciprocals, r, divided)?;
        space.axpby(Factor::Number(1.0 / middle), divided, Factor::Number(0.0), step)?;
        space.copy(step, z)?;
        for _ in 1..DEGREE {
            space.apply(z, residual)?;
            space.axpby(one, r, minus, residual)?;
            space.multiply(reciprocals, residual, divided)?;
            let next = 1.0 / (2.0 * sigma - rho);
            let (ahead, along) = (Factor::Number(2.0 * next / half), Factor::Number(next * rho));
            space.axpby(ahead, divided, along, step)?;
            space.axpby(one, step, one, z)?;
            rho = next;
        }
        Ok(())
    }

    fn applications(&self) -> u64 {
        DEGREE - 1
    }
}
