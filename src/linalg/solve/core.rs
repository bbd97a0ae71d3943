//! Solving for right-hand sides of the host, wherever the method runs.

use std::borrow::Cow;
use std::rc::Rc;

use crate::error::Kind;
use crate::memory;
use crate::observer::Observer;

use super::engine::Runs;
use super::problem::{Keeps, Problem, Size};
use super::refinement::Outcome;
use super::scaling;
use super::system::{Measure, System, unit};
use super::{Choice, Ending, Error, Options, Solution};

/// Makes an engine for a choice, which it completes.
pub(crate) type Make<E> = Box<dyn Fn(&mut Choice) -> Result<E, Error>>;

/// How a system is solved.
pub(crate) struct Setup {
    pub(crate) options: Options,
    pub(crate) choice: Choice,
    /// Whether the constants are the matrix's null space.
    pub(crate) singular: bool,
    /// The factor of the matrix in 32-bit floats, where it is not scaled otherwise.
    pub(crate) matrix_factor: f64,
    /// S, where the choice may scale the system.
    pub(crate) scaling: Option<Rc<Vec<f64>>>,
}

/// A system with what solves it.
pub(crate) struct Core<E> {
    pub(crate) system: Box<dyn System>,
    pub(crate) options: Options,
    pub(crate) choice: Choice,
    pub(crate) singular: bool,
    matrix_factor: f64,
    scaling: Option<Rc<Vec<f64>>>,
    pub(crate) engine: E,
    make: Make<E>,
    /// Whether multigrid was chosen, and another preconditioner may replace it.
    replaceable: bool,
}

/// A residual below which no other preconditioner may fall, because double precision is at its end.
const REACHED: f64 = 1e-9;

impl<E: Runs> Core<E> {
    /// Makes the engine; where the device has no room for multigrid that was chosen, another if `falls_back`.
    pub(crate) fn new(
        system: Box<dyn System>,
        setup: Setup,
        make: Make<E>,
        falls_back: bool,
    ) -> Result<Core<E>, Error> {
        let Setup { options, mut choice, singular, matrix_factor, scaling } = setup;
        let chosen = choice.multigrid().is_some() && options.are_open();
        let engine = match make(&mut choice) {
            // The levels need more of a device than other preconditioners.
            Err(error)
                if chosen
                    && falls_back
                    && matches!(error.kind(), Kind::Limit | Kind::OutOfMemory) =>
            {
                choice = choice.without_multigrid(None);
                make(&mut choice)?
            }
            made => made?,
        };
        choice.must_use(options.preconditioner)?;
        let replaceable = choice.multigrid().is_some() && chosen;
        Ok(Core {
            system,
            options,
            choice,
            singular,
            matrix_factor,
            scaling,
            engine,
            make,
            replaceable,
        })
    }

    /// Whether multigrid was chosen and has ended without an answer: then another preconditioner is ready.
    fn gives_up(&mut self, outcome: &Outcome) -> Result<bool, Error> {
        match outcome.ending {
            Ending::Diverged | Ending::Breakdown(_) => {}
            Ending::Stagnated if outcome.residual > REACHED => {}
            _ => return Ok(false),
        }
        if outcome.iterations >= self.options.iterations {
            return Ok(false);
        }
        if !std::mem::take(&mut self.replaceable) {
            return Ok(false);
        }
        self.become_of(self.choice.without_multigrid(Some(outcome.ending)))?;
        Ok(true)
    }

    /// From now on the system is as it was given in the space too.
    pub(super) fn unscale(&mut self) -> Result<(), Error> {
        match self.choice.is_scaled() {
            true => self.become_of(Choice { scalable: false, ..self.choice.clone() }),
            false => Ok(()),
        }
    }

    fn become_of(&mut self, mut choice: Choice) -> Result<(), Error> {
        self.engine = (self.make)(&mut choice)?;
        self.choice = choice;
        Ok(())
    }

    /// Solves A x = b from x = 0.
    pub(crate) fn solve(
        &mut self,
        b: &[f64],
        observer: &mut dyn Observer,
    ) -> Result<Solution, Error> {
        self.solve_keeping(b, observer, None)
    }

    /// The same, with x kept where that is due.
    pub(crate) fn solve_keeping(
        &mut self,
        b: &[f64],
        observer: &mut dyn Observer,
        keeps: Option<&dyn Keeps>,
    ) -> Result<Solution, Error> {
        let measure = self.check("the right-hand side", b)?;
        let unit = unit(measure.largest);
        let mut b = match unit == 1.0 && !self.singular {
            true => Cow::Borrowed(b),
            false => Cow::Owned(memory::collected(b.len(), b.iter().map(|b| b / unit))?),
        };
        let size = if unit == 1.0 { measure.norm() } else { self.system.norm(&b)? };
        let mean = if self.singular { self.system.remove_mean(b.to_mut())? } else { 0.0 };
        let norm = if self.singular { self.system.norm(&b)? } else { size };
        let scaled = keeps.map(|keeps| Scaled { keeps, unit, before: 0 });
        let mut keeps = scaled.as_ref().map(|keeps| keeps as &dyn Keeps);
        let mut outcome = self.run((&b, norm), self.options.iterations, observer, keeps)?;
        if self.gives_up(&outcome)? {
            let before = outcome;
            let left = self.options.iterations.saturating_sub(before.iterations);
            let scaled =
                scaled.as_ref().map(|scaled| Scaled { before: before.iterations, ..*scaled });
            keeps = scaled.as_ref().map(|keeps| keeps as &dyn Keeps);
            outcome = self.run((&b, norm), left, observer, keeps)?;
            outcome.iterations += before.iterations;
            outcome.applications += before.applications;
            outcome.corrections += before.corrections;
        }
        let told = told(mean, size, self.system.unknowns());
        self.solution(outcome, (&b, norm, unit), told.then_some(mean * unit))
    }

