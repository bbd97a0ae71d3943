//! The picture of a comparison: the expected numbers, the computed ones and the difference, and
//! counts of the distances.

use quadrille::data::{Field, Values};
use quadrille::memory;
use quadrille::testing::Wanted;

use super::super::outcome::{Figure, Picture};
use super::super::run::{Finding, Ran};
use super::blocks::{Blocks, largest};
use super::distances::{absolute, steps};

/// The most comparisons that are drawn of a test.
const MOST: usize = 6;

/// Draws the figures of what was expected, and of what should not have changed and did: what is
/// wrong comes first.
pub fn figures(ran: &Ran) -> Vec<Figure> {
    let of_interest = |finding: &&Finding| {
        !["again", "reads", "size"].contains(&finding.claim) || !finding.is_right()
    };
    let mut findings: Vec<&Finding> = ran.findings.iter().filter(of_interest).collect();
    findings.sort_by_key(|finding| finding.is_right());
    findings.into_iter().take(MOST).map(figure).collect()
}

fn figure(finding: &Finding) -> Figure {
    let got = &finding.got;
    let expected = finding
        .expected
        .as_ref()
        .filter(|field| (field.extent(), field.channels()) == (got.extent(), got.channels()));
    let worst = finding.difference.as_ref().ok().and_then(|difference| difference.worst.as_ref());
    let colour = is_colour(expected.unwrap_or(got));
    let view = TexelView { channel: worst.map_or(0, |worst| worst.channel), colour };
    let mut pictures = Vec::new();
    let mut histogram = Vec::new();
    if let Some(field) = expected {
        pictures.extend(view.numbers("expected", field, field));
        pictures.extend(view.numbers("actual", got, field));
        let title = "actual - expected";
        pictures.extend(view.differences(title, got, &differences(got, field)));
        histogram = if colour { absolute(got, field) } else { steps(got, field) };
    } else {
        pictures.extend(view.numbers("actual", got, got));
        if let Some((title, outside)) = worst.and_then(|worst| outside(got, worst.expected)) {
            pictures.extend(view.differences(&title, got, &outside));
        }
    }
    Figure {
        output: finding.output.clone(),
        claim: finding.claim.to_owned(),
        right: finding.is_right(),
        pictures,
        histogram,
    }
}

/// Returns whether an output looks like a picture in colour: three or four floats a texel, nine
/// tenths of which are from 0 to 1.
fn is_colour(field: &Field) -> bool {
    let Values::F32(numbers) = field.values() else { return false };
    let light = numbers.iter().filter(|number| (0.0..=1.0).contains(*number)).count();
    field.channels() >= 3 && light * 10 >= numbers.len() * 9
}

/// The part of each texel that is drawn.
struct TexelView {
    /// The channel of the worst number, where the output is no colour.
    channel: usize,
    colour: bool,
}

impl TexelView {
    /// Draws numbers on the scale of the expected ones, or colours; `None` where it cannot.
    fn numbers(&self, title: &str, field: &Field, scale: &Field) -> Option<Picture> {
        let blocks = blocks(field);
        if self.colour {
            let values = field.values();
            let numbers = memory::collected(values.len(), values.doubles()).ok()?;
            return Picture::of_colours(title, blocks, &numbers, field.channels());
        }
        let of = |field| channel_of(field, self.channel);
        Picture::of_numbers(title, blocks, &of(field), &of(scale), &self.channels(field))
    }

    /// Draws signed differences; of colours the largest among the channels.
    fn differences(&self, title: &str, field: &Field, numbers: &[f64]) -> Option<Picture> {
        let texels = numbers.chunks(field.channels().max(1));
        let (numbers, words) = match self.colour {
            true => (
                texels.map(|texel| largest(texel.iter().copied())).collect(),
                "the largest of the channels".to_owned(),
            ),
            false => {
                let one = texels.filter_map(|texel| texel.get(self.channel).copied());
                let one = memory::collected(field.extent().texels(), one).ok()?;
                (one, self.channels(field))
            }
        };
        Picture::of_differences(title, blocks(field), &numbers, &words)
    }

    fn channels(&self, field: &Field) -> String {
        match field.channels() {
            1 => String::new(),
            _ => format!("channel {}", self.channel),
        }
    }
}

fn blocks(field: &Field) -> Blocks {
    Blocks { width: field.extent().width as usize, height: field.extent().height as usize }
}

fn channel_of(field: &Field, channel: usize) -> Vec<f64> {
    field.values().doubles().skip(channel).step_by(field.channels()).collect()
}

fn differences(got: &Field, expected: &Field) -> Vec<f64> {
    let pairs = got.values().doubles().zip(expected.values().doubles());
    pairs.map(|(got, expected)| difference(got, expected)).collect()
}

/// Subtracts numbers; the difference is zero for equal ones, also where both are the same infinity
/// or NaN.
fn difference(got: f64, expected: f64) -> f64 {
    if got == expected || got.is_nan() && expected.is_nan() { 0.0 } else { got - expected }
}

/// Returns the distances of numbers outside of the range that all must be in, and a title.
fn outside(got: &Field, wanted: Wanted) -> Option<(String, Vec<f64>)> {
    let (title, distance): (_, Box<dyn Fn(f64) -> f64>) = match wanted {
        Wanted::Inside(low, high) => {
            let outside = move |number: f64| number - number.max(low).min(high);
            let distance =
                move |number: f64| if number.is_nan() { number } else { outside(number) };
            (format!("outside {low} to {high}"), Box::new(distance))
        }
        Wanted::Finite => {
            let distance = |number: f64| if number.is_finite() { 0.0 } else { number };
            ("not finite".to_owned(), Box::new(distance))
        }
        _ => return None,
    };
    Some((title, got.values().doubles().map(distance).collect()))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use quadrille::Extent;

    fn field(channels: usize, numbers: &[f32]) -> Field {
        let width = (numbers.len() / channels) as u32;
        Field::new(Extent::new(width, 1), channels, numbers.to_vec()).unwrap()
    }

    #[test]
    fn three_or_four_floats_from_0_to_1_are_a_colour() {
        assert!(is_colour(&field(3, &[0.0, 0.5, 1.0])));
        assert!(is_colour(&field(4, &[0.0, 0.5, 1.0, 1.0])));
        assert!(!is_colour(&field(1, &[0.0, 0.5, 1.0])));
        assert!(!is_colour(&field(2, &[0.0, 0.5])));
        assert!(!is_colour(&field(3, &[0.0, 0.5, -1.0])));
        assert!(!is_colour(&field(4, &[f32::NAN; 4])));
        let integers = Field::new(Extent::new(1, 1), 3, vec![0_u32, 1, 1]).unwrap();
        assert!(!is_colour(&integers));
    }

    #[test]
    fn equal_numbers_do_not_differ_even_where_they_are_not_finite() {
        assert_eq!(difference(f64::INFINITY, f64::INFINITY), 0.0);
        assert_eq!(difference(f64::NAN, f64::NAN), 0.0);
        assert!(difference(f64::NAN, 1.0).is_nan());
        assert_eq!(difference(1.5, 1.0), 0.5);
    }

    #[test]
    fn what_is_outside_of_a_range_is_signed() {
        let got = field(1, &[-1.0, 0.5, 3.0]);
        let (title, distances) = outside(&got, Wanted::Inside(0.0, 1.0)).unwrap();
        assert_eq!((title.as_str(), distances), ("outside 0 to 1", vec![-1.0, 0.0, 2.0]));
        assert!(outside(&field(1, &[f32::NAN]), Wanted::Inside(0.0, 1.0)).unwrap().1[0].is_nan());
    }
}
