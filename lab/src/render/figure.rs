//! Figures as SVG, in files of their own and within the page.

use maud::{Markup, PreEscaped, html};

use super::super::Error;
use super::super::report::{Figure, Line, Plot};
use super::chart::{BarChart, Chart, Group, LineChart, Series, draw, size};

/// A figure with its title, as the text of an SVG file.
///
/// # Errors
/// [`Error::Figure`] if the figure cannot be drawn.
pub fn svg(figure: &Figure) -> Result<String, Error> {
    svg_of_all(std::slice::from_ref(figure))
}

/// Figures with their titles, one below the other, as the text of an SVG file.
///
/// # Errors
/// [`Error::Figure`] if a figure cannot be drawn.
pub fn svg_of_all(figures: &[Figure]) -> Result<String, Error> {
    let charts: Vec<_> = figures.iter().map(|figure| chart(figure, &figure.title)).collect();
    draw(&charts)
}

/// The figure as an element of the page, which shows the title beside it. It needs no namespace there,
/// and grows and shrinks with the page.
pub(super) fn inline(figure: &Figure) -> Result<Markup, Error> {
    let charts = [chart(figure, "")];
    let (width, height) = size(&charts);
    let svg = draw(&charts)?;
    let inner = svg.split_once('>').and_then(|(_, after)| after.trim_end().strip_suffix("</svg>"));
    let inner = inner
        .ok_or_else(|| Error::Figure { reason: "the drawing is not one svg element".to_owned() })?;
    Ok(html! {
        svg viewBox=(format!("0 0 {width} {height}")) role="img" aria-label=(label(figure))
            style=(format!("--width:{width}px")) {
            (PreEscaped(inner))
        }
    })
}

/// A description for screen readers; the numbers are in a file.
fn label(figure: &Figure) -> String {
    match &figure.plot {
        Plot::Bars { unit, series, groups } => {
            let groups: Vec<&str> = groups.iter().map(|(name, _)| name.as_str()).collect();
            let [series, groups] = [series.join(", "), groups.join(", ")];
            format!("{}: bars of {series} in {unit}, for {groups}", figure.title)
        }
        Plot::Lines { axes: [x, y], lines, .. } => {
            let lines: Vec<&str> = lines.iter().map(|line| line.name.as_str()).collect();
            format!("{}: {y} over {x}, lines of {}", figure.title, lines.join(", "))
        }
    }
}

fn chart(figure: &Figure, title: &str) -> Box<dyn Chart> {
    match &figure.plot {
        Plot::Bars { unit, series, groups } => {
            let group = |(name, bars): &(String, Vec<Option<f64>>)| Group {
                name: name.clone(),
                bars: bars.clone(),
            };
            Box::new(BarChart {
                title: title.to_owned(),
                unit: unit.clone(),
                series: series.clone(),
                groups: groups.iter().map(group).collect(),
            })
        }
        Plot::Lines { axes, logarithmic, lines } => {
            let series = |line: &Line| Series {
                name: line.name.clone(),
                points: line.points.iter().map(|[x, y]| (*x, *y)).collect(),
                quoted: line.quoted,
            };
            Box::new(LineChart {
                title: title.to_owned(),
                axes: axes.clone(),
                logarithmic: *logarithmic,
                series: lines.iter().map(series).collect(),
            })
        }
    }
}
