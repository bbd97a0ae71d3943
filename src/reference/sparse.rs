//! Products with a sparse matrix in double precision, row by row.

use crate::data::Csr;

/// Returns the product A x.
pub fn product(matrix: &Csr, x: &[f32]) -> Vec<f64> {
    rows(matrix, x, |term| term)
}

/// Returns the sums of the magnitudes of each element's terms: its error is a small multiple.
pub fn magnitudes(matrix: &Csr, x: &[f32]) -> Vec<f64> {
    rows(matrix, x, f64::abs)
}

fn rows(matrix: &Csr, x: &[f32], of_term: fn(f64) -> f64) -> Vec<f64> {
    let of_row = |row| {
        let (columns, values) = matrix.row(row);
        let terms = columns.iter().zip(values);
        terms.map(|(j, a)| of_term(f64::from(*a) * f64::from(x[*j as usize]))).sum()
    };
    (0..matrix.shape().rows).map(of_row).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::Shape;

    #[test]
    fn it_is_what_a_calculator_says() {
        let entries = [(0, 0, 2.0), (0, 2, -1.0), (2, 1, 3.0)];
        let matrix = Csr::from_entries(Shape::new(3, 3), entries).unwrap();
        assert_eq!(product(&matrix, &[1.0, 2.0, 5.0]), [-3.0, 0.0, 6.0]);
        assert_eq!(magnitudes(&matrix, &[1.0, 2.0, 5.0]), [7.0, 0.0, 6.0]);
    }
}
