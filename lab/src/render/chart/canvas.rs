//! The area, the sizes and the colours that all charts share.

use plotters::coord::Shift;
use plotters::prelude::*;

use crate::{Error, MeasurementError};

pub(super) trait Chart {
    fn height(&self) -> u32;

    fn draw(&self, area: &Area<'_>) -> Result<(), Error>;
}

pub(super) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

pub(super) const HEIGHT: u32 = 360;
pub(super) const MARGIN: u32 = 12;
/// Room for the numbers and the unit of an axis, below it and to its left.
pub(super) const BELOW: u32 = 44;
pub(super) const LEFT: u32 = 66;
pub(super) const WORDS: u32 = 14;
pub(super) const NUMBERS: u32 = 13;
pub(super) const TITLE: u32 = 20;
pub(super) const TITLE_HEIGHT: u32 = 26;

/// Colours that colour-blind eyes distinguish (Okabe and Ito).
pub(super) const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(213, 94, 0),
    BLACK,
];

/// The colour of a series; after the last colour the first comes again.
pub(super) fn colour(index: usize) -> RGBColor {
    COLOURS.get(index % COLOURS.len()).copied().unwrap_or(BLACK)
}

/// The errors of plotters borrow the drawing, so their text is kept.
pub(super) fn failed(error: impl std::fmt::Display) -> Error {
    MeasurementError::Figure { reason: error.to_string() }.into()
}
