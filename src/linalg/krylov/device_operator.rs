//! What a space on a device asks of its matrix.

use std::rc::Rc;

use super::NextDirection;
use crate::Context;
use crate::grid::{DeviceGrid, Plan, Scalar};
use crate::linalg::blas1::{Coefficient, Grids};
use crate::linalg::nine_banded::{self, Error, Result};

/// A square matrix A on a device, to be applied to grids of its plan.
///
/// What it does at once beside a product, such as a dot product, it may do by several operations:
/// those are the default.
pub trait DeviceOperator {
    /// Returns the context it lives in.
    fn context(&self) -> &Context;

    /// Returns the plan of the grids that it is applied to.
    fn plan(&self) -> &Rc<Plan>;

    /// Computes `y = A x`.
    ///
    /// # Errors
    ///
    /// [`grid::Error::Unlike`](crate::grid::Error::Unlike) for grids of another plan, and errors of
    /// the device.
    fn apply(&self, x: &DeviceGrid, y: &mut DeviceGrid) -> Result<()>;

    /// Computes `y = A x`, and leaves `x . y` on the device.
    ///
    /// # Errors
    ///
    /// Those of [`apply`](Self::apply).
    fn apply_and_dot(
        &self,
        grids: Grids<'_>,
        x: &DeviceGrid,
        y: &mut DeviceGrid,
        result: &mut Scalar,
    ) -> Result<()> {
        self.apply(x, y)?;
        Ok(grids.dot_into(x, y, result)?)
    }

    /// Computes `p = d r + p above / below` and `q = A p`, and leaves `p . q` on the device, where a
    /// division by zero gives zero.
    ///
    /// # Errors
    ///
    /// Those of [`apply`](Self::apply).
    fn direct_and_apply(
        &self,
        grids: Grids<'_>,
        terms: NextDirection<'_, DeviceGrid, Scalar>,
        p: &mut DeviceGrid,
        q: &mut DeviceGrid,
        result: &mut Scalar,
    ) -> Result<()> {
        let NextDirection { d, r, above, below } = terms;
        grids.multiply(d, r, q)?;
        grids.axpby(1.0, q, Coefficient::Quotient(above, below), p)?;
        self.apply_and_dot(grids, p, q, result)
    }
}

impl DeviceOperator for nine_banded::Operator {
    fn context(&self) -> &Context {
        nine_banded::Operator::context(self)
    }

    fn plan(&self) -> &Rc<Plan> {
        nine_banded::Operator::plan(self)
    }

    fn apply(&self, x: &DeviceGrid, y: &mut DeviceGrid) -> Result<(), Error> {
        nine_banded::Operator::apply(self, x, y)
    }

    fn apply_and_dot(
        &self,
        grids: Grids<'_>,
        x: &DeviceGrid,
        y: &mut DeviceGrid,
        result: &mut Scalar,
    ) -> Result<(), Error> {
        nine_banded::Operator::apply_and_dot(self, grids, x, y, result)
    }

    fn direct_and_apply(
        &self,
        grids: Grids<'_>,
        terms: NextDirection<'_, DeviceGrid, Scalar>,
        p: &mut DeviceGrid,
        q: &mut DeviceGrid,
        result: &mut Scalar,
    ) -> Result<(), Error> {
        let NextDirection { d, r, above, below } = terms;
        nine_banded::Operator::direct_and_apply(self, grids, (d, r, [above, below]), p, q, result)
    }
}
