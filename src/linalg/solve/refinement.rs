//! Solving with corrections in double precision: a Krylov method runs in a space of lower
//! precision, and its recursive residual is replaced by the true one, in double precision, whenever
//! it has fallen by a factor of ten. Its search directions continue, so that no step is lost, where
//! a plain iterative refinement would restart.
//!
//! Strzodka and Göddeke, "Pipelined mixed precision algorithms on FPGAs for fast and accurate PDE
//! solvers from low precision components" (2006); Carson and Higham, "Accelerating the solution of
//! linear systems by iterative refinement in three precisions" (2018); Sleijpen and van der Vorst,
//! "Reliable updated residuals in hybrid Bi-CG methods" (1996); Clark, Babich, Barros, Brower and
//! Rebbi, "Solving lattice QCD systems of equations using mixed precision solvers on GPUs" (2010).

pub(crate) mod engine;
pub(super) mod grid_iterate;
pub(super) mod iterate;

use crate::linalg::jacobi::Forecast;
use crate::linalg::krylov::{Method, Preconditioner, Space};
use crate::stream::observer::{Control, Observer, Progress};

use super::problem::{Problem, Size};
use super::{Ending, Error, Options, Precision, Result, Solution, Times};
use iterate::Iterate;

/// The outcome of a run.
pub(crate) struct Outcome {
    /// The iterate with the least residual.
    pub(crate) x: Vec<f64>,
    pub(crate) residual: f64,
    /// The iterations after which it was reached.
    pub(crate) reached_at: u64,
    pub(crate) iterations: u64,
    pub(crate) applications: u64,
    pub(crate) corrections: u64,
    pub(crate) ending: Ending,
}

impl Outcome {
    /// Returns it as a solution that was asked for with these options.
    pub(super) fn into_solution(self, options: Options) -> Solution {
        Solution {
            x: self.x,
            residual: self.residual,
            projected_residual: None,
            tolerance: options.tolerance,
            iterations: self.iterations,
            reached_at: self.reached_at,
            applications: self.applications,
            corrections: self.corrections,
            ending: self.ending,
            precision: options.precision,
            gave_up: None,
            curvature: None,
            removed_mean: None,
            times: Times::default(),
        }
    }
}

/// The fall of the recursive residual after which the true one replaces it: what rounding may add
/// to it in single precision is then still a small part of it. With 0.01 conjugate gradients take
/// up to a quarter more steps where entries jump.
const FALL: f64 = 0.1;
/// The factor in place of [`FALL`] within [`FEW`] steps with a preconditioner that takes at least
/// [`COSTLY`] products with the matrix, as multigrid does: few roundings add up, and a correction
/// would cost as much as a step.
const FAST_FALL: f64 = 1e-3;
const FEW: u64 = 6;
const COSTLY: u64 = 5;
/// The number of corrections in a row whose true residual is more than twice the recursive one,
/// after which the iteration ends as stagnated.
const MISSES: u32 = 3;
/// The largest ratio of the true residual to the recursive one at which the search directions are
/// kept; above it the method restarts.
const ASTRAY: f64 = 5.0;
/// The number of restarts in a row that may lead to the same breakdown.
const RESTARTS: u32 = 3;
/// The largest residual, relative to the least one, before the method restarts.
const GROWN: f64 = 1e8;
/// The residual, relative to that of the first x, below which an iteration that then grows has converged as far as it
/// can, rather than diverged.
const FALLEN: f64 = 1e-3;
/// The number of steps without a fall of the residual after which the iteration ends: this, and
/// eight for each point along a side of a square grid, or twice the steps before. A preconditioner
/// that takes products with the matrix makes a step count for more. Few unknowns take no more than some
/// steps each: without rounding conjugate gradients take one.
const PATIENCE: u64 = 2000;
const FIRST_STEPS: u64 = 100;
const STEPS_PER_UNKNOWN: u64 = 20;

