//! Matrices of random numbers, for tests: finite-element data have zero couplings across row ends
//! and so cannot show a wrong wrap.

use super::{check_sizes, zeros};
use crate::data::{Band, NineBanded, Result};
use crate::memory;

/// Returns a strictly dominant matrix with a random number at every position of its bands inside
/// the matrix, also where the coupling crosses the end of a grid row.
///
/// `next` gives the numbers, usually uniform in -1..1 from a seeded generator; the same numbers
/// give the same matrix. The diagonal is `1.25 s + 0.5` for a row whose other entries have the
/// absolute sum `s`, so that one step of Jacobi shrinks the error to four fifths or less.
///
/// ```
/// use quadrille::data::random_couplings;
///
/// let mut state = 1_u32;
/// let matrix = random_couplings(50, 7, || {
///     state = state.wrapping_mul(1664525).wrapping_add(1013904223);
///     (state >> 8) as f32 / 8388608.0 - 1.0
/// })?;
/// assert!(matrix.is_strictly_dominant());
/// # Ok::<(), quadrille::data::Error>(())
/// ```
///
/// # Errors
/// As [`NineBanded::new`].
pub fn random_couplings(n: usize, m: usize, mut next: impl FnMut() -> f32) -> Result<NineBanded> {
    check_sizes(n, m)?;
    let mut sums = zeros::<f64>(n)?;
    let mut bands: [Vec<f32>; 9] = Default::default();
    for band in &Band::ALL[1..] {
        let mut entries = zeros::<f32>(n)?;
        for row in band.rows(n, m) {
            entries[row] = next();
            sums[row] += f64::from(entries[row]).abs();
        }
        bands[band.index()] = entries;
    }
    let diagonal = sums.iter().map(|sum| (1.25 * sum + 0.5) as f32);
    bands[Band::DD.index()] = memory::collected(n, diagonal)?;
    NineBanded::new(m, bands)
}
