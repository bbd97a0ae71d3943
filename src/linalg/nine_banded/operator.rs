//! A nine-banded matrix on the device.

use std::cell::{RefCell, RefMut};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::data::{Block, Form, NineBanded};
use crate::gl::{Context, Texture};
use crate::grid::{DeviceGrid, Halo, Part, Plan, Scalar};
use crate::linalg::blas1::{Coefficient, Grids};
use crate::linalg::jacobi::ComputeShape;
use crate::stream::Engine;
use crate::{Rectangle, memory};

use super::bands::{Places, halo_of, shape_of};
use super::coefficients::{Coefficients, ConstantCoefficients, Reading};
use super::product::{Direction, ExtraOutputs, Inputs, Products, Quantity, Variant};
use super::{Error, Result, field};

/// Magnitudes of diagonal entries that are normal floats with normal reciprocals: devices may take
/// others for zero.
const DIAGONAL: std::ops::RangeInclusive<f32> = f32::MIN_POSITIVE..=1.0 / f32::MIN_POSITIVE;

/// A nine-banded matrix A on the device, to be applied to grids of its [`plan`](Self::plan). Where
/// its coefficients are [stored](crate::data::Form), it takes nine floats an unknown, else nothing.
///
/// A matrix of any size is cut into panels that the device's textures hold. Every unknown is
/// computed by the same arithmetic in the same order, whatever panel it is in. Kernels are compiled
/// when first needed.
///
/// ```
/// use quadrille::{data::Stencil, grid::DeviceGrid, linalg::nine_banded::Operator};
/// let context = quadrille::Context::headless()?;
/// let matrix = "poisson5:7".parse::<Stencil>()?.matrix()?;
/// let operator = Operator::new(&context, &matrix)?;
/// let ones = DeviceGrid::from_host(&context, operator.plan(), &[1.0; 49])?;
/// let mut y = DeviceGrid::zeros(&context, operator.plan())?;
/// operator.apply(&ones, &mut y)?;
/// assert_eq!(y.read()?[24], 0.0); // the rows away from the boundary have the sum 0
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Operator {
    context: Context,
    plan: Rc<Plan>,
    /// The texels of each panel that kernels compute: those it owns, or on one of several ranks all
    /// that it stores.
    parts: Vec<Part>,
    /// The matrix on the host, which shares its entries with the caller's.
    matrix: NineBanded,
    products: Products,
    panels: Panels,
    /// The dot products of work groups, a texture for each panel.
    sums: RefCell<Vec<Texture<[f32; 4]>>>,
}

/// The coefficients of the panels.
enum Panels {
    Stored(Vec<Texture<[f32; 4]>>),
    Constant(Vec<ConstantCoefficients>),
}

impl Operator {
    /// Puts a matrix on the device, on the engine that is usually the fastest
    /// ([`Engine::default_for`]).
    ///
    /// # Errors
    ///
    /// [`gl::Error::TooLarge`](crate::gl::Error::TooLarge) where couplings go across the ends of
    /// rows and a row is longer than four times the longest side of a texture; out of memory, and
    /// errors of the device.
    pub fn new(context: &Context, matrix: &NineBanded) -> Result<Operator> {
        Operator::on(context, matrix, Engine::default_for(context))
    }

    /// Puts a matrix on the device, on this engine.
    ///
    /// # Errors
    ///
    /// Those of [`new`](Self::new), and [`gl::Error::Unsupported`](crate::gl::Error::Unsupported)
    /// if the context lacks the engine.
    pub fn on(context: &Context, matrix: &NineBanded, engine: Engine) -> Result<Operator> {
        Operator::with_shape(context, matrix, engine, ComputeShape::of(context.abilities()))
    }

    /// Puts a matrix on the device as [`on`](Self::on) does, with another shape of the work groups
    /// than the device's own.
    ///
    /// # Errors
    ///
    /// Those of [`on`](Self::on).
    pub fn with_shape(
        context: &Context,
        matrix: &NineBanded,
        engine: Engine,
        shape: ComputeShape,
    ) -> Result<Operator> {
        engine.must_run_on(context, "an operator by compute shaders")?;
        let variant = Variant::new(context, matrix, engine, shape);
        let limit = variant.places.limit(context.abilities().max_texture_size);
        let plan = Plan::within(shape_of(matrix), limit, halo_of(matrix))?;
        let parts = plan.parts().to_vec();
        Operator::of_parts(context, matrix, variant, plan, parts)
    }

    /// Returns the operator of what one of several ranks stores, in rows and columns of which it
    /// owns a block: for grids whose halos hold what other ranks own. It computes all that is
    /// stored, which is right where the halo of x is.
    pub(crate) fn on_rank(
        context: &Context,
        matrix: &NineBanded,
        owned: &Block,
        halo: Halo,
    ) -> Result<Operator> {
        let engine = Engine::default_for(context);
        let variant = Variant::new(context, matrix, engine, ComputeShape::of(context.abilities()));
        let limit = variant.places.limit(context.abilities().max_texture_size);
        let shape = shape_of(matrix);
        let plan = Plan::of_window(shape, shape.texels_of(owned), limit, halo)?;
        let parts = plan.parts().iter().map(|part| Part { owned: part.stored, ..*part }).collect();
        Operator::of_parts(context, matrix, variant, plan, parts)
    }

