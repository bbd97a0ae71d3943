//! The method fft: the inverse of a constant operator in 32-bit floats, and refinement in double
//! precision, as of any direct solver (Wilkinson, "Rounding errors in algebraic processes", 1963).

use std::rc::Rc;

use crate::Context;
use crate::data::{ConstantOperator, Float, NineBanded};
use crate::grid::DeviceGrid;
use crate::linalg::direct::modes::{Eigenvalue, Modes};
use crate::linalg::direct::{Inverse, Operator};
use crate::linalg::double_system::DoubleSystem;
use crate::linalg::krylov::{DeviceSpace, Space};
use crate::linalg::solve::refinement::Outcome;
use crate::stream::observer::{Control, Observer, Progress};

use super::problem::Problem;
use super::problem::scaling::Scale;
use super::problem::system::System;
use super::refinement::engine::{Engine, Place, Runs};
use super::refinement::iterate::{self, Doubles, Iterate, OnHost};
use super::times::{Part, Watch};
use super::{
    Ending, Error, GenericSolver, Make, Method, Options, Precision, Properties, ResidualOn, Result,
    Solver,
};

/// The corrections in a row that do not halve the residual, after which it falls no further.
const MISSES: u32 = 2;
/// The eigenvalues that are zero but for rounding, relative to the largest.
const ZERO: f64 = 16.0 * f64::EPSILON;

struct Direct {
    space: DeviceSpace<Operator>,
    inverse: Inverse,
    doubles: Box<dyn Doubles<DeviceSpace<Operator>>>,
    r: DeviceGrid,
    z: DeviceGrid,
}

impl<T: Float> Solver<T> {
    /// Solves with a constant operator, whose sides may be periodic, by the method
    /// [`Fft`](Method::Fft).
    ///
    /// Of an operator that takes constants to zero x has the mean zero, and a right-hand side must
    /// have none but for rounding, or [lose](Options::project) it.
    ///
    /// ```
    /// use quadrille::Context;
    /// use quadrille::data::{ConstantOperator, Side};
    /// use quadrille::linalg::solve::{Options, Solver};
    /// # if !cfg!(feature = "primitives") { return Ok(()) }
    /// let ring = ConstantOperator::new(8, 6, [5.0, -1.0, -1.0, 0.0], [Side::Periodic; 2])?;
    /// let context = Context::headless()?;
    /// let mut solver = Solver::<f64>::of_constant(&context, &ring, Options::new().tolerance(1e-12))?;
    /// let solution = solver.solve(&[1.0; 48])?;
    /// assert!(solution.x.iter().all(|x| (x - 1.0).abs() < 1e-11));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::Periodic`] for another method; [`Error::NoDoubles`] for residuals on the device;
    /// [`Error::SingularMode`] for a matrix that takes more than constants to zero;
    /// [`gl::Error::TooLarge`](crate::gl::Error::TooLarge) where the transforms are not in one
    /// texture; [`gl::Error::Unsupported`](crate::gl::Error::Unsupported) in a build without the
    /// feature `primitives`; out of memory, and errors of the device. Solving fails by
    /// [`Error::Inconsistent`] for a right-hand side with a mean.
    pub fn of_constant(
        context: &Context,
        operator: &ConstantOperator,
        options: Options,
    ) -> Result<Solver<T>> {
        if let Some(method) = options.method.filter(|method| *method != Method::Fft) {
            return Err(Error::Periodic { method: method.name() });
        }
        if options.residual_on == Some(ResidualOn::Device) {
            return Err(Error::NoDoubles);
        }
        let options = options.method(Method::Fft);
        let properties = Properties::of_constant_operator(operator);
        let doubles = |_: &DeviceSpace<Operator>| Ok(Box::new(OnHost) as Box<dyn Doubles<_>>);
        solver(context, Box::new(*operator), *operator, &properties, options, doubles)
    }
}

/// Solves with a nine-banded matrix that is a constant operator.
pub(super) fn of_nine_banded<T: Float>(
    context: &Context,
    matrix: &NineBanded<T>,
    options: Options,
) -> Result<Solver<T>> {
    let operator = ConstantOperator::of(matrix)?;
    let properties = Properties::of(matrix);
    let (known, of) = (context.clone(), matrix.clone());
    let doubles = move |space: &DeviceSpace<Operator>| {
        let make = || DoubleSystem::new(&known, &of, space.plan());
        iterate::doubles(&known, options, DoubleSystem::fits(&known, &of), make)
    };
    solver(context, Box::new(matrix.clone()), operator, &properties, options, doubles)
}

