//! Matrix multiply on the host against double precision, and whether that comparison sees errors.

use quadrille::Shape;
use quadrille::data::{Matrix, Number};
use quadrille::internal::host::matmul::multiply;
use quadrille::internal::reference::matmul::{expected, expected_rows};
use quadrille::testing::Comparison;

fn random<T: Number>(rows: usize, cols: usize, seed: u64) -> Matrix<T> {
    Matrix::random(Shape::new(rows, cols), seed).unwrap()
}

fn product<T: Number>(a: &Matrix<T>, b: &Matrix<T>) -> Matrix<T> {
    let mut c = random(a.shape().rows, b.shape().cols, 9);
    multiply(a, b, &mut c);
    c
}

fn compared<T: Number>(rows: usize, inner: usize, cols: usize) -> Comparison {
    let (a, b) = (random::<T>(rows, inner, 1), random::<T>(inner, cols, 2));
    expected(&a, &b).unwrap().compare(&product(&a, &b))
}

fn every_shape(mut body: impl FnMut(usize, usize, usize)) {
    for rows in 0..12 {
        for inner in 0..12 {
            for cols in 0..12 {
                body(rows, inner, cols);
            }
        }
    }
    for (rows, inner, cols) in [(17, 257, 5), (257, 17, 33), (1, 1000, 1)] {
        body(rows, inner, cols);
    }
}

#[test]
fn single_precision_stays_within_the_bound_and_not_far_below() {
    let mut worst = 0.0_f64;
    every_shape(|rows, inner, cols| {
        let comparison = compared::<f32>(rows, inner, cols);
        assert!(comparison.is_right(), "{rows} x {inner} x {cols}: {comparison:?}");
        worst = worst.max(comparison.of_bound);
    });
    assert!(worst > 0.1, "{worst}");
    assert!(compared::<f32>(17, 257, 17).of_bound > 1e-3);
}

#[test]
fn integers_wrap_and_are_exact() {
    every_shape(|rows, inner, cols| {
        let exact = Comparison { max_error: 0.0, of_bound: 0.0 };
        assert_eq!(compared::<i16>(rows, inner, cols), exact, "{rows} x {inner} x {cols}");
        assert_eq!(compared::<i32>(rows, inner, cols), exact, "{rows} x {inner} x {cols}");
    });
    let large = Matrix::from_slices(&[&[i16::MAX, i16::MAX]]).unwrap();
    // 2 (2^15 - 1)^2 = 2^31 - 2^17 + 2.
    assert_eq!(product(&large, &large.transposed()).elements(), [2]);
}

#[test]
fn an_identity_changes_nothing() {
    fn holds<T: Number>(rows: usize, cols: usize) {
        let matrix = random::<T>(rows, cols, 3);
        assert_eq!(product(&matrix, &Matrix::identity(cols).unwrap()), matrix);
        assert_eq!(product(&Matrix::identity(rows).unwrap(), &matrix), matrix);
    }
    for (rows, cols) in [(0, 0), (0, 3), (1, 1), (7, 11), (17, 257)] {
        holds::<f32>(rows, cols);
        holds::<i16>(rows, cols);
        holds::<i32>(rows, cols);
    }
}

#[test]
fn an_inner_dimension_of_zero_gives_zeros() {
    let (a, b) = (random::<f32>(3, 0, 1), random::<f32>(0, 2, 2));
    assert_eq!(product(&a, &b), Matrix::zeros(Shape::new(3, 2)).unwrap());
    let mut c = Matrix::zeros(Shape::new(3, 2)).unwrap();
    c.elements_mut()[5] = f32::MIN_POSITIVE;
    assert!(!expected(&a, &b).unwrap().compare(&c).is_right());
}

