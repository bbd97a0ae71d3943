//! Linear systems with nine-banded matrices, as stencils on a grid produce, and with any sparse
//! ones: to double precision by steps in 32-bit floats.
//!
//! A [`Solver`] is set up once for a matrix and solves for any number of right-hand sides: by a
//! [Krylov method](super::krylov), whose residual is [replaced](Precision::Mixed) by one in double
//! precision as it falls. The last residual is always that of the matrix as it was given and of the
//! x that is returned, in double precision on the host; what does not converge is an
//! [error](NotConverged) that holds the nearest x. A [`Session`] solves for several right-hand sides,
//! and records their residuals. Right-hand sides that are on a device are
//! solved for there, [in 32-bit floats](Solver::solve_on_device).
//!
//! ```
//! use quadrille::data::Stencil;
//! use quadrille::linalg::solve::{Options, Solver};
//! let matrix = "poisson5:30".parse::<Stencil>()?.matrix()?;
//! let context = quadrille::Context::headless()?;
//! let mut solver = Solver::new(&context, &matrix, Options::new().tolerance(1e-12))?;
//! let solution = solver.solve(&vec![1.0; matrix.n()])?;
//! assert!(solution.residual <= 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(
    not(feature = "cluster"),
    allow(dead_code, unused_imports, reason = "ranks refine by parts of it")
)]

// `options` and a `problem` lead to the `choice` of a method, which the `generic_solver` runs by
// `refinement` to a `solution`; `on_device` and `initial_guess` are its other entries.
mod choice;
mod direct;
mod error;
mod generic_solver;
mod grid3;
mod initial_guess;
mod on_device;
mod options;
mod problem;
mod projection;
mod refinement;
mod round;
mod session;
mod solution;
mod times;

use refinement::iterate;

use std::marker::PhantomData;
use std::rc::Rc;

use crate::Context;
use crate::data::{self, Csr, Float, NineBanded, Shape, SystemMatrix};
use crate::linalg::double_system::DoubleSystem;
use crate::linalg::krylov::{DeviceSpace, HostSpace};
use crate::linalg::multigrid::{self, Hierarchy};
use crate::linalg::sparse;
use crate::memory;
use crate::stream::observer::Observer;

pub use choice::{Choice, Why};
pub use error::{Error, Result, SideError};
pub use options::named_options::NamedOptions;
pub use options::names::{NamedMethod, OrAuto};
pub use options::{Method, Options, Precision, Preconditioner, Preconditioning, ResidualOn};
pub use problem::properties::Properties;
pub(crate) use problem::scaling;
pub(crate) use refinement::engine;
pub use session::{Session, Side, Solved, SystemSolver};
pub use solution::Solution;
pub use solution::ending::Ending;
pub use solution::not_converged::NotConverged;
pub use solution::recorder::Look;
pub use times::Times;
pub(crate) use times::{Part, Watch};

use refinement::engine::Place;
use refinement::grid_iterate::Mean;

pub(crate) use generic_solver::{GenericSolver, Make};
pub(crate) use grid3::must_divide_in_space;
pub(crate) use problem::Problem;
pub(crate) use problem::system::{
    Matrix, Measure, System, blocks_of, diagonal, residual, residual_squares_of,
};
pub(crate) use refinement::iterate::{DeviceIterate, Doubles, Iterate, OnDevice, OnHost};

/// Returns every shader of solvers in every variant, to be checked as a set.
pub(crate) fn sources() -> Result<Vec<crate::shader::Source>, Box<dyn std::error::Error>> {
    let mut sources = super::direct::sources()?;
    sources.extend(super::double_system::sources()?);
    sources.extend(super::grid3::sources()?);
    sources.extend(multigrid::sources()?);
    sources.extend(sparse::sources()?);
    Ok(sources)
}

/// A nine-banded or sparse system, to be solved for any number of right-hand sides.
pub struct Solver<T: Float = f32> {
    core: GenericSolver<Place>,
    /// Made when first needed.
    mean: Option<Mean>,
    precision: PhantomData<T>,
}

impl Solver<f64> {
    /// Puts a matrix on a device in the form that it has.
    ///
    /// # Errors
    ///
    /// Those of [`new`](Solver::new) or of [`of_csr`](Solver::of_csr).
    pub fn of(context: &Context, matrix: &SystemMatrix, options: Options) -> Result<Solver<f64>> {
        match matrix {
            SystemMatrix::NineBanded(matrix) => Solver::new(context, matrix, options),
            SystemMatrix::Csr(matrix) => Solver::of_csr(context, matrix, options),
            SystemMatrix::Periodic(matrix) => Solver::of_constant(context, matrix, options),
            SystemMatrix::Grid(matrix) => Solver::of_grid(context, matrix, options),
        }
    }
}

