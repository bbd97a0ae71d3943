//! Symmetric scaling of a system for the steps in 32-bit floats, where its diagonal spans more than they resolve.
//!
//! S A S y = S b, x = S y with S near D^-1/2 (van der Sluis, "Condition numbers and equilibration of matrices", 1969). S has powers of two, so
//! that no number is rounded. The residual and the tolerance stay those of A x = b.

use crate::data::{Band, Float, NineBanded};
use crate::{NoMemory, memory};

use super::system::{System, unit};
use super::{Error, Properties};

/// The ratio of the largest to the least number of the diagonal from which on a system is scaled. The space's products are computed in
/// differences, which loses a diagonal that is so much less than the couplings of its row.
const SPAN: f64 = (1_u64 << 20) as f64;

/// The largest number of a scaled matrix: a positive definite one has none above 2.
const MOST: f64 = 1e30;

/// Whether a matrix is symmetric with a positive diagonal that spans too much, and not singular.
pub(super) fn suits(matrix: &Properties) -> bool {
    let symmetric = matrix.first_asymmetric().is_none() && matrix.first_not_positive().is_none();
    symmetric && matrix.diagonal_span() > SPAN && !matrix.has_constant_null_space()
}

/// S, of a matrix or of the rows that a rank stores.
pub(crate) fn of<T: Float>(matrix: &NineBanded<T>) -> Result<Vec<f64>, NoMemory> {
    let power = |d: &T| -> f64 {
        let d: f64 = (*d).into();
        (d.log2() * -0.5).round().exp2()
    };
    memory::collected(matrix.n(), matrix.band(Band::DD).iter().map(power))
}

/// S A S in 32-bit floats.
pub(crate) fn single<T: Float>(matrix: &NineBanded<T>, s: &[f64]) -> Result<NineBanded, Error> {
    let (n, m) = (matrix.n(), matrix.m());
    let mut bands: [Vec<f32>; 9] = Default::default();
    for band in Band::ALL {
        let entry = |(row, entry): (usize, &T)| {
            // Beyond the ends there is no other factor, and the entry is 0.
            let column = row.checked_add_signed(band.offset(m)).and_then(|column| s.get(column));
            // In this order neither product leaves double precision where the matrix is positive definite.
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

/// What a vector of the space is in the given system, or a residual of that in the space.
pub(super) fn apply(s: &[f64], numbers: &mut [f64]) {
    numbers.iter_mut().zip(s).for_each(|(number, s)| *number *= s);
}

/// The 2-norm of a scaled vector, whose squares may be no numbers of double precision.
pub(super) fn norm(system: &dyn System, numbers: &[f64]) -> Result<f64, Error> {
    let measure = system.measure(numbers)?;
    let unit = unit(measure.largest);
    if unit == 1.0 {
        return Ok(measure.norm());
    }
    let quotients = memory::collected(numbers.len(), numbers.iter().map(|number| number / unit))?;
    Ok(unit * system.norm(&quotients)?)
}
