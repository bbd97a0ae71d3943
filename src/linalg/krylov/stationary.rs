//! The stationary iteration x = x + M (b - A x): with Jacobi's preconditioner Jacobi's iteration.

use super::{Breakdown, Factor, Method, Preconditioner, Space};

/// Corrects by the preconditioned residual. It converges where the spectral radius of I - M A is
/// below 1. It keeps four vectors.
pub struct Stationary<S: Space> {
    x: S::Vector,
    r: S::Vector,
    z: S::Vector,
    q: S::Vector,
}

impl<S: Space> Stationary<S> {
    /// Allocates the vectors of the method; the residual is zero.
    ///
    /// # Errors
    ///
    /// Out of memory, and errors of the device.
    pub fn new(space: &S) -> Result<Stationary<S>, S::Error> {
        let vector = || space.vector();
        Ok(Stationary { x: vector()?, r: vector()?, z: vector()?, q: vector()? })
    }
}

impl<S: Space> Method<S> for Stationary<S> {
    fn applications(&self, preconditioner: u64) -> u64 {
        1 + preconditioner
    }

    fn step(&mut self, space: &S, with: &mut dyn Preconditioner<S>) -> Result<(), S::Error> {
        let (one, minus_one) = (Factor::Number(1.0), Factor::Number(-1.0));
        with.apply(space, &self.r, &mut self.z)?;
        space.axpby(one, &self.z, one, &mut self.x)?;
        space.apply(&self.z, &mut self.q)?;
        space.axpby(minus_one, &self.q, one, &mut self.r)
    }

    fn residual(&self) -> &S::Vector {
        &self.r
    }

    fn residual_mut(&mut self) -> &mut S::Vector {
        &mut self.r
    }

    fn correction(&self) -> &S::Vector {
        &self.x
    }

    fn go_on(&mut self, space: &S, _: f64) -> Result<(), S::Error> {
        self.restart(space)
    }

    fn restart(&mut self, space: &S) -> Result<(), S::Error> {
        space.clear(&mut self.x)
    }

    fn breakdown(&self, _: &S) -> Result<Option<Breakdown>, S::Error> {
        Ok(None)
    }
}
