//! Vectors on a device.

use std::cell::RefCell;
use std::mem;
use std::rc::Rc;

use super::{DeviceOperator, Factor, NextDirection, Sealed, Space, singles};
use crate::Context;
use crate::data::NineBanded;
use crate::grid::{DeviceGrid, Plan, Scalar};
use crate::linalg::blas1::{Blas1, Coefficient, Map};
use crate::linalg::nine_banded::{Error, Operator, Result};

/// Vectors as [grids](DeviceGrid) on a device, with a matrix: a nine-banded one, or any other
/// [`DeviceOperator`]. Numbers are [`Scalar`]s, and no operation waits but those that [`Space`]
/// names.
///
/// ```
/// use quadrille::data::Stencil;
/// use quadrille::linalg::krylov::{Cg, DeviceSpace, Identity, Method, Space};
/// let context = quadrille::Context::headless()?;
/// let matrix = "heat9:20".parse::<Stencil>()?.matrix()?;
/// let space = DeviceSpace::new(&context, &matrix)?;
/// let mut cg = Cg::new(&space)?;
/// space.write(&vec![1.0; 400], 1.0, cg.residual_mut())?;
/// cg.restart(&space)?;
/// for _ in 0..20 {
///     cg.step(&space, &mut Identity)?; // nothing is read
/// }
/// assert!(space.norm(cg.residual())? < 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct DeviceSpace<A = Operator> {
    context: Context,
    operator: Rc<A>,
    blas: Blas1,
    quotient: Map,
    smaller: Map,
    /// A texture to write the new value of a scalar to, exchanged with the old one.
    spare: RefCell<Scalar>,
}

/// Steps between two looks at the residual: a look costs about as much as a step's dispatches on
/// hardware, and less than a step where the host computes.
const HARDWARE: u64 = 16;
const SOFTWARE: u64 = 4;

impl DeviceSpace {
    /// Puts a nine-banded matrix on a device, with the operations on the engines that are usually the fastest.
    ///
    /// # Errors
    ///
    /// Those of [`Operator::new`].
    pub fn new(context: &Context, matrix: &NineBanded) -> Result<DeviceSpace> {
        DeviceSpace::with(Operator::new(context, matrix)?)
    }
}

impl<A: DeviceOperator> DeviceSpace<A> {
    /// Makes a space of an operator.
    ///
    /// # Errors
    ///
    /// Out of memory, and errors of the device.
    pub fn with(operator: A) -> Result<DeviceSpace<A>> {
        let context = operator.context();
        let blas = Blas1::new(context);
        Ok(DeviceSpace {
            context: context.clone(),
            quotient: blas.map("b != 0.0 ? a / b : 0.0", &[], &["a", "b"])?,
            smaller: blas.map("min(a, b)", &[], &["a", "b"])?,
            spare: RefCell::new(Scalar::new(context, 0.0)?),
            blas,
            operator: Rc::new(operator),
        })
    }

    /// Returns the operator of the space's matrix.
    pub fn operator(&self) -> &Rc<A> {
        &self.operator
    }

    /// Returns the plan of its vectors.
    pub(crate) fn plan(&self) -> &Rc<Plan> {
        self.operator.plan()
    }
}

fn coefficient<'a>(factor: Factor<'a, Scalar>) -> Coefficient<'a> {
    match factor {
        Factor::Number(number) => Coefficient::Host(number as f32),
        Factor::Scalar(scalar) => Coefficient::Device(scalar),
        Factor::Minus(scalar) => Coefficient::Minus(scalar),
        Factor::Quotient(above, below) => Coefficient::Quotient(above, below),
    }
}

impl<A> Sealed for DeviceSpace<A> {}

impl<A: DeviceOperator> Space for DeviceSpace<A> {
    type Vector = DeviceGrid;
    type Scalar = Scalar;
    type Error = Error;

    fn length(&self) -> usize {
        self.plan().shape().len()
    }

    fn check_interval(&self) -> u64 {
        if self.context.abilities().software { SOFTWARE } else { HARDWARE }
    }

    fn vector(&self) -> Result<DeviceGrid> {
        Ok(DeviceGrid::zeros(&self.context, self.plan())?)
    }

