//! A constant operator on the device, for products with grids.

use std::rc::Rc;

use crate::data::{ConstantOperator, Side};
use crate::gl::Context;
use crate::grid::{DeviceGrid, GridShape, Halo, Plan};
use crate::linalg::krylov::DeviceOperator;
use crate::linalg::nine_banded::Result;
use crate::shader::{Source, Stage};
use crate::stream::{self, Kernel};

/// A constant operator with any sides, on grids that are in one texture.
pub(crate) struct Operator {
    context: Context,
    plan: Rc<Plan>,
    operator: ConstantOperator,
    product: Kernel,
}

impl Operator {
    pub(crate) fn new(context: &Context, operator: ConstantOperator) -> Result<Operator> {
        let (width, height) = operator.points();
        let plan = DeviceGrid::plan_for(context, GridShape::new(width, height), Halo::NONE)?;
        Ok(Operator {
            context: context.clone(),
            plan,
            operator,
            product: context.kernel(source()?)?,
        })
    }
}

/// Returns the shader.
pub(super) fn source() -> Result<Source, stream::Error> {
    Ok(Source::library(Stage::Fragment, "direct/product.frag")?)
}

/// Returns the number by which the shader knows a side.
fn code(side: Side) -> i32 {
    match side {
        Side::Dirichlet => 0,
        Side::Neumann => 1,
        Side::Periodic => 2,
    }
}

impl DeviceOperator for Operator {
    fn context(&self) -> &Context {
        &self.context
    }

    fn plan(&self) -> &Rc<Plan> {
        &self.plan
    }

    fn apply(&self, x: &DeviceGrid, y: &mut DeviceGrid) -> Result<()> {
        x.must_be(&self.plan, "A x: x")?;
        y.must_be(&self.plan, "A x: the result")?;
        let (Some(x), Some(y)) = (x.panel(0), y.panel_mut(0)) else { return Ok(()) };
        let (width, height) = self.operator.points();
        let pass = self.product.pass().input("x", x);
        let pass = pass.uniform("points", [width as i32, height as i32]);
        let pass = pass.uniform("sides", self.operator.sides().map(code));
        let couplings = self.operator.couplings().map(|coupling| coupling as f32);
        Ok(pass.uniform("couplings", couplings).draw(y)?)
    }
}
