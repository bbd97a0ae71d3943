//! Lines over two axes, each linear or logarithmic.

use plotters::coord::ranged1d::{AsRangedCoord, ValueFormatter};
use plotters::prelude::*;

use super::super::super::Error;
use super::{Area, Chart, HEIGHT, WIDTH, colour, failed, titled};

/// Lines through points.
pub(in super::super) struct LineChart {
    /// The title.
    pub(in super::super) title: String,
    /// The labels of the axes.
    pub(in super::super) axes: [String; 2],
    /// Whether both axes are logarithmic, which leaves out values of 0 and less.
    pub(in super::super) logarithmic: bool,
    /// The lines.
    pub(in super::super) series: Vec<Series>,
}

/// One line.
pub(in super::super) struct Series {
    pub(in super::super) name: String,
    /// From left to right.
    pub(in super::super) points: Vec<(f64, f64)>,
    /// Whether it is quoted from a paper, and drawn thin.
    pub(in super::super) quoted: bool,
}

/// The radius of a point.
const DOT: i32 = 3;
/// The least width of the names of lines, to the right of the figure.
const NAMES: u32 = 170;
/// The width of a letter.
const LETTER: u32 = 7;
/// The position of the first name, and the distance between names.
const FIRST_NAME: i32 = 24;
const NAME_HEIGHT: i32 = 20;
/// The length of the sample of a line beside its name.
const SAMPLE: i32 = 20;

/// The colours of quoted lines, less prominent than measured ones.
const GREYS: [RGBColor; 3] =
    [RGBColor(60, 60, 60), RGBColor(130, 130, 130), RGBColor(180, 180, 180)];

/// The style of a line, and the fill of its points.
fn styles(colour: RGBColor, series: &Series) -> (ShapeStyle, ShapeStyle) {
    let fill = if series.quoted { WHITE.filled() } else { colour.filled() };
    (colour.stroke_width(if series.quoted { 1 } else { 2 }), fill)
}

impl Chart for LineChart {
    fn width(&self) -> u32 {
        WIDTH - NAMES + self.names()
    }

    fn height(&self) -> u32 {
        HEIGHT.max(self.series.len() as u32 * NAME_HEIGHT as u32 + 80)
    }

    fn draw(&self, area: &Area<'_>) -> Result<(), Error> {
        let area = titled(area, &self.title)?;
        let (width, _) = area.dim_in_pixel();
        let (figure, names) = area.split_horizontally(width.saturating_sub(self.names()));
        let [x, y] = [self.range(|point| point.0), self.range(|point| point.1)];
        match self.logarithmic {
            true => self.draw_over(
                &figure,
                (x.0 / 1.3..x.1 * 1.3).log_scale().with_key_points(self.marks()),
                (y.0 / 2.0..y.1 * 2.0).log_scale(),
            ),
            false => self.draw_over(&figure, linear(x, 1.05), linear(y, 1.15)),
        }?;
        self.draw_names(&names)
    }
}

/// A linear axis: from zero, or below, to a little above the largest value.
fn linear((least, most): (f64, f64), room: f64) -> std::ops::Range<f64> {
    1.05 * least.min(0.0)..most * room
}

impl LineChart {
    /// The width of the names of lines.
    fn names(&self) -> u32 {
        let letters = self.series.iter().map(|series| series.name.chars().count()).max();
        (letters.unwrap_or(0) as u32 * LETTER + SAMPLE as u32 + 20).max(NAMES)
    }

    fn draw_over<X, Y>(&self, area: &Area<'_>, x: X, y: Y) -> Result<(), Error>
    where
        X: AsRangedCoord<Value = f64>,
        Y: AsRangedCoord<Value = f64>,
        X::CoordDescType: ValueFormatter<f64>,
        Y::CoordDescType: ValueFormatter<f64>,
    {
        let mut chart = ChartBuilder::on(area)
            .margin(12)
            .x_label_area_size(44)
            .y_label_area_size(72)
            .build_cartesian_2d(x, y)
            .map_err(failed)?;
        let [across, up] = &self.axes;
        chart
            .configure_mesh()
            .max_light_lines(1)
            .x_desc(across.as_str())
            .y_desc(up.as_str())
            .x_label_formatter(&plain)
            .y_label_formatter(&plain)
            .label_style(("sans-serif", 14))
            .draw()
            .map_err(failed)?;
        for (series, colour) in self.series.iter().zip(self.colours()) {
            let (line, fill) = styles(colour, series);
            let points = self.drawable(series);
            chart.draw_series([PathElement::new(points.clone(), line)]).map_err(failed)?;
            for style in [fill, colour.into()] {
                let dot = |point: &(f64, f64)| Circle::new(*point, DOT, style);
                chart.draw_series(points.iter().map(dot)).map_err(failed)?;
            }
        }
        Ok(())
    }

    /// The colour of each line: a grey if it is quoted.
    fn colours(&self) -> Vec<RGBColor> {
        let [mut measured, mut quoted] = [0, 0];
        let colour_of = |series: &Series| match series.quoted {
            true => {
                quoted += 1;
                GREYS.get((quoted - 1) % GREYS.len()).copied().unwrap_or(BLACK)
            }
            false => {
                measured += 1;
                colour(measured - 1)
            }
        };
        self.series.iter().map(colour_of).collect()
    }

    /// The names of the lines, beside the figure, where they hide nothing.
    fn draw_names(&self, area: &Area<'_>) -> Result<(), Error> {
        for (index, (series, colour)) in self.series.iter().zip(self.colours()).enumerate() {
            let (line, _) = styles(colour, series);
            let y = FIRST_NAME + NAME_HEIGHT * index as i32;
            let sample = PathElement::new([(0, y), (SAMPLE, y)], line);
            area.draw(&sample).map_err(failed)?;
            let place = (SAMPLE + 6, y - 7);
            let name = Text::new(series.name.as_str(), place, ("sans-serif", 14));
            area.draw(&name).map_err(failed)?;
        }
        Ok(())
    }

    /// The marks of a logarithmic axis: one below each point.
    fn marks(&self) -> Vec<f64> {
        let points = self.series.iter().flat_map(|series| self.drawable(series));
        let mut marks: Vec<f64> = points.map(|(x, _)| x).collect();
        marks.sort_by(f64::total_cmp);
        marks.dedup();
        marks
    }

    /// The points that the axes can show.
    fn drawable(&self, series: &Series) -> Vec<(f64, f64)> {
        let has_place = |number: f64| number.is_finite() && (number > 0.0 || !self.logarithmic);
        let points = series.points.iter().copied();
        points.filter(|(x, y)| has_place(*x) && has_place(*y)).collect()
    }

    /// The least and the largest value; arbitrary if there is none.
    fn range(&self, of: fn(&(f64, f64)) -> f64) -> (f64, f64) {
        let points: Vec<(f64, f64)> = self.series.iter().flat_map(|s| self.drawable(s)).collect();
        let numbers = || points.iter().map(of);
        match numbers().reduce(f64::max) {
            Some(most) if most > 0.0 => (numbers().fold(most, f64::min), most),
            _ => (1.0, 10.0),
        }
    }
}

/// A number on an axis, in powers of ten only from a million on.
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

    fn chart(logarithmic: bool, points: Vec<(f64, f64)>) -> Box<dyn Chart> {
        let series = vec![Series { name: "vertex".into(), points, quoted: false }];
        Box::new(LineChart {
            title: "Figure 4".into(),
            axes: ["elements", "ms"].map(String::from),
            logarithmic,
            series,
        })
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
