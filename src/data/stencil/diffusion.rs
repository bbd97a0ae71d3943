//! Diffusion with a coefficient at each point of a grid, or at each face between two.

use std::borrow::Cow;

use super::super::nine_banded::diffusion::Diffusion;
use super::super::nine_banded::diffusion::coefficients::Coefficients;
use crate::data::nine_banded::check_sizes;
use crate::data::{ArrayError, Band, BandError, Block, Error, NineBanded, Result, StencilError};
use crate::memory::host_threads::{copied, in_ranges};
use crate::{NoMemory, Shape};

/// Returns the matrix of -div(k grad u) on a grid of `shape.cols` points along x and `shape.rows`
/// along y, for a coefficient k at each point, row by row: finite volumes around the points, zeros
/// around the grid. It keeps the coefficients and no [bands](crate::data::Form), or nine numbers where
/// all coefficients are the same.
///
/// The coupling of two neighbours is minus the harmonic mean 2 a b / (a + b) of their coefficients,
/// which keeps the flux the same on both sides of a jump (Patankar 1980, 4.2-3). Beyond the edge
/// the coefficient is that of the point at the edge. The diagonal is the sum of the four means.
///
/// ```
/// use quadrille::{Shape, data};
///
/// let matrix = data::diffusion(Shape::new(1, 3), &[1.0, 3.0, 3.0])?;
/// assert_eq!((matrix.entry(0, 1), matrix.entry(1, 2)), (-1.5, -3.0));
/// assert_eq!(matrix.entry(0, 0), 1.0 + 1.5 + 1.0 + 1.0);
/// assert_eq!(data::diffusion(Shape::new(5, 4), vec![2.0; 20])?.form(), data::Form::Constant);
/// # Ok::<(), data::Error>(())
/// ```
///
/// # Errors
/// [`StencilError::Coefficient`] for one that is not above 0 and finite, [`ArrayError::MatrixLength`] if there
/// is not one for each point, [`BandError::WidthTooSmall`] and other errors of [`NineBanded::new`].
pub fn diffusion<'a>(
    shape: Shape,
    coefficients: impl Into<Cow<'a, [f64]>>,
) -> Result<NineBanded<f64>> {
    let coefficients = coefficients.into();
    must_be_of(shape, &coefficients)?;
    check_sizes(coefficients.len(), shape.cols)?;
    let whole = Block { columns: 0..shape.cols, rows: 0..shape.rows };
    must_be_positive(&coefficients, &whole)?;
    let known = Coefficients::of_points(points(shape), whole.clone(), owned(coefficients)?);
    Ok(checked(Diffusion::new(whole, known))?.in_least_form())
}

/// Returns the matrix of the points of a block, as [`NineBanded::block`] takes it from that of a
/// whole grid. `coefficients` has those of the block's points and of the points around them,
/// `block.grown(1, ..)`, row by row.
///
/// # Errors
/// As [`diffusion`], and [`BandError::Block`] for a block that is empty or not in the grid.
pub fn diffusion_block<'a>(
    grid: Shape,
    block: &Block,
    coefficients: impl Into<Cow<'a, [f64]>>,
) -> Result<NineBanded<f64>> {
    let coefficients = coefficients.into();
    let known = known_around(grid, block)?;
    must_be_of(Shape::new(known.rows.len(), known.width()), &coefficients)?;
    check_sizes(block.width().saturating_mul(block.rows.len()), block.width())?;
    must_be_positive(&coefficients, &known)?;
    let known = Coefficients::of_points(points(grid), known, owned(coefficients)?);
    checked(Diffusion::new(block.clone(), known))
}

/// Coefficients of diffusion at the faces between the points of a grid of `cols` by `rows`, row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct Faces<'a> {
    /// Those that the flux along x goes through: `cols + 1` in each row, of which the first and the last are at
    /// the sides of the grid.
    pub x: Cow<'a, [f64]>,
    /// Those that the flux along y goes through: `cols` in each of `rows + 1` rows, of which the first and
    /// the last are at the sides.
    pub y: Cow<'a, [f64]>,
}

impl Faces<'_> {
    /// Returns the shape of the grid whose faces have coefficients in arrays of these shapes.
    ///
    /// ```
    /// use quadrille::{Shape, data::Faces};
    ///
    /// assert_eq!(Faces::grid(Shape::new(4, 6), Shape::new(5, 5))?, Shape::new(4, 5));
    /// assert!(Faces::grid(Shape::new(4, 6), Shape::new(4, 6)).is_err());
    /// # Ok::<(), quadrille::data::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`StencilError::Faces`] where they are of different grids.
    pub fn grid(x: Shape, y: Shape) -> Result<Shape> {
        match x.cols.checked_sub(1) == Some(y.cols) && y.rows.checked_sub(1) == Some(x.rows) {
            true => Ok(Shape::new(x.rows, y.cols)),
            false => Err(StencilError::Faces { x, y }.into()),
        }
    }
}

