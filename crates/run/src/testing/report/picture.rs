//! A grid of numbers as a picture of a page, with its scale, which the page draws as text.

use std::io::Cursor;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use image::{ImageFormat, RgbImage};

use crate::io::ColourMap;
use crate::io::digits::six_digits;

use super::super::outcome::{ColourScale, Picture};
use super::blocks::{Blocks, SIDE, largest};

/// NaN and infinities, in every kind of picture: no scale has this colour.
const NOT_FINITE: [u8; 3] = [255, 0, 255];
/// The colours at a scale.
const STOPS: usize = 33;
/// The distance from white, 0.5, of the least difference on the scale: every difference is visible.
const SEEN: f64 = 0.04;

impl Picture {
    /// Draws numbers through viridis, on the scale of the second ones; `None` where it cannot.
    pub(super) fn of_numbers(
        title: &str,
        blocks: Blocks,
        numbers: &[f64],
        of_scale: &[f64],
        words: &str,
    ) -> Option<Picture> {
        let (low, high) = match range(of_scale) {
            Some((low, high)) if low < high => (low, high),
            // What was expected is one number: the scale has room for what came.
            _ => range(of_scale.iter().chain(numbers)).unwrap_or((0.0, 0.0)),
        };
        let part = |number: f64| match low < high {
            true => (number / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0),
            false => 0.5,
        };
        let colour = |number: f64| match number.is_finite() {
            true => ColourMap::Viridis.at(part(number)),
            false => NOT_FINITE,
        };
        let cells =
            blocks.coloured(|texels| colour(mean(texels.iter().map(|texel| numbers[*texel]))));
        let outside = numbers.iter().filter(|n| n.is_finite() && !(low..=high).contains(*n));
        let outside = match outside.count() {
            0 => String::new(),
            count => format!("{count} outside the scale"),
        };
        let about = joined([words, &range_text(numbers), &outside, &not_finite_text(numbers)]);
        let scale = ColourScale {
            colours: stops(|part| ColourMap::Viridis.at(part)),
            labels: [low, high].map(six_digits).to_vec(),
        };
        Picture::new(title, about, blocks, cells, Some(scale).filter(|_| low < high))
    }

    /// Draws signed differences from blue through white, which is 0 and no other number, to red.
    pub(super) fn of_differences(
        title: &str,
        blocks: Blocks,
        numbers: &[f64],
        words: &str,
    ) -> Option<Picture> {
        let finite = numbers.iter().filter(|number| number.is_finite());
        let most = finite.fold(0.0, |most: f64, number| most.max(number.abs()));
        let colour = |number: f64| match number.is_finite() {
            true => diverging(if number == 0.0 { 0.0 } else { number / most }),
            false => NOT_FINITE,
        };
        let cells =
            blocks.coloured(|texels| colour(largest(texels.iter().map(|texel| numbers[*texel]))));
        let differ = match numbers.iter().filter(|number| **number != 0.0).count() {
            0 => "all are 0, white".into(),
            count => format!("{count} of {} are not 0", numbers.len()),
        };
        let about = joined([words, &differ, &not_finite_text(numbers)]);
        let scale = ColourScale {
            colours: stops(|part| diverging(2.0 * part - 1.0)),
            labels: vec![six_digits(-most), "0".into(), format!("+{}", six_digits(most))],
        };
        Picture::new(title, about, blocks, cells, Some(scale).filter(|_| most > 0.0))
    }

    /// Draws colours, whose first three channels are red, green and blue from 0 to 1.
    pub(super) fn of_colours(
        title: &str,
        blocks: Blocks,
        numbers: &[f64],
        channels: usize,
    ) -> Option<Picture> {
        let level = |number: f64| (number.clamp(0.0, 1.0) * 255.0).round() as u8;
        let cells = blocks.coloured(|texels| {
            let of = |at| mean(texels.iter().map(move |texel| numbers[texel * channels + at]));
            let colour = [of(0), of(1), of(2)];
            if colour.iter().all(|number| number.is_finite()) {
                colour.map(level)
            } else {
                NOT_FINITE
            }
        });
        let outside = numbers.iter().filter(|n| n.is_finite() && !(0.0..=1.0).contains(*n));
        let outside = match outside.count() {
            0 => String::new(),
            count => format!("{count} numbers outside 0 to 1"),
        };
        let alpha = if channels > 3 { "alpha is not drawn" } else { "" };
        let about = joined(["colours", alpha, &outside, &not_finite_text(numbers)]);
        Picture::new(title, about, blocks, cells, None)
    }

    fn new(
        title: &str,
        about: String,
        blocks: Blocks,
        cells: Vec<[u8; 3]>,
        scale: Option<ColourScale>,
    ) -> Option<Picture> {
        let (columns, rows) = blocks.counts();
        let bytes = cells.into_flattened();
        let image = RgbImage::from_raw(columns as u32, rows as u32, bytes)?;
        let mut png = Cursor::new(Vec::new());
        image.write_to(&mut png, ImageFormat::Png).ok()?;
        let (title, png) = (title.to_owned(), BASE64_STANDARD.encode(png.into_inner()));
        let enlarged = 2 * columns.max(rows) <= SIDE;
        Some(Picture { title, about, png, size: blocks.size(), enlarged, scale })
    }
}

