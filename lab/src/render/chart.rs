//! Charts as SVG: bars, upright or horizontal, and lines.

mod bars;
mod horizontal;
mod lines;

use plotters::coord::Shift;
use plotters::prelude::*;

use super::super::Error;

pub(super) use bars::{BarChart, Group};
pub(super) use lines::{LineChart, Series};

/// A figure that can be drawn.
pub(super) trait Chart {
    /// The least width, in pixels.
    fn width(&self) -> u32;

    /// The least height, in pixels.
    fn height(&self) -> u32 {
        HEIGHT
    }

    /// Draws itself on an area.
    fn draw(&self, area: &Area<'_>) -> Result<(), Error>;
}

/// The area of a figure.
type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// The least size of a figure.
const WIDTH: u32 = 800;
const HEIGHT: u32 = 400;
/// Colours that colour-blind eyes tell apart (Okabe and Ito).
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(213, 94, 0),
    BLACK,
];

/// The colour of a series; after the last colour the first comes again.
fn colour(index: usize) -> RGBColor {
    COLOURS.get(index % COLOURS.len()).copied().unwrap_or(BLACK)
}

/// The charts as SVG, one below the other.
pub(super) fn draw(charts: &[Box<dyn Chart>]) -> Result<String, Error> {
    let mut svg = String::new();
    let rows = charts.len().max(1);
    {
        let area = SVGBackend::with_string(&mut svg, size(charts)).into_drawing_area();
        let areas = area.split_evenly((rows, 1));
        let drawn = area
            .fill(&WHITE)
            .map_err(failed)
            .and_then(|()| areas.iter().zip(charts).try_for_each(|(area, chart)| chart.draw(area)));
        drawn.and_then(|()| area.present().map_err(failed))?;
    }
    Ok(svg)
}

/// The width and height of charts drawn one below the other, each as large as the largest.
pub(super) fn size(charts: &[Box<dyn Chart>]) -> (u32, u32) {
    let width = charts.iter().map(|chart| chart.width()).max().unwrap_or(0).max(WIDTH);
    let height = charts.iter().map(|chart| chart.height()).max().unwrap_or(HEIGHT);
    (width, height * charts.len().max(1) as u32)
}

/// The errors of plotters borrow the drawing, so their text is kept.
fn failed(error: impl std::fmt::Display) -> Error {
    Error::Figure { reason: error.to_string() }
}

/// The area below the title, if there is a title.
fn titled<'a>(area: &Area<'a>, title: &str) -> Result<Area<'a>, Error> {
    match title {
        "" => Ok(area.clone()),
        title => area.margin(8, 0, 0, 0).titled(title, ("sans-serif", 20)).map_err(failed),
    }
}

type Plane<'a, 'b> = ChartContext<
    'a,
    SVGBackend<'b>,
    Cartesian2d<plotters::coord::types::RangedCoordf64, plotters::coord::types::RangedCoordf64>,
>;

/// Sizes in percent would be relative to this; all sizes here are in pixels.
const NO_AREA: (u32, u32) = (WIDTH, HEIGHT);
