//! A sparse matrix on the device.

use std::rc::Rc;

use crate::Extent;
use crate::data::{Csr, Shape};
use crate::gl::{self, Context};
use crate::grid::{self, DeviceGrid, DeviceVector, GridShape, Halo, Plan, extent_of};
use crate::linalg::krylov::DeviceOperator;
use crate::linalg::nine_banded;
use crate::stream::reduce::plan::gamma;
use crate::stream::{Engine, Error, Result};

use super::backend::OnDevice;
use super::dispatched::ComputeBackend;
use super::drawn::FragmentBackend;
use super::scale::Scale;

/// A sparse matrix A of any shape on the device, for products with vectors there.
///
/// It takes 8 bytes for each entry, those among them that fill up shorter rows, or 10 in tiles
/// (docs/primitives.md), and 4 for each row. x and the result have to fit in one texture each.
///
/// ```
/// use quadrille::{Context, Shape, data::Csr, grid::DeviceVector, linalg::sparse::Operator};
/// let context = Context::headless()?;
/// let matrix = Csr::from_entries(Shape::new(2, 3), [(0, 0, 2.0), (0, 2, 1.0), (1, 1, 3.0)])?;
/// let a = Operator::new(&context, &matrix)?;
/// let x = DeviceVector::from_host(&context, &[1.0, 2.0, 3.0])?;
/// let mut y = DeviceVector::uninit(&context, 2)?;
/// a.apply_to(&x, &mut y)?; // y = A x
/// assert_eq!(y.read()?, [5.0, 6.0]);
/// a.accumulate(-1.0, &x, 2.0, &mut y)?; // y = 2 y - A x
/// assert_eq!(y.read()?, [5.0, 6.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Operator {
    context: Context,
    shape: Shape,
    entries: usize,
    plan: Rc<Plan>,
    engine: Engine,
    csr: OnDevice,
}

impl Operator {
    /// Puts a matrix on the device, on the engine that is usually the fastest
    /// ([`Engine::default_for`]).
    ///
    /// # Errors
    ///
    /// [`gl::Error::TooLarge`] where x, the result or the entries do not fit; out of memory, and
    /// errors of the device.
    pub fn new(context: &Context, matrix: &Csr) -> Result<Operator> {
        Operator::on(context, matrix, Engine::default_for(context))
    }

    /// Puts a matrix on the device, on this engine.
    ///
    /// # Errors
    ///
    /// Those of [`new`](Self::new), and [`gl::Error::Unsupported`] if the context lacks the engine.
    pub fn on(context: &Context, matrix: &Csr, engine: Engine) -> Result<Operator> {
        engine.must_run_on(context, "a sparse product by compute shaders")?;
        let Shape { rows, cols } = matrix.shape();
        let extents = [panel(context, "x", cols)?, panel(context, "the result", rows)?];
        let csr = match engine {
            Engine::Fragment => OnDevice::new::<FragmentBackend>(context, matrix, extents)?,
            Engine::Compute => OnDevice::new::<ComputeBackend>(context, matrix, extents)?,
        };
        Ok(Operator {
            context: context.clone(),
            shape: matrix.shape(),
            entries: matrix.entries(),
            plan: DeviceGrid::plan_for(context, grid_of(rows), Halo::NONE).map_err(of_grid)?,
            engine,
            csr,
        })
    }

    /// Returns the rows and columns.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Returns the entries of the matrix.
    pub fn entries(&self) -> usize {
        self.entries
    }

    /// Returns the entries that the device has, with those that fill up shorter rows.
    pub fn stored(&self) -> usize {
        self.csr.stored
    }

    /// Returns the stage that does the arithmetic.
    pub fn engine(&self) -> Engine {
        self.engine
    }

    /// Returns the bound of an element's error, relative to the sum of the magnitudes of its terms:
    /// of |beta y_i| and of |alpha a_ij x_j| over the columns j.
    pub fn error_bound(&self) -> f64 {
        // The factor, the old number's factor, and their sum.
        gamma((self.csr.chain + 3) as f64)
    }

    /// Computes `y = A x`.
    ///
    /// # Errors
    ///
    /// [`gl::Error::Length`] for vectors of other lengths than the matrix has columns and rows,
    /// [`gl::Error::Foreign`] for those of another context, and errors of the device.
    pub fn apply_to(&self, x: &DeviceVector, y: &mut DeviceVector) -> Result<()> {
        self.scaled(x, Scale::ONE, y)
    }

    /// Computes `y = alpha A x + beta y`. Where beta is 0, y is not read and may be undefined.
    ///
    /// # Errors
    ///
    /// Those of [`apply_to`](Self::apply_to).
    pub fn accumulate(
        &self,
        alpha: f32,
        x: &DeviceVector,
        beta: f32,
        y: &mut DeviceVector,
    ) -> Result<()> {
        self.scaled(x, Scale { alpha, beta }, y)
    }

    fn scaled(&self, x: &DeviceVector, scale: Scale, y: &mut DeviceVector) -> Result<()> {
        let Shape { rows, cols } = self.shape;
        for (what, expected, got) in [("A x: x", cols, x.len()), ("A x: the result", rows, y.len())]
        {
            if expected != got {
                return Err(gl::Error::Length { what: what.into(), expected, got }.into());
            }
        }
        match y.panel_mut(0) {
            Some(y) => (self.csr.product)(x.panel(0), scale, y),
            None => Ok(()),
        }
    }
}

impl DeviceOperator for Operator {
    fn context(&self) -> &Context {
        &self.context
    }

    fn plan(&self) -> &Rc<Plan> {
        &self.plan
    }

    fn apply(&self, x: &DeviceGrid, y: &mut DeviceGrid) -> Result<(), nine_banded::Error> {
        x.must_be(&self.plan, "A x: x")?;
        y.must_be(&self.plan, "A x: the result")?;
        if let Some(y) = y.panel_mut(0) {
            (self.csr.product)(x.panel(0), Scale::ONE, y).map_err(grid::Error::Stream)?;
        }
        Ok(())
    }
}

/// Returns the texels of a vector that has to be in one texture.
fn panel(context: &Context, what: &str, length: usize) -> Result<Extent, gl::Error> {
    let room = DeviceVector::<f32>::room_of_panel(context);
    match length <= room {
        true => Ok(extent_of(length.div_ceil(4))),
        false => Err(gl::Error::TooLarge {
            what: format!("{what} of a sparse product"),
            request: format!("{length} numbers in one texture"),
            limit: room as u64,
            remedy: "multiply by parts of the matrix".into(),
        }),
    }
}

/// Returns the grid whose texels are those of a vector of this length.
fn grid_of(length: usize) -> GridShape {
    GridShape::in_rows(length, 4 * extent_of(length.div_ceil(4)).width as usize)
}

fn of_grid(error: grid::Error) -> Error {
    match error {
        grid::Error::Stream(error) => error,
        grid::Error::Unlike { .. } => unreachable!("a plan is made of a shape alone"),
    }
}
