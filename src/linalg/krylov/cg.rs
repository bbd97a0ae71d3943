//! Conjugate gradients (Hestenes and Stiefel 1952), preconditioned: Saad, *Iterative Methods for Sparse Linear Systems*, 2nd
//! edition, algorithm 9.1.

use super::method::Curvature;
use super::{Breakdown, Factor, Method, Preconditioner, Space};

/// Preconditioned conjugate gradients, for symmetric positive definite matrices and preconditioners. It keeps four vectors.
pub struct Cg<S: Space> {
    x: S::Vector,
    r: S::Vector,
    p: S::Vector,
    /// A p, and in the first half of a step the preconditioned residual z, which is dead before A p is needed.
    q: S::Vector,
    rho: S::Scalar,
    last_rho: S::Scalar,
    pq: S::Scalar,
    alpha: S::Scalar,
    beta: S::Scalar,
    curvature: Curvature<S>,
}

impl<S: Space> Cg<S> {
    /// Its vectors; the residual is zero.
    ///
    /// # Errors
    ///
    /// Out of memory, and errors of the device.
    pub fn new(space: &S) -> Result<Cg<S>, S::Error> {
        let (vector, zero) = (|| space.vector(), || space.scalar(0.0));
        Ok(Cg {
            x: vector()?,
            r: vector()?,
            p: vector()?,
            q: vector()?,
            rho: zero()?,
            last_rho: zero()?,
            pq: zero()?,
            alpha: zero()?,
            beta: zero()?,
            curvature: Curvature::new(space)?,
        })
    }

    fn begin(&mut self, space: &S) -> Result<(), S::Error> {
        self.curvature = Curvature::new(space)?;
        space.clear(&mut self.x)
    }
}

impl<S: Space> Method<S> for Cg<S> {
    fn applications(&self, preconditioner: u64) -> u64 {
        1 + preconditioner
    }

    fn step(&mut self, space: &S, with: &mut dyn Preconditioner<S>) -> Result<(), S::Error> {
        let z = &mut self.q;
        std::mem::swap(&mut self.rho, &mut self.last_rho);
        with.apply_and_dot(space, &self.r, z, &mut self.rho)?;
        space.divide(&self.rho, &self.last_rho, &mut self.beta)?;
        space.axpby(Factor::Number(1.0), z, Factor::Scalar(&self.beta), &mut self.p)?;
        space.apply_and_dot(&self.p, &mut self.q, &mut self.pq)?;
        self.curvature.note(space, &self.pq)?;
        space.divide(&self.rho, &self.pq, &mut self.alpha)?;
        space.advance(&self.alpha, (&self.p, &mut self.x), (&self.q, &mut self.r))
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

    fn go_on(&mut self, space: &S, shrink: f64) -> Result<(), S::Error> {
        self.begin(space)?;
        space.scale(shrink, &mut self.p)?;
        let rho = space.value(&self.rho)?;
        self.rho = space.scalar(rho * shrink * shrink)?;
        Ok(())
    }

    fn restart(&mut self, space: &S) -> Result<(), S::Error> {
        self.begin(space)?;
        // With beta = 0 the first direction is z; p must be finite for it.
        self.rho = space.scalar(0.0)?;
        space.clear(&mut self.p)
    }

    fn breakdown(&self, space: &S) -> Result<Option<Breakdown>, S::Error> {
        self.curvature.breakdown(space)
    }
}
