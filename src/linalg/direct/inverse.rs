//! The inverse of a constant operator by transforms along both axes.

use crate::data::{ConstantOperator, Side};
use crate::gl::{self, Context, Texture};
use crate::grid::{DeviceGrid, DeviceVector, row_shift};
use crate::linalg::nine_banded;
use crate::memory;
use crate::primitives::{Trigonometric, TrigonometricFft};
use crate::shader::{Source, Stage};
use crate::stream::{Kernel, Result};

use super::modes::Modes;

type Panel = Texture<[f32; 4]>;

/// Solves with a constant operator in 32-bit floats: transforms of rows, of columns, a division by
/// the eigenvalues, and the way back.
pub(crate) struct Inverse {
    points: [usize; 2],
    along: [TrigonometricFft; 2],
    arrange: [Kernel; 3],
    divide: Kernel,
    squares: [DeviceVector; 2],
    terms: [f32; 4],
    is_singular: bool,
    /// The rows, and the columns.
    rows: [DeviceVector; 2],
    columns: [DeviceVector; 2],
}

/// The orders of numbers that `glsl/direct/arrange.frag` makes.
#[derive(Clone, Copy)]
enum Order {
    FromGrid,
    Transpose,
    ToGrid,
}

impl Order {
    const ALL: [Order; 3] = [Order::FromGrid, Order::Transpose, Order::ToGrid];

    fn source(self) -> Result<Source> {
        let define = match self {
            Order::FromGrid => "FROM_GRID",
            Order::Transpose => "TRANSPOSE",
            Order::ToGrid => "TO_GRID",
        };
        Ok(Source::library(Stage::Fragment, "direct/arrange.frag")?.define(define, 1))
    }
}

/// Returns the transform whose basis has the sides.
fn transform(side: Side) -> Trigonometric {
    match side {
        Side::Dirichlet => Trigonometric::Sine1,
        Side::Neumann => Trigonometric::Cosine2,
        Side::Periodic => Trigonometric::Hartley,
    }
}

impl Inverse {
    /// Creates the inverse of an operator with these modes, without the first one if
    /// `is_singular`.
    ///
    /// # Errors
    ///
    /// [`gl::Error::TooLarge`](gl::Error::TooLarge) for a grid whose transforms are not in one
    /// texture; out of memory, and errors of the device.
    pub(crate) fn new(
        context: &Context,
        operator: &ConstantOperator,
        modes: &Modes,
        is_singular: bool,
    ) -> Result<Inverse> {
        let (width, height) = operator.points();
        let [along_x, along_y] = operator.sides().map(transform);
        let squares = |squares: &[f64]| -> Result<DeviceVector> {
            let single = squares.iter().map(|square| *square as f32);
            let single = memory::collected(squares.len(), single).map_err(gl::Error::from)?;
            DeviceVector::from_host(context, &single)
        };
        let kernel = |order: Order| context.kernel(order.source()?);
        let [from_grid, transpose, to_grid] = Order::ALL.map(kernel);
        let numbers = || DeviceVector::uninit(context, width * height);
        let [_, x, y, corner] = operator.couplings();
        let terms = [
            operator.row_sum(),
            -4.0 * (x + 2.0 * corner),
            -4.0 * (y + 2.0 * corner),
            16.0 * corner,
        ];
        Ok(Inverse {
            points: [width, height],
            along: [
                TrigonometricFft::new(context, along_x, height, width)?,
                TrigonometricFft::new(context, along_y, width, height)?,
            ],
            arrange: [from_grid?, transpose?, to_grid?],
            divide: context.kernel(source_of_divide()?)?,
            squares: [squares(&modes.squares[0])?, squares(&modes.squares[1])?],
            terms: terms.map(|term| term as f32),
            is_singular,
            rows: [numbers()?, numbers()?],
            columns: [numbers()?, numbers()?],
        })
    }

    /// Computes z = A^-1 r; where A is singular, without the parts of both that are constant.
    pub(crate) fn apply(
        &mut self,
        r: &DeviceGrid,
        z: &mut DeviceGrid,
    ) -> Result<(), nine_banded::Error> {
        let (Some(r), Some(z)) = (r.panel(0), z.panel_mut(0)) else { return Ok(()) };
        let Inverse { points, along: [along_x, along_y], arrange, rows, columns, .. } = self;
        let ([rows, others], [columns, coefficients]) = (rows, columns);
        let [from_grid, transpose, to_grid] = arrange;
        let [width, height] = *points;
        draw(from_grid, r, [width, height], panel(rows)?)?;
        along_x.forward(rows, others)?;
        draw(transpose, texture(others)?, [width, height], panel(columns)?)?;
        along_y.forward(columns, coefficients)?;
        divide(
            &self.divide,
            (&self.squares, self.terms, self.is_singular),
            [width, height],
            coefficients,
            columns,
        )?;
        along_y.inverse(columns, coefficients)?;
        draw(transpose, texture(coefficients)?, [height, width], panel(rows)?)?;
        along_x.inverse(rows, others)?;
        draw(to_grid, texture(others)?, [width, height], z)?;
        Ok(())
    }
}

/// No grid is empty.
fn empty() -> gl::Error {
    gl::Error::Length { what: "the numbers of a grid".into(), expected: 1, got: 0 }
}

fn texture(vector: &DeviceVector) -> Result<&Panel> {
    Ok(vector.panel(0).ok_or_else(empty)?)
}

fn panel(vector: &mut DeviceVector) -> Result<&mut Panel> {
    Ok(vector.panel_mut(0).ok_or_else(empty)?)
}

fn draw(kernel: &Kernel, numbers: &Panel, points: [usize; 2], to: &mut Panel) -> Result<()> {
    let pass = kernel.pass().input("numbers", numbers);
    let pass = pass.uniform("points", points.map(|count| count as i32));
    let pass = pass.uniform("shift", row_shift(numbers.extent()));
    pass.uniform("shift_of_result", row_shift(to.extent())).draw(to)
}

fn divide(
    kernel: &Kernel,
    (squares, terms, is_singular): (&[DeviceVector; 2], [f32; 4], bool),
    modes: [usize; 2],
    numbers: &DeviceVector,
    to: &mut DeviceVector,
) -> Result<()> {
    let (numbers, to) = (texture(numbers)?, panel(to)?);
    let [x, y] = [texture(&squares[0])?, texture(&squares[1])?];
    let pass = kernel.pass().input("numbers", numbers);
    let pass = pass.input("squares_x", x).input("squares_y", y);
    let pass = pass.uniform("shift_x", row_shift(x.extent()));
    let pass = pass.uniform("shift_y", row_shift(y.extent()));
    let pass = pass.uniform("modes", modes.map(|count| count as i32));
    let pass = pass.uniform("terms", terms).uniform("is_singular", i32::from(is_singular));
    pass.uniform("shift", row_shift(to.extent())).draw(to)
}

fn source_of_divide() -> Result<Source> {
    Ok(Source::library(Stage::Fragment, "direct/divide.frag")?)
}

/// Returns every shader of this file.
pub(super) fn sources() -> Result<Vec<Source>> {
    let mut sources = vec![source_of_divide()?];
    for order in Order::ALL {
        sources.push(order.source()?);
    }
    Ok(sources)
}
