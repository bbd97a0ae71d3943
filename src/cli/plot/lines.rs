//! Lines over two axes, each linear or logarithmic.

use plotters::coord::ranged1d::{AsRangedCoord, ValueFormatter};
use plotters::prelude::*;

use super::{Area, Chart, WIDTH, colour, failed};

/// Lines through points.
pub(in super::super) struct LineChart {
    /// What stands above.
    pub(in super::super) title: String,
    /// What the axes count.
    pub(in super::super) axes: [&'static str; 2],
    /// Whether both axes are logarithmic; numbers that are not above 0 are then left out.
    pub(in super::super) logarithmic: bool,
    /// The lines.
    pub(in super::super) series: Vec<Series>,
}

/// One line.
pub(in super::super) struct Series {
    pub(in super::super) name: String,
    /// From left to right.
    pub(in super::super) points: Vec<(f64, f64)>,
    /// Whether it is someone else's: drawn thin.
    pub(in super::super) quoted: bool,
}

/// The radius of a point.
const DOT: i32 = 3;

impl Chart for LineChart {
    fn width(&self) -> u32 {
        WIDTH
    }

    fn draw(&self, area: &Area<'_>) -> anyhow::Result<()> {
        let [x, y] = [self.range(|point| point.0), self.range(|point| point.1)];
        match self.logarithmic {
            true => self.draw_over(
                area,
                (x.0 / 1.3..x.1 * 1.3).log_scale(),
                (y.0 / 2.0..y.1 * 2.0).log_scale(),
            ),
            false => self.draw_over(area, 0.0..x.1 * 1.05, 0.0..y.1 * 1.15),
        }
    }
}

impl LineChart {
    fn draw_over<X, Y>(&self, area: &Area<'_>, x: X, y: Y) -> anyhow::Result<()>
    where
        X: AsRangedCoord<Value = f64>,
        Y: AsRangedCoord<Value = f64>,
        X::CoordDescType: ValueFormatter<f64>,
        Y::CoordDescType: ValueFormatter<f64>,
    {
        let mut chart = ChartBuilder::on(area)
            .caption(&self.title, ("sans-serif", 20))
            .margin(12)
            .x_label_area_size(44)
            .y_label_area_size(72)
            .build_cartesian_2d(x, y)
            .map_err(failed)?;
        let [across, up] = self.axes;
        chart
            .configure_mesh()
            .max_light_lines(1)
            .x_desc(across)
            .y_desc(up)
            .x_label_formatter(&plain)
            .y_label_formatter(&plain)
            .label_style(("sans-serif", 14))
            .draw()
            .map_err(failed)?;
        for (index, series) in self.series.iter().enumerate() {
            let (colour, points) = (colour(index), self.drawable(series));
            let style = colour.stroke_width(if series.quoted { 1 } else { 2 });
            let line = PathElement::new(points.clone(), style);
            let drawn = chart.draw_series([line]).map_err(failed)?;
            let sample = move |(x, y)| PathElement::new([(x, y), (x + 16, y)], style);
            drawn.label(&series.name).legend(sample);
            let fill = if series.quoted { WHITE.filled() } else { colour.filled() };
            let dots = |point: &(f64, f64)| Circle::new(*point, DOT, fill);
            chart.draw_series(points.iter().map(dots)).map_err(failed)?;
            let rings = |point: &(f64, f64)| Circle::new(*point, DOT, colour);
            chart.draw_series(points.iter().map(rings)).map_err(failed)?;
        }
        let mut labels = chart.configure_series_labels();
        let labels = labels.position(SeriesLabelPosition::UpperLeft);
        let labels = labels.background_style(WHITE.mix(0.8)).label_font(("sans-serif", 14));
        labels.draw().map_err(failed)
    }

    /// Points that have a place on the axes.
    fn drawable(&self, series: &Series) -> Vec<(f64, f64)> {
        let has_place = |number: f64| number.is_finite() && (number > 0.0 || !self.logarithmic);
        let points = series.points.iter().copied();
        points.filter(|(x, y)| has_place(*x) && has_place(*y)).collect()
    }

    /// The least and the largest number; of none, some.
    fn range(&self, of: fn(&(f64, f64)) -> f64) -> (f64, f64) {
        let points: Vec<(f64, f64)> = self.series.iter().flat_map(|s| self.drawable(s)).collect();
        let numbers = || points.iter().map(of);
        match numbers().reduce(f64::max) {
            Some(most) if most > 0.0 => (numbers().fold(most, f64::min), most),
            _ => (1.0, 10.0),
        }
    }
}

/// A number as an axis shows it: whole if it is, and never in powers of ten below a million.
fn plain(number: &f64) -> String {
    match number.abs() {
        size if size >= 1e6 => format!("{number:.0e}"),
        size if size >= 10.0 || size == 0.0 => format!("{number:.0}"),
        _ => format!("{}", (number * 1e6).round() / 1e6),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::super::draw;
    use super::*;

    fn chart(logarithmic: bool, points: Vec<(f64, f64)>) -> LineChart {
        let series = vec![Series { name: "vertex".into(), points, quoted: false }];
        LineChart { title: "Figure 4".into(), axes: ["elements", "ms"], logarithmic, series }
    }

    #[test]
    fn every_word_and_point_is_in_the_figure() {
        let points = vec![(1e4, 0.5), (1e5, 3.0), (1e6, 20.0)];
        for logarithmic in [true, false] {
            let svg = draw(&[chart(logarithmic, points.clone())]).unwrap();
            for text in ["Figure 4", "elements", "ms", "vertex"] {
                assert!(svg.contains(text), "{text}");
            }
            assert_eq!(svg.matches("<circle").count(), 2 * points.len());
        }
    }

    #[test]
    fn what_has_no_place_is_left_out() {
        let points = vec![(1.0, 0.0), (2.0, f64::NAN), (3.0, 4.0)];
        assert_eq!(draw(&[chart(true, points)]).unwrap().matches("<circle").count(), 2);
        for logarithmic in [true, false] {
            assert!(draw(&[chart(logarithmic, vec![])]).unwrap().contains("</svg>"));
            assert!(draw(&[chart(logarithmic, vec![(0.0, 0.0)])]).unwrap().contains("</svg>"));
        }
    }

    #[test]
    fn axes_show_numbers_plainly() {
        assert_eq!(
            [1e7, 1e5, 12.0, 0.5, 0.0].map(|n| plain(&n)),
            ["1e7", "100000", "12", "0.5", "0"]
        );
    }
}
