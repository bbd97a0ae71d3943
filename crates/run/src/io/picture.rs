//! A heat map of a grid of numbers as a `.png`, with its title and its scale.
//!
//! Row 0 is at the top, as a matrix is printed. Colours are viridis, which keeps its order in print
//! and for colour-blind eyes. Small grids are enlarged by a whole factor, so that a number is a
//! square; large ones are reduced by averaging whole blocks. The picture is 400 to 1000 pixels on a
//! side.

mod canvas;
pub(super) mod colour_map;
mod scale;

use std::path::Path;

use image::{ImageFormat, Rgb};

use self::canvas::{Canvas, GLYPH};
pub(super) use self::scale::NOT_FINITE;
use self::scale::Scale;
use super::{Error, Result};
use quadrille::internal::io::{no_memory, whole_file};
use quadrille::io::{must_end_in, write_whole};
use quadrille::memory;

/// More bytes than the pixels of a picture and its file take.
const DRAWING: usize = 16 << 20;
/// The longest side of the drawn grid.
const LONGEST: usize = 640;
/// The shortest side of the drawn grid: a single row is drawn this high.
const SHORTEST: usize = 48;
/// The least height of the scale.
const LEAST_HEIGHT: usize = 312;
/// The least width of the area whose centre is the grid.
const LEAST_WIDTH: usize = 240;
/// A title does not make the picture wider than this.
const WIDEST: usize = 984;
const MARGIN: usize = 24;
const BAR: usize = 24;
const TICK: usize = 6;
/// Room for the numbers of the scale, in characters, where they are short.
const LABEL: usize = 4;

const INK: Rgb<u8> = Rgb([45, 45, 50]);

/// A grid of numbers to be drawn.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
#[must_use]
pub struct HeatMap<'a> {
    /// The number of values along x.
    pub width: usize,
    /// The number of values along y.
    pub height: usize,
    /// The numbers, row by row. The last row may be shorter; the rest of it stays blank.
    pub values: &'a [f32],
    /// The title; cut if it is too long.
    pub title: &'a str,
}

/// Refuses a name that [`HeatMap::write`] would refuse, before any work is done for it.
///
/// # Errors
/// [`Error::Extension`].
pub fn check_name(path: impl AsRef<Path>) -> Result<()> {
    must_end_in(path.as_ref(), ".png")
}