    fn of_parts(
        context: &Context,
        matrix: &NineBanded,
        variant: Variant,
        plan: Plan,
        parts: Vec<Part>,
    ) -> Result<Operator> {
        let owned = parts.iter().map(|part| part.owned);
        let field = matrix.field().filter(|field| field::is_in_range(field));
        let couples_corners = AtomicBool::new(false);
        let panels = match (matrix.constant(), field) {
            (Some(constant), _) => Panels::Constant(
                owned.map(|owned| ConstantCoefficients::new(constant, owned)).collect(),
            ),
            (None, Some(field)) => {
                Panels::Stored(field::bands(context, field, variant.places, owned)?)
            }
            (None, None) => {
                let places = variant.places;
                let store = |owned: Rectangle| {
                    context.texture_by(places.extent(owned), |first, texels| {
                        if !places.fill(matrix, owned, first, texels) {
                            couples_corners.store(true, Ordering::Relaxed);
                        }
                    })
                };
                Panels::Stored(owned.map(store).collect::<Result<_, _>>()?)
            }
        };
        let reading = match &panels {
            // The same in all panels.
            Panels::Constant(numbers) => {
                numbers.first().map_or(Reading::ALL, |one| Coefficients::Constant(one).reading())
            }
            Panels::Stored(_) => Reading { constant: false, star: !couples_corners.into_inner() },
        };
        let variant = Variant { reading, ..variant };
        Ok(Operator {
            context: context.clone(),
            plan: Rc::new(plan),
            parts,
            matrix: matrix.clone(),
            products: Products::new(context, variant),
            panels,
            sums: RefCell::default(),
        })
    }

    /// Returns the context it lives in.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Returns the plan of the grids that it is applied to.
    pub fn plan(&self) -> &Rc<Plan> {
        &self.plan
    }

    /// Returns the places of the bands in their textures.
    pub(crate) fn places(&self) -> Places {
        self.products.variant.places
    }

    /// Returns the work groups of its kernels.
    pub(crate) fn shape(&self) -> ComputeShape {
        self.products.variant.shape
    }

