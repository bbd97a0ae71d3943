//! Systems on grids of three dimensions.

use std::rc::Rc;

use super::iterate::OnHost;
use super::problem::scaling::{Scale, Scaling};
use super::problem::system::{Matrix, residual_by};
use super::refinement::engine::{self, Place};
use super::refinement::iterate;
use super::{Choice, Error, GenericSolver, Make, Method, Options, Part, Preconditioner, Result};
use super::{Properties, Solver, Watch};
use crate::data::grid3::step;
use crate::data::{self, GridMatrix};
use crate::linalg::double_system::DoubleSystem;
use crate::linalg::grid3::{self, Hierarchy};
use crate::linalg::krylov::{DeviceSpace, HostSpace};
use crate::memory;
use crate::{Context, NoMemory};

impl Solver<f64> {
    /// Puts the matrix of a stencil on a grid of three dimensions on a device.
    ///
    /// # Errors
    ///
    /// [`Error::FftInSpace`] for the method [`Fft`](Method::Fft), and those of [`on_host`](Solver::on_host), of [`grid3::Operator::new`] and, with
    /// multigrid, of [`Hierarchy::new`].
    pub fn of_grid(
        context: &Context,
        matrix: &GridMatrix,
        options: Options,
    ) -> Result<Solver<f64>> {
        let (context, whole) = (context.clone(), matrix.clone());
        let watch = Rc::new(Watch::new(vec![context.clone()]));
        let levels = Rc::clone(&watch);
        Solver::by_grid(matrix, options, &watch, move |scaled, choice, traits| {
            let space = DeviceSpace::with(grid3::Operator::new(&context, scaled)?)?;
            let fits = !choice.is_scaled() && DoubleSystem::fits(&context, &whole);
            let make = || DoubleSystem::new(&context, &whole, space.plan());
            let doubles = iterate::doubles(&context, options, fits, make)?;
            choice.residual_on = doubles.place();
            let engine = engine::build(space, choice, traits, doubles, |space, options| {
                let made =
                    levels.during(Part::Levels, || Hierarchy::new(space.operator(), options))?;
                let smoothers = made.smoothers();
                Ok((Box::new(made), smoothers))
            })?;
            Ok(Place::Grid3(engine))
        })
    }

    /// Computes on the host with the matrix of a stencil on a grid of three dimensions, as
    /// [`on_host`](Solver::on_host) does in two.
    ///
    /// # Errors
    ///
    /// Those of [`of_grid`](Solver::of_grid) that are not of a device.
    pub fn of_grid_on_host(matrix: &GridMatrix, options: Options) -> Result<Solver<f64>> {
        let watch = Rc::new(Watch::new(Vec::new()));
        Solver::by_grid(matrix, options, &watch, |scaled, choice, traits| {
            let single = scaled.csr()?.map::<f32>(|_, _, entry| entry)?;
            let space = HostSpace::<f32>::of_csr(&single);
            let engine = engine::build(space, choice, traits, Box::new(OnHost), |_, options| {
                let made = grid3::OnHost::new(scaled, options)?;
                let smoothers = made.smoothers();
                Ok((Box::new(made), smoothers))
            })?;
            Ok(Place::Host(engine))
        })
    }

    fn by_grid(
        matrix: &GridMatrix,
        options: Options,
        watch: &Rc<Watch>,
        build: impl Fn(&GridMatrix, &mut Choice, &engine::Traits) -> Result<Place> + 'static,
    ) -> Result<Solver<f64>> {
        if options.method == Some(Method::Fft) {
            return Err(Error::FftInSpace);
        }
        let properties = Properties::of_grid(matrix);
        let whole = matrix.clone();
        let make: Make<Place> = Box::new(move |choice, scale: Scale<'_>| {
            let scaled = scale.of_grid(&whole)?;
            let diagonal = || scaled.grid().places().map(|place| scaled.diagonal(place) as f32);
            if choice.preconditioner != Preconditioner::Identity {
                must_divide_in_space(&scaled, |place| {
                    (whole.grid().index(place), whole.diagonal(place))
                })?;
            }
            let diagonal = match engine::needs_diagonal(choice.preconditioner) {
                true => memory::collected(scaled.n(), diagonal().map(f64::from))?,
                false => Vec::new(),
            };
            build(&scaled, choice, &engine::Traits::new(diagonal, &properties))
        });
        let core =
            GenericSolver::new(Box::new(matrix.clone()), &properties, options, make, watch, true)?;
        Ok(Solver::with_core(core))
    }
}

/// Refuses a diagonal in 32-bit floats by which a preconditioner cannot divide; the row and the number of the given
/// matrix are for the message.
pub(crate) fn must_divide_in_space(
    scaled: &GridMatrix,
    given: impl Fn([usize; 3]) -> (usize, f64),
) -> Result<()> {
    let is_small = |(place, _): &([usize; 3], usize)| !(scaled.diagonal(*place) as f32).is_normal();
    match scaled.representatives().find(is_small) {
        None => Ok(()),
        Some((place, _)) => {
            let (row, value) = given(place);
            Err(data::BandError::SmallDiagonal { row, value }.into())
        }
    }
}

impl Scale<'_> {
    /// Returns a matrix on a grid of three dimensions in this scale; the device rounds it.
    pub(crate) fn of_grid(self, matrix: &GridMatrix) -> Result<GridMatrix> {
        let sides = match self {
            Scale::Factor(factor) => return Ok(matrix.times(factor)?),
            Scale::Sides(sides) => sides,
        };
        let grid = matrix.grid();
        let scaled = |place: [usize; 3]| {
            let numbers = matrix.row(place);
            std::array::from_fn(|k| match matrix.beside(place, step(k)) {
                Some(there) => sides.scaled(grid.index(place), grid.index(there), numbers[k]),
                None => 0.0,
            })
        };
        Ok(GridMatrix::by_rows(grid, matrix.periodic(), scaled)?)
    }
}

impl Matrix for GridMatrix {
    fn rows(&self) -> usize {
        self.n()
    }

    fn residual_of_rows(&self, first: usize, x: &[f64], b: &[f64], r: &mut [f64]) -> f64 {
        residual_by(b, r, |r| self.add_product_of_rows(-1.0, x, first, r))
    }

    fn scales(&self, _: bool) -> Result<Scaling, NoMemory> {
        let diagonal = self.grid().places().map(|place| self.diagonal(place));
        Scaling::of_diagonal(self.n(), diagonal)
    }
}