    fn run(
        &mut self,
        (b, norm): (&[f64], f64),
        iterations: u64,
        observer: &mut dyn Observer,
        keeps: Option<&dyn Keeps>,
    ) -> Result<Outcome, Error> {
        let scaling = self.scaling.as_ref().filter(|_| self.choice.is_scaled());
        let mut size = Size::same(norm);
        if let Some(s) = scaling {
            let mut scaled = memory::copied(b)?;
            scaling::apply(s, &mut scaled);
            size.in_space = scaling::norm(&*self.system, &scaled)?;
        }
        let problem = Problem {
            keeps,
            norm: size,
            scaling: scaling.map(|s| s.as_slice()),
            matrix_factor: self.matrix_factor(),
            projected: self.singular,
            full_start: self.choice.starts_full(),
            iterations,
            ..Problem::new(&*self.system, &self.options, b, norm)
        };
        self.engine.run(&problem, observer)
    }

    /// The factor of the matrix in the space.
    pub(super) fn matrix_factor(&self) -> f64 {
        if self.choice.is_scaled() { 1.0 } else { self.matrix_factor }
    }

    /// Refuses a vector that does not fit the system.
    pub(super) fn check(&self, what: &'static str, numbers: &[f64]) -> Result<Measure, Error> {
        let expected = self.system.length();
        if numbers.len() != expected {
            return Err(Error::Length { what, expected, got: numbers.len() });
        }
        let measure = self.system.measure(numbers)?;
        match measure.not_finite {
            Some((index, value)) => Err(Error::NotFinite { what, value, index }),
            None => Ok(measure),
        }
    }

    fn solution(
        &self,
        outcome: Outcome,
        side: (&[f64], f64, f64),
        removed_mean: Option<f64>,
    ) -> Result<Solution, Error> {
        let (mut x, tolerance) = (outcome.x, self.options.tolerance);
        let reached = (outcome.residual, outcome.ending);
        let (residual, ending) = self.rescale(&mut x, side, reached, tolerance)?;
        Ok(Solution {
            x,
            residual,
            tolerance,
            iterations: outcome.iterations,
            applications: outcome.applications,
            corrections: outcome.corrections,
            ending,
            precision: self.options.precision,
            gave_up: self.choice.gave_up,
            removed_mean,
        })
    }
}

impl<E> Core<E> {
    /// Multiplies x, of a right-hand side that was divided by a unit, by that unit; returns the residual and the ending of what
    /// x is then: below the normal numbers of double precision it is rounded.
    pub(super) fn rescale(
        &self,
        x: &mut [f64],
        (b, norm, unit): (&[f64], f64, f64),
        (residual, ending): (f64, Ending),
        tolerance: f64,
    ) -> Result<(f64, Ending), Error> {
        if unit != 1.0 {
            x.iter_mut().for_each(|x| *x *= unit);
        }
        if let Some((index, value)) = self.system.measure(x)?.not_finite {
            return Err(Error::Overflow { index, value });
        }
        // The unit is a power of two, so that only numbers that are too small are rounded.
        if unit >= 1.0 || norm == 0.0 {
            return Ok((residual, ending));
        }
        let rounded = memory::collected(x.len(), x.iter().map(|x| x / unit))?;
        let residual = self.system.residual_norm(&rounded, b)? / norm;
        Ok(match ending {
            Ending::Converged if residual > tolerance => (residual, Ending::Stagnated),
            ending => (residual, ending),
        })
    }
}

/// Keeps x as it is without the unit of its right-hand side.
struct Scaled<'a> {
    keeps: &'a dyn Keeps,
    unit: f64,
    /// The iterations of a method that was given up.
    before: u64,
}

impl Keeps for Scaled<'_> {
    fn is_due(&self) -> Result<bool, Error> {
        self.keeps.is_due()
    }

    fn keep(&self, iterations: u64, x: &[f64]) -> Result<(), Error> {
        let done = self.before + iterations;
        match self.unit == 1.0 {
            true => self.keeps.keep(done, x),
            false => {
                let x = memory::collected(x.len(), x.iter().map(|x| x * self.unit))?;
                self.keeps.keep(done, &x)
            }
        }
    }
}

/// Whether a mean that was removed is worth a note: not what rounding leaves of a right-hand side, of this norm, that has none.
pub(super) fn told(mean: f64, size: f64, unknowns: usize) -> bool {
    mean.abs() * (unknowns as f64).sqrt() > 1e-12 * size
}