    /// Returns the coefficients of a panel, with the sums of rows in the place of the diagonal.
    pub(crate) fn coefficients(&self, panel: usize) -> Coefficients<'_> {
        match &self.panels {
            Panels::Stored(bands) => Coefficients::Stored {
                bands: &bands[panel],
                star: self.products.variant.reading.star,
            },
            Panels::Constant(numbers) => Coefficients::Constant(&numbers[panel]),
        }
    }

    /// Returns the form in which the device has its coefficients. Bands that follow from a
    /// [field](Form::Field) are stored there, where they were computed.
    pub fn form(&self) -> Form {
        if self.products.variant.reading.constant { Form::Constant } else { Form::Stored }
    }

    /// Returns the host's matrix.
    pub fn matrix(&self) -> &NineBanded {
        &self.matrix
    }

    /// Returns the stage that does the arithmetic.
    pub fn engine(&self) -> Engine {
        self.products.variant.engine
    }

    /// Computes `y = A x`, in differences: `y_i = s_i x_i + sum a_ij (x_j - x_i)`, where `s_i` is
    /// the sum of row i. An element is off by at most gamma_11 of `|s_i| |x_i| + sum |a_ij| |x_j -
    /// x_i|` (Higham, *Accuracy and Stability of Numerical Algorithms*, section 3.1), which is far
    /// less than the usual form's gamma_9 of |A| |x| where x is smooth and the sums are small. It
    /// fills the halos of `x`.
    ///
    /// # Errors
    ///
    /// [`grid::Error::Unlike`](crate::grid::Error::Unlike) for grids of another plan,
    /// [`gl::Error::Foreign`](crate::gl::Error::Foreign) for grids of another context, and errors
    /// of the device.
    pub fn apply(&self, x: &DeviceGrid, y: &mut DeviceGrid) -> Result<()> {
        self.run(Quantity::Product, None, x, y, &mut [])
    }

    /// Computes `r = b - A x`. An element is off by at most gamma_12 of |b| and what
    /// [`apply`](Self::apply) has. It fills the halos of `x`.
    ///
    /// # Errors
    ///
    /// Those of [`apply`](Self::apply).
    pub fn residual(&self, b: &DeviceGrid, x: &DeviceGrid, r: &mut DeviceGrid) -> Result<()> {
        b.must_be(&self.plan, "b - A x: b")?;
        self.run(Quantity::Residual, Some(b), x, r, &mut [])
    }

    /// Computes `y = A x`, and leaves `x . y` on the device: at once by compute shaders, which then
    /// read neither again; else by two operations. The dot product is within [`Grids::error_bound`]
    /// times the sum of `|x_i y_i|`.
    ///
    /// # Errors
    ///
    /// Those of [`apply`](Self::apply).
    pub fn apply_and_dot(
        &self,
        grids: Grids<'_>,
        x: &DeviceGrid,
        y: &mut DeviceGrid,
        result: &mut Scalar,
    ) -> Result<()> {
        if self.products.variant.engine == Engine::Fragment {
            self.apply(x, y)?;
            return Ok(grids.dot_into(x, y, result)?);
        }
        let mut sums = self.sums()?;
        self.run(Quantity::ProductAndDot, None, x, y, &mut sums)?;
        Ok(grids.sum_panels(sums.iter(), result)?)
    }

    /// Computes `p = d r + p above / below` and `q = A p`, and leaves `p . q` on the device, where
    /// a division by zero gives zero: the first half of a step of conjugate gradients with a
    /// diagonal preconditioner d. On hardware that shares p by tiles it is one dispatch, where p is
    /// in one panel; else it is three operations.
    pub(crate) fn direct_and_apply(
        &self,
        grids: Grids<'_>,
        (d, r, [above, below]): (&DeviceGrid, &DeviceGrid, [&Scalar; 2]),
        p: &mut DeviceGrid,
        q: &mut DeviceGrid,
        result: &mut Scalar,
    ) -> Result<()> {
        for (grid, what) in [(d, "d"), (r, "r"), (p, "p"), (q, "q")] {
            grid.must_be(&self.plan, &format!("the next direction: {what}"))?;
        }
        let fused =
            self.products.variant.engine == Engine::Compute && self.products.variant.shape.tile;
        let ([part], true) = (self.parts.as_slice(), fused) else {
            grids.multiply(d, r, q)?;
            grids.axpby(1.0, q, Coefficient::Quotient(above, below), p)?;
            return self.apply_and_dot(grids, p, q, result);
        };
        let (above, below) = (above.texture(), below.texture());
        let mut sums = self.sums()?;
        if let ([sum], Some(d), Some(r), Some(p), Some(q)) =
            (sums.as_mut_slice(), d.panel(0), r.panel(0), p.panel_mut(0), q.panel_mut(0))
        {
            grids.replace(p, |p, next| {
                let direction = Some(Direction { d, r, above, below });
                let coefficients = self.coefficients(0);
                let inputs = Inputs { x: p, coefficients, b: None, direction };
                let others = ExtraOutputs { sums: Some(sum), direction: Some(next) };
                self.products.run(Quantity::Direction, part, &inputs, q, others)
            })?;
        }
        Ok(grids.sum_panels(sums.iter(), result)?)
    }

    /// Textures for the sums of work groups.
    fn sums(&self) -> Result<RefMut<'_, Vec<Texture<[f32; 4]>>>> {
        let mut sums = self.sums.borrow_mut();
        if sums.is_empty() {
            let make = |part: &Part| self.context.uninit(self.products.variant.groups(part));
            *sums = self.parts.iter().map(make).collect::<Result<_, _>>()?;
        }
        Ok(sums)
    }

    fn run(
        &self,
        quantity: Quantity,
        b: Option<&DeviceGrid>,
        x: &DeviceGrid,
        result: &mut DeviceGrid,
        sums: &mut [Texture<[f32; 4]>],
    ) -> Result<()> {
        x.must_be(&self.plan, "A x: x")?;
        result.must_be(&self.plan, "A x: the result")?;
        x.fill_halos()?;
        for (index, (x, part)) in x.textures().iter().zip(&self.parts).enumerate() {
            let coefficients = self.coefficients(index);
            let b = b.and_then(|b| b.panel(index));
            if let Some(result) = result.panel_mut(index) {
                let others = ExtraOutputs { sums: sums.get_mut(index), ..ExtraOutputs::default() };
                let inputs = Inputs { x, coefficients, b, direction: None };
                self.products.run(quantity, part, &inputs, result, others)?;
            }
        }
        Ok(())
    }

    /// Returns the diagonal of A.
    ///
    /// # Errors
    ///
    /// Out of memory, and errors of the device.
    pub fn diagonal(&self) -> Result<DeviceGrid> {
        let diagonal = self.matrix.diagonal_numbers()?;
        Ok(DeviceGrid::from_host(&self.context, &self.plan, &diagonal)?)
    }

    /// Returns the reciprocals of the diagonal, correctly rounded: the preconditioner of Jacobi.
    ///
    /// # Errors
    ///
    /// [`Error::Diagonal`] where an entry is zero, or it or its reciprocal is no normal float; out
    /// of memory, and errors of the device.
    pub fn reciprocal_diagonal(&self) -> Result<DeviceGrid> {
        let is_no_divisor = |value: f32| !DIAGONAL.contains(&value.abs());
        if let Some((row, value)) = self.matrix.first_on_diagonal(is_no_divisor) {
            return Err(Error::Diagonal { row, value });
        }
        let diagonal = self.matrix.diagonal_numbers()?;
        let reciprocals = memory::collected(diagonal.len(), diagonal.iter().map(|d| 1.0 / d))?;
        Ok(DeviceGrid::from_host(&self.context, &self.plan, &reciprocals)?)
    }
}

impl std::fmt::Debug for Operator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Operator({})", self.plan)
    }
}
