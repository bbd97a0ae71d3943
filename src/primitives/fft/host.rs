//! Transforms on the host, in double precision, of what is transformed once.

use crate::Shape;
use crate::memory::{self, NoMemory};
use crate::reference::fft::{Complex, fft_into};

/// Replaces numbers of these rows and columns by their transform along both.
pub(in crate::primitives) fn transform_on_host(
    numbers: &mut [Complex],
    Shape { rows, cols }: Shape,
) -> Result<(), NoMemory> {
    along(numbers, (rows, cols), (cols, 1))?;
    along(numbers, (cols, rows), (1, cols))
}

/// Replaces a number of lines, this far apart and with their numbers this far apart.
fn along(
    numbers: &mut [Complex],
    (lines, length): (usize, usize),
    (apart, step): (usize, usize),
) -> Result<(), NoMemory> {
    if length == 1 {
        return Ok(());
    }
    let mut line: Vec<Complex> = memory::zeroed(length)?;
    let mut result = memory::zeroed(length)?;
    let mut scratch = memory::zeroed(length)?;
    for first in (0..lines).map(|index| index * apart) {
        let places = (first..).step_by(step);
        line.iter_mut().zip(places.clone()).for_each(|(number, at)| *number = numbers[at]);
        fft_into(&line, &mut result, &mut scratch);
        result.iter().zip(places).for_each(|(number, at)| numbers[at] = *number);
    }
    Ok(())
}
