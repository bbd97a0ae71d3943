//! Flexible conjugate gradients: Notay, "Flexible conjugate gradients", SIAM J. Sci. Comput. 22 (2000), with one direction kept.

use super::method::Curvature;
use super::{Breakdown, Factor, Method, Preconditioner, Space};

/// Conjugate gradients for preconditioners that change from step to step, or that are not quite symmetric: each direction is
/// made conjugate to the last by beta = -(z . A p) / (p . A p), which is the formula of Polak and Ribiere (1969). It keeps five vectors.
pub struct FlexibleCg<S: Space> {
    x: S::Vector,
    r: S::Vector,
    z: S::Vector,
    p: S::Vector,
    q: S::Vector,
    rho: S::Scalar,
    /// z . A p for the last p.
    zq: S::Scalar,
    pq: S::Scalar,
    /// -beta.
    overlap: S::Scalar,
    curvature: Curvature<S>,
}

impl<S: Space> FlexibleCg<S> {
    /// Allocates the vectors of the method; the residual is zero.
    ///
    /// # Errors
    ///
    /// Out of memory, and errors of the device.
    pub fn new(space: &S) -> Result<FlexibleCg<S>, S::Error> {
        let (vector, zero) = (|| space.vector(), || space.scalar(0.0));
        Ok(FlexibleCg {
            x: vector()?,
            r: vector()?,
            z: vector()?,
            p: vector()?,
            q: vector()?,
            rho: zero()?,
            zq: zero()?,
            pq: zero()?,
            overlap: zero()?,
            curvature: Curvature::new(space)?,
        })
    }

    fn begin(&mut self, space: &S) -> Result<(), S::Error> {
        self.curvature = Curvature::new(space)?;
        space.clear(&mut self.x)
    }
}

impl<S: Space> Method<S> for FlexibleCg<S> {
    fn applications(&self, preconditioner: u64) -> u64 {
        1 + preconditioner
    }

    fn step(&mut self, space: &S, with: &mut dyn Preconditioner<S>) -> Result<(), S::Error> {
        with.apply_and_dot(space, &self.r, &mut self.z, &mut self.rho)?;
        space.dot(&self.z, &self.q, &mut self.zq)?;
        space.divide(&self.zq, &self.pq, &mut self.overlap)?;
        space.axpby(Factor::Number(1.0), &self.z, Factor::Minus(&self.overlap), &mut self.p)?;
        space.apply_and_dot(&self.p, &mut self.q, &mut self.pq)?;
        self.curvature.note(space, &self.pq)?;
        let alpha = Factor::Quotient(&self.rho, &self.pq);
        space.advance(alpha, (&self.p, &mut self.x), (&self.q, &mut self.r))
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
        // The scale of p does not matter: beta p has none of it.
        self.begin(space)
    }

    fn restart(&mut self, space: &S) -> Result<(), S::Error> {
        self.begin(space)?;
        self.pq = space.scalar(0.0)?;
        space.clear(&mut self.q)?;
        space.clear(&mut self.p)
    }

    fn breakdown(&self, space: &S) -> Result<Option<Breakdown>, S::Error> {
        self.curvature.breakdown(space)
    }
}
