//! Fields compared with expected fields, and with what all of their numbers must be.

use crate::data::{Field, Values};
use crate::{Extent, Rectangle};

use super::difference::{Difference, Mismatch, Number, Wanted, Worst};
use super::number::{self, Distance};
use super::numbers::Numbers;
use super::rule::{Rule, Tolerance};

/// Compares a result with the expected one of the same extent, channels and type of numbers. Both
/// are a [`Field`], or a slice, an array or a vector of `f32`, `i32` or `u32`.
///
/// ```
/// use quadrille::testing::{Rule, compare};
/// let difference = compare(&[1.0_f32, 2.5], &[1.0_f32, 2.0], &Rule::ulp(4))?;
/// assert_eq!((difference.is_right(), difference.missed), (false, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Mismatch`] where the two cannot be compared.
pub fn compare(
    got: &(impl Numbers + ?Sized),
    expected: &(impl Numbers + ?Sized),
    rule: &Rule,
) -> Result<Difference, Mismatch> {
    match (got.as_field(), expected.as_field()) {
        (Some(got), Some(expected)) => {
            compare_part(&got, got.extent().rectangle(), &expected, rule)
        }
        (None, None) => Ok(Difference::none(rule)),
        (None, Some(_)) => Err(Mismatch::Missing),
        (Some(_), None) => Err(Mismatch::Unexpected),
    }
}

/// Compares a part of a result with the expected field, which has the part's extent.
///
/// # Errors
/// [`Mismatch`] where the two cannot be compared.
pub fn compare_part(
    got: &Field,
    part: Rectangle,
    expected: &Field,
    rule: &Rule,
) -> Result<Difference, Mismatch> {
    must_be_inside(got, part)?;
    let extent = Extent::new(part.width, part.height);
    if (extent, got.channels()) != (expected.extent(), expected.channels()) {
        return Err(Mismatch::Shape {
            expected: expected.extent(),
            of_expected: expected.channels(),
            got: extent,
            of_got: got.channels(),
        });
    }
    let (ours, theirs) = (got.values(), expected.values());
    must_suit(ours, rule)?;
    let mut tally = Tally::new(part, got, rule.outliers, rule.to_string());
    match (ours, theirs) {
        (Values::F32(ours), Values::F32(theirs)) => tally.all(|at, index| {
            let (got, expected) = (ours[at], theirs[index]);
            let wanted = Wanted::Number(Number::Float(expected));
            (number::of_floats(got, expected, rule), wanted, Number::Float(got))
        }),
        (Values::I32(ours), Values::I32(theirs)) => {
            tally.all(|at, index| integers(ours[at].into(), theirs[index].into(), rule))
        }
        (Values::U32(ours), Values::U32(theirs)) => {
            tally.all(|at, index| integers(ours[at].into(), theirs[index].into(), rule))
        }
        _ => return Err(Mismatch::Class { expected: theirs.name(), got: ours.name() }),
    }
    Ok(tally.difference)
}

/// Compares a part of a result with a range or with finiteness.
///
/// # Errors
/// [`Mismatch::Outside`].
pub fn check_part(
    got: &Field,
    part: Rectangle,
    wanted: Wanted,
    outliers: usize,
) -> Result<Difference, Mismatch> {
    must_be_inside(got, part)?;
    let mut tally = Tally::new(part, got, outliers, wanted.to_string());
    match got.values() {
        Values::F32(numbers) => tally.all(|at, _| {
            let number = numbers[at];
            (distance_of(wanted, number.into()), wanted, Number::Float(number))
        }),
        Values::I32(numbers) => tally.all(|at, _| {
            let number = numbers[at];
            (distance_of(wanted, number.into()), wanted, Number::Integer(number.into()))
        }),
        Values::U32(numbers) => tally.all(|at, _| {
            let number = numbers[at];
            (distance_of(wanted, number.into()), wanted, Number::Integer(number.into()))
        }),
    }
    Ok(tally.difference)
}

fn must_be_inside(got: &Field, part: Rectangle) -> Result<(), Mismatch> {
    match part.fits(got.extent()) {
        true => Ok(()),
        false => Err(Mismatch::Outside { part, whole: got.extent() }),
    }
}

