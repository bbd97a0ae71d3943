//! Scaling of a system for the steps in 32-bit floats: by a factor, or from both sides where its
//! numbers span more than they resolve.
//!
//! R A C y = R b, x = C y. For a symmetric matrix R = C = S near D^-1/2 (van der Sluis, "Condition numbers and equilibration
//! of matrices", 1969). For any other the
//! largest entry of each row, and then of each column, becomes about 1. R and C have powers of two, so
//! that no number is rounded. The residual and the
//! tolerance stay those of A x = b.

use std::any::Any;
use std::ops::{Neg, Range};

use crate::data::{self, Band, Csr, Float, NineBanded};
use crate::{NoMemory, memory};

use crate::linalg::solve::{Properties, Result};

/// The ratio of the largest to the least number of the diagonal from which on a system is scaled.
/// The space's products are computed in differences, which loses a diagonal that is smaller than
/// the couplings of its row by this ratio.
const SPAN: f64 = (1_u64 << 20) as f64;

/// The ratio of the largest entry of a row to the least such number of all rows from which on a sparse
/// matrix that is not symmetric is scaled.
const SPAN_OF_ROWS: f64 = (1_u64 << 10) as f64;

/// The largest number of a scaled matrix: a positive definite one has none above 2.
const MOST: f64 = 1e30;

/// Matrices whose largest entry is in this range have the factor 1.
const ORDINARY: std::ops::Range<f64> = 1e-6..1e6;

/// The scale of a matrix in 32-bit floats.
#[derive(Clone, Copy)]
pub(crate) enum Scale<'a> {
    Factor(f64),
    Sides(Sides<'a>),
}

/// The diagonal matrices R and C, from the left and from the right.
#[derive(Clone, Copy)]
pub(crate) struct Sides<'a> {
    pub(crate) rows: &'a [f64],
    pub(crate) columns: &'a [f64],
}

/// The factors of rows and columns.
pub(crate) struct Scaling {
    rows: Vec<f64>,
    /// Those of rows where there are no others.
    columns: Option<Vec<f64>>,
}

impl Scaling {
    /// Makes one that keeps a matrix symmetric.
    pub(crate) fn symmetric(s: Vec<f64>) -> Scaling {
        Scaling { rows: s, columns: None }
    }

    /// Returns S near D^-1/2.
    pub(crate) fn of_diagonal(
        n: usize,
        diagonal: impl Iterator<Item = f64>,
    ) -> Result<Scaling, NoMemory> {
        let power = |d: f64| (d.log2() * -0.5).round().exp2();
        Ok(Scaling::symmetric(memory::collected(n, diagonal.map(power))?))
    }

    /// Returns factors by which the largest entries of rows, and then of columns, are about 1.
    pub(super) fn of_rows_and_columns<T: Float>(matrix: &Csr<T>) -> Result<Scaling, NoMemory> {
        let power = |most: f64| if most > 0.0 { most.log2().round().neg().exp2() } else { 1.0 };
        let magnitudes = |row: usize| {
            let (columns, values) = matrix.row(row);
            columns.iter().zip(values).map(|(column, value)| {
                let value: f64 = (*value).into();
                (*column as usize, value.abs())
            })
        };
        let n = matrix.shape().rows;
        let largest = |row| magnitudes(row).fold(0.0, |most: f64, (_, entry)| most.max(entry));
        let rows = memory::collected(n, (0..n).map(|row| power(largest(row))))?;
        let mut most: Vec<f64> = memory::zeroed(matrix.shape().cols)?;
        for (row, factor) in rows.iter().enumerate() {
            for (column, entry) in magnitudes(row) {
                most[column] = most[column].max(factor * entry);
            }
        }
        let columns = Some(memory::collected(most.len(), most.into_iter().map(power))?);
        Ok(Scaling { rows, columns })
    }

    /// Returns the factors.
    pub(crate) fn sides(&self) -> Sides<'_> {
        Sides { rows: &self.rows, columns: self.columns.as_ref().unwrap_or(&self.rows) }
    }

    /// Returns those of rows, which are the only ones of a symmetric scaling.
    pub(crate) fn into_rows(self) -> Vec<f64> {
        self.rows
    }
}

