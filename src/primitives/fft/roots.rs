//! Roots of unity, from the host in double precision: drivers' sines are not to be trusted.

use std::f64::consts::TAU;

use crate::memory::{self, NoMemory};

/// Up to this order a table has every root.
const WHOLE: usize = 1 << 16;
/// Beyond it a root is the product of one of the first FINE and of one of each FINE-th.
pub(super) const FINE: usize = 1 << 12;

/// Returns e^(-2 pi i index / order). The angle is taken from the nearest multiple of a quarter
/// turn, so that quarters and their mirror images are exact.
pub(super) fn root(index: usize, order: usize) -> [f64; 2] {
    let index = index % order;
    let quarter = (4 * index + order / 2) / order;
    let from_quarter = (4 * index) as f64 - (quarter * order) as f64;
    let (sin, cos) = (from_quarter / (4 * order) as f64 * TAU).sin_cos();
    match quarter % 4 {
        0 => [cos, -sin],
        1 => [-sin, -cos],
        2 => [-cos, sin],
        _ => [sin, cos],
    }
}

/// Returns how many roots are multiplied for one of this order.
pub(super) fn levels(order: usize) -> usize {
    if order > WHOLE { 2 } else { 1 }
}

/// Returns the table for an order: all roots, or the first `FINE` and then each `FINE`-th.
pub(super) fn table(order: usize) -> Result<Vec<[f32; 2]>, NoMemory> {
    let single = |index: usize| root(index, order).map(|part| part as f32);
    if levels(order) == 1 {
        return gathered(order, (0..order).map(single));
    }
    let coarse = order.div_ceil(FINE);
    gathered(FINE + coarse, (0..FINE).chain((0..coarse).map(|index| index * FINE)).map(single))
}

fn gathered(
    count: usize,
    roots: impl Iterator<Item = [f32; 2]>,
) -> Result<Vec<[f32; 2]>, NoMemory> {
    let mut table = memory::with_room(count)?;
    table.extend(roots);
    Ok(table)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn roots_are_on_the_circle_and_quarters_are_exact() {
        for order in [1, 2, 3, 4, 5, 7, 8, 12, 30, 1 << 20] {
            for index in (0..order.min(100)).chain([order - 1]) {
                let [x, y] = root(index, order);
                let angle = TAU * index as f64 / order as f64;
                assert!((x - angle.cos()).abs() < 1e-15 && (y + angle.sin()).abs() < 1e-15);
            }
        }
        let quarters = [[1.0, 0.0], [0.0, -1.0], [-1.0, 0.0], [0.0, 1.0]];
        for (index, quarter) in quarters.into_iter().enumerate() {
            assert_eq!(root(3 * index, 12), quarter);
        }
    }

    #[test]
    fn tables_have_every_root_or_its_two_factors() {
        assert_eq!(table(5).unwrap().len(), 5);
        let order = 3 << 16;
        let table = table(order).unwrap();
        for index in [0, 1, FINE - 1, FINE, FINE + 1, order - 1] {
            let ([a, b], [c, d]) = (table[index % FINE], table[FINE + index / FINE]);
            let [x, y] = root(index, order);
            let near = |got: f32, exact: f64| (f64::from(got) - exact).abs() < 3e-7;
            assert!(near(a * c - b * d, x) && near(a * d + b * c, y), "{index}");
        }
    }
}
