//! Every comparison of a computed with an expected number of the library judges alike.

use quadrille::Shape;
use quadrille::data::Matrix;
use quadrille::internal::host;
use quadrille::internal::reference::{first_wrong, is_near, matmul, signs::Signs};
use quadrille::testing::{Comparison, Rule, compare, farthest, largest, must_be_same, ulps};

use crate::planted::{faults_must_be_seen, must_judge_as_all};

#[test]
fn bounds_are_judged_alike_by_every_comparison() {
    let other = (2.0, 0.0);
    must_judge_as_all(|got, exact, bound| is_near(got, exact.into(), bound));
    must_judge_as_all(|got, exact, bound| {
        Comparison::of_number(got.into(), exact.into(), bound).is_right()
    });
    // Among others, before and behind.
    must_judge_as_all(|got, exact, bound| {
        Comparison::of([2.0, got, 2.0], [other, (exact.into(), bound), other]).is_right()
    });
    must_judge_as_all(|got, exact, bound| {
        first_wrong([2.0, got, 2.0], [other, (exact.into(), bound), other]) != Some(1)
    });
    must_judge_as_all(|got, exact, bound| {
        let worst = Comparison::of_number(got.into(), exact.into(), bound);
        let right = Comparison::RIGHT;
        assert_eq!(worst.worse(right).is_right(), right.worse(worst).is_right());
        worst.worse(right).is_right()
    });
    must_judge_as_all(|got, exact, bound| {
        let rule = Rule::close(bound, 0.0);
        let right = compare(&[2.0, got], &[2.0, exact], &rule).unwrap().is_right();
        assert_eq!(must_be_same(&[got], &[exact], &rule).is_ok(), right);
        right
    });
}

/// However many steps are allowed.
#[test]
fn no_number_of_steps_leads_to_an_infinity_or_nan() {
    const NUMBERS: [f32; 6] = [0.0, 1.0, f32::MAX, f32::INFINITY, f32::NEG_INFINITY, f32::NAN];
    for (got, expected) in NUMBERS.iter().flat_map(|got| NUMBERS.map(|other| (*got, other))) {
        let same = got == expected || got.is_nan() && expected.is_nan();
        let near = same || got.is_finite() && expected.is_finite();
        assert_eq!(ulps(got, expected).is_some(), near, "{got} for {expected}");
        assert_eq!(farthest(&[1.0, got], &[1.0, expected]).is_some(), near, "{got} for {expected}");
        let difference = compare(&[got], &[expected], &Rule::ulp(u64::MAX)).unwrap();
        assert_eq!(difference.is_right(), near, "{got} for {expected}");
    }
}

/// Products of one number and 1, or of several.
#[test]
fn products_are_judged_by_what_is_exact() {
    let one = |number: f32| Matrix::new(Shape::new(1, 1), vec![number]).unwrap();
    let special = [0.0, 1.0, -1.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 3e38];
    for (exact, got) in special.iter().flat_map(|exact| special.map(|got| (*exact, got))) {
        let expected = matmul::expected(&one(exact), &one(1.0)).unwrap();
        let same = got == exact || got.is_nan() && exact.is_nan();
        assert_eq!(expected.compare(&one(got)).is_right(), same, "{got} for {exact}");
        assert_eq!(expected.first_wrong(&one(got)).is_none(), same, "{got} for {exact}");
    }
    let (a, b) = (Shape::new(2, 5), Shape::new(5, 3));
    let signs = Signs::new(a, b, 1).unwrap();
    let (left, right): (Matrix<f32>, Matrix<f32>) = (signs.a().unwrap(), signs.b().unwrap());
    let mut c = Matrix::zeros(Shape::new(2, 3)).unwrap();
    host::matmul::multiply(&left, &right, &mut c);
    let expected: Vec<(f64, f64)> = c.elements().iter().map(|x| (f64::from(*x), 0.0)).collect();
    let judged = |got: &[f32]| Matrix::new(Shape::new(2, 3), got.to_vec()).ok();
    faults_must_be_seen(&expected, |got| {
        judged(got)
            .is_some_and(|c| signs.compare(&c).is_right() && signs.first_wrong(&c, 0..2).is_none())
    });
}

#[test]
fn the_largest_of_several_keeps_what_is_not_a_number() {
    for at in 0..3 {
        let mut numbers = [1.0, -2.0, 0.5];
        numbers[at] = f64::NAN;
        assert!(largest(numbers).is_nan());
        numbers[at] = f64::NEG_INFINITY;
        assert_eq!(largest(numbers), f64::INFINITY);
    }
}
