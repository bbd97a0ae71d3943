//! Preconditioners.

use super::Space;

/// An approximate inverse of a matrix.
pub trait Preconditioner<S: Space> {
    /// Computes z = M r.
    ///
    /// # Errors
    ///
    /// Errors of the space.
    fn apply(&mut self, space: &S, r: &S::Vector, z: &mut S::Vector) -> Result<(), S::Error>;

    /// Computes z = M r and product = r . z.
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

    /// Returns the diagonal of M, if M is a diagonal matrix: methods then compute z in passing.
    fn diagonal(&self) -> Option<&S::Vector> {
        None
    }

    /// Returns the products with the matrix that [`apply`](Preconditioner::apply) takes.
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

/// The preconditioner of Jacobi, which divides by the diagonal.
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
