//! A method in its space, ready for right-hand sides.

use crate::data::{self, Float, NineBanded};
use crate::linalg::krylov::{
    self, BiCgStab, Cg, Chebyshev, DeviceSpace, HostSpace, Identity, Jacobi, Space, Stationary,
};
use crate::linalg::{direct, multigrid, sparse};
use crate::stream::observer::Observer;

use super::iterate::{Doubles, Iterate};
use super::{Outcome, Refinement};
use crate::linalg::solve::problem::Problem;
use crate::linalg::solve::times::Part;
use crate::linalg::solve::{Choice, Error, Method, Preconditioner, Properties, Result};

/// A method that runs, on the device or on the host.
pub(crate) trait Runs {
    fn run(&mut self, problem: &Problem<'_>, observer: &mut dyn Observer) -> Result<Outcome>;

    /// Compiles all that a run needs, by a step from zero.
    fn warm_up(&mut self) -> Result<()>;
}

/// A method in a space.
pub(crate) trait Engine<S: Space>: Runs {
    fn space(&self) -> &S;

    /// Runs the method with an iterate of the caller's.
    fn run_on(
        &mut self,
        problem: &Problem<'_>,
        iterate: Box<dyn Iterate<S> + '_>,
        observer: &mut dyn Observer,
    ) -> Result<Outcome>;
}

struct Running<S: Space, M> {
    space: S,
    method: M,
    preconditioner: Box<dyn krylov::Preconditioner<S>>,
    doubles: Box<dyn Doubles<S>>,
}

/// A method where it runs.
pub(crate) enum Place {
    Device(Box<dyn Engine<DeviceSpace>>),
    Sparse(Box<dyn Engine<DeviceSpace<sparse::Operator>>>),
    Direct(Box<dyn Engine<DeviceSpace<direct::Operator>>>),
    Grid3(Box<dyn Engine<DeviceSpace<crate::linalg::grid3::Operator>>>),
    Host(Box<dyn Engine<HostSpace<f32>>>),
}

impl Place {
    fn engine(&mut self) -> &mut dyn Runs {
        match self {
            Place::Device(engine) => engine.as_mut(),
            Place::Sparse(engine) => engine.as_mut(),
            Place::Direct(engine) => engine.as_mut(),
            Place::Grid3(engine) => engine.as_mut(),
            Place::Host(engine) => engine.as_mut(),
        }
    }
}

impl Runs for Place {
    fn run(&mut self, problem: &Problem<'_>, observer: &mut dyn Observer) -> Result<Outcome> {
        self.engine().run(problem, observer)
    }

    fn warm_up(&mut self) -> Result<()> {
        self.engine().warm_up()
    }
}

impl<R: Runs + ?Sized> Runs for Box<R> {
    fn run(&mut self, problem: &Problem<'_>, observer: &mut dyn Observer) -> Result<Outcome> {
        (**self).run(problem, observer)
    }

