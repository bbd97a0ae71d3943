//! Right-hand sides of one system, one after the other, with the history of their residuals.

use std::borrow::Cow;

use super::solution::recorder::Recorder;
use super::{Choice, Ending, Error, Look, NotConverged, Result, SideError, Solution, Times};
use crate::clock::Instant;
use crate::stream::observer::Observer;

/// A solver of one system, wherever it runs: [`Solver`](super::Solver) on a device or on the host, and
/// `cluster::solve::Solver` on several ranks.
pub trait SystemSolver {
    /// Compiles all that solving needs.
    ///
    /// # Errors
    ///
    /// Out of memory, and errors of the device.
    fn warm_up(&mut self) -> Result<()>;

    /// Returns the method and the preconditioner that run, and why.
    fn choice(&self) -> &Choice;

    /// Returns the time of the setup by parts, with that of [`warm_up`](Self::warm_up).
    fn setup_times(&self) -> Times;

    /// Returns whether the constants are the null space of the matrix.
    fn has_constant_null_space(&self) -> bool;

    /// Solves A x = b from an x0, or from zero.
    ///
    /// # Errors
    ///
    /// [`Error::NotConverged`] with what was reached, and the other errors of the solver.
    fn solve_side(
        &mut self,
        b: &[f64],
        x0: Option<&[f64]>,
        observer: &mut dyn Observer,
    ) -> Result<Solution>;
}

/// A right-hand side to solve for. Of several ranks it is that of this process's, as their solver takes it.
#[derive(Clone, Debug)]
#[must_use]
pub struct Side<'a> {
    b: Cow<'a, [f64]>,
    x0: Option<Cow<'a, [f64]>>,
    done: u64,
    name: Option<String>,
}

impl<'a> Side<'a> {
    /// Creates a right-hand side, for which the iteration starts from zero.
    pub fn new(b: impl Into<Cow<'a, [f64]>>) -> Side<'a> {
        Side { b: b.into(), x0: None, done: 0, name: None }
    }

    /// Sets what the iteration starts from.
    pub fn x0(self, x0: impl Into<Cow<'a, [f64]>>) -> Side<'a> {
        Side { x0: Some(x0.into()), ..self }
    }

    /// Sets the iterations by which another run has reached x0: those of this run are added to them.
    pub fn after(self, done: u64) -> Side<'a> {
        Side { done, ..self }
    }

    /// Sets the name that errors call it by.
    pub fn named(self, name: impl Into<String>) -> Side<'a> {
        Side { name: Some(name.into()), ..self }
    }
}

/// A solver that is ready, for any number of right-hand sides.
///
/// ```
/// use quadrille::data::Stencil;
/// use quadrille::linalg::solve::{Options, Session, Side, Solver};
/// let matrix = "poisson5:30".parse::<Stencil>()?.matrix()?;
/// let context = quadrille::Context::headless()?;
/// let options = Options::new().tolerance(1e-10).iterations(200);
/// let mut session = Session::new(Solver::new(&context, &matrix, options)?)?;
/// let (b, near) = ([1.0; 900], [40.0; 900]);
/// let sides = [Side::new(&b), Side::new(&b).x0(&near)];
/// let solved = session.solve(sides.map(Ok), &mut ())?;
/// for side in &solved.sides {
///     match side {
///         Ok(solution) => assert!(solution.residual <= 1e-10),
///         Err(error) => println!("{error}; the nearest x has {}", error.solution.residual),
///     }
/// }
/// assert_eq!((solved.looks[0].iteration, solved.looks[0].residual), (0, 1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Session<S> {
    solver: S,
}

impl<S: SystemSolver> Session<S> {
    /// Makes a solver ready: all that solving needs is compiled.
    ///
    /// # Errors
    ///
    /// Those of [`SystemSolver::warm_up`].
    pub fn new(mut solver: S) -> Result<Session<S>> {
        solver.warm_up()?;
        Ok(Session { solver })
    }

    /// Returns the solver.
    pub fn solver(&self) -> &S {
        &self.solver
    }

