//! Solving where right-hand sides and solutions are grids on the device.

use std::rc::Rc;

use crate::data::Float;
use crate::grid::{DeviceGrid, Plan};
use crate::linalg::krylov::{DeviceOperator, DeviceSpace, Space};
use crate::stream::observer::Observer;

use super::generic_solver::GenericSolver;
use super::problem::{self, Problem};
use super::projection::{self, Constant};
use super::refinement::engine::{Engine, Place};
use super::refinement::grid_iterate::{GridIterate, Mean};
use super::times::Part;
use super::{Ending, Error, Options, Precision, Result, Solution, Solver};

impl<T: Float> Solver<T> {
    /// Returns the plan of the grids of [`solve_on_device`](Solver::solve_on_device); `None` if the
    /// solver computes on the host.
    pub fn plan(&self) -> Option<&Rc<Plan>> {
        match &self.core.engine {
            Place::Device(engine) => Some(engine.space().plan()),
            Place::Sparse(engine) => Some(engine.space().plan()),
            Place::Direct(engine) => Some(engine.space().plan()),
            Place::Grid3(engine) => Some(engine.space().plan()),
            Place::Host(_) => None,
        }
    }

    /// Solves A x = b from the x that is given, in 32-bit floats: a good guess, as the solution of
    /// the last time step, saves iterations. Nothing but a few numbers comes back to the host.
    ///
    /// The residual that decides is that of x, computed on the device whenever it has fallen by a
    /// factor of ten. If the tolerance is below what 32-bit floats reach, 4e-5 for the first
    /// pressure of `crates/run/examples/fluid`, it ends as stagnated. Multigrid that was chosen and does
    /// not converge is not replaced here, and a solver that scaled its system
    /// ([`Choice::is_scaled`](super::Choice::is_scaled)) no longer does.
    ///
    /// ```
    /// use quadrille::{data::Stencil, grid::DeviceGrid};
    /// use quadrille::linalg::solve::{Options, Solver};
    /// let matrix = "poisson5:30".parse::<Stencil>()?.matrix()?;
    /// let context = quadrille::Context::headless()?;
    /// let mut solver = Solver::new(&context, &matrix, Options::new().tolerance(1e-5))?;
    /// let plan = solver.plan().ok_or("on a device")?.clone();
    /// let b = DeviceGrid::from_host(&context, &plan, &[1.0; 900])?;
    /// let mut x = DeviceGrid::zeros(&context, &plan)?;
    /// let solution = solver.solve_on_device(&b, &mut x)?;
    /// assert!(solution.residual <= 1e-5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`solve_on_device_observed`](Solver::solve_on_device_observed).
    pub fn solve_on_device(&mut self, b: &DeviceGrid, x: &mut DeviceGrid) -> Result<Solution> {
        self.solve_on_device_observed(b, x, &mut ())
    }

    /// Solves with an observer ([`solve_on_device`](Solver::solve_on_device) without one), which is
    /// called at each look at the residual and may stop the iteration.
    ///
    /// # Errors
    ///
    /// [`Error::NotConverged`] if the tolerance is not met, where x is the nearest that was found; [`Error::OnHost`] if the
    /// solver computes on the host; [`Error::Inconsistent`] if the mean of b leaves it
    /// without a solution;
    /// [`grid::Error::Unlike`](crate::grid::Error::Unlike) for grids of another
    /// [plan](Solver::plan); [`Error::Norm`] if b, or b - A x for the x that is given, is not
    /// finite; out of memory, and errors of the device.
    pub fn solve_on_device_observed(
        &mut self,
        b: &DeviceGrid,
        x: &mut DeviceGrid,
        observer: &mut dyn Observer,
    ) -> Result<Solution> {
        self.core.unscale()?;
        let factor = self.core.matrix_factor();
        let GenericSolver { engine, system, options, choice, singular, watch, .. } = &mut self.core;
        watch.begin(Part::Iterate);
        let problem = Problem {
            matrix_factor: factor,
            projected: *singular,
            ..Problem::new(
                &**system,
                watch,
                Options { precision: Precision::Mixed, ..*options },
                0.0,
            )
        };
        let mut solution = match engine {
            Place::Device(engine) => run(engine, problem, &mut self.mean, (b, x), observer),
            Place::Sparse(engine) => run(engine, problem, &mut self.mean, (b, x), observer),
            Place::Direct(engine) => run(engine, problem, &mut self.mean, (b, x), observer),
            Place::Grid3(engine) => run(engine, problem, &mut self.mean, (b, x), observer),
            Place::Host(_) => Err(Error::OnHost),
        }?;
        (solution.gave_up, solution.curvature) = (choice.gave_up, choice.curvature());
        solution.times = watch.times();
        Ok(solution.or_not_converged()?)
    }
}

