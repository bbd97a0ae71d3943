//! Linear systems with nine-banded matrices, as stencils on a grid make: to double precision by steps in 32-bit floats.
//!
//! A [`Solver`] is set up once for a matrix and solves for any number of right-hand sides: by a [Krylov method](super::krylov), whose
//! residual is [replaced](Precision::Mixed) by one in double precision as it falls. The last residual is always that of the
//! matrix as it was given and of the x that is returned, in double precision on the host. Right-hand sides that are on a device are
//! solved for there, [in 32-bit floats](Solver::solve_on_device).
//!
//! ```
//! use quadrille::data::Stencil;
//! use quadrille::linalg::solve::{Options, Solver};
//! let matrix = "poisson5:30".parse::<Stencil>()?.matrix()?;
//! let context = quadrille::Context::headless()?;
//! let mut solver = Solver::new(&context, &matrix, Options::new().tolerance(1e-12))?;
//! let solution = solver.solve(&vec![1.0; matrix.n()])?;
//! assert!(solution.converged() && solution.residual <= 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod choice;
mod ending;
mod engine;
mod error;
mod grid_iterate;
mod iterate;
mod on_device;
mod options;
mod problem;
mod properties;
mod refinement;
mod solution;
mod system;

use std::borrow::Cow;

use crate::Context;
use crate::data::{Float, NineBanded};
use crate::error::Kind;
use crate::linalg::krylov::{DeviceSpace, HostSpace};
use crate::linalg::multigrid::{self, Hierarchy};
use crate::memory;
use crate::observer::Observer;

pub use choice::{Choice, Why};
pub use ending::Ending;
pub use error::Error;
pub use options::{Method, Options, Precision, Preconditioner, ResidualOn};
pub use properties::Properties;
pub use solution::Solution;

use engine::Place;
use grid_iterate::Mean;
use iterate::OnHost;
use problem::Problem;
use refinement::Outcome;
use system::{Measure, norm, remove_mean};

/// Makes an engine for a choice, which it completes.
type Make = Box<dyn Fn(&mut Choice) -> Result<Place, Error>>;

/// A nine-banded system, to be solved for any number of right-hand sides.
pub struct Solver<T: Float = f32> {
    matrix: NineBanded<T>,
    options: Options,
    choice: Choice,
    singular: bool,
    /// The factor of the matrix in 32-bit floats.
    matrix_factor: f64,
    engine: Place,
    /// Made when first needed.
    mean: Option<Mean>,
    /// What makes another engine where multigrid was chosen and does not converge.
    another: Option<Make>,
}

impl<T: Float> Solver<T> {
    /// Puts a matrix on a device.
    ///
    /// # Errors
    ///
    /// Those of [`on_host`](Solver::on_host), of [`Operator::new`](super::nine_banded::Operator::new) and, with multigrid, of
    /// [`Hierarchy::new`].
    pub fn new(
        context: &Context,
        matrix: &NineBanded<T>,
        options: Options,
    ) -> Result<Solver<T>, Error> {
        let (context, whole) = (context.clone(), matrix.clone());
        Solver::by(matrix, options, move |single, choice, traits| {
            let space = DeviceSpace::new(&context, single)?;
            let doubles = iterate::doubles(&context, &space, &whole, options)?;
            choice.residual_on = doubles.place();
            let engine = engine::build(space, choice, traits, doubles, |space, options| {
                let hierarchy = Hierarchy::new(space.operator(), options)?;
                let smoothers = hierarchy.smoothers();
                Ok((Box::new(hierarchy), smoothers))
            })?;
            Ok(Place::Device(engine))
        })
    }

    /// Computes on the host, in 32-bit floats as a device would: without a device, and to compare with one.
    ///
    /// # Errors
    ///
    /// [`Error::Tolerance`] for a tolerance that is negative or not finite; [`Error::ZeroDiagonal`], [`Error::NotSymmetric`] and
    /// [`Error::NotPositive`] if the matrix is not fit for the method or the preconditioner; [`Error::Data`] for a diagonal by which the
    /// preconditioner divides, and which 32-bit floats take for zero; and out of memory.
    pub fn on_host(matrix: &NineBanded<T>, options: Options) -> Result<Solver<T>, Error> {
        Solver::by(matrix, options, |single, choice, traits| {
            let space = HostSpace::<f32>::new(single)?;
            let engine = engine::build(space, choice, traits, Box::new(OnHost), |_, options| {
                let hierarchy = multigrid::OnHost::new(single, options)?;
                let smoothers = hierarchy.smoothers();
                Ok((Box::new(hierarchy), smoothers))
            })?;
            Ok(Place::Host(engine))
        })
    }