impl<T: Float> Solver<T> {
    /// Puts a matrix on a device.
    ///
    /// # Errors
    ///
    /// Those of [`on_host`](Solver::on_host), of
    /// [`Operator::new`](super::nine_banded::Operator::new) and, with multigrid, of
    /// [`Hierarchy::new`]. With the method [`Fft`](Method::Fft)
    /// [`data::BandError::NotConstant`] where the matrix is no constant operator, and those of
    /// [`of_constant`](Solver::of_constant).
    pub fn new(context: &Context, matrix: &NineBanded<T>, options: Options) -> Result<Solver<T>> {
        if options.method == Some(Method::Fft) {
            return direct::of_nine_banded(context, matrix, options);
        }
        let (context, whole) = (context.clone(), matrix.clone());
        let watch = Rc::new(Watch::new(vec![context.clone()]));
        let levels = Rc::clone(&watch);
        Solver::by(matrix, options, &watch, move |single, choice, traits| {
            let space = DeviceSpace::new(&context, single)?;
            let fits = !choice.is_scaled() && DoubleSystem::fits(&context, &whole);
            let make = || DoubleSystem::new(&context, &whole, space.plan());
            let doubles = iterate::doubles(&context, options, fits, make)?;
            choice.residual_on = doubles.place();
            let engine = engine::build(space, choice, traits, doubles, |space, options| {
                let hierarchy =
                    levels.during(Part::Levels, || Hierarchy::new(space.operator(), options))?;
                let smoothers = hierarchy.smoothers();
                Ok((Box::new(hierarchy), smoothers))
            })?;
            Ok(Place::Device(engine))
        })
    }