fn must_suit(values: &Values, rule: &Rule) -> Result<(), Mismatch> {
    match (values, rule.tolerance) {
        (Values::F32(_), _) | (_, Tolerance::Exact | Tolerance::Close { .. }) => Ok(()),
        (_, Tolerance::Ulp(_)) => Err(Mismatch::UlpOfIntegers { class: values.name() }),
    }
}

fn integers(got: i64, expected: i64, rule: &Rule) -> (Distance, Wanted, Number) {
    let wanted = Wanted::Number(Number::Integer(expected));
    (number::of_integers(got, expected, rule), wanted, Number::Integer(got))
}

/// A difference while the texels of a part are gone through.
struct Tally {
    difference: Difference,
    part: Rectangle,
    width: usize,
    channels: usize,
    size: f64,
}

impl Tally {
    fn new(part: Rectangle, got: &Field, outliers: usize, rule: String) -> Tally {
        let texels = part.texels();
        let difference =
            Difference { texels, missed: 0, outliers, forbidden: 0, worst: None, rule };
        let (width, channels) = (got.extent().width as usize, got.channels());
        Tally { difference, part, width, channels, size: 0.0 }
    }

    /// Compares each number: `distance` gets its index in the output and in the part.
    fn all(&mut self, distance: impl Fn(usize, usize) -> (Distance, Wanted, Number)) {
        let Rectangle { x: left, y: top, width, height } = self.part;
        let mut index = 0;
        for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (top + y, left + x))) {
            let (mut missed, mut forbidden) = (false, false);
            for channel in 0..self.channels {
                let at = (y as usize * self.width + x as usize) * self.channels + channel;
                let (distance, expected, got) = distance(at, index);
                index += 1;
                missed |= distance.misses;
                forbidden |= distance.forbidden;
                if distance.size > self.size || self.is_first_miss(&distance) {
                    let Distance { ulp, absolute, size, .. } = distance;
                    self.size = size;
                    let worst = Worst { x, y, channel, expected, got, ulp, absolute };
                    self.difference.worst = Some(worst);
                }
            }
            self.difference.missed += usize::from(missed);
            self.difference.forbidden += usize::from(forbidden);
        }
    }

    /// Returns whether this number is the first that misses. A number may be equal and miss by a
    /// rule that bounds nothing.
    fn is_first_miss(&self, distance: &Distance) -> bool {
        distance.misses && self.difference.worst.is_none()
    }
}

