//! Conjugate gradients (Hestenes and Stiefel 1952), preconditioned: Saad, *Iterative Methods for
//! Sparse Linear Systems*, 2nd edition, algorithm 9.1.

use super::method::Curvature;
use super::{Breakdown, Factor, Method, NextDirection, Preconditioner, Space};

/// The method of preconditioned conjugate gradients, for symmetric positive definite matrices and
/// preconditioners. It keeps four vectors.
pub struct Cg<S: Space> {
    x: S::Vector,
    r: S::Vector,
    p: S::Vector,
    /// A p, and in the first half of a step the preconditioned residual z, which is dead before A p
    /// is needed.
    q: S::Vector,
    /// r . z.
    rho: S::Scalar,
    /// Whether that is of the present r.
    weighed: bool,
    last_rho: S::Scalar,
    pq: S::Scalar,
    curvature: Curvature<S>,
}

impl<S: Space> Cg<S> {
    /// Allocates the vectors of the method; the residual is zero.
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
            weighed: false,
            last_rho: zero()?,
            pq: zero()?,
            curvature: Curvature::new(space)?,
        })
    }

    fn begin(&mut self, space: &S) -> Result<(), S::Error> {
        self.weighed = false;
        self.curvature = Curvature::new(space)?;
        space.clear(&mut self.x)
    }

    /// Takes a step whose preconditioner is a diagonal, in two halves that a device may do in a
    /// dispatch each.
    fn diagonal_step(&mut self, space: &S, d: &S::Vector) -> Result<(), S::Error> {
        let Cg { x, r, p, q, rho, last_rho, pq, .. } = self;
        if !self.weighed {
            space.multiply_and_dot(d, r, q, rho)?;
        }
        let terms = NextDirection { d, r, above: rho, below: last_rho };
        space.direct_and_apply(terms, p, q, pq)?;
        self.curvature.note(space, pq)?;
        // The last r . z is no longer needed, and the next one takes its place.
        space.advance_and_weigh(Factor::Quotient(rho, pq), (p, x), (q, r), d, last_rho)?;
        std::mem::swap(rho, last_rho);
        self.weighed = true;
        Ok(())
    }
}

impl<S: Space> Method<S> for Cg<S> {
    fn applications(&self, preconditioner: u64) -> u64 {
        1 + preconditioner
    }

    fn step(&mut self, space: &S, with: &mut dyn Preconditioner<S>) -> Result<(), S::Error> {
        if let Some(d) = with.diagonal() {
            return self.diagonal_step(space, d);
        }
        let Cg { x, r, p, q, rho, last_rho, pq, .. } = self;
        let z = &mut *q;
        with.apply_and_dot(space, r, z, rho)?;
        space.axpby(Factor::Number(1.0), z, Factor::Quotient(rho, last_rho), p)?;
        space.apply_and_dot(p, q, pq)?;
        self.curvature.note(space, pq)?;
        space.advance(Factor::Quotient(rho, pq), (p, x), (q, r))?;
        std::mem::swap(rho, last_rho);
        Ok(())
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
        let rho = space.value(&self.last_rho)?;
        self.last_rho = space.scalar(rho * shrink * shrink)?;
        Ok(())
    }

    fn restart(&mut self, space: &S) -> Result<(), S::Error> {
        self.begin(space)?;
        // With beta = 0 the first direction is z; p must be finite for it.
        self.last_rho = space.scalar(0.0)?;
        space.clear(&mut self.p)
    }

    fn breakdown(&self, space: &S) -> Result<Option<Breakdown>, S::Error> {
        self.curvature.breakdown(space)
    }
}