impl Scale<'_> {
    /// Returns the scale of some rows, and of the columns of the same numbers.
    pub(crate) fn part(self, place: Range<usize>) -> Self {
        match self {
            Scale::Factor(_) => self,
            Scale::Sides(Sides { rows, columns }) => {
                Scale::Sides(Sides { rows: &rows[place.clone()], columns: &columns[place] })
            }
        }
    }

    /// Returns the matrix in 32-bit floats.
    pub(crate) fn single<T: Float>(self, matrix: &NineBanded<T>) -> Result<NineBanded> {
        match self {
            Scale::Factor(factor) => multiplied(matrix, factor),
            Scale::Sides(sides) => both_sides(matrix, sides),
        }
    }

    /// Returns a sparse matrix in 32-bit floats.
    pub(crate) fn single_csr<T: Float>(self, matrix: &Csr<T>) -> Result<Csr> {
        Ok(match self {
            Scale::Factor(factor) => matrix.map(|_, _, entry| factor * entry)?,
            Scale::Sides(sides) => {
                matrix.map(|row, column, entry| sides.scaled(row, column, entry))?
            }
        })
    }
}

/// Returns the factor of a matrix: 1, or a power of two where its numbers are far from 1.
pub(crate) fn factor(matrix: &Properties) -> f64 {
    let most = matrix.largest();
    match most == 0.0 || ORDINARY.contains(&most) {
        true => 1.0,
        false => 2.0_f64.powi(-(most.log2().floor() as i32)),
    }
}

/// Returns the matrix times a factor in single precision, without a copy of its bands.
fn multiplied<T: Float>(matrix: &NineBanded<T>, factor: f64) -> Result<NineBanded> {
    if let Some(single) =
        (matrix as &dyn Any).downcast_ref::<NineBanded>().filter(|_| factor == 1.0)
    {
        return Ok(single.clone()); // shares its entries
    }
    let single: NineBanded = matrix.converted(factor);
    if single.field().is_some_and(|field| (field.bounds().1 as f32).is_finite()) {
        return Ok(single);
    }
    for band in Band::ALL {
        if let Some((row, number)) = single.first_number(band, |number| !number.is_finite()) {
            return Err(data::BandError::NotFinite { band, row, value: number.into() }.into());
        }
    }
    Ok(single)
}

/// Returns whether a matrix is symmetric with a positive diagonal that spans too much, or sparse, not
/// symmetric, and of rows that do; and not singular.
pub(crate) fn suits(matrix: &Properties) -> bool {
    let spans = match matrix.is_symmetric_with_positive_diagonal() {
        true => matrix.diagonal_span() > SPAN,
        false => matrix.span_of_rows() > SPAN_OF_ROWS,
    };
    spans && !matrix.has_constant_null_space()
}

impl Sides<'_> {
    /// Returns an entry of R A C.
    pub(crate) fn scaled(&self, row: usize, column: usize, entry: f64) -> f64 {
        // Beyond the ends there is no other factor, and the entry is 0.
        let Some(of_column) = self.columns.get(column) else { return 0.0 };
        let of_row = &self.rows[row];
        // In this order neither product leaves double precision where the matrix is positive
        // definite.
        let (large, small) =
            if of_column > of_row { (of_column, of_row) } else { (of_row, of_column) };
        (entry * large * small).clamp(-MOST, MOST)
    }
}

/// Computes R A C in 32-bit floats.
fn both_sides<T: Float>(matrix: &NineBanded<T>, sides: Sides<'_>) -> Result<NineBanded> {
    matrix.store()?;
    let (n, m) = (matrix.n(), matrix.m());
    let scaled = |band: Band| {
        let entry = |(row, entry): (usize, &T)| {
            let column = row.checked_add_signed(band.offset(m)).unwrap_or(usize::MAX);
            sides.scaled(row, column, (*entry).into()) as f32
        };
        memory::collected(n, matrix.band(band).iter().enumerate().map(entry))
    };
    Ok(NineBanded::new(m, data::bands_by(scaled)?)?)
}

/// Multiplies by factors: by C a vector x of the space, which becomes that of the given system, or by R
/// a residual of the given system, which becomes that in the space.
pub(crate) fn apply(s: &[f64], numbers: &mut [f64]) {
    numbers.iter_mut().zip(s).for_each(|(number, s)| *number *= s);
}
