//! Lines over two axes, each linear or logarithmic.

use plotters::coord::ranged1d::{AsRangedCoord, ValueFormatter};
use plotters::prelude::*;

use super::canvas::{Area, BELOW, Chart, HEIGHT, LEFT, MARGIN, WORDS, colours, failed};
use super::legend::{self, Entry, Mark};
use super::words::tick;
use crate::Result;
use crate::report::Line;

pub(super) struct Lines<'a> {
    pub(super) axes: &'a [String; 2],
    /// Whether both axes are logarithmic, which leaves out values of 0 and less.
    pub(super) logarithmic: bool,
    pub(super) lines: &'a [Line],
    pub(super) width: u32,
}

const DOT: i32 = 3;
/// The least distance between marks of an axis, in pixels.
const MARK: f64 = 34.0;

/// The colours of quoted lines, less prominent than measured ones.
const GREYS: [RGBColor; 3] =
    [RGBColor(60, 60, 60), RGBColor(130, 130, 130), RGBColor(180, 180, 180)];

impl Chart for Lines<'_> {
    fn height(&self) -> u32 {
        HEIGHT + legend::height(self.lines.iter().map(|line| line.name.as_str()), self.width)
    }

    fn draw(&self, area: &Area<'_>) -> Result<()> {
        let (head, body) = area.split_vertically(self.height() - HEIGHT);
        legend::draw(&head, &self.entries())?;
        let [x, y] = [self.range(|point| point.0), self.range(|point| point.1)];
        match self.logarithmic {
            true => self.draw_over(
                &body,
                (x.0 / 1.3..x.1 * 1.3).log_scale().with_key_points(self.marks(x)),
                (y.0 / 2.0..y.1 * 2.0).log_scale().with_key_points(round_marks(y)),
            ),
            false => self.draw_over(&body, linear(x, 1.05), linear(y, 1.15)),
        }
    }
}

/// A line quoted from a paper is thin.
fn stroke(line: &Line) -> u32 {
    if line.quoted { 1 } else { 2 }
}

/// A linear axis: from zero, or a little below the least value, to zero, or a little above the
/// largest.
fn linear((least, most): (f64, f64), room: f64) -> std::ops::Range<f64> {
    1.05 * least.min(0.0)..most.max(0.0) * room
}

/// The marks of a logarithmic axis up to twice its numbers: powers of ten, over few of them also
/// twice and five times each.
fn round_marks((least, most): (f64, f64)) -> Vec<f64> {
    let (first, last) = ((least / 2.0).log10().floor() as i32, (2.0 * most).log10().ceil() as i32);
    let steps: &[f64] = if last - first > 4 { &[1.0] } else { &[1.0, 2.0, 5.0] };
    let marks =
        (first..=last).flat_map(|power| steps.iter().map(move |step| step * 10_f64.powi(power)));
    marks.filter(|mark| (least / 2.0..=2.0 * most).contains(mark)).collect()
}

