//! Grouped vertical bars.

use plotters::prelude::*;

use super::super::super::Error;
use super::super::super::numbers::three_digits;
use super::{Area, Chart, HEIGHT, NO_AREA, Plane, WIDTH, colour, failed, titled};

/// Bars in groups, with at most one bar of each series in a group.
pub(in super::super) struct BarChart {
    /// The title.
    pub(in super::super) title: String,
    /// The unit of the axis.
    pub(in super::super) unit: String,
    /// The names of the series; each has a colour.
    pub(in super::super) series: Vec<String>,
    /// The groups, from left to right.
    pub(in super::super) groups: Vec<Group>,
}

/// A group of bars.
pub(in super::super) struct Group {
    /// The name below the group.
    pub(in super::super) name: String,
    /// The bar of each series, in their order; none if there is no value.
    pub(in super::super) bars: Vec<Option<f64>>,
}

/// The least width of a group, so that its name fits below.
const GROUP_WIDTH: usize = 120;
/// The least width of a bar, so that its number fits above.
const BAR_WIDTH: usize = 50;
/// The greatest width of a figure with vertical bars; beyond it bars are horizontal.
const WIDEST: u32 = 960;
/// The height of a line of a group's name, in pixels.
const NAME_HEIGHT: u32 = 16;
/// The letters in a line of a group's name.
const NAME_LETTERS: usize = 17;
/// The part of the width of a group that its bars fill.
pub(super) const FILLED: f64 = 0.8;

impl Chart for BarChart {
    fn width(&self) -> u32 {
        if self.is_horizontal() { WIDTH } else { self.vertical_width() }
    }

    fn height(&self) -> u32 {
        if self.is_horizontal() {
            return self.horizontal_height();
        }
        HEIGHT + NAME_HEIGHT * (self.name_lines().saturating_sub(1)) as u32
    }

    fn draw(&self, area: &Area<'_>) -> Result<(), Error> {
        if self.is_horizontal() {
            return self.draw_horizontal(area);
        }
        let groups = self.groups.len().max(1) as f64;
        let largest = self.largest();
        // Room for the numbers above the bars, and above those for the names of the series.
        let room = match self.series.len() {
            0 | 1 => 1.15,
            names => 1.2 + 0.1 * names as f64,
        };
        let top = if largest > 0.0 { room * largest } else { 1.0 };
        let area = titled(area, &self.title)?;
        let mut chart = ChartBuilder::on(&area)
            .margin(12)
            .x_label_area_size(16 + NAME_HEIGHT * self.name_lines() as u32)
            .y_label_area_size(72)
            .build_cartesian_2d(0.0..groups, 0.0..top)
            .map_err(failed)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .disable_x_axis()
            .max_light_lines(1)
            .y_labels(6)
            .y_desc(&self.unit)
            .label_style(("sans-serif", 14))
            .draw()
            .map_err(failed)?;
        self.draw_names(&mut chart, top)?;
        for index in 0..self.series.len() {
            self.draw_series(&mut chart, index, top)?;
        }
        self.draw_legend(&mut chart)
    }
}

