//! The interface that all methods share.

use super::{Preconditioner, Space};

/// The reason why a method cannot continue.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Breakdown {
    /// p . A p was not positive for a direction p: the matrix is not positive definite.
    Curvature {
        /// The least p . A p since the residual was set.
        value: f64,
    },
    /// The residual became orthogonal to the shadow residual, to within rounding: a restart sets
    /// another.
    Orthogonal,
}

/// The state of a Krylov method: a correction x of a system A x = r, and its recursive residual.
pub trait Method<S: Space> {
    /// Returns the products with A in a step, if each use of the preconditioner takes this number
    /// of them.
    fn applications(&self, preconditioner: u64) -> u64;

    /// Takes one step.
    ///
    /// # Errors
    ///
    /// Errors of the space.
    fn step(&mut self, space: &S, with: &mut dyn Preconditioner<S>) -> Result<(), S::Error>;

    /// Returns the recursive residual, which the steps update; rounding leads it away from the true
    /// one.
    fn residual(&self) -> &S::Vector;

    /// Returns the residual for writing: set it to the right-hand side or to the true residual,
    /// before [`restart`](Method::restart) or [`go_on`](Method::go_on).
    fn residual_mut(&mut self) -> &mut S::Vector;

    /// Returns the correction since the residual was set.
    fn correction(&self) -> &S::Vector;

    /// Begins a new correction from zero, of the residual that was set. `shrink` is what the
    /// recursive residual would be multiplied by to have the new one's scale; the search directions
    /// continue, multiplied by it (Sleijpen and van der Vorst 1996).
    ///
    /// # Errors
    ///
    /// Errors of the space.
    fn go_on(&mut self, space: &S, shrink: f64) -> Result<(), S::Error>;

    /// Begins with the residual that was set: neither directions nor correction are kept.
    ///
    /// # Errors
    ///
    /// Errors of the space.
    fn restart(&mut self, space: &S) -> Result<(), S::Error>;

    /// Returns the reason if a step since the residual was set divided by what must not be zero or
    /// negative. Waits for the steps.
    ///
    /// # Errors
    ///
    /// Errors of the space.
    fn breakdown(&self, space: &S) -> Result<Option<Breakdown>, S::Error>;
}

/// The least p . A p since the residual was set.
pub(super) struct Curvature<S: Space>(S::Scalar);

impl<S: Space> Curvature<S> {
    /// Returns the value before the first direction.
    pub(super) fn new(space: &S) -> Result<Curvature<S>, S::Error> {
        Ok(Curvature(space.scalar(f64::from(f32::MAX))?))
    }

    /// Notes p . A p of another direction.
    pub(super) fn note(&mut self, space: &S, of_direction: &S::Scalar) -> Result<(), S::Error> {
        space.least(of_direction, &mut self.0)
    }

    /// Returns the breakdown to report if p . A p was zero or negative. Waits for the steps that
    /// were begun.
    pub(super) fn breakdown(&self, space: &S) -> Result<Option<Breakdown>, S::Error> {
        let value = space.value(&self.0)?;
        Ok((value <= 0.0).then_some(Breakdown::Curvature { value }))
    }
}
