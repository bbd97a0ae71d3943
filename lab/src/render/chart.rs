//! Figures as SVG: bars, upright or horizontal, and lines. Texts keep their size whatever the width.

mod bars;
mod horizontal;
mod legend;
mod lines;
mod words;

use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

use self::bars::Bars;
use self::lines::Lines;
use self::words::{broken, text};
use super::super::Error;
use super::super::report::{Figure, Plot};

/// A drawing and its size in pixels.
pub(super) struct Drawing {
    pub(super) svg: String,
    pub(super) width: u32,
    pub(super) height: u32,
}

/// The width of a figure on a page, and on a telephone.
pub(super) const WIDE: u32 = 800;
pub(super) const NARROW: u32 = 356;

/// A figure of a given width.
trait Chart {
    fn height(&self) -> u32;

    fn draw(&self, area: &Area<'_>) -> Result<(), Error>;
}

/// A part of a drawing, in pixels.
type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
/// A part of a drawing with axes.
type Plane<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

const HEIGHT: u32 = 360;
const MARGIN: u32 = 12;
/// Room for the numbers and the unit of an axis, below it and to its left.
const BELOW: u32 = 44;
const LEFT: u32 = 66;
/// The sizes of letters.
const WORDS: u32 = 14;
const NUMBERS: u32 = 13;
const TITLE: u32 = 20;
const TITLE_HEIGHT: u32 = 26;

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

/// Figures with their titles, one below the other.
pub(super) fn with_titles(figures: &[Figure], width: u32) -> Result<Drawing, Error> {
    let titles: Vec<_> = figures.iter().map(|figure| title(&figure.title, width)).collect();
    let charts: Vec<_> = figures.iter().map(|figure| chart(&figure.plot, width)).collect();
    let heights = titles.iter().zip(&charts);
    let heights = heights.map(|(title, chart)| title.len() as u32 * TITLE_HEIGHT + chart.height());
    drawn(width, heights.sum(), |mut area| {
        for (title, chart) in titles.iter().zip(&charts) {
            let (head, rest) = area.split_vertically(title.len() as u32 * TITLE_HEIGHT);
            for (line, words) in title.iter().enumerate() {
                let place = (MARGIN as i32, 8 + (line as u32 * TITLE_HEIGHT) as i32);
                head.draw(&text(words, place, TITLE)).map_err(failed)?;
            }
            let (body, rest) = rest.split_vertically(chart.height());
            chart.draw(&body)?;
            area = rest;
        }
        Ok(())
    })
}

/// A plot alone.
pub(super) fn of_plot(plot: &Plot, width: u32) -> Result<Drawing, Error> {
    let chart = chart(plot, width);
    drawn(width, chart.height(), |area| chart.draw(&area))
}

fn chart<'a>(plot: &'a Plot, width: u32) -> Box<dyn Chart + 'a> {
    match plot {
        Plot::Bars { unit, series, groups } => Box::new(Bars { unit, series, groups, width }),
        Plot::Lines { axes, logarithmic, lines } => {
            Box::new(Lines { axes, logarithmic: *logarithmic, lines, width })
        }
    }
}

/// The lines of a title.
fn title(title: &str, width: u32) -> Vec<String> {
    broken(title, (width - 2 * MARGIN) as usize * 2 / TITLE as usize)
}

fn drawn(
    width: u32,
    height: u32,
    draw: impl FnOnce(Area<'_>) -> Result<(), Error>,
) -> Result<Drawing, Error> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (width, height)).into_drawing_area();
        area.fill(&WHITE).map_err(failed)?;
        draw(area.clone())?;
        area.present().map_err(failed)?;
    }
    Ok(Drawing { svg, width, height })
}

/// The errors of plotters borrow the drawing, so their text is kept.
fn failed(error: impl std::fmt::Display) -> Error {
    Error::Figure { reason: error.to_string() }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
pub(super) mod tests {
    use super::*;

    /// The places of texts in a drawing: x, y and the words.
    pub(super) fn texts(svg: &str) -> Vec<(f64, f64, String)> {
        let text = |element: &str| {
            let number = |key: &str| element.split_once(key)?.1.split('"').next()?.parse().ok();
            let words = element.split_once('>')?.1.split("</text>").next()?.trim();
            Some((number("x=\"")?, number("y=\"")?, words.to_owned()))
        };
        svg.split("<text").skip(1).filter_map(text).collect()
    }

    #[test]
    fn figures_with_titles_are_one_below_the_other() {
        let figure = |title: &str| Figure {
            id: "f".into(),
            title: title.into(),
            plot: Plot::Bars {
                unit: "GB/s".into(),
                series: vec!["one".into()],
                groups: vec![("g".into(), vec![Some(1.0)])],
            },
            notes: vec![],
        };
        let long = "A title of many words ".repeat(8);
        let drawing = with_titles(&[figure("First"), figure(&long)], WIDE).unwrap();
        let texts = texts(&drawing.svg);
        let y = |words: &str| texts.iter().find(|text| text.2.starts_with(words)).unwrap().1;
        assert!(y("First") < 30.0 && y("A title") > f64::from(HEIGHT));
        assert!(texts.iter().filter(|text| text.2.contains("title of")).count() > 1);
        assert!(with_titles(&[], WIDE).unwrap().svg.contains("</svg>"));
    }
}