impl BarChart {
    /// The names of the series, if there are several.
    pub(super) fn draw_legend<'a, 'b: 'a>(&self, chart: &mut Plane<'a, 'b>) -> Result<(), Error> {
        if self.series.len() > 1 {
            let mut labels = chart.configure_series_labels();
            let labels = labels.position(SeriesLabelPosition::UpperRight);
            let labels = labels.background_style(WHITE.mix(0.8)).label_font(("sans-serif", 14));
            labels.draw().map_err(failed)?;
        }
        Ok(())
    }

    /// The width with vertical bars.
    fn vertical_width(&self) -> u32 {
        (self.groups.len() * GROUP_WIDTH.max(self.series.len() * BAR_WIDTH)) as u32
    }

    /// Whether vertical bars would be so wide that a page had to shrink the letters.
    pub(super) fn is_horizontal(&self) -> bool {
        self.vertical_width() > WIDEST
    }

    pub(super) fn largest(&self) -> f64 {
        let bars = self.groups.iter().flat_map(|group| group.bars.iter().flatten());
        bars.copied().filter(|bar| bar.is_finite()).fold(0.0, f64::max)
    }

    /// The bars of one series, each with its number above.
    fn draw_series(&self, chart: &mut Plane, index: usize, top: f64) -> Result<(), Error> {
        let colour = colour(index);
        let width = FILLED / self.series.len().max(1) as f64;
        let bars: Vec<(f64, f64)> = self
            .groups
            .iter()
            .enumerate()
            .filter_map(|(place, group)| {
                let left = place as f64 + 0.5 * (1.0 - FILLED) + index as f64 * width;
                Some((left, (*group.bars.get(index)?)?))
            })
            .collect();
        let rectangle = |(left, height): &(f64, f64)| {
            Rectangle::new([(*left, 0.0), (left + 0.95 * width, *height)], colour.filled())
        };
        let drawn = chart.draw_series(bars.iter().map(rectangle)).map_err(failed)?;
        let name = self.series.get(index).map_or("", String::as_str);
        drawn
            .label(name)
            .legend(move |(x, y)| Rectangle::new([(x, y - 5), (x + 10, y + 5)], colour.filled()));
        let number = |(left, height): &(f64, f64)| {
            let middle = left + 0.475 * width;
            label(three_digits(*height), (middle, height + 0.05 * top), 13)
        };
        chart.draw_series(bars.iter().map(number)).map_err(failed)?;
        Ok(())
    }

    /// The names of groups, below the axis.
    fn draw_names(&self, chart: &mut Plane, top: f64) -> Result<(), Error> {
        let area = chart.plotting_area();
        // The height of a line of text in units of the axis.
        let line_height = top * f64::from(NAME_HEIGHT) / f64::from(area.dim_in_pixel().1.max(1));
        for (place, group) in self.groups.iter().enumerate() {
            for (line, text) in broken(&group.name).into_iter().enumerate() {
                let below = -0.02 * top - line as f64 * line_height;
                let name = label(text, (place as f64 + 0.5, below), 14);
                area.draw(&name).map_err(failed)?;
            }
        }
        Ok(())
    }

    /// The lines of the longest group name.
    fn name_lines(&self) -> usize {
        self.groups.iter().map(|group| broken(&group.name).len()).max().unwrap_or(1)
    }
}

/// A name broken between words into lines that fit below its group.
fn broken(name: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in name.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= NAME_LETTERS => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Text centred below a point.
fn label(text: String, place: (f64, f64), size: u32) -> Text<'static, (f64, f64), String> {
    use plotters::style::text_anchor::{HPos, Pos, VPos};
    let style =
        ("sans-serif", size).into_text_style(&NO_AREA).pos(Pos::new(HPos::Center, VPos::Top));
    Text::new(text, place, style)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::super::draw;
    use super::*;

    fn chart(bars: Vec<Option<f64>>) -> BarChart {
        let group = Group { name: "H & Co".into(), bars };
        let series = vec!["cached".into(), "sequential".into()];
        BarChart { title: "Bandwidth".into(), unit: "GB/s".into(), series, groups: vec![group] }
    }

    fn boxed(bars: Vec<Option<f64>>) -> Box<dyn Chart> {
        Box::new(chart(bars))
    }

    #[test]
    fn every_word_and_bar_is_in_the_figure() {
        let svg =
            draw(&[boxed(vec![Some(42.0), Some(7.5)]), boxed(vec![Some(1e-3), None])]).unwrap();
        for text in
            ["<svg", "Bandwidth", "GB/s", "cached", "sequential", "42.0", "7.50", "H &amp; Co"]
        {
            assert!(svg.contains(text), "{text}: {svg}");
        }
    }

    #[test]
    fn long_names_are_broken_between_words() {
        assert_eq!(broken("4x4 blocks, multiple targets"), ["4x4 blocks,", "multiple targets"]);
        assert_eq!(broken("unbreakable-as-it-is-all-one"), ["unbreakable-as-it-is-all-one"]);
        assert!(broken("").is_empty());
        let mut long = chart(vec![Some(1.0), None]);
        long.groups[0].name = "a name that is as long as three lines are".into();
        assert_eq!(long.height(), HEIGHT + 2 * NAME_HEIGHT);
        let svg = draw(&[Box::new(long)]).unwrap();
        assert!(svg.contains("a name that is as") && svg.contains("lines are"), "{svg}");
    }

    #[test]
    fn a_chart_of_nothing_is_drawn() {
        assert!(draw(&[boxed(vec![None, None])]).unwrap().contains("</svg>"));
        assert!(draw(&[boxed(vec![Some(0.0), Some(f64::NAN)])]).unwrap().contains("</svg>"));
        assert!(draw(&[]).unwrap().contains("</svg>"));
    }
}
