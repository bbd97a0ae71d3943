//! Charts as SVG, one below the other in a file: grouped bars here, lines beside.

mod lines;
mod rows;

use std::io::Write;
use std::path::Path;

use anyhow::anyhow;
use plotters::coord::Shift;
use plotters::prelude::*;

use quadrille::io;

use super::numbers::three_digits;
use super::output;

pub(super) use lines::{LineChart, Series};

/// A figure that can stand in a file.
pub(super) trait Chart {
    /// How wide it must be, in pixels.
    fn width(&self) -> u32;

    /// How high it must be, in pixels.
    fn height(&self) -> u32 {
        HEIGHT
    }

    /// Draws itself over an area.
    fn draw(&self, area: &Area<'_>) -> anyhow::Result<()>;
}

/// Where a figure is drawn.
type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Bars in groups: each group has at most one bar of each series.
pub(super) struct BarChart {
    /// What stands above.
    pub(super) title: String,
    /// What the axis counts.
    pub(super) unit: String,
    /// What the bars of one colour have in common.
    pub(super) series: Vec<String>,
    /// What stands side by side.
    pub(super) groups: Vec<Group>,
}

/// A group of bars.
pub(super) struct Group {
    /// What stands below.
    pub(super) name: String,
    /// A bar for each series, in their order; none where there is nothing to show.
    pub(super) bars: Vec<Option<f64>>,
}

/// Of a figure, at least; of the place of a group, so that its name fits below; of the place of a
/// bar, so that its number fits above.
const WIDTH: u32 = 800;
const GROUP_WIDTH: usize = 120;
const BAR_WIDTH: usize = 50;
const HEIGHT: u32 = 400;
/// Of a figure with upright bars, at most: others lie.
const WIDEST: u32 = 960;
/// A line of a group's name, in pixels and in letters.
const NAME_HEIGHT: u32 = 16;
const NAME_LETTERS: usize = 17;
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
/// The colour of a series; they come again after the last.
fn colour(index: usize) -> RGBColor {
    COLOURS.get(index % COLOURS.len()).copied().unwrap_or(BLACK)
}

/// The part of its place that a group of bars fills.
const FILLED: f64 = 0.8;

/// Refuses, before any work, a file that could not be written after it.
pub(super) fn check(path: &Path) -> Result<(), io::Error> {
    quadrille::internal::must_end_in(path, ".svg")?;
    output::check_folder(path)
}

/// Draws the charts and writes them whole.
pub(super) fn write(path: &Path, charts: &[impl Chart]) -> anyhow::Result<()> {
    let svg = draw(charts)?;
    Ok(quadrille::internal::write_whole(path, |file| file.write_all(svg.as_bytes()))?)
}

/// The charts as SVG, one below the other.
pub(super) fn draw<C: Chart>(charts: &[C]) -> anyhow::Result<String> {
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

/// The width and the height of charts one below the other: each has as much as the largest.
pub(super) fn size(charts: &[impl Chart]) -> (u32, u32) {
    let width = charts.iter().map(Chart::width).max().unwrap_or(0).max(WIDTH);
    let height = charts.iter().map(Chart::height).max().unwrap_or(HEIGHT);
    (width, height * charts.len().max(1) as u32)
}

/// The errors of plotters borrow what anyhow cannot keep.
fn failed(error: impl std::fmt::Display) -> anyhow::Error {
    anyhow!("cannot draw the figure: {error}")
}

/// The room below a title that is there.
fn titled<'a>(area: &Area<'a>, title: &str) -> anyhow::Result<Area<'a>> {
    match title {
        "" => Ok(area.clone()),
        title => area.margin(8, 0, 0, 0).titled(title, ("sans-serif", 20)).map_err(failed),
    }
}

impl Chart for BarChart {
    fn width(&self) -> u32 {
        if self.lies() { WIDTH } else { self.standing() }
    }

    fn height(&self) -> u32 {
        if self.lies() {
            return self.rows_height();
        }
        HEIGHT + NAME_HEIGHT * (self.name_lines().saturating_sub(1)) as u32
    }

