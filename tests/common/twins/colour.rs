//! Numbers as colours in a window: the twin of `glsl/view/colour.frag`.

use quadrille::{Extent, Rectangle};

/// A pixel of a window: red, green and blue.
pub type Pixel = [u8; 3];

/// The colour outside of the field.
pub const BACKGROUND: Pixel = [26; 3];
/// The colour of a NaN.
pub const NOT_A_NUMBER: Pixel = [255, 0, 0];

/// A window that shows a field.
#[derive(Clone, Copy, Debug)]
pub struct Picture {
    /// The window's extent.
    pub window: Extent,
    /// The field's extent.
    pub field: Extent,
    /// The rectangle of the field in the window.
    pub place: Rectangle,
    /// Whether the field's first row is at the bottom.
    pub flip: bool,
}

/// A colour map and its range.
#[derive(Clone, Copy, Debug)]
pub struct Scaled<'a> {
    /// The colours of the map, that of the lowest number first.
    pub colours: &'a [Pixel],
    /// The numbers at its ends.
    pub range: (f32, f32),
    /// The rectangle of the map itself, if it is shown.
    pub bar: Option<Rectangle>,
}

impl Picture {
    /// Returns the pixels of a field of numbers through a colour map, row by row.
    pub fn by_scale(&self, numbers: &[f32], scaled: Scaled<'_>) -> Vec<Pixel> {
        self.pixels(|x, y| match self.texel(x, y) {
            Some(index) => scaled.colour(numbers[index]),
            None => scaled.bar_colour(x, y).unwrap_or(BACKGROUND),
        })
    }

    /// Returns the pixels of a field of colours from 0 to 1, row by row.
    pub fn of_colours(&self, colours: &[[f32; 4]]) -> Vec<Pixel> {
        let byte = |part: f32| (part.clamp(0.0, 1.0) * 255.0).round() as u8;
        self.pixels(|x, y| match self.texel(x, y).map(|index| colours[index]) {
            Some([red, green, blue, _]) => [red, green, blue].map(byte),
            None => BACKGROUND,
        })
    }

    fn pixels(&self, colour: impl Fn(u32, u32) -> Pixel) -> Vec<Pixel> {
        let (width, height) = (self.window.width, self.window.height);
        (0..height)
            .flat_map(|y| (0..width).map(move |x| (x, y)))
            .map(|(x, y)| colour(x, y))
            .collect()
    }

    /// Returns the texel of the field that a pixel shows.
    fn texel(&self, x: u32, y: u32) -> Option<usize> {
        if !contains(self.place, x, y) {
            return None;
        }
        let column = (x - self.place.x) * self.field.width / self.place.width;
        let row = (y - self.place.y) * self.field.height / self.place.height;
        let row = if self.flip { self.field.height - 1 - row } else { row };
        Some(row as usize * self.field.width as usize + column as usize)
    }
}

impl Scaled<'_> {
    /// Returns the colour of a number.
    pub fn colour(&self, number: f32) -> Pixel {
        let (low, high) = self.range;
        if number.is_nan() {
            return NOT_A_NUMBER;
        }
        let part = if high > low { (number - low) / (high - low) } else { 0.5 };
        let last = self.colours.len() - 1;
        self.colours[(part.clamp(0.0, 1.0) * last as f32 + 0.5) as usize]
    }

    fn bar_colour(&self, x: u32, y: u32) -> Option<Pixel> {
        let bar = self.bar.filter(|bar| contains(*bar, x, y))?;
        let last = self.colours.len() as u32 - 1;
        Some(self.colours[((x - bar.x) * last / (bar.width - 1).max(1)) as usize])
    }
}

fn contains(rectangle: Rectangle, x: u32, y: u32) -> bool {
    let within = |at: u32, start: u32, length: u32| at >= start && at - start < length;
    within(x, rectangle.x, rectangle.width) && within(y, rectangle.y, rectangle.height)
}