    fn warm_up(&mut self) -> Result<()> {
        (**self).warm_up()
    }
}

impl<S: Space, M: krylov::Method<S>> Runs for Running<S, M>
where
    Error: From<S::Error>,
{
    fn run(&mut self, problem: &Problem<'_>, observer: &mut dyn Observer) -> Result<Outcome> {
        let (method, with) = (&mut self.method, self.preconditioner.as_mut());
        let iterate = problem.watch.during(Part::Send, || self.doubles.begin(problem))?;
        Refinement::new(&self.space, method, with, problem, iterate).run(observer)
    }

    fn warm_up(&mut self) -> Result<()> {
        // Zeros from the host would take longer than all programs of a large system.
        self.space.clear(self.method.residual_mut())?;
        self.method.restart(&self.space)?;
        self.method.step(&self.space, self.preconditioner.as_mut())?;
        self.method.breakdown(&self.space)?;
        self.method.go_on(&self.space, 1.0)?;
        self.space.norm(self.method.residual())?;
        Ok(())
    }
}

impl<S: Space, M: krylov::Method<S>> Engine<S> for Running<S, M>
where
    Error: From<S::Error>,
{
    fn space(&self) -> &S {
        &self.space
    }

    fn run_on(
        &mut self,
        problem: &Problem<'_>,
        iterate: Box<dyn Iterate<S> + '_>,
        observer: &mut dyn Observer,
    ) -> Result<Outcome> {
        let (method, with) = (&mut self.method, self.preconditioner.as_mut());
        Refinement::new(&self.space, method, with, problem, iterate).run(observer)
    }
}

/// Returns whether a preconditioner divides by the diagonal as a whole vector.
pub(crate) fn needs_diagonal(preconditioner: Preconditioner) -> bool {
    matches!(preconditioner, Preconditioner::Jacobi | Preconditioner::Chebyshev)
}

/// The properties of a matrix that preconditioners need.
pub(crate) struct Traits {
    /// Empty where the preconditioner does not [need](needs_diagonal) it.
    diagonal: Vec<f64>,
    /// A bound of the eigenvalues of D^-1 A.
    largest: f64,
    /// Whether the constants are its null space.
    singular: bool,
}

impl Traits {
    /// Returns the traits of a matrix with this diagonal, or with this part of it in the rows of
    /// this process.
    pub(crate) fn new(diagonal: Vec<f64>, matrix: &Properties) -> Traits {
        let (largest, singular) = (matrix.gershgorin(), matrix.has_constant_null_space());
        Traits { diagonal, largest, singular }
    }
}

/// Multigrid in a space, and the smoothers of its levels without the last.
pub(crate) type Multigrid<S> = (Box<dyn krylov::Preconditioner<S>>, Vec<multigrid::Smoother>);

/// Returns a method in a space; `multigrid` makes the preconditioner of that name.
pub(crate) fn build<S: Space + 'static>(
    space: S,
    choice: &mut Choice,
    traits: &Traits,
    doubles: Box<dyn Doubles<S>>,
    multigrid: impl FnOnce(&S, multigrid::Options) -> Result<Multigrid<S>>,
) -> Result<Box<dyn Engine<S>>>
where
    Error: From<S::Error>,
{
    let preconditioner: Box<dyn krylov::Preconditioner<S>> = match choice.preconditioner {
        Preconditioner::Identity => Box::new(Identity),
        Preconditioner::Jacobi => Box::new(Jacobi::new(&space, &traits.diagonal)?),
        Preconditioner::Chebyshev => {
            Box::new(Chebyshev::new(&space, &traits.diagonal, traits.largest)?)
        }
        Preconditioner::Multigrid(options) => {
            let options = options.constant_null_space(traits.singular);
            let (cycle, smoothers) = multigrid(&space, options)?;
            choice.preconditioner = Preconditioner::Multigrid(options);
            (choice.levels, choice.smoothers) = (smoothers.len() + 1, smoothers);
            cycle
        }
    };
    Ok(match choice.method {
        Method::Cg => {
            Box::new(Running { method: Cg::new(&space)?, space, preconditioner, doubles })
        }
        Method::BiCgStab => {
            Box::new(Running { method: BiCgStab::new(&space)?, space, preconditioner, doubles })
        }
        // Transforms solve by an engine of their own.
        Method::Jacobi | Method::Multigrid | Method::Fft => {
            Box::new(Running { method: Stationary::new(&space)?, space, preconditioner, doubles })
        }
    })
}

/// Refuses a diagonal by which a preconditioner would divide where 32-bit floats, or devices, take
/// it for zero.
pub(crate) fn must_divide<T: Float>(matrix: &NineBanded<T>, single: &NineBanded) -> Result<()> {
    let is_normal = |field: &data::Diffusion| {
        let (least, most) = field.bounds();
        (least as f32).is_normal() && (most as f32).is_normal()
    };
    if single.field().is_some_and(is_normal) {
        return Ok(());
    }
    match single.first_on_diagonal(|entry| !entry.is_normal()) {
        None => Ok(()),
        Some((row, _)) => Err(small(row, matrix.entry(row, row).into())),
    }
}

/// Refuses a diagonal in 32-bit floats by which a preconditioner cannot divide; the numbers of the
/// given matrix are for the message.
pub(crate) fn must_be_normal(
    mut single: impl Iterator<Item = f32>,
    given: impl Fn(usize) -> f64,
) -> Result<()> {
    match single.position(|entry| !entry.is_normal()) {
        None => Ok(()),
        Some(row) => Err(small(row, given(row))),
    }
}

fn small(row: usize, value: f64) -> Error {
    data::BandError::SmallDiagonal { row, value }.into()
}