    fn draw(&self, area: &Area<'_>) -> anyhow::Result<()> {
        if self.lies() {
            return self.draw_rows(area);
        }
        let groups = self.groups.len().max(1) as f64;
        let largest = self.largest();
        // Room for the numbers above the bars, and for the names of the colours above those.
        // The names of series stand above the highest bar, which they would hide.
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
    /// The names of the colours, where there are several.
    fn draw_legend<'a, 'b: 'a>(&self, chart: &mut Plane<'a, 'b>) -> anyhow::Result<()> {
        if self.series.len() > 1 {
            let mut labels = chart.configure_series_labels();
            let labels = labels.position(SeriesLabelPosition::UpperRight);
            let labels = labels.background_style(WHITE.mix(0.8)).label_font(("sans-serif", 14));
            labels.draw().map_err(failed)?;
        }
        Ok(())
    }

    /// How wide it would be with its bars upright.
    fn standing(&self) -> u32 {
        (self.groups.len() * GROUP_WIDTH.max(self.series.len() * BAR_WIDTH)) as u32
    }

    /// Whether it would be so wide that a page had to shrink its letters.
    fn lies(&self) -> bool {
        self.standing() > WIDEST
    }

    fn largest(&self) -> f64 {
        let bars = self.groups.iter().flat_map(|group| group.bars.iter().flatten());
        bars.copied().filter(|bar| bar.is_finite()).fold(0.0, f64::max)
    }

    /// One colour: its bars, each with its number above.
    fn draw_series(&self, chart: &mut Plane, index: usize, top: f64) -> anyhow::Result<()> {
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
    fn draw_names(&self, chart: &mut Plane, top: f64) -> anyhow::Result<()> {
        let area = chart.plotting_area();
        // What a line's height is on the axis, whose numbers grow upwards.
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

    /// Lines of the longest of the groups' names.
    fn name_lines(&self) -> usize {
        self.groups.iter().map(|group| broken(&group.name).len()).max().unwrap_or(1)
    }
}

/// A name in lines that fit below its group, as far as its words are short enough.
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

type Plane<'a, 'b> = ChartContext<
    'a,
    SVGBackend<'b>,
    Cartesian2d<plotters::coord::types::RangedCoordf64, plotters::coord::types::RangedCoordf64>,
>;

/// Text whose top is in the middle of a place.
fn label(text: String, place: (f64, f64), size: u32) -> Text<'static, (f64, f64), String> {
    use plotters::style::text_anchor::{HPos, Pos, VPos};
    let style =
        ("sans-serif", size).into_text_style(&NO_AREA).pos(Pos::new(HPos::Center, VPos::Top));
    Text::new(text, place, style)
}

/// What sizes in percent would be relative to; ours are in pixels.
const NO_AREA: (u32, u32) = (WIDTH, HEIGHT);

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn chart(bars: Vec<Option<f64>>) -> BarChart {
        let group = Group { name: "H & Co".into(), bars };
        let series = vec!["cached".into(), "sequential".into()];
        BarChart { title: "Bandwidth".into(), unit: "GB/s".into(), series, groups: vec![group] }
    }

    #[test]
    fn every_word_and_bar_is_in_the_figure() {
        let svg =
            draw(&[chart(vec![Some(42.0), Some(7.5)]), chart(vec![Some(1e-3), None])]).unwrap();
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
        let svg = draw(&[long]).unwrap();
        assert!(svg.contains("a name that is as") && svg.contains("lines are"), "{svg}");
    }

    #[test]
    fn a_chart_of_nothing_is_drawn() {
        assert!(draw(&[chart(vec![None, None])]).unwrap().contains("</svg>"));
        assert!(draw(&[chart(vec![Some(0.0), Some(f64::NAN)])]).unwrap().contains("</svg>"));
        assert!(draw::<BarChart>(&[]).unwrap().contains("</svg>"));
    }
}