    fn scalar(&self, value: f64) -> Result<Scalar> {
        Ok(Scalar::new(&self.context, value as f32)?)
    }

    fn apply(&self, x: &DeviceGrid, y: &mut DeviceGrid) -> Result<()> {
        self.operator.apply(x, y)
    }

    fn axpby(
        &self,
        a: Factor<'_, Scalar>,
        x: &DeviceGrid,
        b: Factor<'_, Scalar>,
        y: &mut DeviceGrid,
    ) -> Result<()> {
        Ok(self.blas.grids().axpby(coefficient(a), x, coefficient(b), y)?)
    }

    fn clear(&self, x: &mut DeviceGrid) -> Result<()> {
        Ok(x.clear()?)
    }

    fn scale(&self, a: f64, x: &mut DeviceGrid) -> Result<()> {
        Ok(self.blas.grids().scal(a as f32, x)?)
    }

    fn multiply(&self, d: &DeviceGrid, x: &DeviceGrid, y: &mut DeviceGrid) -> Result<()> {
        Ok(self.blas.grids().multiply(d, x, y)?)
    }

    fn multiply_and_dot(
        &self,
        d: &DeviceGrid,
        x: &DeviceGrid,
        y: &mut DeviceGrid,
        result: &mut Scalar,
    ) -> Result<()> {
        Ok(self.blas.grids().multiply_and_dot(d, x, y, result)?)
    }

    fn dot(&self, x: &DeviceGrid, y: &DeviceGrid, result: &mut Scalar) -> Result<()> {
        Ok(self.blas.grids().dot_into(x, y, result)?)
    }

    fn divide(&self, a: &Scalar, b: &Scalar, quotient: &mut Scalar) -> Result<()> {
        Ok(self.quotient.apply().scalar("a", a).scalar("b", b).run_scalar(quotient)?)
    }

    fn least(&self, a: &Scalar, least: &mut Scalar) -> Result<()> {
        let spare = &mut *self.spare.borrow_mut();
        self.smaller.apply().scalar("a", a).scalar("b", &*least).run_scalar(spare)?;
        mem::swap(spare, least);
        Ok(())
    }

    fn value(&self, a: &Scalar) -> Result<f64> {
        Ok(a.read()?)
    }

    fn norm(&self, x: &DeviceGrid) -> Result<f64> {
        Ok(self.blas.grids().nrm2(x)?)
    }

    fn write(&self, numbers: &[f64], factor: f64, x: &mut DeviceGrid) -> Result<(), Error> {
        Ok(x.write(&singles::rounded(numbers, factor)?)?)
    }

    fn add_to(&self, x: &DeviceGrid, factor: f64, numbers: &mut [f64]) -> Result<(), Error> {
        singles::add(&x.read()?, factor, numbers);
        Ok(())
    }

    fn advance(
        &self,
        a: Factor<'_, Scalar>,
        (p, x): (&DeviceGrid, &mut DeviceGrid),
        (q, r): (&DeviceGrid, &mut DeviceGrid),
    ) -> Result<()> {
        Ok(self.blas.grids().advance(coefficient(a), (p, x), (q, r))?)
    }

    fn advance_and_weigh(
        &self,
        a: Factor<'_, Scalar>,
        (p, x): (&DeviceGrid, &mut DeviceGrid),
        (q, r): (&mut DeviceGrid, &mut DeviceGrid),
        d: &DeviceGrid,
        result: &mut Scalar,
    ) -> Result<()> {
        Ok(self.blas.grids().advance_and_weigh(coefficient(a), (p, x), (q, r), d, result)?)
    }

    fn direct_and_apply(
        &self,
        terms: NextDirection<'_, DeviceGrid, Scalar>,
        p: &mut DeviceGrid,
        q: &mut DeviceGrid,
        result: &mut Scalar,
    ) -> Result<()> {
        self.operator.direct_and_apply(self.blas.grids(), terms, p, q, result)
    }

    fn apply_and_dot(&self, x: &DeviceGrid, y: &mut DeviceGrid, result: &mut Scalar) -> Result<()> {
        self.operator.apply_and_dot(self.blas.grids(), x, y, result)
    }
}