#[test]
fn one_wrong_element_is_seen_wherever_it_is() {
    let (a, b) = (random::<f32>(13, 40, 1), random::<f32>(40, 9, 2));
    let (expected, c) = (expected(&a, &b).unwrap(), product(&a, &b));
    for at in 0..c.elements().len() {
        for wrong in [c.elements()[at] + 1e-4, f32::NAN, f32::INFINITY] {
            let mut c = c.clone();
            c.elements_mut()[at] = wrong;
            assert!(!expected.compare(&c).is_right(), "{wrong} at {at}");
        }
    }
    let (a, b) = (random::<i32>(4, 5, 1), random::<i32>(5, 3, 2));
    let mut c = product(&a, &b);
    c.elements_mut()[7] ^= 1;
    let off_by_one = Comparison { max_error: 1.0, of_bound: f64::INFINITY };
    assert_eq!(self::expected(&a, &b).unwrap().compare(&c), off_by_one);
}

#[test]
fn a_lost_product_a_transposed_operand_and_another_shape_are_seen() {
    let (a, b) = (random::<f32>(20, 20, 1), random::<f32>(20, 20, 2));
    let expected = expected(&a, &b).unwrap();
    let mut without_one = a.clone();
    without_one.elements_mut()[3 * 20 + 7] = 0.0;
    for wrong in
        [product(&without_one, &b), product(&a.transposed(), &b), product(&a, &b.transposed())]
    {
        assert!(!expected.compare(&wrong).is_right());
    }
    let fewer = Matrix::zeros(Shape::new(19, 20)).unwrap();
    assert_eq!(expected.compare::<f32>(&fewer), Comparison::WRONG);
}

#[test]
fn some_rows_are_compared_and_no_others() {
    let (a, b) = (random::<f32>(30, 11, 1), random::<f32>(11, 6, 2));
    let some = expected_rows(&a, &b, &[29, 3, 1000]).unwrap();
    let right = product(&a, &b);
    assert!(some.compare(&right).is_right());
    assert_eq!(some.compare(&right), expected_rows(&a, &b, &[3, 29]).unwrap().compare(&right));
    for (row, seen) in [(3, true), (29, true), (4, false)] {
        let mut c = right.clone();
        c.elements_mut()[row * 6 + 5] = 7.0;
        assert_eq!(!some.compare(&c).is_right(), seen, "row {row}");
    }
}

#[test]
fn what_is_not_finite_is_expected_where_it_arises() {
    let mut a = random::<f32>(4, 5, 1);
    a.elements_mut()[0] = f32::NAN;
    a.elements_mut()[5] = f32::INFINITY;
    let b = random::<f32>(5, 3, 2);
    let (expected, c) = (expected(&a, &b).unwrap(), product(&a, &b));
    assert!(expected.compare(&c).is_right());
    for (at, wrong) in
        [(0, 1.0), (0, f32::INFINITY), (3, 1.0), (3, -c.elements()[3]), (3, f32::NAN)]
    {
        let mut c = c.clone();
        c.elements_mut()[at] = wrong;
        assert!(!expected.compare(&c).is_right(), "{wrong} at {at}");
    }
}

#[test]
fn sums_that_overflow_on_the_way_excuse_nothing() {
    let a = Matrix::from_slices(&[&[1e30_f32, 1e30], &[1.0, 1.0]]).unwrap();
    let b = Matrix::from_slices(&[&[1e30_f32], &[-1e30]]).unwrap();
    let expected = expected(&a, &b).unwrap();
    assert!(!expected.compare(&product(&a, &b)).is_right(), "the first is NaN where 0 is exact");
    let with = |first, second| Matrix::from_slices(&[&[first], &[second]]).unwrap();
    assert!(expected.compare(&with(0.0, 0.0_f32)).is_right());
    assert!(!expected.compare(&with(0.0, f32::NAN)).is_right());
}

#[test]
fn a_device_may_flush_subnormal_numbers() {
    let a = Matrix::from_slices(&[&[1e-40_f32, 1e-20, 1.0]]).unwrap();
    let b = Matrix::from_slices(&[&[1e30_f32], &[1e-20], &[1e-10]]).unwrap();
    let expected = expected(&a, &b).unwrap();
    for (sum, right) in [(product(&a, &b).elements()[0], true), (1e-10, true), (4e-10, false)] {
        let c = Matrix::from_slices(&[&[sum]]).unwrap();
        assert_eq!(expected.compare(&c).is_right(), right, "{sum}");
    }
}
