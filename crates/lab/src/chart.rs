//! Figures as SVG: bars and lines. Texts keep their size whatever the width.

mod bars;
mod canvas;
mod legend;
mod lines;
mod words;

use plotters::prelude::*;

use self::bars::Bars;
use self::canvas::{Area, Chart, MARGIN, TITLE, TITLE_HEIGHT, failed};
use self::lines::Lines;
use self::words::text;
use crate::Result;
use crate::report::text::broken;
use crate::report::{Figure, Plot};

pub struct Drawing {
    pub svg: String,
    pub width: u32,
    pub height: u32,
}

/// The width of a figure on a page, and on a telephone.
pub const WIDE: u32 = 800;
pub const NARROW: u32 = 356;

/// A figure with its title, as the text of an SVG file.
pub fn svg(figure: &Figure) -> Result<String> {
    svg_of_all(std::slice::from_ref(figure))
}

/// Figures with their titles, one below the other, as the text of an SVG file.
pub fn svg_of_all(figures: &[Figure]) -> Result<String> {
    Ok(with_titles(figures, WIDE)?.svg)
}

fn with_titles(figures: &[Figure], width: u32) -> Result<Drawing> {
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

pub fn of_plot(plot: &Plot, width: u32) -> Result<Drawing> {
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

fn title(title: &str, width: u32) -> Vec<String> {
    broken(title.split_whitespace(), (width - 2 * MARGIN) as usize * 5 / (2 * TITLE as usize))
}

fn drawn(width: u32, height: u32, draw: impl FnOnce(Area<'_>) -> Result<()>) -> Result<Drawing> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (width, height)).into_drawing_area();
        area.fill(&WHITE).map_err(failed)?;
        draw(area.clone())?;
        area.present().map_err(failed)?;
    }
    Ok(Drawing { svg, width, height })
}

#[cfg(test)]
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
        assert!(y("First") < 30.0 && y("A title") > y("GB/s"));
        assert!(texts.iter().filter(|text| text.2.contains("title of")).count() > 1);
        assert!(with_titles(&[], WIDE).unwrap().svg.contains("</svg>"));
    }
}