    /// Solves for one right-hand side after the other, up to one that the observer stops. What does not converge is an
    /// error in the [sides](Solved::sides) of the result, and the others are solved for after it.
    ///
    /// # Errors
    ///
    /// Those of [`SystemSolver::solve_side`] but that, with the [name](Side::named) of the right-hand side.
    pub fn solve<'a>(
        &mut self,
        sides: impl IntoIterator<Item = Result<Side<'a>>>,
        observer: &mut dyn Observer,
    ) -> Result<Solved> {
        let (mut solved, mut looks) = (Vec::new(), Vec::new());
        for (at, side) in sides.into_iter().enumerate() {
            let side = side?;
            let (looks, observer) = (&mut looks, &mut *observer);
            let begun = Instant::now();
            let recorder = Recorder { looks, observer, side: at, done: side.done, begun };
            let result = self.solve_one(side, recorder)?;
            let stopped = result.as_ref().is_err_and(is_stopped);
            solved.push(result);
            if stopped {
                break;
            }
        }
        Ok(Solved {
            sides: solved,
            looks,
            choice: self.solver.choice().clone(),
            has_constant_null_space: self.solver.has_constant_null_space(),
            setup: self.solver.setup_times(),
        })
    }

    fn solve_one(
        &mut self,
        side: Side<'_>,
        mut recorder: Recorder<'_>,
    ) -> Result<Result<Solution, NotConverged>> {
        let Side { b, x0, done, name } = side;
        if x0.is_none() {
            // The residual of zeros is b.
            recorder.learn(0, 1.0);
        }
        let mut result = match self.solver.solve_side(&b, x0.as_deref(), &mut recorder) {
            Ok(solution) => Ok(solution),
            Err(Error::NotConverged(error)) => Err(NotConverged { name, ..error }),
            Err(error) => {
                return Err(match name {
                    Some(name) => SideError { name, error: Box::new(error) }.into(),
                    None => error,
                });
            }
        };
        let solution = result.as_mut().unwrap_or_else(|error| &mut error.solution);
        (solution.iterations, solution.reached_at) =
            (solution.iterations + done, solution.reached_at + done);
        recorder.end(solution);
        Ok(result)
    }
}

/// What a [`Session`] has solved for.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Solved {
    /// The solution for each right-hand side, or what was reached: fewer than there were if one was stopped, which is the
    /// last.
    pub sides: Vec<Result<Solution, NotConverged>>,
    /// The looks at the residuals of all.
    pub looks: Vec<Look>,
    /// The method and the preconditioner that ran at the end: what does not converge may be replaced on the way.
    pub choice: Choice,
    /// Whether the constants are the null space of the matrix.
    pub has_constant_null_space: bool,
    /// The time of the setup, by parts.
    pub setup: Times,
}

impl Solved {
    /// Returns for each right-hand side the solution, or the iterate with the least residual.
    pub fn reached(&self) -> impl Iterator<Item = &Solution> + Clone {
        self.sides.iter().map(reached)
    }

    /// Returns the errors of those that did not converge.
    pub fn failed(&self) -> impl Iterator<Item = &NotConverged> {
        self.sides.iter().filter_map(|side| side.as_ref().err())
    }

    /// Returns whether all converged.
    pub fn converged(&self) -> bool {
        self.sides.iter().all(Result::is_ok)
    }

    /// Returns whether the observer stopped one.
    pub fn stopped(&self) -> bool {
        self.failed().any(is_stopped)
    }

    /// Returns the iterations of all.
    pub fn iterations(&self) -> u64 {
        self.reached().map(|solution| solution.iterations).sum()
    }

    /// Returns the products with the matrix, in 32-bit floats, of all.
    pub fn applications(&self) -> u64 {
        self.reached().map(|solution| solution.applications).sum()
    }

    /// Returns the largest residual.
    pub fn residual(&self) -> f64 {
        largest(self.reached().map(|solution| solution.residual)).unwrap_or(0.0)
    }

    /// Returns the largest projected residual, if there is one.
    pub fn projected_residual(&self) -> Option<f64> {
        largest(self.reached().filter_map(|solution| solution.projected_residual))
    }

    /// Returns the time of all solutions, by parts.
    pub fn times(&self) -> Times {
        let mut all = Times::default();
        self.reached().for_each(|solution| all += solution.times);
        all
    }
}

fn reached(side: &Result<Solution, NotConverged>) -> &Solution {
    side.as_ref().unwrap_or_else(|error| &error.solution)
}

fn is_stopped(error: &NotConverged) -> bool {
    error.solution.ending == Ending::Stopped
}

/// The largest of these numbers, NaN if there is one.
fn largest(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    numbers.reduce(|most, number| if number > most || number.is_nan() { number } else { most })
}