fn solver<T: Float>(
    context: &Context,
    system: Box<dyn System>,
    operator: ConstantOperator,
    properties: &Properties,
    options: Options,
    doubles: impl Fn(&DeviceSpace<Operator>) -> Result<Box<dyn Doubles<DeviceSpace<Operator>>>>
    + 'static,
) -> Result<Solver<T>> {
    options.must_agree()?;
    let watch = Rc::new(Watch::new(vec![context.clone()]));
    let context = context.clone();
    let is_singular = properties.has_constant_null_space();
    let make: Make<Place> = Box::new(move |choice, scale| {
        let factor = match scale {
            Scale::Factor(factor) => factor,
            Scale::Sides(_) => 1.0,
        };
        let operator = operator.times(factor);
        let modes = Modes::new(operator)?;
        must_divide(&modes, is_singular)?;
        let space = DeviceSpace::with(Operator::new(&context, operator)?)?;
        let doubles = doubles(&space)?;
        choice.residual_on = doubles.place();
        let inverse = Inverse::new(&context, &operator, &modes, is_singular)?;
        let (r, z) = (space.vector()?, space.vector()?);
        Ok(Place::Direct(Box::new(Direct { space, inverse, doubles, r, z })))
    });
    let core = GenericSolver::new(system, properties, options, make, &watch, false)?;
    Ok(Solver::with_core(core))
}

/// Refuses an eigenvalue of zero, but for that of the constants where they are the null space. That one is the sum of a
/// row, which no rounding of sines is in: small as it may be, it is no zero.
fn must_divide(modes: &Modes, is_singular: bool) -> Result<()> {
    let largest = modes.largest().value.abs();
    let constant = modes.of_constants().filter(|_| !is_singular);
    let is_zero = |least: &Eigenvalue| least.value.abs() <= ZERO * largest || !largest.is_normal();
    let refused = modes.least(is_singular || constant.is_some()).filter(is_zero);
    let refused = refused.or(constant.filter(|one| !(one.value as f32).is_normal()));
    refused.map_or(Ok(()), |Eigenvalue { mode, value }| {
        Err(Error::SingularMode { mode, value, largest })
    })
}

impl Runs for Direct {
    fn run(&mut self, problem: &Problem<'_>, observer: &mut dyn Observer) -> Result<Outcome> {
        let Direct { space, inverse, doubles, r, z } = self;
        let iterate = problem.watch.during(Part::Send, || doubles.begin(problem))?;
        refine((space, inverse), [r, z], problem, iterate, observer)
    }

    fn warm_up(&mut self) -> Result<()> {
        let Direct { space, inverse, r, z, .. } = self;
        space.clear(r)?;
        inverse.apply(r, z)?;
        space.norm(z)?;
        Ok(())
    }
}

impl Engine<DeviceSpace<Operator>> for Direct {
    fn space(&self) -> &DeviceSpace<Operator> {
        &self.space
    }

    fn run_on(
        &mut self,
        problem: &Problem<'_>,
        iterate: Box<dyn Iterate<DeviceSpace<Operator>> + '_>,
        observer: &mut dyn Observer,
    ) -> Result<Outcome> {
        let Direct { space, inverse, r, z, .. } = self;
        refine((space, inverse), [r, z], problem, iterate, observer)
    }
}

/// Corrects x by the inverse's solution for its residual, until that meets the tolerance.
fn refine(
    (space, inverse): (&DeviceSpace<Operator>, &mut Inverse),
    [r, z]: [&mut DeviceGrid; 2],
    problem: &Problem<'_>,
    mut iterate: Box<dyn Iterate<DeviceSpace<Operator>> + '_>,
    observer: &mut dyn Observer,
) -> Result<Outcome> {
    let Options { tolerance, precision, iterations, .. } = problem.options;
    let norm = problem.norm.given;
    let is_zero = norm == 0.0;
    let mut residual = if is_zero { 0.0 } else { problem.start };
    let (mut best, mut reached_at, mut misses, mut done) = (residual, 0, 0, 0);
    let ending = loop {
        if residual <= tolerance {
            // The residual that is reported may differ from a device's by rounding.
            let size = iterate.settle()?.given;
            residual = if is_zero { 0.0 } else { size / norm };
            if residual <= tolerance {
                break Ending::Converged;
            }
        }
        let ended = match (done, precision) {
            _ if done >= iterations => Some(Ending::Iterations),
            (1.., Precision::Single) => Some(Ending::Stagnated),
            _ if !residual.is_finite() => Some(Ending::Diverged),
            _ if misses >= MISSES => Some(Ending::Stagnated),
            _ => None,
        };
        if let Some(ending) = ended {
            break ending;
        }
        if reached_at == done {
            iterate.keep(space)?;
        }
        let size = residual * norm;
        iterate.give(space, size.recip(), r)?;
        inverse.apply(r, z)?;
        residual = iterate.correct(space, z, size * problem.matrix_factor)?.given / norm;
        done += 1;
        misses = if residual < 0.5 * best { 0 } else { misses + 1 };
        if residual < best {
            (best, reached_at) = (residual, done);
        }
        let progress = Progress { done, expected: None, residual: Some(residual) };
        if observer.observe(&progress) == Control::Stop {
            break Ending::Stopped;
        }
    };
    if ending != Ending::Converged {
        if reached_at < done {
            iterate.recall(space)?;
        }
        residual = iterate.settle()?.given / norm;
    }
    let (iterations, applications, corrections) = (done, 0, done);
    let x = iterate.into_x();
    Ok(Outcome { x, residual, reached_at, iterations, applications, corrections, ending })
}
