//! Sums, products and norms in double precision, each with how far single precision may be from it:
//! `relative` of the sum of magnitudes.

/// An exact number and its bound.
pub type Expected = (f64, f64);

pub fn sum(numbers: &[f32], relative: f64) -> Expected {
    of_terms(numbers.iter().map(|x| f64::from(*x)), relative)
}

pub fn dot(x: &[f32], y: &[f32], relative: f64) -> Expected {
    assert_eq!(x.len(), y.len());
    of_terms(x.iter().zip(y).map(|(x, y)| f64::from(*x) * f64::from(*y)), relative)
}

/// The root halves the error of the sum of squares, to first order, and adds a rounding of double
/// precision.
pub fn norm(numbers: &[f32], relative: f64) -> Expected {
    let root = dot(numbers, numbers, relative).0.sqrt();
    (root, (relative / 2.0 * (1.0 + relative) + f64::EPSILON) * root)
}

pub fn of_terms(terms: impl Iterator<Item = f64>, relative: f64) -> Expected {
    let (sum, magnitude) = terms.fold((0.0, 0.0), |(sum, size), x| (sum + x, size + x.abs()));
    (sum, relative * magnitude)
}

/// Fails unless sums, products and norms of few numbers are told from those without any one of
/// them.
pub fn lost_terms_must_be_seen(relative: f64) {
    use quadrille::internal::reference::is_near;
    for count in [1, 2, 3, 7, 16] {
        let (x, y) = (super::random(count, 1), super::random(count, 2));
        let near = |(got, _): Expected, (exact, bound): Expected| is_near(got as f32, exact, bound);
        for lost in 0..count {
            let without = |numbers: &[f32]| [&numbers[..lost], &numbers[lost + 1..]].concat();
            let (fewer_x, fewer_y) = (without(&x), without(&y));
            assert!(near(sum(&x, relative), sum(&x, relative)));
            assert!(!near(sum(&fewer_x, relative), sum(&x, relative)), "{lost} of {count}");
            let all = dot(&x, &y, relative);
            assert!(!near(dot(&fewer_x, &fewer_y, relative), all), "{lost} of {count}");
            assert!(!near(norm(&fewer_x, relative), norm(&x, relative)), "{lost} of {count}");
        }
    }
}
