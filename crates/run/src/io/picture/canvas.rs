//! Rectangles and words on a white ground.

use font8x8::{BASIC_FONTS, GREEK_FONTS, LATIN_FONTS, UnicodeFonts};
use image::{Rgb, RgbImage};

/// A pixel of the font is this many pixels wide.
const MAGNIFY: usize = 2;
/// The width and height of a character.
pub(super) const GLYPH: usize = 8 * MAGNIFY;

/// A picture being drawn. What would lie outside is left out.
pub(super) struct Canvas(RgbImage);

impl Canvas {
    pub(super) fn new(width: usize, height: usize) -> Canvas {
        Canvas(RgbImage::from_pixel(width as u32, height as u32, Rgb([255; 3])))
    }

    pub(super) fn into_image(self) -> RgbImage {
        self.0
    }

    /// Fills a rectangle, given by its upper left corner and its size.
    pub(super) fn fill(
        &mut self,
        (left, top): (usize, usize),
        (width, height): (usize, usize),
        colour: Rgb<u8>,
    ) {
        for y in top..top + height {
            for x in left..left + width {
                if let Some(pixel) = self.0.get_pixel_mut_checked(x as u32, y as u32) {
                    *pixel = colour;
                }
            }
        }
    }

    /// Draws a line one pixel wide around the outside of a rectangle.
    pub(super) fn frame(
        &mut self,
        (left, top): (usize, usize),
        (width, height): (usize, usize),
        colour: Rgb<u8>,
    ) {
        self.fill((left - 1, top - 1), (width + 2, 1), colour);
        self.fill((left - 1, top + height), (width + 2, 1), colour);
        self.fill((left - 1, top - 1), (1, height + 2), colour);
        self.fill((left + width, top - 1), (1, height + 2), colour);
    }

    /// Draws one line of text from its upper left corner.
    pub(super) fn text(&mut self, left: usize, top: usize, text: &str, colour: Rgb<u8>) {
        for (index, character) in text.chars().enumerate() {
            for (y, bits) in glyph(character).into_iter().enumerate() {
                for x in (0..8).filter(|x| bits >> x & 1 == 1) {
                    let corner = (left + index * GLYPH + x * MAGNIFY, top + y * MAGNIFY);
                    self.fill(corner, (MAGNIFY, MAGNIFY), colour);
                }
            }
        }
    }

    /// Draws a line of text that is cut, visibly, where the picture ends.
    pub(super) fn title(&mut self, left: usize, top: usize, text: &str, colour: Rgb<u8>) {
        let room = (self.0.width() as usize).saturating_sub(2 * left) / GLYPH;
        if text.chars().count() <= room {
            return self.text(left, top, text, colour);
        }
        let start: String = text.chars().take(room.saturating_sub(3)).collect();
        self.text(left, top, &format!("{}...", start.trim_end()), colour);
    }
}

/// Returns the rows of a character, the leftmost pixel in the lowest bit; a question mark if the
/// fonts lack it.
fn glyph(character: char) -> [u8; 8] {
    let found = BASIC_FONTS.get(character);
    let found = found.or_else(|| LATIN_FONTS.get(character));
    found.or_else(|| GREEK_FONTS.get(character)).or_else(|| BASIC_FONTS.get('?')).unwrap_or([0; 8])
}
