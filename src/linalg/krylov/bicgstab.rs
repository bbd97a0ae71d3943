//! BiCGSTAB: van der Vorst, "Bi-CGSTAB: a fast and smoothly converging variant of Bi-CG for the
//! solution of nonsymmetric linear systems", SIAM J. Sci. Stat. Comput. 13 (1992), preconditioned
//! from the right.

use super::{Breakdown, Factor, Method, Preconditioner, Space};

/// The method of stabilized biconjugate gradients, for any matrix. A step computes two products
/// with the matrix. The method keeps seven vectors.
pub struct BiCgStab<S: Space> {
    x: S::Vector,
    /// The residual, and halfway through a step s = r - alpha v.
    r: S::Vector,
    shadow: S::Vector,
    p: S::Vector,
    v: S::Vector,
    t: S::Vector,
    /// The preconditioned p, then the preconditioned s.
    z: S::Vector,
    rho: S::Scalar,
    last_rho: S::Scalar,
    alpha: S::Scalar,
    omega: S::Scalar,
    beta: S::Scalar,
    /// Terms of quotients.
    above: S::Scalar,
    below: S::Scalar,
}

impl<S: Space> BiCgStab<S> {
    /// Allocates the vectors of the method; the residual is zero.
    ///
    /// # Errors
    ///
    /// Out of memory, and errors of the device.
    pub fn new(space: &S) -> Result<BiCgStab<S>, S::Error> {
        let (vector, zero) = (|| space.vector(), || space.scalar(0.0));
        Ok(BiCgStab {
            x: vector()?,
            r: vector()?,
            shadow: vector()?,
            p: vector()?,
            v: vector()?,
            t: vector()?,
            z: vector()?,
            rho: zero()?,
            last_rho: zero()?,
            alpha: zero()?,
            omega: zero()?,
            beta: zero()?,
            above: zero()?,
            below: zero()?,
        })
    }

    /// Computes p = r + beta (p - omega v), with beta = (rho / last rho) (alpha / omega).
    fn next_direction(&mut self, space: &S) -> Result<(), S::Error> {
        std::mem::swap(&mut self.rho, &mut self.last_rho);
        space.dot(&self.shadow, &self.r, &mut self.rho)?;
        space.divide(&self.rho, &self.last_rho, &mut self.above)?;
        space.divide(&self.omega, &self.alpha, &mut self.below)?;
        space.divide(&self.above, &self.below, &mut self.beta)?;
        let (one, beta) = (Factor::Number(1.0), Factor::Scalar(&self.beta));
        space.axpby(Factor::Minus(&self.omega), &self.v, one, &mut self.p)?;
        space.axpby(one, &self.r, beta, &mut self.p)
    }
}

impl<S: Space> Method<S> for BiCgStab<S> {
    fn applications(&self, preconditioner: u64) -> u64 {
        2 * (1 + preconditioner)
    }

    fn step(&mut self, space: &S, with: &mut dyn Preconditioner<S>) -> Result<(), S::Error> {
        self.next_direction(space)?;
        with.apply(space, &self.p, &mut self.z)?;
        space.apply(&self.z, &mut self.v)?;
        space.dot(&self.shadow, &self.v, &mut self.below)?;
        space.divide(&self.rho, &self.below, &mut self.alpha)?;
        space.advance(
            Factor::Scalar(&self.alpha),
            (&self.z, &mut self.x),
            (&self.v, &mut self.r),
        )?;
        with.apply(space, &self.r, &mut self.z)?;
        space.apply(&self.z, &mut self.t)?;
        space.dot(&self.t, &self.r, &mut self.above)?;
        space.dot(&self.t, &self.t, &mut self.below)?;
        space.divide(&self.above, &self.below, &mut self.omega)?;
        space.advance(Factor::Scalar(&self.omega), (&self.z, &mut self.x), (&self.t, &mut self.r))
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
        space.clear(&mut self.x)?;
        space.scale(shrink, &mut self.p)?;
        space.scale(shrink, &mut self.v)?;
        self.rho = space.scalar(space.value(&self.rho)? * shrink)?;
        Ok(())
    }

    fn restart(&mut self, space: &S) -> Result<(), S::Error> {
        space.copy(&self.r, &mut self.shadow)?;
        for vector in [&mut self.x, &mut self.p, &mut self.v] {
            space.clear(vector)?;
        }
        // With rho = 0 beta is 0, and the first direction r, as long as what else it is made of is finite: after a
        // breakdown, or where nothing but compiling went before, that may be anything.
        for scalar in [&mut self.rho, &mut self.alpha, &mut self.omega] {
            *scalar = space.scalar(0.0)?;
        }
        Ok(())
    }

    fn breakdown(&self, space: &S) -> Result<Option<Breakdown>, S::Error> {
        let zero = space.value(&self.rho)? == 0.0 || space.value(&self.omega)? == 0.0;
        Ok(zero.then_some(Breakdown::Orthogonal))
    }
}
