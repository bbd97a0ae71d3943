//! Scaling of a system for the steps in 32-bit floats: by a factor, or from both sides where its
//! diagonal spans more than they resolve.
//!
//! S A S y = S b, x = S y with S near D^-1/2 (van der Sluis, "Condition numbers and equilibration
//! of matrices", 1969). S has powers of two, so that no number is rounded. The residual and the
//! tolerance stay those of A x = b.

use std::any::Any;

use crate::data::{Band, Float, NineBanded};
use crate::memory;

use crate::linalg::solve::{Error, Properties};

/// The ratio of the largest to the least number of the diagonal from which on a system is scaled.
/// The space's products are computed in differences, which loses a diagonal that is smaller than
/// the couplings of its row by this ratio.
const SPAN: f64 = (1_u64 << 20) as f64;

/// The largest number of a scaled matrix: a positive definite one has none above 2.
const MOST: f64 = 1e30;

/// Matrices whose largest entry is in this range have the factor 1.
const ORDINARY: std::ops::Range<f64> = 1e-6..1e6;

/// The scale of a matrix in 32-bit floats.
#[derive(Clone, Copy)]
pub(crate) enum Scale<'a> {
    Factor(f64),
    /// The diagonal matrix S, multiplied from both sides.
    Diagonal(&'a [f64]),
}

impl Scale<'_> {
    /// Returns the matrix in 32-bit floats.
    pub(crate) fn single<T: Float>(self, matrix: &NineBanded<T>) -> Result<NineBanded, Error> {
        match self {
            Scale::Factor(factor) => multiplied(matrix, factor),
            Scale::Diagonal(s) => both_sides(matrix, s),
        }
    }
}

/// Returns the factor of a matrix: 1, or a power of two where its numbers are far from 1.
pub(in crate::linalg::solve) fn factor(matrix: &Properties) -> f64 {
    let most = matrix.largest();
    match most == 0.0 || ORDINARY.contains(&most) {
        true => 1.0,
        false => 2.0_f64.powi(-(most.log2().floor() as i32)),
    }
}

fn multiplied<T: Float>(matrix: &NineBanded<T>, factor: f64) -> Result<NineBanded, Error> {
    if let Some(single) =
        (matrix as &dyn Any).downcast_ref::<NineBanded>().filter(|_| factor == 1.0)
    {
        return Ok(single.clone()); // shares its entries
    }
    let mut bands: [Vec<f32>; 9] = Default::default();
    for band in Band::ALL {
        let entries = matrix.band(band).iter().map(|entry| (factor * (*entry).into()) as f32);
        bands[band.index()] = memory::collected(matrix.n(), entries)?;
    }
    Ok(NineBanded::new(matrix.m(), bands)?)
}

/// Returns whether a matrix is symmetric with a positive diagonal that spans too much, and not
/// singular.
pub(in crate::linalg::solve) fn suits(matrix: &Properties) -> bool {
    let symmetric = matrix.first_asymmetric().is_none() && matrix.first_not_positive().is_none();
    symmetric && matrix.diagonal_span() > SPAN && !matrix.has_constant_null_space()
}

/// Computes S A S in 32-bit floats.
fn both_sides<T: Float>(matrix: &NineBanded<T>, s: &[f64]) -> Result<NineBanded, Error> {
    let (n, m) = (matrix.n(), matrix.m());
    let mut bands: [Vec<f32>; 9] = Default::default();
    for band in Band::ALL {
        let entry = |(row, entry): (usize, &T)| {
            // Beyond the ends there is no other factor, and the entry is 0.
            let column = row.checked_add_signed(band.offset(m)).and_then(|column| s.get(column));
            // In this order neither product leaves double precision where the matrix is positive
            // definite.
            let (large, small) = match column {
                Some(other) if *other > s[row] => (*other, s[row]),
                Some(other) => (s[row], *other),
                None => (0.0, 0.0),
            };
            let entry: f64 = (*entry).into();
            (entry * large * small).clamp(-MOST, MOST) as f32
        };
        let entries = matrix.band(band).iter().enumerate().map(entry);
        bands[band.index()] = memory::collected(n, entries)?;
    }
    Ok(NineBanded::new(m, bands)?)
}

/// Multiplies by S: turns a vector x of the space into that of the given system, or a residual of
/// the given system into that in the space.
pub(in crate::linalg::solve) fn apply(s: &[f64], numbers: &mut [f64]) {
    numbers.iter_mut().zip(s).for_each(|(number, s)| *number *= s);
}