/// Returns the distance of a number from what all numbers must be.
fn distance_of(wanted: Wanted, got: f64) -> Distance {
    let absolute = match wanted {
        Wanted::Inside(low, high) => (low - got).max(got - high).max(0.0),
        _ => 0.0,
    };
    let misses = match wanted {
        // Not even an end that is infinite has an infinity inside: a claim must be able to fail.
        Wanted::Inside(low, high) => !(got.is_finite() && (low..=high).contains(&got)),
        Wanted::Finite => !got.is_finite(),
        Wanted::Number(_) => true,
    };
    let absolute = if got.is_nan() { f64::NAN } else { absolute };
    let size = if misses && !got.is_finite() { f64::INFINITY } else { absolute };
    Distance { ulp: None, absolute, size, misses, forbidden: false }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::testing::Nan;

    fn field(width: u32, channels: usize, values: impl Into<Values>) -> Field {
        let values = values.into();
        let height = (values.len() / channels) as u32 / width;
        Field::new(Extent::new(width, height), channels, values).unwrap()
    }

    #[test]
    fn every_moved_number_is_found_where_it_is() {
        let exact: Vec<f32> = (0..2 * 5 * 3).map(|i| 0.5 + i as f32).collect();
        let expected = field(5, 2, exact.clone());
        assert!(compare(&expected, &expected, &Rule::exact()).unwrap().worst.is_none());
        for at in 0..exact.len() {
            let mut moved = exact.clone();
            moved[at] = moved[at].next_up().next_up();
            let difference = compare(&field(5, 2, moved), &expected, &Rule::ulp(1)).unwrap();
            let worst = difference.worst.clone().unwrap();
            let index = (worst.y as usize * 5 + worst.x as usize) * 2 + worst.channel;
            assert_eq!((index, worst.ulp, difference.missed), (at, Some(2), 1));
            assert!(!difference.is_right());
            assert!(Difference { outliers: 1, ..difference }.is_right());
        }
    }

    #[test]
    fn a_forbidden_nan_is_no_outlier() {
        let got = field(3, 1, vec![f32::NAN, 1.0, 2.0]);
        let rule = Rule::ulp(4).outliers(2);
        let expected = field(3, 1, vec![0.0, 1.0, 3.0]);
        assert!(compare(&got, &expected, &rule).unwrap().is_right());
        for expected in [&expected, &got] {
            let difference = compare(&got, expected, &rule.nan(Nan::Forbid)).unwrap();
            assert!(!difference.is_right());
            let text = difference.to_string();
            assert!(
                text.contains(
                    "(within 4 ULP, NaN is forbidden; 2 may miss), 1 with a NaN that is forbidden"
                ),
                "{text}"
            );
        }
        let right = compare(&field(3, 1, vec![0.0, 1.0, 2.0]), &expected, &rule.nan(Nan::Forbid));
        assert!(right.unwrap().is_right(), "an outlier that is no NaN");
    }

    #[test]
    fn texels_miss_once_however_many_of_their_channels_do() {
        let (zeros, ones) = (field(2, 4, vec![0; 16]), field(2, 4, vec![1; 16]));
        let difference = compare(&ones, &zeros, &Rule::exact()).unwrap();
        assert_eq!((difference.missed, difference.texels), (4, 4));
    }

    #[test]
    fn a_part_is_compared_and_found_in_the_whole() {
        let got = field(4, 1, (0..16_u32).collect::<Vec<_>>());
        let part = Rectangle::new(1, 2, 2, 1);
        let expected = field(2, 1, vec![9_u32, 11]);
        let difference = compare_part(&got, part, &expected, &Rule::exact()).unwrap();
        let worst = difference.worst.unwrap();
        assert_eq!((worst.x, worst.y, difference.missed), (2, 2, 1));
        let beyond = compare_part(&got, Rectangle::new(3, 2, 2, 1), &expected, &Rule::exact());
        assert!(beyond.unwrap_err().to_string().contains("not inside"));
    }

    #[test]
    fn what_cannot_be_compared_says_why() {
        let says = |got: &Field, expected: &Field, rule| {
            compare(got, expected, &rule).unwrap_err().to_string()
        };
        let (floats, ints) = (field(2, 1, vec![0.0; 4]), field(2, 1, vec![0; 4]));
        assert_eq!(says(&floats, &ints, Rule::exact()), "expected integers, got floats");
        assert!(says(&ints, &ints, Rule::ulp(1)).contains("for floats"));
        let wide = says(&floats, &field(4, 1, vec![0.0; 4]), Rule::exact());
        assert_eq!(wide, "expected 4 x 1 with one channel a texel, got 2 x 2 with one channel");
        assert!(says(&floats, &field(2, 2, vec![0.0; 4]), Rule::exact()).contains("2 channels"));
    }

    #[test]
    fn ranges_and_finiteness_find_what_is_outside() {
        let got = field(3, 1, vec![0.0, 0.5, 1.25, f32::NAN, 1.0, f32::INFINITY]);
        let all = got.extent().rectangle();
        let finite = check_part(&got, all, Wanted::Finite, 2).unwrap();
        assert_eq!((finite.missed, finite.is_right()), (2, true));
        let inside = check_part(&got, all, Wanted::Inside(0.0, 1.0), 0).unwrap();
        assert_eq!((inside.missed, inside.is_right()), (3, false));
        let first = check_part(&got, Rectangle::new(0, 0, 3, 1), Wanted::Inside(0.0, 1.0), 0);
        assert!(first.unwrap().to_string().contains("got 1.25 (2.500e-1 outside)"));
    }

    #[test]
    fn a_failure_says_how_many_which_and_how_far() {
        let (got, expected) = (field(2, 1, vec![1.0, 0.5]), field(2, 1, vec![1.0, 0.25]));
        let text = compare(&got, &expected, &Rule::ulp(4)).unwrap().to_string();
        let says = "1 of 2 texels miss (within 4 ULP)\nthe worst is at column 1 of row 0, channel 0: expected 0.25, \
                    got 0.5 (8388608 ULP, 2.500e-1 absolute)";
        assert_eq!(text, says);
        assert_eq!(Number::Float(1e-9).to_string(), "1e-9");
    }
}