/// Returns the matrix of -div(k grad u) for a coefficient at each face between two points, and at the
/// sides of the grid, around which there are zeros: a coefficient of 0 at a side closes it (Neumann's condition).
/// The coupling of two neighbours is minus their coefficient, and the diagonal is the sum of a point's four.
///
/// ```
/// use quadrille::{Shape, data};
///
/// let faces = data::Faces { x: [[0.0, 2.0, 5.0, 1.0]].concat().into(), y: vec![0.0; 6].into() };
/// let matrix = data::diffusion_by_faces(Shape::new(1, 3), faces)?;
/// assert_eq!((matrix.entry(0, 0), matrix.entry(0, 1)), (2.0, -2.0)); // closed on the left
/// assert_eq!((matrix.entry(2, 1), matrix.entry(2, 2)), (-5.0, 6.0));
/// # Ok::<(), data::Error>(())
/// ```
///
/// # Errors
/// [`StencilError::FaceCoefficient`] for one that is not above 0 and finite, or at a side not 0 either,
/// [`ArrayError::MatrixLength`] if there is not one for each face, [`BandError::WidthTooSmall`] and other errors of
/// [`NineBanded::new`].
pub fn diffusion_by_faces(shape: Shape, faces: Faces<'_>) -> Result<NineBanded<f64>> {
    let whole = Block { columns: 0..shape.cols, rows: 0..shape.rows };
    check_sizes(shape.rows.saturating_mul(shape.cols), shape.cols)?;
    Ok(by_faces(shape, &whole, faces)?.in_least_form())
}

/// Returns the matrix of the points of a block, as [`NineBanded::block`] takes it from that of a
/// whole grid, of the coefficients at all faces of the block's points.
///
/// # Errors
/// As [`diffusion_by_faces`], and [`BandError::Block`] for a block that is empty or not in the grid.
pub fn diffusion_by_faces_block(
    grid: Shape,
    block: &Block,
    faces: Faces<'_>,
) -> Result<NineBanded<f64>> {
    known_around(grid, block)?;
    check_sizes(block.width().saturating_mul(block.rows.len()), block.width())?;
    by_faces(grid, block, faces)
}

fn by_faces(grid: Shape, block: &Block, Faces { x, y }: Faces<'_>) -> Result<NineBanded<f64>> {
    must_be_of(Shape::new(block.rows.len(), block.width() + 1), &x)?;
    must_be_of(Shape::new(block.rows.len() + 1, block.width()), &y)?;
    must_conduct('x', &x, block, [block.width() + 1, grid.cols])?;
    must_conduct('y', &y, block, [block.width(), grid.rows])?;
    let known = Coefficients::of_faces(block.clone(), owned(x)?, owned(y)?);
    checked(Diffusion::new(block.clone(), known))
}

/// Refuses a coefficient at a face that is not positive and finite, and at a side of the grid not zero
/// either, with its place. The faces along an axis are `width` in each row of the block, and the last of the
/// grid has the number `last`.
fn must_conduct(along: char, k: &[f64], block: &Block, [width, last]: [usize; 2]) -> Result<()> {
    let place = |at: usize| (block.columns.start + at % width, block.rows.start + at / width);
    let is_at_side = |at: usize| {
        let (column, row) = place(at);
        [0, last].contains(if along == 'x' { &column } else { &row })
    };
    let is_bad = |at: usize, k: f64| !(k > 0.0 && k.is_finite() || k == 0.0 && is_at_side(at));
    match first(k, is_bad) {
        None => Ok(()),
        Some(at) => {
            let (column, row) = place(at);
            Err(StencilError::FaceCoefficient { along, column, row, value: k[at] }.into())
        }
    }
}

/// Returns the points that coefficients of a block's points are to be known of.
fn known_around(grid: Shape, block: &Block) -> Result<Block> {
    let points =
        grid.len().ok_or(Error::TooLarge { what: "the number of unknowns", got: usize::MAX })?;
    block.must_be_in(points, grid.cols)?;
    Ok(block.grown(1, points, grid.cols))
}

fn points(grid: Shape) -> [usize; 2] {
    [grid.cols, grid.rows]
}

fn owned(numbers: Cow<'_, [f64]>) -> Result<Vec<f64>, NoMemory> {
    match numbers {
        Cow::Borrowed(numbers) => copied(numbers),
        Cow::Owned(numbers) => Ok(numbers),
    }
}

fn must_be_of(shape: Shape, numbers: &[f64]) -> Result<()> {
    match shape.len() == Some(numbers.len()) {
        true => Ok(()),
        false => Err(ArrayError::MatrixLength { shape, got: numbers.len() }.into()),
    }
}

/// Returns the place of the first number of which a function says yes.
fn first(numbers: &[f64], is_bad: impl Fn(usize, f64) -> bool + Sync) -> Option<usize> {
    let found = in_ranges(numbers.len(), 1, |mut part| part.find(|at| is_bad(*at, numbers[*at])));
    found.into_iter().flatten().next()
}

/// Refuses a coefficient that is not positive and finite, with its place.
fn must_be_positive(numbers: &[f64], known: &Block) -> Result<()> {
    match first(numbers, |_, k| !(k > 0.0 && k.is_finite())) {
        None => Ok(()),
        Some(at) => Err(StencilError::Coefficient {
            column: known.columns.start + at % known.width(),
            row: known.rows.start + at / known.width(),
            value: numbers[at],
        }
        .into()),
    }
}

/// Refuses sums of coefficients that are beyond double precision.
fn checked(field: Diffusion) -> Result<NineBanded<f64>> {
    let mut found = None;
    if !field.bounds().1.is_finite() {
        field.each_segment(0..field.n(), |rows, numbers: &[&[f64]; 5]| {
            let sums = rows.zip(numbers[0]);
            found = found.or_else(|| {
                sums.into_iter().find(|(_, sum)| !sum.is_finite()).map(|(row, sum)| (row, *sum))
            });
        });
    }
    match found {
        None => Ok(NineBanded::of_diffusion(field)),
        Some((row, value)) => Err(BandError::NotFinite { band: Band::DD, row, value }.into()),
    }
}