impl<'a> HeatMap<'a> {
    /// Makes a picture without a title.
    pub fn new(width: usize, height: usize, values: &'a [f32]) -> HeatMap<'a> {
        HeatMap { width, height, values, title: "" }
    }

    /// Sets the title.
    pub fn title(self, title: &'a str) -> HeatMap<'a> {
        HeatMap { title, ..self }
    }

    /// Draws the grid and writes the picture.
    ///
    /// NaN and infinities are red, and the picture says how many there are; a block that is
    /// averaged is red if any of its numbers is.
    ///
    /// # Errors
    /// [`Error::Extension`] and [`Error::Write`].
    pub fn write(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        check_name(path)?;
        let bytes = self.encoded(path)?;
        write_whole(path, |file| std::io::Write::write_all(file, &bytes))
    }

    /// Draws the grid, as the bytes of a `.png`.
    ///
    /// # Errors
    /// [`Error::Shape`] for a number of values that is not the grid's.
    pub fn png(&self) -> Result<Vec<u8>> {
        self.encoded(Path::new(self.title))
    }

    /// Returns the bytes of the picture, whose errors name a file.
    fn encoded(&self, path: &Path) -> Result<Vec<u8>> {
        self.check_shape(path)?;
        // The library of pictures ends the process where it gets no memory.
        memory::must_have(DRAWING).map_err(no_memory(path))?;
        let picture = self.draw().into_image();
        let mut bytes = std::io::Cursor::new(Vec::new());
        picture.write_to(&mut bytes, ImageFormat::Png).map_err(|error| Error::Write {
            place: whole_file(path),
            reason: std::io::Error::other(error),
        })?;
        Ok(bytes.into_inner())
    }

    fn check_shape(&self, path: &Path) -> Result<()> {
        let full = self.width.saturating_mul(self.height);
        let least = full.saturating_sub(self.width.saturating_sub(1)).max(1);
        if (least..=full).contains(&self.values.len()) {
            return Ok(());
        }
        let expected = match full {
            0 => "a picture of at least one number".into(),
            _ => {
                format!("{least} to {full} numbers for a grid of {} x {}", self.width, self.height)
            }
        };
        Err(Error::Shape { place: whole_file(path), expected, got: vec![self.values.len()] })
    }

    fn draw(&self) -> Canvas {
        let scale = Scale::of(self.values);
        let (across, down) = (Fit::new(self.width), Fit::new(self.height));
        let (across, down) = (across.with_partner(down), down.with_partner(across));
        let area = (across.pixels().max(LEAST_WIDTH), down.pixels().max(LEAST_HEIGHT));
        let (left, top) = (MARGIN, 2 * MARGIN + GLYPH);
        let legend = self.legend(&scale);
        let mut canvas = self.canvas(&scale, area, legend.as_deref());
        canvas.title(MARGIN, MARGIN, self.title, INK);
        let grid = (left + (area.0 - across.pixels()) / 2, top + (area.1 - down.pixels()) / 2);
        self.draw_grid(&mut canvas, &scale, grid, (across, down));
        draw_bar(&mut canvas, &scale, (left + area.0 + MARGIN, top), area.1);
        if let Some(text) = legend {
            let legend_top = top + area.1 + MARGIN;
            canvas.fill((left, legend_top), (GLYPH, GLYPH), NOT_FINITE);
            canvas.text(left + GLYPH + 2 * TICK, legend_top, &text, INK);
        }
        canvas
    }

    fn legend(&self, scale: &Scale) -> Option<String> {
        let count = scale.not_finite;
        (count > 0).then(|| format!("NaN or infinite: {count} of {}", self.values.len()))
    }

    /// Returns a canvas with room for the grid, its scale and the text.
    fn canvas(&self, scale: &Scale, area: (usize, usize), legend: Option<&str>) -> Canvas {
        let longest = scale.labels().iter().map(|(_, label)| label.len()).max().unwrap_or(0);
        let side = MARGIN + BAR + 2 * TICK + longest.max(LABEL) * GLYPH;
        let title = (self.title.chars().count() * GLYPH + 2 * MARGIN).min(WIDEST);
        let below = legend.map_or(0, |text| (text.len() + 1) * GLYPH + 2 * TICK + 2 * MARGIN);
        let width = (2 * MARGIN + area.0 + side).max(title).max(below);
        let lines = if legend.is_some() { 2 } else { 1 };
        Canvas::new(width, MARGIN + area.1 + MARGIN + lines * (GLYPH + MARGIN))
    }

    fn draw_grid(
        &self,
        canvas: &mut Canvas,
        scale: &Scale,
        (left, top): (usize, usize),
        (across, down): (Fit, Fit),
    ) {
        let (width, height) = (across.pixels(), down.pixels());
        canvas.frame((left, top), (width, height), INK);
        for row in 0..down.cells() {
            for col in 0..across.cells() {
                let Some(value) = self.block(across.block(col), down.block(row)) else { continue };
                let corner = (left + col * across.enlarge, top + row * down.enlarge);
                canvas.fill(corner, (across.enlarge, down.enlarge), scale.colour(value));
            }
        }
    }

    /// Returns the mean of a block of numbers; not finite if any is; nothing where the data have
    /// ended.
    fn block(&self, cols: std::ops::Range<usize>, rows: std::ops::Range<usize>) -> Option<f64> {
        let (mut sum, mut count) = (0.0, 0_u32);
        for row in rows {
            let start = row * self.width;
            let end = (start + cols.end).min(self.values.len());
            for value in self.values.get(start + cols.start..end).unwrap_or_default() {
                sum += f64::from(*value);
                count += 1;
            }
        }
        (count > 0).then(|| sum / f64::from(count))
    }
}

fn draw_bar(canvas: &mut Canvas, scale: &Scale, (left, top): (usize, usize), height: usize) {
    let labels = scale.labels();
    if labels.is_empty() {
        return;
    }
    canvas.frame((left, top), (BAR, height), INK);
    for pixel in 0..height {
        let part = 1.0 - (pixel as f64 + 0.5) / height as f64;
        canvas.fill((left, top + pixel), (BAR, 1), scale.part_colour(part));
    }
    for (part, label) in labels {
        let y = top + ((1.0 - part) * (height - 1) as f64).round() as usize;
        canvas.fill((left + BAR, y), (TICK, 1), INK);
        let text_top = (y.saturating_sub(GLYPH / 2)).clamp(top, top + height - GLYPH);
        canvas.text(left + BAR + 2 * TICK, text_top, &label, INK);
    }
}

/// The scaling of one axis of the grid to pixels: blocks of `reduce` numbers, each drawn `enlarge`
/// pixels wide.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Fit {
    count: usize,
    reduce: usize,
    enlarge: usize,
}

impl Fit {
    fn new(count: usize) -> Fit {
        let reduce = count.div_ceil(LONGEST);
        Fit { count, reduce, enlarge: LONGEST / count.div_ceil(reduce) }
    }

    /// Takes the scale of the other axis, so that blocks are square, unless that leaves too little
    /// to see.
    fn with_partner(self, other: Fit) -> Fit {
        let reduce = self.reduce.max(other.reduce);
        let square = Fit { reduce, enlarge: self.enlarge.min(other.enlarge), ..self };
        if square.pixels() >= SHORTEST {
            return square;
        }
        let reduce = self.count.div_ceil(SHORTEST).min(reduce);
        let narrow = Fit { reduce, ..square };
        Fit { enlarge: SHORTEST.div_ceil(narrow.cells()).max(square.enlarge), ..narrow }
    }

    fn cells(self) -> usize {
        self.count.div_ceil(self.reduce)
    }

    fn pixels(self) -> usize {
        self.cells() * self.enlarge
    }

    fn block(self, cell: usize) -> std::ops::Range<usize> {
        cell * self.reduce..((cell + 1) * self.reduce).min(self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(width: usize, height: usize) -> (usize, usize) {
        let (across, down) = (Fit::new(width), Fit::new(height));
        (across.with_partner(down).pixels(), down.with_partner(across).pixels())
    }

    #[test]
    fn grids_of_any_shape_fit_the_picture() {
        for width in (1..40).chain([360, 361, 720, 721, 1000, 4096, 100_000]) {
            for height in (1..40).chain([360, 361, 720, 721, 1000, 4096, 100_000]) {
                let (across, down) = sizes(width, height);
                assert!((SHORTEST..=LONGEST).contains(&across), "{width} x {height}: {across}");
                assert!((SHORTEST..=LONGEST).contains(&down), "{width} x {height}: {down}");
                assert!(across.max(down) > LONGEST / 2, "{width} x {height}: {across} {down}");
            }
        }
    }

    #[test]
    fn numbers_are_squares_where_the_shape_allows() {
        assert_eq!(sizes(10, 10), (640, 640));
        assert_eq!(sizes(64, 32), (640, 320));
        assert_eq!(sizes(1280, 640), (640, 320));
        assert_eq!(sizes(500, 1), (500, 48));
    }
}