/// Solves a problem, whose norms are set here, with grids.
fn run<A: DeviceOperator>(
    engine: &mut Box<dyn Engine<DeviceSpace<A>>>,
    mut problem: Problem<'_>,
    mean: &mut Option<Mean>,
    (b, x): (&DeviceGrid, &mut DeviceGrid),
    observer: &mut dyn Observer,
) -> Result<Solution> {
    let space = engine.space();
    b.must_be(space.plan(), "solving: the right-hand side")?;
    x.must_be(space.plan(), "solving: x")?;
    if problem.projected && mean.is_none() {
        *mean = Some(Mean::new(space)?);
    }
    let mut mean = mean.as_mut();
    let (norm, constant) = size(space, b, mean.as_deref_mut())?;
    let asked = problem.options.tolerance;
    problem.options.tolerance = constant.beside(norm, problem.options, projection::SINGLE)?;
    if norm == 0.0 {
        x.clear()?;
    }
    let iterate = GridIterate::new(space, b, x, problem.matrix_factor, mean)?;
    problem.norm = problem::Size::same(norm);
    problem.start = must_be_finite(iterate.size(), "the residual of the first x")? / norm;
    let outcome = engine.run_on(&problem, Box::new(iterate), observer)?;
    let residual = match problem.projected {
        true => constant.with(outcome.residual, norm),
        false => outcome.residual,
    };
    let project = problem.projected && problem.options.project;
    let ending = match outcome.ending {
        Ending::Converged if !project && residual > asked => Ending::Stagnated,
        ending => ending,
    };
    let mean = constant.is_notable(projection::SINGLE).then_some(constant.mean);
    let projected_residual = project.then_some(outcome.residual);
    let precision = Precision::Single;
    let asked = Options { tolerance: asked, precision, ..problem.options };
    let reached = outcome.into_solution(asked);
    Ok(Solution { residual, projected_residual, ending, removed_mean: mean, ..reached })
}

/// Returns the 2-norm of a right-hand side without the mean, if that has to be removed, and the mean.
fn size<A: DeviceOperator>(
    space: &DeviceSpace<A>,
    b: &DeviceGrid,
    mean: Option<&mut Mean>,
) -> Result<(f64, Constant)> {
    let whole = must_be_finite(space.norm(b)?, "the right-hand side")?;
    let mut constant = Constant { mean: 0.0, unknowns: space.length(), whole };
    let Some(mean) = mean else { return Ok((whole, constant)) };
    let mut rest = space.vector()?;
    space.copy(b, &mut rest)?;
    constant.mean = mean.remove(space, &mut rest)?;
    let norm = space.norm(&rest)?;
    let is_nothing = norm <= projection::NOTHING * f64::from(f32::EPSILON) * whole;
    Ok((if is_nothing { 0.0 } else { norm }, constant))
}

fn must_be_finite(value: f64, what: &'static str) -> Result<f64> {
    if value.is_finite() { Ok(value) } else { Err(Error::Norm { what, value }) }
}