pub(super) struct Refinement<'a, S: Space, M> {
    space: &'a S,
    method: &'a mut M,
    with: &'a mut dyn Preconditioner<S>,
    problem: &'a Problem<'a>,
    iterate: Box<dyn Iterate<S> + 'a>,
    /// The norm of the residual when it was set in the space, where its factor is 1 over this.
    scale: f64,
    /// The norm of the recursive residual in the space, now and at most since it was set.
    carried: f64,
    most: f64,
    /// The recursive residual, relative, at which x is looked at.
    target: f64,
    /// The recursive residual, relative, at the last look at x.
    announced: f64,
    /// The true residual, relative, in the space, and of the given system, which decides.
    residual_in_space: f64,
    residual: f64,
    best: f64,
    /// The x with the least true residual.
    nearest: Nearest,
    /// The least recursive residual, and when.
    least: (u64, f64),
    iterations: u64,
    /// The steps done when the method got its residual.
    handed_over: u64,
    applications: u64,
    corrections: u64,
    misses: u32,
    restarts: u32,
    /// The least residual when the method restarted last.
    restarted_at: f64,
}

/// The x with the least residual of the given system.
struct Nearest {
    residual: f64,
    /// The iterations after which it was reached.
    at: u64,
    /// Whether it is the present one; else the iterate keeps it.
    is_now: bool,
}

