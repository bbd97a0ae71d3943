//! Figures as SVG within the page.

use maud::{Markup, PreEscaped, html};

use quadrille_lab::chart::{self, NARROW, WIDE};
use quadrille_lab::report::{Figure, Plot};
use quadrille_lab::{MeasurementError, Result};

/// The figure as elements of the page, which shows the title beside it: one for wide screens and
/// paper, one for telephones, where the letters of the other would be too small.
pub(super) fn inline(figure: &Figure) -> Result<Markup> {
    let [wide, narrow] = [element(figure, WIDE, "wide")?, element(figure, NARROW, "narrow")?];
    Ok(html! { (wide) (narrow) })
}

/// A drawing without the namespace, which it does not need on a page.
fn element(figure: &Figure, width: u32, class: &str) -> Result<Markup> {
    let drawing = chart::of_plot(&figure.plot, width)?;
    let (width, height) = (drawing.width, drawing.height);
    let inner = drawing.svg.split_once('>').map(|(_, after)| after.trim_end());
    let inner = inner.and_then(|after| after.strip_suffix("</svg>"));
    let inner = inner.ok_or_else(|| MeasurementError::Figure {
        reason: "the drawing is not one svg element".to_owned(),
    })?;
    Ok(html! {
        svg.(class) viewBox=(format!("0 0 {width} {height}")) role="img" aria-label=(label(figure))
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
