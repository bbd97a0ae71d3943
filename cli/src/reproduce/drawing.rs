//! Figures as SVG: in a file of their own, and on the page.

use anyhow::anyhow;
use maud::{Markup, PreEscaped, html};

use quadrille_lab::report::{Figure, Plot};

use super::super::plot::{BarChart, Chart, Group, LineChart, Series, draw, size};

/// The figure with its title, as a file.
pub(super) fn file(figure: &Figure) -> anyhow::Result<String> {
    drawn(figure, &figure.title).map(|drawing| drawing.svg)
}

/// The figure as an element of the page, which has the title beside it. It needs no name space there,
/// and grows and shrinks with the page.
pub(super) fn inline(figure: &Figure) -> anyhow::Result<Markup> {
    let Drawing { svg, width, height } = drawn(figure, "")?;
    let (_, after) = svg.split_once('>').ok_or_else(|| anyhow!("the drawing has no head"))?;
    let inner = after.trim_end().strip_suffix("</svg>");
    let inner = inner.ok_or_else(|| anyhow!("the drawing has no end"))?;
    Ok(html! {
        svg viewBox=(format!("0 0 {width} {height}")) role="img" aria-label=(label(figure))
            style=(format!("--width:{width}px")) {
            (PreEscaped(inner))
        }
    })
}

/// The figure for who does not see it: what it shows; the numbers are in its file.
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

struct Drawing {
    svg: String,
    width: u32,
    height: u32,
}

fn drawn(figure: &Figure, title: &str) -> anyhow::Result<Drawing> {
    match &figure.plot {
        Plot::Bars { unit, series, groups } => svg_of(&BarChart {
            title: title.to_owned(),
            unit: unit.clone(),
            series: series.clone(),
            groups: groups
                .iter()
                .map(|(name, bars)| Group { name: name.clone(), bars: bars.clone() })
                .collect(),
        }),
        Plot::Lines { axes, logarithmic, lines } => svg_of(&LineChart {
            title: title.to_owned(),
            axes: axes.clone(),
            logarithmic: *logarithmic,
            series: lines
                .iter()
                .map(|line| Series {
                    name: line.name.clone(),
                    points: line.points.iter().map(|[x, y]| (*x, *y)).collect(),
                    quoted: line.quoted,
                })
                .collect(),
        }),
    }
}

fn svg_of<C: Chart>(chart: &C) -> anyhow::Result<Drawing> {
    let charts = std::slice::from_ref(chart);
    let (width, height) = size(charts);
    Ok(Drawing { svg: draw(charts)?, width, height })
}