/// Returns a colour from blue through white to red, for -1 to 1; only 0 is white.
fn diverging(part: f64) -> [u8; 3] {
    if part == 0.0 {
        return [255; 3];
    }
    let seen = part.signum() * SEEN + (1.0 - SEEN) * part;
    ColourMap::Diverging.at(0.5 + seen / 2.0)
}

fn stops(colour: impl Fn(f64) -> [u8; 3]) -> Vec<[u8; 3]> {
    (0..STOPS).map(|stop| colour(stop as f64 / (STOPS - 1) as f64)).collect()
}

/// Returns the mean; not finite if any number is not.
fn mean(numbers: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = numbers.fold((0.0, 0_u32), |(sum, count), number| (sum + number, count + 1));
    sum / f64::from(count)
}

/// Returns the least and the greatest of the finite numbers.
fn range<'a>(numbers: impl IntoIterator<Item = &'a f64>) -> Option<(f64, f64)> {
    let finite = numbers.into_iter().copied().filter(|number| number.is_finite());
    finite.fold(None, |range, number| {
        let (low, high) = range.unwrap_or((number, number));
        Some((low.min(number), high.max(number)))
    })
}

fn range_text(numbers: &[f64]) -> String {
    match range(numbers) {
        None => String::new(),
        Some((low, high)) if low == high => format!("all are {}", six_digits(low)),
        Some((low, high)) => format!("{} to {}", six_digits(low), six_digits(high)),
    }
}

fn not_finite_text(numbers: &[f64]) -> String {
    match numbers.iter().filter(|number| !number.is_finite()).count() {
        0 => String::new(),
        count => format!("{count} NaN or infinite, magenta"),
    }
}

fn joined<const N: usize>(words: [&str; N]) -> String {
    words.into_iter().filter(|words| !words.is_empty()).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    /// Returns the colours of the picture's blocks.
    fn colours(picture: Option<Picture>) -> (Picture, Vec<[u8; 3]>) {
        let picture = picture.unwrap();
        let png = BASE64_STANDARD.decode(&picture.png).unwrap();
        let image = image::load_from_memory(&png).unwrap().into_rgb8();
        (picture, image.pixels().map(|pixel| pixel.0).collect())
    }

    fn line(width: usize) -> Blocks {
        Blocks { width, height: 1 }
    }

    #[test]
    fn a_colour_is_drawn_as_it_is() {
        let numbers = [1.0, 0.5, 0.0, 0.0, f64::NAN, 0.0, 0.0, 1.0, 0.25, 2.0, -1.0, 1.0];
        let (picture, colours) = colours(Picture::of_colours("x", line(3), &numbers, 4));
        assert_eq!(colours, [[255, 128, 0], NOT_FINITE, [64, 255, 0]]);
        let about =
            "colours; alpha is not drawn; 2 numbers outside 0 to 1; 1 NaN or infinite, magenta";
        assert_eq!((picture.about.as_str(), picture.scale), (about, None));
    }

    #[test]
    fn white_is_0_in_a_difference_and_nothing_else_is() {
        let numbers = [0.0, -2.0, 1e-30, 2.0, -0.0, f64::INFINITY];
        let (picture, colours) = colours(Picture::of_differences("x", line(6), &numbers, ""));
        let white = [255; 3];
        assert_eq!((colours[0], colours[4], colours[5]), (white, white, NOT_FINITE));
        let [red, _, blue] = colours[1];
        assert!(blue > red && colours[1] != white, "{colours:?}");
        assert_eq!(picture.scale.unwrap().labels, ["-2", "0", "+2"]);
        let [[red, _, blue], largest] = [colours[2], colours[3]];
        assert!(red > blue && largest[0] > largest[2] && largest != colours[2], "{colours:?}");
        let (same, all) = self::colours(Picture::of_differences("x", line(2), &[0.0; 2], ""));
        assert_eq!((all, same.scale), (vec![white; 2], None));
    }

    #[test]
    fn a_single_difference_is_seen_in_a_large_grid() {
        let blocks = Blocks { width: 1000, height: 333 };
        for at in [0, 999, 332_999, 123_456] {
            let mut numbers = vec![0.0; 1000 * 333];
            numbers[at] = -7.0;
            let (picture, colours) = colours(Picture::of_differences("x", blocks, &numbers, ""));
            assert_eq!(colours.iter().filter(|colour| **colour != [255; 3]).count(), 1);
            assert_eq!((picture.size, picture.enlarged), ((256, 85), false));
        }
    }

    #[test]
    fn what_came_has_the_scale_of_what_was_expected() {
        let scale = [0.0, 1.0];
        let numbers = [0.5, 1.0, 9.0];
        let (picture, colours) = colours(Picture::of_numbers("x", line(3), &numbers, &scale, ""));
        assert_eq!(colours[1..], [ColourMap::Viridis.at(1.0); 2]);
        assert_eq!(colours[0], ColourMap::Viridis.at(0.5));
        assert_eq!(picture.about, "0.5 to 9; 1 outside the scale");
        assert_eq!(picture.scale.unwrap().labels, ["0", "1"]);
        let constant = Picture::of_numbers("x", line(3), &numbers, &[0.5; 3], "").unwrap();
        assert_eq!(constant.scale.unwrap().labels[1], "9");
    }
}