impl<'a, S: Space, M: Method<S>> Refinement<'a, S, M>
where
    Error: From<S::Error>,
{
    pub(super) fn new(
        space: &'a S,
        method: &'a mut M,
        with: &'a mut dyn Preconditioner<S>,
        problem: &'a Problem<'a>,
        iterate: Box<dyn Iterate<S> + 'a>,
    ) -> Self {
        Refinement {
            space,
            method,
            with,
            problem,
            iterate,
            scale: problem.norm.in_space,
            carried: 1.0,
            most: 1.0,
            target: problem.options.tolerance,
            announced: problem.start,
            residual_in_space: problem.start,
            residual: problem.start,
            best: problem.start,
            nearest: Nearest { residual: problem.start, at: 0, is_now: true },
            least: (0, f64::INFINITY),
            iterations: 0,
            handed_over: 0,
            applications: 0,
            corrections: 0,
            misses: 0,
            restarts: 0,
            restarted_at: problem.start,
        }
    }

    /// Runs to an ending.
    pub(super) fn run(mut self, observer: &mut dyn Observer) -> Result<Outcome> {
        let ending = self.ending(observer)?;
        let Refinement { iterate, residual, iterations, applications, corrections, .. } = self;
        let (x, reached_at) = (iterate.into_x(), self.nearest.at);
        Ok(Outcome { x, residual, reached_at, iterations, applications, corrections, ending })
    }

    fn ending(&mut self, observer: &mut dyn Observer) -> Result<Ending> {
        if self.problem.norm.given == 0.0 {
            self.residual = 0.0;
            self.iterate.settle()?;
            return Ok(Ending::Converged);
        }
        if self.residual <= self.problem.options.tolerance {
            return self.settled(Ending::Converged);
        }
        self.restart()?;
        let mut forecast = Forecast::new(0, 1.0);
        loop {
            if self.iterations >= self.problem.options.iterations {
                return self.stop(Ending::Iterations);
            }
            self.steps(self.interval(&forecast))?;
            forecast.learn(self.iterations, self.relative());
            let progress = Progress {
                done: self.iterations,
                expected: forecast.iterations_to(self.in_space(self.problem.options.tolerance)),
                residual: Some(self.given(self.relative())),
            };
            if observer.observe(&progress) == Control::Stop {
                return self.stop(Ending::Stopped);
            }
            if let Some(ending) = self.judge(observer)? {
                return Ok(ending);
            }
        }
    }

    /// Returns the recursive residual relative to b, in the space.
    fn relative(&self) -> f64 {
        self.carried * self.scale / self.problem.norm.in_space
    }

    /// Notes the norm of the true residual.
    fn reached(&mut self, size: Size) {
        let size = size.over(self.problem.norm);
        (self.residual, self.residual_in_space) = (size.given, size.in_space);
        match self.residual < self.nearest.residual {
            true => {
                self.nearest =
                    Nearest { residual: self.residual, at: self.iterations, is_now: true };
            }
            false => self.nearest.is_now = false,
        }
    }

    /// Keeps x where none before has a smaller residual, before it is changed.
    fn keep_nearest(&mut self) -> Result<()> {
        match self.nearest.is_now {
            true => self.iterate.keep(self.space),
            false => Ok(()),
        }
    }

    /// Returns to the x with the least residual.
    fn recall(&mut self) -> Result<()> {
        let size = self.iterate.recall(self.space)?.over(self.problem.norm);
        (self.residual, self.residual_in_space) = (size.given, size.in_space);
        self.nearest.is_now = true;
        Ok(())
    }

    /// Estimates a residual of the given system from one in the space, by the last ratio that is
    /// known of the two.
    fn given(&self, residual: f64) -> f64 {
        match self.problem.scaling {
            Some(_) => residual * (self.residual / self.residual_in_space),
            None => residual,
        }
    }

    /// Estimates a residual in the space from one of the given system.
    fn in_space(&self, residual: f64) -> f64 {
        match self.problem.scaling {
            Some(_) => residual * (self.residual_in_space / self.residual),
            None => residual,
        }
    }

    /// Takes steps up to the next look at the residual, and looks.
    fn steps(&mut self, steps: u64) -> Result<()> {
        for _ in 0..steps {
            self.method.step(self.space, self.with)?;
        }
        self.iterations += steps;
        self.applications += steps * self.method.applications(self.with.applications());
        self.carried = self.space.norm(self.method.residual())?;
        self.most = self.most.max(self.carried);
        if self.relative() < 0.999 * self.least.1 {
            self.least = (self.iterations, self.relative());
        }
        Ok(())
    }

    /// Returns the number of steps before the next check: few at first, and few where the tolerance
    /// is near, so that few are wasted.
    fn interval(&self, forecast: &Forecast) -> u64 {
        let all = self.problem.options.iterations - self.iterations;
        let usual = self
            .problem
            .options
            .check_every
            .unwrap_or_else(|| self.space.check_interval().min(self.iterations / 4));
        let expected = forecast.iterations_to(self.target).unwrap_or(u64::MAX);
        usual.min(expected.saturating_sub(self.iterations)).max(1).min(all)
    }

    /// Decides after a look at the residual: to continue, to correct, to restart or to end.
    fn judge(&mut self, observer: &mut dyn Observer) -> Result<Option<Ending>> {
        if !self.carried.is_finite() || self.relative() > GROWN * self.best {
            return self.begin_anew(Ending::Diverged);
        }
        let breakdown = self.method.breakdown(self.space)?.filter(|_| self.carried > 0.0);
        let fallen = match self.problem.options.precision {
            Precision::Mixed => self.carried <= self.fall() * self.most,
            Precision::Single => self.relative() <= FALL * self.announced,
        };
        if fallen || self.relative() <= self.target {
            return self.correct(observer);
        }
        // Where x is all of the correction, it moves at its ends alone.
        let mixed = self.problem.options.precision == Precision::Mixed;
        if mixed && breakdown.is_none() && observer.is_due() {
            return self.correct(observer);
        }
        if let Some(breakdown) = breakdown {
            return self.begin_anew(Ending::Breakdown(breakdown));
        }
        if self.iterations - self.least.0 > self.patience().max(2 * self.least.0) {
            return self.stop(Ending::Stagnated).map(Some);
        }
        Ok(None)
    }

    fn patience(&self) -> u64 {
        let unknowns = self.problem.unknowns as u64;
        let of_grid = PATIENCE + 8 * unknowns.isqrt();
        let most = FIRST_STEPS.saturating_add(STEPS_PER_UNKNOWN.saturating_mul(unknowns));
        of_grid.min(most) / (1 + self.with.applications())
    }

    /// Returns the fall of the recursive residual after which x is corrected.
    fn fall(&self) -> f64 {
        let few = self.iterations - self.handed_over <= FEW && self.with.applications() >= COSTLY;
        if few { FAST_FALL } else { FALL }
    }

    /// Moves the correction into x and computes the true residual.
    fn absorb(&mut self) -> Result<()> {
        self.keep_nearest()?;
        if self.problem.options.precision == Precision::Single {
            // The correction is all of x.
            self.iterate.clear();
        }
        let factor = self.scale * self.problem.matrix_factor;
        let size = self.iterate.correct(self.space, self.method.correction(), factor)?;
        self.corrections += 1;
        self.reached(size);
        Ok(())
    }

    /// Computes the residual that is reported, which may differ from a device's by rounding.
    fn settle(&mut self) -> Result<()> {
        let size = self.iterate.settle()?.over(self.problem.norm);
        (self.residual, self.residual_in_space) = (size.given, size.in_space);
        Ok(())
    }

    /// Corrects x, and continues from its true residual unless that meets the tolerance or falls no
    /// further.
    fn correct(&mut self, observer: &mut dyn Observer) -> Result<Option<Ending>> {
        let announced = self.relative();
        self.announced = announced;
        self.absorb()?;
        self.hand_out(observer)?;
        if self.residual <= self.problem.options.tolerance {
            self.settle()?;
        }
        if self.residual <= self.problem.options.tolerance {
            return Ok(Some(Ending::Converged));
        }
        if self.residual_in_space < 0.5 * self.best {
            (self.best, self.misses, self.restarts) = (self.residual_in_space, 0, 0);
        } else if self.residual_in_space > 2.0 * announced || self.residual_in_space.is_nan() {
            self.misses += 1;
        }
        if self.problem.scaling.is_some() {
            self.target = self.in_space(self.problem.options.tolerance);
        }
        match self.problem.options.precision {
            _ if self.misses >= MISSES => return self.settled(Ending::Stagnated).map(Some),
            // The method continues as it is, to where its recursive residual announces a smaller
            // true one.
            Precision::Single => {
                self.target = self.target.min(0.9 * announced);
            }
            // Directions that belong to another residual than the true one would lead astray.
            Precision::Mixed if self.residual_in_space > ASTRAY * announced => self.restart()?,
            Precision::Mixed => self.go_on()?,
        }
        Ok(None)
    }

    /// Gives x to the observer if that is due, where its residual is finite.
    fn hand_out(&self, observer: &mut dyn Observer) -> Result<()> {
        if self.residual_in_space.is_finite() && observer.is_due() {
            observer.keep(self.iterations, self.iterate.x()?);
        }
        Ok(())
    }

    fn go_on(&mut self) -> Result<()> {
        let shrink = self.hand_over()?;
        Ok(self.method.go_on(self.space, shrink)?)
    }

    fn restart(&mut self) -> Result<()> {
        self.hand_over()?;
        Ok(self.method.restart(self.space)?)
    }

    /// Sets the method's residual to the true one, scaled to the norm 1; returns what the recursive
    /// one would be multiplied by to have that scale.
    fn hand_over(&mut self) -> Result<f64> {
        let size = self.residual_in_space * self.problem.norm.in_space;
        self.iterate.give(self.space, size.recip(), self.method.residual_mut())?;
        let shrink = self.scale / size;
        (self.scale, self.carried, self.most) = (size, 1.0, 1.0);
        self.handed_over = self.iterations;
        Ok(shrink)
    }

    /// Restarts from the nearest x, without the directions that led away from it, where anything was reached since the
    /// last restart.
    fn begin_anew(&mut self, ending: Ending) -> Result<Option<Ending>> {
        self.restarts += 1;
        self.absorb_if_nearer()?;
        let single = self.problem.options.precision == Precision::Single;
        let reached_nothing = self.nearest.residual >= self.restarted_at;
        if single || self.restarts > RESTARTS || reached_nothing {
            return self.settled(ending).map(Some);
        }
        self.restarted_at = self.nearest.residual;
        if !self.nearest.is_now {
            self.recall()?;
        }
        self.restart()?;
        Ok(None)
    }

    /// Moves the correction into x where the recursive residual is less than that of any x before.
    fn absorb_if_nearer(&mut self) -> Result<()> {
        match self.given(self.relative()) < self.nearest.residual {
            true => self.absorb(),
            false => Ok(()),
        }
    }

    /// Ends with the nearest x.
    fn stop(&mut self, ending: Ending) -> Result<Ending> {
        self.absorb_if_nearer()?;
        self.settled(ending)
    }

    /// Returns the ending, or convergence if the nearest x meets the tolerance after all.
    fn settled(&mut self, ending: Ending) -> Result<Ending> {
        if !self.nearest.is_now {
            self.recall()?;
        }
        self.settle()?;
        Ok(match ending {
            _ if self.residual <= self.problem.options.tolerance => Ending::Converged,
            Ending::Diverged if self.residual < FALLEN * self.problem.start => Ending::Stagnated,
            ending => ending,
        })
    }
}
