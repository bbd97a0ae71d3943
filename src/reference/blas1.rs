//! BLAS level 1 on numbers of the host, in double precision (Lawson, Hanson, Kincaid and Krogh
//! 1979).

/// Returns a x + b y.
pub fn axpby(a: f32, x: &[f32], b: f32, y: &[f32]) -> Vec<f64> {
    let [a, b] = [a, b].map(f64::from);
    x.iter().zip(y).map(|(x, y)| a * f64::from(*x) + b * f64::from(*y)).collect()
}

/// Returns the sum.
pub fn sum(x: &[f32]) -> f64 {
    x.iter().map(|x| f64::from(*x)).sum()
}

/// Returns the sum of magnitudes.
pub fn asum(x: &[f32]) -> f64 {
    x.iter().map(|x| f64::from(*x).abs()).sum()
}

/// Returns the dot product.
pub fn dot(x: &[f32], y: &[f32]) -> f64 {
    x.iter().zip(y).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum()
}

/// Returns the 2-norm: squares of 32-bit floats neither overflow nor underflow in double precision.
pub fn nrm2(x: &[f32]) -> f64 {
    dot(x, x).sqrt()
}

/// Returns the index of the first number of the largest magnitude, where a NaN is larger than any
/// other.
pub fn iamax(x: &[f32]) -> Option<usize> {
    let larger = |a: f32, b: f32| a.is_nan() && !b.is_nan() || a.abs() > b.abs();
    let mut best = None;
    for (index, number) in x.iter().enumerate() {
        if best.is_none_or(|(_, largest)| larger(*number, largest)) {
            best = Some((index, *number));
        }
    }
    best.map(|(index, _)| index)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_what_a_calculator_says() {
        let (x, y) = ([1.0, -2.0, 3.0], [10.0, 20.0, 30.0]);
        assert_eq!(axpby(2.0, &x, -1.0, &y), [-8.0, -24.0, -24.0]);
        assert_eq!([sum(&x), asum(&x), dot(&x, &y)], [2.0, 6.0, 60.0]);
        assert_eq!([nrm2(&[3.0, 4.0]), nrm2(&[])], [5.0, 0.0]);
        assert_eq!([iamax(&[1.0, -3.0, 3.0]), iamax(&[]), iamax(&[0.0])], [Some(1), None, Some(0)]);
        assert_eq!(iamax(&[f32::INFINITY, f32::NAN, f32::NAN]), Some(1));
    }
}
