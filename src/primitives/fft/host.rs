//! Transforms on the host, in double precision, of what is transformed once.

use std::f64::consts::TAU;

use crate::Shape;
use crate::memory::{self, NoMemory};

/// A complex number: its real and its imaginary part.
pub(super) type Complex = [f64; 2];

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
        of_every(1, &line, &mut result, &mut scratch);
        result.iter().zip(places).for_each(|(number, at)| numbers[at] = *number);
    }
    Ok(())
}

/// Returns the sum with a number times e^(-2 pi i index / order).
fn plus_turned([a, b]: Complex, [c, d]: Complex, index: usize, order: usize) -> Complex {
    let (sin, cos) = (TAU * (index % order) as f64 / order as f64).sin_cos();
    [a + c * cos + d * sin, b + d * cos - c * sin]
}

/// The transform of every `step`-th number, from those of every p-th of them, where p is the smallest
/// prime factor of the length (Cooley and Tukey 1965).
fn of_every(step: usize, x: &[Complex], result: &mut [Complex], scratch: &mut [Complex]) {
    let n = result.len();
    let smallest = (2..n).take_while(|p| p * p <= n).find(|p| n.is_multiple_of(*p));
    let p = smallest.unwrap_or(n);
    let m = n / p.max(1);
    for r in 0..p {
        let part = r * m..(r + 1) * m;
        match m {
            1 => scratch[r] = x[r * step],
            _ => of_every(p * step, &x[r * step..], &mut scratch[part.clone()], &mut result[part]),
        }
    }
    for (k, number) in result.iter_mut().enumerate() {
        let term = |sum, r| plus_turned(sum, scratch[r * m + k % m], r * k, n);
        *number = (0..p).fold([0.0; 2], term);
    }
}
