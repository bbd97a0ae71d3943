//! A matrix on the device, for products with grids.

use std::rc::Rc;

use crate::Extent;
use crate::data::{Block, GridMatrix};
use crate::gl::Context;
use crate::grid::{DeviceGrid, Halo, Plan};
use crate::linalg::krylov::DeviceOperator;
use crate::linalg::multigrid::relaxation::Relaxation;
use crate::linalg::nine_banded::Result;
use crate::stream::Engine;
use crate::stream::launch::Programs;

use super::matrix::{Matrix, Operands};
use super::programs::{Variant, setup};

/// The matrix of a stencil on a grid of three dimensions, on a device.
pub struct Operator {
    programs: Rc<Programs<Variant>>,
    pub(super) matrix: Rc<Matrix>,
    pub(super) host: GridMatrix,
    plan: Rc<Plan>,
}

impl Operator {
    /// Puts a matrix on a device, on the engine that is usually the fastest ([`Engine::default_for`]).
    ///
    /// # Errors
    ///
    /// [`gl::Error::TooLarge`](crate::gl::Error::TooLarge) for a grid that a texture of the device does not hold, with
    /// what would fit; out of memory, and errors of the device.
    pub fn new(context: &Context, matrix: &GridMatrix) -> Result<Operator> {
        Operator::on(context, matrix, Engine::default_for(context))
    }

    /// Puts a matrix on a device, on this engine: multigrid runs on the same.
    ///
    /// # Errors
    ///
    /// Those of [`new`](Self::new), and [`gl::Error::Unsupported`](crate::gl::Error::Unsupported) if the context lacks
    /// the engine.
    pub fn on(context: &Context, matrix: &GridMatrix, engine: Engine) -> Result<Operator> {
        engine.must_run_on(context, "an operator by compute shaders")?;
        let programs = Rc::new(Programs::new(context, setup(engine)));
        let on_device = Matrix::new(&programs, matrix)?;
        let plan = DeviceGrid::plan_for(context, on_device.layout.shape(), Halo::NONE)?;
        Ok(Operator { programs, matrix: Rc::new(on_device), host: matrix.clone(), plan })
    }

    /// Returns the operator of the slices that one of several ranks stores, of which it owns a block of lines: for
    /// grids whose halos hold what other ranks own. It computes all that is stored, which is right where x is.
    ///
    /// # Errors
    ///
    /// Those of [`new`](Self::new); slices that are higher than a texture.
    pub(crate) fn on_rank(
        context: &Context,
        matrix: &GridMatrix,
        owned: &Block,
        halo: Halo,
    ) -> Result<Operator> {
        let programs = Rc::new(Programs::new(context, setup(Engine::default_for(context))));
        let on_device = Matrix::new(&programs, matrix)?;
        if on_device.layout.has_stacks() {
            return Err(on_device.layout.too_high(context).into());
        }
        let [_, lines, _] = matrix.grid().points();
        let shape = on_device.layout.shape().in_slices(lines);
        let limit = context.abilities().max_texture_size;
        let limit = Extent::new(limit, limit);
        let plan = Rc::new(Plan::of_window(shape, shape.texels_of(owned), limit, halo)?);
        Ok(Operator { programs, matrix: Rc::new(on_device), host: matrix.clone(), plan })
    }

    pub(super) fn programs(&self) -> &Rc<Programs<Variant>> {
        &self.programs
    }
}

impl DeviceOperator for Operator {
    fn context(&self) -> &Context {
        self.programs.context()
    }

    fn plan(&self) -> &Rc<Plan> {
        &self.plan
    }

    fn apply(&self, x: &DeviceGrid, y: &mut DeviceGrid) -> Result<()> {
        x.must_be(&self.plan, "A x: x")?;
        y.must_be(&self.plan, "A x: the result")?;
        let (Some(x), Some(y)) = (x.panel(0), y.panel_mut(0)) else { return Ok(()) };
        let operands = Operands { x: Some(x), ..Operands::default() };
        self.matrix.relax(&self.programs, Relaxation::Product, operands, y)
    }
}
