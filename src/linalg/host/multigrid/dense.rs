//! The inverse of a small matrix.

/// A pivot below this fraction of the largest entry has no information in single precision.
const FLOOR: f64 = 1e-7;

/// Returns the inverse of a dense n x n matrix, row by row, by Gauss and Jordan's elimination with
/// the pivots on the diagonal, largest first, which keeps symmetry. A pivot that rounding error may
/// have made is left out, with its row and its column of the inverse: these unknowns become zero,
/// and the others solve their equations.
///
/// For a matrix whose null space is the constants, `with_null_space` adds one over the number of
/// unknowns to each eigenvalue, relative to the diagonal's mean, that belongs to the constants;
/// others are not changed.
pub fn inverse(mut a: Vec<f64>, with_null_space: bool) -> Vec<f64> {
    let n = a.len().isqrt();
    let mean = (0..n).map(|i| a[i * n + i].abs()).sum::<f64>() / n.max(1) as f64;
    if with_null_space {
        a.iter_mut().for_each(|entry| *entry += mean / n as f64);
    }
    let floor = FLOOR * a.iter().fold(0.0_f64, |most, entry| most.max(entry.abs()));
    let mut left: Vec<usize> = (0..n).collect();
    while let Some(at) = largest_pivot(&a, n, &left) {
        let pivot = left[at];
        if a[pivot * n + pivot].abs() <= floor {
            break;
        }
        left.swap_remove(at);
        sweep(&mut a, n, pivot);
    }
    for (at, entry) in a.iter_mut().enumerate() {
        if left.contains(&(at / n)) || left.contains(&(at % n)) {
            *entry = 0.0;
        }
    }
    a
}

fn largest_pivot(a: &[f64], n: usize, left: &[usize]) -> Option<usize> {
    let size = |at: &usize| a[left[*at] * (n + 1)].abs();
    (0..left.len()).max_by(|p, q| size(p).total_cmp(&size(q)))
}

/// Exchanges an unknown with its right-hand side.
fn sweep(a: &mut [f64], n: usize, k: usize) {
    let reciprocal = 1.0 / a[k * n + k];
    let row: Vec<f64> = a[k * n..(k + 1) * n].to_vec();
    for i in (0..n).filter(|i| *i != k) {
        let factor = a[i * n + k] * reciprocal;
        if factor != 0.0 {
            for (entry, pivot) in a[i * n..(i + 1) * n].iter_mut().zip(&row) {
                *entry -= factor * pivot;
            }
        }
        a[i * n + k] = -factor;
    }
    a[k * n..(k + 1) * n].iter_mut().for_each(|entry| *entry *= reciprocal);
    a[k * n + k] = reciprocal;
}