    /// Computes on the host, in 32-bit floats as a device would: without a device, and to compare
    /// with one.
    ///
    /// # Errors
    ///
    /// [`Error::Tolerance`] for a tolerance that is negative or not finite;
    /// [`Error::TwoPreconditioners`] and [`Error::NotMultigrid`] for options
    /// that contradict each other; [`Error::ZeroDiagonal`], [`Error::NotSymmetric`] and
    /// [`Error::NotPositive`] if the matrix is not fit for the method or the preconditioner;
    /// [`Error::Data`] for a diagonal by which the preconditioner divides, and which 32-bit floats
    /// take for zero; and out of memory.
    pub fn on_host(matrix: &NineBanded<T>, options: Options) -> Result<Solver<T>> {
        let watch = Rc::new(Watch::new(Vec::new()));
        Solver::by(matrix, options, &watch, |single, choice, traits| {
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
        watch: &Rc<Watch>,
        build: impl Fn(&NineBanded, &mut Choice, &engine::Traits) -> Result<Place> + 'static,
    ) -> Result<Solver<T>> {
        if options.method == Some(Method::Fft) {
            return Err(Error::NotOnHost);
        }
        let properties = Properties::of(matrix);
        let whole = matrix.clone();
        let make: Make<Place> = Box::new(move |choice, scale| {
            let single = scale.single(&whole)?;
            if choice.preconditioner != Preconditioner::Identity {
                engine::must_divide(&whole, &single)?;
            }
            let diagonal = match engine::needs_diagonal(choice.preconditioner) {
                true => diagonal(&single)?,
                false => Vec::new(),
            };
            let traits = engine::Traits::new(diagonal, &properties);
            build(&single, choice, &traits)
        });
        let core =
            GenericSolver::new(Box::new(matrix.clone()), &properties, options, make, watch, true)?;
        Ok(Solver::with_core(core))
    }

    /// Puts a square sparse matrix without the structure of a grid on a device. Multigrid is not for
    /// such matrices, and the host computes residuals in double precision.
    ///
    /// ```
    /// use quadrille::{Context, Shape, data::Csr};
    /// use quadrille::linalg::solve::{Options, Solver};
    /// let ring = (0..100).flat_map(|i| [(i, i, 3.0), (i, (i + 37) % 100, -1.0), (i, (i + 63) % 100, -1.0)]);
    /// let matrix = Csr::from_entries(Shape::new(100, 100), ring)?;
    /// let context = Context::headless()?;
    /// let mut solver = Solver::of_csr(&context, &matrix, Options::new().tolerance(1e-12))?;
    /// let solution = solver.solve(&[1.0; 100])?;
    /// assert!(solution.x.iter().all(|x| (x - 1.0).abs() < 1e-10));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::NotSquare`]; [`Error::NoGrid`] for multigrid, and [`Error::NoDoubles`] for residuals
    /// on the device; those of [`on_host`](Solver::on_host) and of [`sparse::Operator::new`].
    pub fn of_csr(context: &Context, matrix: &Csr<T>, options: Options) -> Result<Solver<T>> {
        let context = context.clone();
        let watch = Rc::new(Watch::new(vec![context.clone()]));
        Solver::by_csr(matrix, options, &watch, move |single, choice, traits| {
            let space = DeviceSpace::with(sparse::Operator::new(&context, single)?)?;
            let no_grid = |_: &_, _| Err(Error::NoGrid);
            let engine = engine::build(space, choice, traits, Box::new(OnHost), no_grid)?;
            Ok(Place::Sparse(engine))
        })
    }

    /// Computes on the host with a square sparse matrix, as [`on_host`](Solver::on_host) does with a
    /// nine-banded one.
    ///
    /// # Errors
    ///
    /// Those of [`of_csr`](Solver::of_csr) that are not of a device.
    pub fn of_csr_on_host(matrix: &Csr<T>, options: Options) -> Result<Solver<T>> {
        let watch = Rc::new(Watch::new(Vec::new()));
        Solver::by_csr(matrix, options, &watch, |single, choice, traits| {
            let space = HostSpace::<f32>::of_csr(single);
            let no_grid = |_: &_, _| Err(Error::NoGrid);
            let engine = engine::build(space, choice, traits, Box::new(OnHost), no_grid)?;
            Ok(Place::Host(engine))
        })
    }

    fn by_csr(
        matrix: &Csr<T>,
        options: Options,
        watch: &Rc<Watch>,
        build: impl Fn(&Csr, &mut Choice, &engine::Traits) -> Result<Place> + 'static,
    ) -> Result<Solver<T>> {
        let Shape { rows, cols: columns } = matrix.shape();
        if rows != columns {
            return Err(Error::NotSquare { rows, columns });
        }
        if rows == 0 {
            return Err(data::Error::Empty.into());
        }
        if options.method == Some(Method::Fft) {
            return Err(Error::NotConstant);
        }
        if options.residual_on == Some(ResidualOn::Device) {
            return Err(Error::NoDoubles);
        }
        let properties = Properties::of_csr(matrix)?;
        let whole = matrix.clone();
        let make: Make<Place> = Box::new(move |choice, scale| {
            let single = scale.single_csr(&whole)?;
            let diagonal = || (0..rows).map(|row| single.entry(row, row));
            if choice.preconditioner != Preconditioner::Identity {
                engine::must_be_normal(diagonal(), |row| whole.entry(row, row).into())?;
            }
            let diagonal = memory::collected(rows, diagonal().map(f64::from))?;
            build(&single, choice, &engine::Traits::new(diagonal, &properties))
        });
        let core =
            GenericSolver::new(Box::new(matrix.clone()), &properties, options, make, watch, true)?;
        Ok(Solver::with_core(core))
    }

    fn with_core(core: GenericSolver<Place>) -> Solver<T> {
        Solver { core, mean: None, precision: PhantomData }
    }

    /// Compiles all that solving needs, so that its times exclude it: most drivers compile at the
    /// first draw.
    ///
    /// # Errors
    ///
    /// Out of memory, and errors of the device.
    pub fn warm_up(&mut self) -> Result<()> {
        self.core.warm_up()
    }

    /// Returns the time of the setup by parts, with that of [`warm_up`](Self::warm_up).
    pub fn setup_times(&self) -> Times {
        self.core.setup_times()
    }

    /// Returns the method and the preconditioner that run, and why.
    pub fn choice(&self) -> &Choice {
        &self.core.choice
    }

    /// Returns whether the constants are the null space of the matrix and of its transpose, as with
    /// Neumann's conditions at all boundaries: every row and every column has the sum zero. Then
    /// solutions have the mean zero, and right-hand sides must: see [`Options::project`].
    pub fn has_constant_null_space(&self) -> bool {
        self.core.singular
    }

    /// Solves A x = b from x = 0.
    ///
    /// # Errors
    ///
    /// Those of [`solve_observed`](Solver::solve_observed).
    pub fn solve(&mut self, b: &[f64]) -> Result<Solution> {
        self.solve_observed(b, &mut ())
    }

    /// Solves A x = b with an observer, which is called at each look at the residual and may stop
    /// the iteration.
    ///
    /// # Errors
    ///
    /// [`Error::NotConverged`], with the nearest x, if the tolerance is not met;
    /// [`Error::Length`] and [`Error::NotFinite`] if b does not fit; [`Error::Inconsistent`] if its mean
    /// leaves it without a solution; [`Error::Overflow`] if x exceeds double precision; out of memory, and
    /// errors of the device.
    pub fn solve_observed(&mut self, b: &[f64], observer: &mut dyn Observer) -> Result<Solution> {
        self.solve_side(b, None, observer)
    }

    /// Solves A x = b from an x0 instead of zero: the nearer it is to the solution, the fewer the
    /// iterations.
    ///
    /// The tolerance is of b as ever, so an x0 that meets it is returned as it is. Where constants
    /// are the null space its mean is removed.
    ///
    /// # Errors
    ///
    /// Those of [`solve_observed`](Solver::solve_observed), and [`Error::Length`] and
    /// [`Error::NotFinite`] if x0 does not fit.
    pub fn solve_from(
        &mut self,
        b: &[f64],
        x0: &[f64],
        observer: &mut dyn Observer,
    ) -> Result<Solution> {
        self.solve_side(b, Some(x0), observer)
    }
}

impl<T: Float> SystemSolver for Solver<T> {
    fn warm_up(&mut self) -> Result<()> {
        self.warm_up()
    }

    fn choice(&self) -> &Choice {
        self.choice()
    }

    fn setup_times(&self) -> Times {
        self.setup_times()
    }

    fn has_constant_null_space(&self) -> bool {
        self.has_constant_null_space()
    }

    fn solve_side(
        &mut self,
        b: &[f64],
        x0: Option<&[f64]>,
        observer: &mut dyn Observer,
    ) -> Result<Solution> {
        Ok(self.core.solve(b, x0, observer)?.or_not_converged()?)
    }
}
