//! The constant operator whose numbers a matrix has.

use super::{ConstantOperator, Side};
use crate::data::error::BandError;
use crate::data::{Band, Float, NineBanded, Result};

/// What stands at the sides of matrices: those first that change nothing there.
const SIDES: [[Side; 2]; 4] = [
    [Side::Dirichlet, Side::Dirichlet],
    [Side::Neumann, Side::Neumann],
    [Side::Neumann, Side::Dirichlet],
    [Side::Dirichlet, Side::Neumann],
];

impl ConstantOperator {
    /// Finds the operator of a nine-banded matrix.
    ///
    /// ```
    /// use quadrille::data::{ConstantOperator, Side, Stencil};
    ///
    /// let matrix = "neumann5:9x7".parse::<Stencil>()?.matrix()?;
    /// let found = ConstantOperator::of(&matrix)?;
    /// assert_eq!(found.sides(), [Side::Neumann; 2]);
    /// assert_eq!(found.couplings(), [4.0, -1.0, -1.0, 0.0]);
    /// # Ok::<(), quadrille::data::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`BandError::NotConstant`] where the numbers are not those of one: which, and what was expected.
    pub fn of<T: Float>(matrix: &NineBanded<T>) -> Result<ConstantOperator> {
        let matrix = &matrix.in_least_form();
        let (n, width) = (matrix.n(), matrix.m());
        if !n.is_multiple_of(width) {
            let why = format!("it has {n} rows, which are no whole rows of {width}");
            return Err(BandError::NotConstant { why }.into());
        }
        let height = n / width;
        // A point that has all the neighbours that any has.
        let point = (1, usize::from(height > 1));
        let couplings = couplings(matrix, point, (width, height))?;
        let mut first = None;
        for sides in SIDES {
            // What a second row of points would reflect is not known where there is none.
            if height < 3 && sides[1] == Side::Neumann {
                continue;
            }
            let made = ConstantOperator::new(width, height, couplings, sides)?;
            match difference(&made, matrix) {
                None => return Ok(made),
                Some(why) => first = first.or(Some(why)),
            }
        }
        Err(BandError::NotConstant { why: first.unwrap_or_default() }.into())
    }
}

/// The couplings around a point, which must be the same on either side of it.
fn couplings<T: Float>(
    matrix: &NineBanded<T>,
    (x, y): (usize, usize),
    (width, height): (usize, usize),
) -> Result<[f64; 4]> {
    let row = y * width + x;
    let inside = |band: Band| band.beside(x, y).is_some_and(|(x, y)| x < width && y < height);
    let number = |band: Band| matrix.number(band, row).into();
    let same = |bands: &[Band]| -> Result<f64> {
        let mut known: Option<Band> = None;
        for band in bands.iter().copied().filter(|band| inside(*band)) {
            let first = *known.get_or_insert(band);
            if number(first) != number(band) {
                let at = |band: Band| format!("{:?}", band.step());
                let why = format!(
                    "the point in column {x} of row {y} (from 0) is coupled by {:e} to the point at {} from it, and by {:e} to the one \
                     at {}, where sines and cosines need the same",
                    number(first),
                    at(first),
                    number(band),
                    at(band)
                );
                return Err(BandError::NotConstant { why }.into());
            }
        }
        Ok(known.map_or(0.0, number))
    };
    Ok([
        number(Band::DD),
        same(&[Band::DL, Band::DU])?,
        same(&[Band::LD, Band::UD])?,
        same(&[Band::LL, Band::LU, Band::UL, Band::UU])?,
    ])
}

/// Returns the first entry that differs, with both numbers. Of a constant matrix rows that stand for
/// all are compared.
fn difference<T: Float>(made: &ConstantOperator, matrix: &NineBanded<T>) -> Option<String> {
    let (width, height) = made.points();
    let differs = |x: usize, y: usize| {
        Band::ALL.into_iter().find_map(|band| {
            let beside = band.beside(x, y).filter(|(x, y)| *x < width && *y < height);
            let expected = beside.map_or(0.0, |beside| made.entry((x, y), beside));
            let expected = T::nearest(expected).into();
            let got: f64 = matrix.number(band, y * width + x).into();
            let column = || (y * width + x).wrapping_add_signed(band.offset(width));
            (got != expected).then(|| {
                format!(
                    "the entry in row {}, column {} (from 0) is {got:e}, and {expected:e} with the couplings of an inner point",
                    y * width + x,
                    column()
                )
            })
        })
    };
    if let Some(constant) = matrix.constant() {
        let mut points = constant.representatives().into_iter().flatten();
        return points.find_map(|(x, y)| differs(x, y));
    }
    (0..height).find_map(|y| (0..width).find_map(|x| differs(x, y)))
}