    fn by(
        matrix: &NineBanded<T>,
        options: Options,
        build: impl Fn(&NineBanded, &mut Choice, &engine::Traits) -> Result<Place, Error> + 'static,
    ) -> Result<Solver<T>, Error> {
        if !(options.tolerance >= 0.0 && options.tolerance.is_finite()) {
            return Err(Error::Tolerance { tolerance: options.tolerance });
        }
        let properties = Properties::of(matrix);
        let mut choice = Choice::of(&properties, options)?;
        let (single, matrix_factor) = engine::single(matrix)?;
        if choice.preconditioner != Preconditioner::Identity {
            engine::must_divide(matrix, &single)?;
        }
        let singular = properties.has_constant_null_space();
        let traits = engine::Traits::of(&single, singular)?;
        let make: Make = Box::new(move |choice| build(&single, choice, &traits));
        let chosen = choice.multigrid.is_some() && choice::open(options);
        let engine = match make(&mut choice) {
            // The levels need more of a device than other preconditioners.
            Err(error) if chosen && matches!(error.kind(), Kind::Limit | Kind::OutOfMemory) => {
                choice = choice.without_multigrid(None);
                make(&mut choice)?
            }
            made => made?,
        };
        let another = (choice.multigrid.is_some() && chosen).then_some(make);
        let matrix = matrix.clone();
        let mean = None;
        Ok(Solver { matrix, options, choice, singular, matrix_factor, engine, mean, another })
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
        let Some(make) = self.another.take() else { return Ok(false) };
        let mut choice = self.choice.without_multigrid(Some(outcome.ending));
        self.engine = make(&mut choice)?;
        self.choice = choice;
        Ok(true)
    }

    /// Compiles all that solving needs, so that its times exclude it: most drivers compile at the first draw.
    ///
    /// # Errors
    ///
    /// Out of memory, and errors of the device.
    pub fn warm_up(&mut self) -> Result<(), Error> {
        self.engine.warm_up()
    }

    /// The method and the preconditioner that run, and why.
    pub fn choice(&self) -> &Choice {
        &self.choice
    }

    /// Whether the constants are the null space of the matrix and of its transpose, as with Neumann's conditions at all boundaries: every
    /// row and every column has the sum zero. Then solutions have the mean zero, and right-hand sides lose theirs: see [`Solution::removed_mean`].
    pub fn has_constant_null_space(&self) -> bool {
        self.singular
    }

    /// Solves A x = b from x = 0.
    ///
    /// # Errors
    ///
    /// Those of [`solve_observed`](Solver::solve_observed).
    pub fn solve(&mut self, b: &[f64]) -> Result<Solution, Error> {
        self.solve_observed(b, &mut ())
    }

    /// As [`solve`](Solver::solve); the observer is called at each look at the residual, and may stop the iteration. A
    /// solution that did not converge is no error here: see [`Solution::into_converged`].
    ///
    /// # Errors
    ///
    /// [`Error::Length`] and [`Error::NotFinite`] if b does not fit; [`Error::Overflow`] if x exceeds double precision; out of memory,
    /// and errors of the device.
    pub fn solve_observed(
        &mut self,
        b: &[f64],
        observer: &mut dyn Observer,
    ) -> Result<Solution, Error> {
        let measure = self.check(b)?;
        let unit = unit(measure.largest);
        let mut b = match unit == 1.0 && !self.singular {
            true => Cow::Borrowed(b),
            false => Cow::Owned(memory::collected(b.len(), b.iter().map(|b| b / unit))?),
        };
        let size = if unit == 1.0 { measure.norm() } else { norm(&b) };
        let mean = if self.singular { remove_mean(b.to_mut()) } else { 0.0 };
        let norm = if self.singular { norm(&b) } else { size };
        let matrix = self.matrix.clone();
        let problem = Problem {
            matrix_factor: self.matrix_factor,
            projected: self.singular,
            ..Problem::new(&matrix, &self.options, &b, norm)
        };
        let mut outcome = self.engine.run(&problem, observer)?;
        if self.gives_up(&outcome)? {
            let before = outcome;
            let iterations = problem.iterations.saturating_sub(before.iterations);
            outcome = self.engine.run(&Problem { iterations, ..problem }, observer)?;
            outcome.iterations += before.iterations;
            outcome.applications += before.applications;
            outcome.corrections += before.corrections;
        }
        // What rounding leaves of the mean of a right-hand side that has none is not worth a note.
        let told = mean.abs() * (b.len() as f64).sqrt() > 1e-12 * size;
        self.solution(outcome, unit, if told { Some(mean * unit) } else { None })
    }

    fn check(&self, b: &[f64]) -> Result<Measure, Error> {
        let (what, expected) = ("the right-hand side", self.matrix.n());
        if b.len() != expected {
            return Err(Error::Length { what, expected, got: b.len() });
        }
        let measure = Measure::of(b)?;
        match measure.not_finite {
            Some(index) => Err(Error::NotFinite { what, value: b[index], index }),
            None => Ok(measure),
        }
    }

    fn solution(
        &self,
        outcome: Outcome,
        unit: f64,
        removed_mean: Option<f64>,
    ) -> Result<Solution, Error> {
        let mut x = outcome.x;
        if unit != 1.0 {
            x.iter_mut().for_each(|x| *x *= unit);
        }
        if let Some(index) = Measure::of(&x)?.not_finite {
            return Err(Error::Overflow { index, value: x[index] });
        }
        Ok(Solution {
            x,
            residual: outcome.residual,
            tolerance: self.options.tolerance,
            iterations: outcome.iterations,
            applications: outcome.applications,
            corrections: outcome.corrections,
            ending: outcome.ending,
            precision: self.options.precision,
            gave_up: self.choice.gave_up,
            removed_mean,
        })
    }
}

/// A residual below which no other preconditioner may fall, because double precision is at its end.
const REACHED: f64 = 1e-9;

/// What right-hand sides are divided by: 1, or a power of two where squares of the numbers are not in double precision.
fn unit(largest: f64) -> f64 {
    if largest == 0.0 || (1e-100..1e100).contains(&largest) {
        return 1.0;
    }
    // Not `powi`, which takes the reciprocal of a power that may be infinite.
    largest.log2().floor().max(-1074.0).exp2()
}
