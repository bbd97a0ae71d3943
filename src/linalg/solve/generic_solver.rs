//! Solving for right-hand sides of the host, wherever the method runs.

use std::rc::Rc;

use crate::error::Kind;
use crate::memory;
use crate::stream::observer::Observer;

use super::problem::scaling::{Scale, Scaling};
use super::problem::system::{Measure, System, any_norm};
use super::problem::{Problem, scaling};
use super::projection::Side;
use super::refinement::Outcome;
use super::refinement::engine::Runs;
use super::round::Round;
use super::times::{Part, Times, Watch};
use super::{Choice, Ending, Error, Method, Options, Properties, Result, Solution};
use crate::linalg::krylov::Breakdown;

/// Makes an engine for a choice, which it completes, of the matrix in this scale.
pub(crate) type Make<E> = Box<dyn Fn(&mut Choice, Scale<'_>) -> Result<E>>;

/// A system with what solves it.
pub(crate) struct GenericSolver<E> {
    pub(crate) system: Box<dyn System>,
    pub(crate) options: Options,
    pub(crate) choice: Choice,
    /// Whether the constants are the matrix's null space.
    pub(crate) singular: bool,
    /// The largest magnitude of the matrix's entries.
    largest: f64,
    /// The factor of the matrix in 32-bit floats, where it is not scaled otherwise.
    factor: f64,
    /// R and C, where the choice may scale the system.
    scaling: Option<Scaling>,
    pub(crate) engine: E,
    make: Make<E>,
    pub(super) watch: Rc<Watch>,
    /// The time of the setup.
    setup: Times,
    /// Whether multigrid was chosen, and another preconditioner may replace it.
    replaceable: bool,
}

/// A residual below which no other preconditioner may fall, because double precision is at its end.
const REACHED: f64 = 1e-9;
/// The part of b that may be lost where b - A x is rounded, or a hundred times the tolerance: beyond it,
/// as with an x that a singular matrix lets grow without bounds, a small residual is small by chance.
const LOST: f64 = 1e-2;

impl<E: Runs> GenericSolver<E> {
    /// Chooses what solves the system, and makes the engine; where the device has no room for
    /// multigrid that was chosen, another if `falls_back`.
    pub(crate) fn new(
        system: Box<dyn System>,
        properties: &Properties,
        options: Options,
        make: Make<E>,
        watch: &Rc<Watch>,
        falls_back: bool,
    ) -> Result<GenericSolver<E>> {
        options.must_agree()?;
        let mut choice = Choice::of(properties, options)?;
        let factor = scaling::factor(properties);
        let symmetric = properties.is_symmetric_with_positive_diagonal();
        let scaling = choice.may_be_scaled().then(|| system.scaling(symmetric)).transpose()?;
        let made = |choice: &mut Choice| {
            let in_scale = scale(choice, factor, scaling.as_ref());
            watch.during(Part::Send, || make(choice, in_scale))
        };
        let chosen = choice.multigrid().is_some() && options.are_open();
        let engine = match made(&mut choice) {
            // The levels need more of a device than other preconditioners.
            Err(error)
                if chosen
                    && falls_back
                    && matches!(error.kind(), Kind::Limit | Kind::OutOfMemory) =>
            {
                choice = choice.without_multigrid(None);
                made(&mut choice)?
            }
            made => made?,
        };
        choice.must_use(options.preconditioner)?;
        let replaceable = choice.multigrid().is_some() && chosen;
        let singular = properties.has_constant_null_space();
        let watch = Rc::clone(watch);
        Ok(GenericSolver {
            system: Box::new(Timed { system, watch: Rc::clone(&watch) }),
            options,
            choice,
            singular,
            largest: properties.largest(),
            factor,
            scaling,
            engine,
            make,
            setup: watch.times(),
            watch,
            replaceable,
        })
    }

    /// Compiles all that a run needs.
    pub(crate) fn warm_up(&mut self) -> Result<()> {
        self.watch.begin(Part::Compile);
        let done = self.watch.rehearse(|| self.engine.warm_up());
        self.setup += self.watch.times();
        done
    }

    /// Returns the time of the setup, with that of warming up.
    pub(crate) fn setup_times(&self) -> Times {
        self.setup
    }

    /// Returns whether what was chosen has ended without an answer, and another choice is ready.
    fn gives_up(&mut self, outcome: &Outcome, iterations: u64) -> Result<bool> {
        if outcome.iterations >= iterations {
            return Ok(false);
        }
        match self.other_choice(outcome) {
            Some(choice) => self.become_of(choice).map(|()| true),
            None => Ok(false),
        }
    }

    /// Returns what is left to try after this outcome: another preconditioner than multigrid, and
    /// BiCGSTAB where conjugate gradients found that the matrix is not positive definite.
    fn other_choice(&mut self, outcome: &Outcome) -> Option<Choice> {
        let ending = outcome.ending;
        match ending {
            Ending::Diverged | Ending::Breakdown(_) => {}
            Ending::Stagnated if outcome.residual > REACHED => {}
            _ => return None,
        }
        let simpler = std::mem::take(&mut self.replaceable)
            .then(|| self.choice.without_multigrid(Some(ending)));
        let by_cg = self.options.method.is_none() && self.choice.method == Method::Cg;
        match ending {
            // The direction is proof whatever the preconditioner is.
            Ending::Breakdown(Breakdown::Curvature { value }) if by_cg => {
                Some(simpler.unwrap_or_else(|| self.choice.clone()).by_bicgstab(value))
            }
            _ => simpler,
        }
    }

    /// Removes the scaling: from now on the space has the system as the caller gave it.
    pub(super) fn unscale(&mut self) -> Result<()> {
        match self.choice.is_scaled() {
            true => self.become_of(Choice { scalable: false, ..self.choice.clone() }),
            false => Ok(()),
        }
    }

    fn become_of(&mut self, mut choice: Choice) -> Result<()> {
        let in_scale = scale(&choice, self.factor, self.scaling.as_ref());
        self.engine = self.watch.during(Part::Send, || (self.make)(&mut choice, in_scale))?;
        self.choice = choice;
        Ok(())
    }

    /// Solves A x = b from an x0, or from zero.
    pub(crate) fn solve(
        &mut self,
        b: &[f64],
        x0: Option<&[f64]>,
        observer: &mut dyn Observer,
    ) -> Result<Solution> {
        self.watch.begin(Part::Examine);
        let side = self.side(b)?;
        let options = side.options(self.options)?;
        let solution = match x0 {
            None => self.solve_by(options, &side, observer),
            Some(x0) => self.solve_from(options, &side, x0, observer),
        }?;
        let solution = match self.singular {
            true => side.of_given(&*self.system, self.options, b, solution)?,
            false => solution,
        };
        Ok(Solution { times: self.watch.times(), ..solution })
    }

    /// Solves from zero, up to a tolerance and a number of iterations that may be others than those
    /// of the system's own options.
    pub(super) fn solve_by(
        &mut self,
        options: Options,
        side: &Side<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Solution> {
        let Side { ref b, unit, norm, .. } = *side;
        let mut whole = Round { observer, before: 0, factor: 1.0, unit, start: None };
        let mut outcome = self.run(options, b, norm, &mut whole)?;
        while self.gives_up(&outcome, options.iterations)? {
            let before = outcome;
            let iterations = options.iterations.saturating_sub(before.iterations);
            let left = Options { iterations, ..options };
            whole.before = before.iterations;
            outcome = self.run(left, b, norm, &mut whole)?;
            outcome.iterations += before.iterations;
            outcome.reached_at += before.iterations;
            outcome.applications += before.applications;
            outcome.corrections += before.corrections;
            if before.residual < outcome.residual || outcome.residual.is_nan() {
                (outcome.x, outcome.residual) = (before.x, before.residual);
                outcome.reached_at = before.reached_at;
            }
        }
        let mut solution = outcome.into_solution(options);
        let Solution { residual, ending, .. } = solution;
        let (divided, reached) = (Divided { b, norm, unit }, Reached { residual, ending });
        let Reached { residual, ending } =
            self.rescale(&mut solution.x, divided, reached, options.tolerance)?;
        let (gave_up, curvature) = (self.choice.gave_up, self.choice.curvature());
        Ok(Solution { residual, ending, gave_up, curvature, ..solution })
    }

    fn run(
        &mut self,
        options: Options,
        b: &[f64],
        norm: f64,
        observer: &mut dyn Observer,
    ) -> Result<Outcome> {
        let mut problem = Problem {
            b,
            matrix_factor: self.matrix_factor(),
            projected: self.singular,
            ..Problem::new(&*self.system, &self.watch, options, norm)
        };
        if let Scale::Sides(s) = scale(&self.choice, self.factor, self.scaling.as_ref()) {
            let mut scaled = memory::copied(b)?;
            scaling::apply(s.rows, &mut scaled);
            problem.norm.in_space = any_norm(&*self.system, &scaled)?;
            problem.scaling = Some(s);
        }
        self.watch.during(Part::Iterate, || self.engine.run(&problem, observer))
    }

    /// Returns the factor of the matrix in the space.
    pub(super) fn matrix_factor(&self) -> f64 {
        if self.choice.is_scaled() { 1.0 } else { self.factor }
    }
}

/// A system whose residuals are timed.
struct Timed {
    system: Box<dyn System>,
    watch: Rc<Watch>,
}

impl System for Timed {
    fn unknowns(&self) -> usize {
        self.system.unknowns()
    }

    fn length(&self) -> usize {
        self.system.length()
    }

    fn residual(&self, x: &[f64], b: &[f64], r: &mut [f64]) -> Result<f64> {
        self.watch.during(Part::Residual, || self.system.residual(x, b, r))
    }

    fn residual_norm(&self, x: &[f64], b: &[f64]) -> Result<f64> {
        self.watch.during(Part::Residual, || self.system.residual_norm(x, b))
    }

    fn measure(&self, numbers: &[f64]) -> Result<Measure> {
        self.watch.during(Part::Examine, || self.system.measure(numbers))
    }

    fn scaling(&self, symmetric: bool) -> Result<Scaling> {
        self.system.scaling(symmetric)
    }

    fn norm(&self, numbers: &[f64]) -> Result<f64> {
        self.system.norm(numbers)
    }

    fn remove_mean(&self, numbers: &mut [f64]) -> Result<f64> {
        self.system.remove_mean(numbers)
    }
}

/// A right-hand side that was divided by a unit, a power of two.
#[derive(Clone, Copy)]
pub(super) struct Divided<'a> {
    pub(super) b: &'a [f64],
    pub(super) norm: f64,
    pub(super) unit: f64,
}

/// The relative residual of an x, and why the iteration ended there.
#[derive(Clone, Copy)]
pub(super) struct Reached {
    pub(super) residual: f64,
    pub(super) ending: Ending,
}

impl<E> GenericSolver<E> {
    /// Prepares a right-hand side.
    pub(super) fn side<'a>(&self, b: &'a [f64]) -> Result<Side<'a>> {
        let measure = self.check("the right-hand side", b)?;
        Side::new(&*self.system, self.singular, b, &measure)
    }

    /// Refuses a vector that does not fit the system.
    pub(super) fn check(&self, what: &'static str, numbers: &[f64]) -> Result<Measure> {
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

    /// Multiplies x, of the divided right-hand side, by the unit; returns the residual and the
    /// ending of what x is then: below the normal numbers of double precision it is rounded.
    pub(super) fn rescale(
        &self,
        x: &mut [f64],
        divided: Divided<'_>,
        reached: Reached,
        tolerance: f64,
    ) -> Result<Reached> {
        let Divided { b, norm, unit } = divided;
        if unit != 1.0 {
            x.iter_mut().for_each(|x| *x *= unit);
        }
        let measure = self.system.measure(x)?;
        if let Some((index, value)) = measure.not_finite {
            return Err(Error::Overflow { index, value });
        }
        // A bound on how far a row of A x may be off, in relation to b.
        let bound = f64::EPSILON * self.largest * (measure.largest / unit) / norm;
        if reached.ending == Ending::Converged && bound > tolerance {
            let lost = self.lost(x, divided)?;
            if lost > LOST.min(100.0 * tolerance) {
                // Where all of b is lost, zeros are no worse.
                if lost > 1.0 {
                    x.fill(0.0);
                }
                return Ok(Reached { residual: lost.min(1.0), ending: Ending::Stagnated });
            }
        }
        // The unit is a power of two, so that only numbers that are too small are rounded.
        if unit >= 1.0 || norm == 0.0 {
            return Ok(reached);
        }
        let rounded = memory::collected(x.len(), x.iter().map(|x| x / unit))?;
        let residual = self.system.residual_norm(&rounded, b)? / norm;
        let ending = match reached.ending {
            Ending::Converged if residual > tolerance => Ending::Stagnated,
            ending => ending,
        };
        Ok(Reached { residual, ending })
    }

    /// Returns the part of b that is lost where b - A x is computed: 2 b - A x differs from it by less.
    fn lost(&self, x: &[f64], Divided { b, norm, unit }: Divided<'_>) -> Result<f64> {
        let x = memory::collected(x.len(), x.iter().map(|x| x / unit))?;
        let twice = memory::collected(b.len(), b.iter().map(|b| 2.0 * b))?;
        let (mut once, mut more) = (memory::zeroed(b.len())?, memory::zeroed(b.len())?);
        self.system.residual(&x, b, &mut once)?;
        self.system.residual(&x, &twice, &mut more)?;
        more.iter_mut().zip(&once).zip(b).for_each(|((more, once), b)| *more -= once + b);
        Ok(self.system.norm(&more)? / norm)
    }
}

/// Returns the scale of the matrix: R and C if the choice scales the system, else the factor.
fn scale<'a>(choice: &Choice, factor: f64, s: Option<&'a Scaling>) -> Scale<'a> {
    let sides = s.filter(|_| choice.is_scaled()).map(Scaling::sides);
    sides.map_or(Scale::Factor(factor), Scale::Sides)
}
