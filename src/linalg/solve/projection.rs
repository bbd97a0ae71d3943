//! Right-hand sides of systems whose null space is the constants: no A x has a mean.
//!
//! A residual is of the right-hand side as it was given, so that its mean is a part of it that no x reduces. Above what
//! the tolerance and rounding allow there is no solution, unless the options ask for that of the rest.

use std::borrow::Cow;

use crate::memory;

use super::problem::system::{Measure, System, unit};
use super::{Ending, Error, Options, Result, Solution};

/// The part of a 2-norm that rounding may leave along the constants, of a right-hand side that was computed as A x: twelve
/// bits of its numbers may cancel.
pub(super) const DOUBLE: f64 = 4096.0 * f64::EPSILON;
/// The same in 32-bit floats, of which fewer bits are left to cancel.
pub(super) const SINGLE: f64 = 16.0 * f32::EPSILON as f64;
/// The part of a 2-norm that is left of constants when their mean is subtracted, in roundings.
pub(super) const NOTHING: f64 = 16.0;
/// What the residual of the rest stays below its share by, so that rounding does not lift the whole above the tolerance.
const MARGIN: f64 = 1.0 - 1e-6;

/// A right-hand side as it is solved for: divided by a unit, and without its mean where no A x has one.
pub(super) struct Side<'a> {
    pub(super) b: Cow<'a, [f64]>,
    pub(super) unit: f64,
    /// The 2-norm.
    pub(super) norm: f64,
    /// What was removed.
    pub(super) constant: Constant,
}

/// The constant part of a right-hand side.
#[derive(Clone, Copy)]
pub(super) struct Constant {
    pub(super) mean: f64,
    pub(super) unknowns: usize,
    /// The 2-norm of the right-hand side with it.
    pub(super) whole: f64,
}

impl Constant {
    /// Returns the 2-norm of the constant part over that of the whole.
    fn part(self) -> f64 {
        let size = self.mean.abs() * (self.unknowns as f64).sqrt();
        if size == 0.0 { 0.0 } else { size / self.whole }
    }

    /// Returns whether it is worth a note: not what rounding leaves of a right-hand side that has none.
    pub(super) fn is_notable(self, rounding: f64) -> bool {
        self.part() > rounding
    }

    /// Returns the tolerance of the rest, whose 2-norm is given, with which the whole meets that of the options.
    ///
    /// # Errors
    ///
    /// [`Error::Inconsistent`] where none would.
    pub(super) fn beside(self, norm: f64, options: Options, rounding: f64) -> Result<f64> {
        let (tolerance, part) = (options.tolerance, self.part());
        if options.project || part == 0.0 {
            return Ok(tolerance);
        }
        let limit = tolerance.max(rounding);
        if part > limit {
            return Err(Error::Inconsistent { mean: self.mean, part, limit });
        }
        let share = (1.0 - (part / tolerance).powi(2)).max(0.0).sqrt();
        Ok(if share > 0.0 { MARGIN * tolerance * share * (self.whole / norm) } else { 0.0 })
    }

    /// Returns the residual of the whole from that of the rest, each relative.
    pub(super) fn with(self, rest: f64, norm: f64) -> f64 {
        if self.whole == 0.0 { 0.0 } else { (rest * (norm / self.whole)).hypot(self.part()) }
    }
}

impl<'a> Side<'a> {
    /// Prepares a right-hand side of these measures, for a matrix whose null space may be the constants.
    pub(super) fn new(
        system: &dyn System,
        singular: bool,
        b: &'a [f64],
        measure: &Measure,
    ) -> Result<Side<'a>> {
        let unit = unit(measure.largest);
        let mut b = match unit == 1.0 && !singular {
            true => Cow::Borrowed(b),
            false => Cow::Owned(memory::collected(b.len(), b.iter().map(|b| b / unit))?),
        };
        let whole = if unit == 1.0 { measure.norm() } else { system.norm(&b)? };
        let mut constant = Constant { mean: 0.0, unknowns: system.unknowns(), whole };
        let mut norm = whole;
        if singular {
            let numbers: &mut [f64] = b.to_mut();
            // The second one is what rounding has left of the first.
            constant.mean = system.remove_mean(numbers)? + system.remove_mean(numbers)?;
            norm = system.norm(numbers)?;
            if norm <= NOTHING * f64::EPSILON * whole {
                numbers.fill(0.0);
                norm = 0.0;
            }
        }
        Ok(Side { b, unit, norm, constant })
    }

    /// Returns the options for it without its mean.
    ///
    /// # Errors
    ///
    /// [`Error::Inconsistent`] where it has no solution.
    pub(super) fn options(&self, options: Options) -> Result<Options> {
        let tolerance = self.constant.beside(self.norm, options, DOUBLE);
        let tolerance = tolerance.map_err(|error| match error {
            Error::Inconsistent { mean, part, limit } => {
                Error::Inconsistent { mean: mean * self.unit, part, limit }
            }
            error => error,
        })?;
        Ok(Options { tolerance, ..options })
    }

    /// Returns the solution for it without its mean as that for b as it was given, of a matrix whose null space is the
    /// constants.
    pub(super) fn of_given(
        &self,
        system: &dyn System,
        options: Options,
        b: &[f64],
        solution: Solution,
    ) -> Result<Solution> {
        let Options { tolerance, project, .. } = options;
        let Side { unit, norm, constant, .. } = *self;
        let divided =
            |numbers: &[f64]| memory::collected(numbers.len(), numbers.iter().map(|x| x / unit));
        let computed = match unit == 1.0 {
            true => system.residual_norm(&solution.x, b)?,
            false => system.residual_norm(&divided(&solution.x)?, &divided(b)?)?,
        };
        let rest = solution.residual;
        // What is computed as less than that of the rest is less by rounding.
        let residual = match constant.whole == 0.0 {
            true => 0.0,
            false => computed.max(rest * norm) / constant.whole,
        };
        let ending = match solution.ending {
            Ending::Converged if !project && residual > tolerance => Ending::Stagnated,
            ending => ending,
        };
        let removed_mean = constant.is_notable(DOUBLE).then_some(constant.mean * unit);
        let projected_residual = project.then_some(rest);
        Ok(Solution { residual, projected_residual, tolerance, ending, removed_mean, ..solution })
    }
}
