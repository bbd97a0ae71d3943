//! Correlations of two-dimensional arrays on the host, in double precision.

/// Returns the place that a border of this name takes a number from; `None` for a zero.
fn inside(border: &str, place: isize, length: usize) -> Option<usize> {
    let n = length as isize;
    match border {
        "zero" => usize::try_from(place).ok().filter(|place| *place < length),
        "clamp" => Some(place.clamp(0, n - 1) as usize),
        "wrap" => Some(place.rem_euclid(n) as usize),
        _ => {
            let rest = place.rem_euclid(2 * n);
            Some(if rest < n { rest } else { 2 * n - 1 - rest } as usize)
        }
    }
}

/// Returns the sums of weights times neighbours, where the weight at `centre` belongs to the number
/// itself. Shapes and places are rows and columns.
pub fn correlate(
    x: &[f64],
    (rows, columns): (usize, usize),
    weights: &[f64],
    (high, wide): (usize, usize),
    (up, left): (usize, usize),
    border: &str,
) -> Vec<f64> {
    let number = |row: usize, column: usize, i: usize, j: usize| {
        let from_row = inside(border, row as isize + i as isize - up as isize, rows)?;
        let from = inside(border, column as isize + j as isize - left as isize, columns)?;
        Some(x[from_row * columns + from])
    };
    let mut result = Vec::new();
    for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        let mut sum = 0.0;
        for (i, j) in (0..high).flat_map(|i| (0..wide).map(move |j| (i, j))) {
            sum += weights[i * wide + j] * number(row, column, i, j).unwrap_or(0.0);
        }
        result.push(sum);
    }
    result
}