impl Lines<'_> {
    fn entries(&self) -> Vec<Entry<'_>> {
        let lines = self.lines.iter().zip(self.colours());
        lines
            .map(|(line, colour)| Entry {
                name: &line.name,
                colour,
                mark: Mark::Line(stroke(line)),
            })
            .collect()
    }

    fn draw_over<X, Y>(&self, area: &Area<'_>, x: X, y: Y) -> Result<()>
    where
        X: AsRangedCoord<Value = f64>,
        Y: AsRangedCoord<Value = f64>,
        X::CoordDescType: ValueFormatter<f64>,
        Y::CoordDescType: ValueFormatter<f64>,
    {
        let mut plane = ChartBuilder::on(area)
            .margin(MARGIN)
            .x_label_area_size(BELOW)
            .y_label_area_size(LEFT)
            .build_cartesian_2d(x, y)
            .map_err(failed)?;
        let [across, up] = self.axes;
        plane
            .configure_mesh()
            .max_light_lines(1)
            .x_labels(self.width as usize / 80)
            .x_desc(across.as_str())
            .y_desc(up.as_str())
            .x_label_formatter(&|number| tick(*number))
            .y_label_formatter(&|number| tick(*number))
            .label_style(("sans-serif", WORDS))
            .draw()
            .map_err(failed)?;
        for (line, colour) in self.lines.iter().zip(self.colours()) {
            let fill = if line.quoted { WHITE.filled() } else { colour.filled() };
            let points = self.drawable(line);
            let path = PathElement::new(points.clone(), colour.stroke_width(stroke(line)));
            plane.draw_series([path]).map_err(failed)?;
            for style in [fill, colour.into()] {
                let dot = |point: &(f64, f64)| Circle::new(*point, DOT, style);
                plane.draw_series(points.iter().map(dot)).map_err(failed)?;
            }
        }
        Ok(())
    }

    /// The colour of each line: a grey if it is quoted.
    fn colours(&self) -> Vec<RGBColor> {
        let measured = self.lines.iter().filter(|line| !line.quoted);
        let mut measured = colours(measured.map(|line| line.name.as_str())).into_iter();
        let mut quoted = GREYS.into_iter().cycle();
        let mut colour_of = |line: &Line| match line.quoted {
            true => quoted.next(),
            false => measured.next(),
        };
        self.lines.iter().map(|line| colour_of(line).unwrap_or(BLACK)).collect()
    }

    /// The marks of a logarithmic axis: one below each point, as far as their numbers are apart.
    fn marks(&self, (least, most): (f64, f64)) -> Vec<f64> {
        let points = self.lines.iter().flat_map(|line| self.drawable(line));
        let mut marks: Vec<f64> = points.map(|(x, _)| x).collect();
        marks.sort_by(f64::total_cmp);
        let pixels = f64::from(self.width - LEFT - 2 * MARGIN);
        let apart = (MARK / pixels * (1.69 * most / least).ln()).exp();
        let mut last = 0.0;
        marks.retain(|mark| {
            let keep = *mark >= last * apart;
            if keep {
                last = *mark;
            }
            keep
        });
        marks
    }

    fn drawable(&self, line: &Line) -> Vec<(f64, f64)> {
        let has_place = |number: f64| number.is_finite() && (number > 0.0 || !self.logarithmic);
        let points = line.points.iter().map(|[x, y]| (*x, *y));
        points.filter(|(x, y)| has_place(*x) && has_place(*y)).collect()
    }

    /// The least and the largest value; arbitrary if there is none.
    fn range(&self, of: fn(&(f64, f64)) -> f64) -> (f64, f64) {
        let points: Vec<(f64, f64)> =
            self.lines.iter().flat_map(|line| self.drawable(line)).collect();
        let numbers = || points.iter().map(of);
        match numbers().reduce(f64::max).zip(numbers().reduce(f64::min)) {
            Some((most, least)) if most > 0.0 || least < 0.0 => (least, most),
            _ => (1.0, 10.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::texts;
    use super::super::{NARROW, WIDE, of_plot};
    use super::*;
    use crate::report::Plot;

    fn lines(logarithmic: bool, points: &[[f64; 2]]) -> Plot {
        let line = |name: &str, quoted| Line { name: name.into(), points: points.to_vec(), quoted };
        let lines = vec![line("vertex", false), line("the paper", true)];
        Plot::Lines { axes: ["elements", "ms"].map(String::from), logarithmic, lines }
    }

    #[test]
    fn every_word_and_point_is_in_the_figure_at_any_width() {
        let points = [[1e4, 0.5], [1e5, 3.0], [1e6, 20.0]];
        for (logarithmic, width) in [(true, WIDE), (false, WIDE), (true, NARROW), (false, NARROW)] {
            let svg = of_plot(&lines(logarithmic, &points), width).unwrap().svg;
            for text in ["elements", "ms", "vertex", "the paper"] {
                assert!(svg.contains(text), "{text}");
            }
            assert_eq!(svg.matches("<circle").count(), 2 * 2 * points.len());
        }
    }

    #[test]
    fn marks_of_a_logarithmic_axis_do_not_overprint() {
        let points: Vec<[f64; 2]> = (1..=40).map(|n| [f64::from(n) * 100.0, 1.0]).collect();
        let drawing = of_plot(&lines(true, &points), NARROW).unwrap();
        let texts = texts(&drawing.svg);
        let lowest =
            texts.iter().filter(|text| text.2 == "100").map(|text| text.1).fold(0.0, f64::max);
        let mut marks: Vec<f64> =
            texts.iter().filter(|text| text.1 == lowest).map(|text| text.0).collect();
        marks.sort_by(f64::total_cmp);
        assert!(marks.len() > 4, "{texts:?}");
        assert!(marks.windows(2).all(|pair| pair[1] - pair[0] > 30.0), "{marks:?}");
    }

    #[test]
    fn round_marks_lie_within_the_axis() {
        assert_eq!(round_marks((0.2, 0.6)), [0.1, 0.2, 0.5, 1.0]);
        assert_eq!(round_marks((3.0, 4e6)), [10.0, 100.0, 1e3, 1e4, 1e5, 1e6]);
    }

    /// The exponents of residuals are zero and less.
    #[test]
    fn numbers_below_zero_have_places_of_their_own() {
        let points = [[0.0, 0.0], [1.0, -3.0], [2.0, -8.0]];
        let svg = of_plot(&lines(false, &points), WIDE).unwrap().svg;
        let places = svg.split("<circle ").skip(1).filter_map(|circle| {
            circle.split_once("cy=\"")?.1.split_once('"')?.0.parse::<f64>().ok()
        });
        let places: Vec<f64> = places.collect();
        let heights = &places[..points.len()];
        assert!(heights.windows(2).all(|pair| pair[1] > pair[0] + 10.0), "{places:?}");
    }

    #[test]
    fn what_has_no_place_is_left_out() {
        let points = [[1.0, 0.0], [2.0, f64::NAN], [3.0, 4.0]];
        let circles = |plot: &Plot| of_plot(plot, WIDE).unwrap().svg.matches("<circle").count();
        assert_eq!(circles(&lines(true, &points)), 2 * 2);
        for logarithmic in [true, false] {
            assert_eq!(circles(&lines(logarithmic, &[])), 0);
            assert!(of_plot(&lines(logarithmic, &[[0.0, 0.0]]), WIDE).is_ok());
        }
    }
}
