//! Between vectors of the host in double precision and the 32-bit floats of a device.

use crate::NoMemory;
use crate::memory::{host_threads::each, zeroed};

/// Returns a factor times numbers, each product rounded once to a 32-bit float.
pub(crate) fn rounded(numbers: &[f64], factor: f64) -> Result<Vec<f32>, NoMemory> {
    let mut singles: Vec<f32> = zeroed(numbers.len())?;
    each(numbers, &mut singles, |numbers, singles| {
        let pairs = singles.iter_mut().zip(numbers);
        pairs.for_each(|(single, number)| *single = (factor * number) as f32);
    });
    Ok(singles)
}

/// Adds a factor times 32-bit floats to numbers, in double precision.
pub(crate) fn add(singles: &[f32], factor: f64, numbers: &mut [f64]) {
    each(singles, numbers, |singles, numbers| {
        let pairs = numbers.iter_mut().zip(singles);
        pairs.for_each(|(number, single)| *number += factor * f64::from(*single));
    });
}
