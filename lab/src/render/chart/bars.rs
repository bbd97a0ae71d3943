//! Grouped bars: upright if their names and numbers fit, else horizontal.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::super::super::Error;
use super::super::super::numbers::three_digits;
use super::canvas::{Area, Chart, HEIGHT, LEFT, MARGIN, NUMBERS, Plane, WORDS, colour, failed};
use super::legend::{self, Entry, Mark};
use super::words::anchored;
use crate::report::text::broken;

/// Bars in groups, with at most one bar of each series in a group.
pub(super) struct Bars<'a> {
    pub(super) unit: &'a str,
    pub(super) series: &'a [String],
    pub(super) groups: &'a [(String, Vec<Option<f64>>)],
    pub(super) width: u32,
}

/// The least width of a group, so that its name fits below.
const GROUP_WIDTH: usize = 120;
/// The least width of a bar, so that its number fits above.
const BAR_WIDTH: usize = 50;
/// The height of a line of a group's name, in pixels.
const NAME_HEIGHT: u32 = 16;
/// The letters in a line of a group's name.
const NAME_LETTERS: usize = 17;
/// The part of the width of a group that its bars fill.
pub(super) const FILLED: f64 = 0.8;

impl Chart for Bars<'_> {
    fn height(&self) -> u32 {
        self.legend_height()
            + match self.is_horizontal() {
                true => self.horizontal_height(),
                false => HEIGHT + NAME_HEIGHT * self.name_lines() as u32,
            }
    }

    fn draw(&self, area: &Area<'_>) -> Result<(), Error> {
        let (head, body) = area.split_vertically(self.legend_height());
        if self.has_legend() {
            legend::draw(&head, &self.entries())?;
        }
        if self.is_horizontal() { self.draw_horizontal(&body) } else { self.draw_upright(&body) }
    }
}

impl Bars<'_> {
    fn entries(&self) -> Vec<Entry<'_>> {
        let names = self.series.iter().enumerate();
        names
            .map(|(index, name)| Entry { name, colour: colour(index), mark: Mark::Square })
            .collect()
    }

    /// One series needs no name beside the title.
    fn has_legend(&self) -> bool {
        self.series.len() > 1
    }

    fn legend_height(&self) -> u32 {
        if !self.has_legend() {
            return 0;
        }
        legend::height(self.series.iter().map(String::as_str), self.width)
    }

    fn is_horizontal(&self) -> bool {
        let needs = self.groups.len() * GROUP_WIDTH.max(self.series.len() * BAR_WIDTH);
        needs as u32 + LEFT > self.width
    }

    pub(super) fn largest(&self) -> f64 {
        let bars = self.groups.iter().flat_map(|(_, bars)| bars.iter().flatten());
        bars.copied().filter(|bar| bar.is_finite()).fold(0.0, f64::max)
    }

    fn draw_upright(&self, area: &Area<'_>) -> Result<(), Error> {
        let groups = self.groups.len().max(1) as f64;
        // Room for the numbers above the bars.
        let top = if self.largest() > 0.0 { 1.1 * self.largest() } else { 1.0 };
        let mut plane = ChartBuilder::on(area)
            .margin(MARGIN)
            .x_label_area_size(8 + NAME_HEIGHT * self.name_lines() as u32)
            .y_label_area_size(LEFT)
            .build_cartesian_2d(0.0..groups, 0.0..top)
            .map_err(failed)?;
        plane
            .configure_mesh()
            .disable_x_mesh()
            .disable_x_axis()
            .max_light_lines(1)
            .y_labels(6)
            .y_desc(self.unit)
            .y_label_formatter(&|number| super::words::tick(*number))
            .label_style(("sans-serif", WORDS))
            .draw()
            .map_err(failed)?;
        self.draw_names(area, &plane)?;
        (0..self.series.len()).try_for_each(|index| self.draw_series(&mut plane, index, top))
    }

    /// The bars of one series, each with its number above.
    fn draw_series(&self, plane: &mut Plane<'_, '_>, index: usize, top: f64) -> Result<(), Error> {
        let width = FILLED / self.series.len().max(1) as f64;
        for (place, (_, bars)) in self.groups.iter().enumerate() {
            let Some(height) = bars.get(index).copied().flatten().filter(|bar| bar.is_finite())
            else {
                continue;
            };
            let left = place as f64 + 0.5 * (1.0 - FILLED) + index as f64 * width;
            let corners = [(left, 0.0), (left + 0.95 * width, height)];
            let area = plane.plotting_area();
            area.draw(&Rectangle::new(corners, colour(index).filled())).map_err(failed)?;
            let above = (left + 0.475 * width, height + 0.008 * top);
            let at = Pos::new(HPos::Center, VPos::Bottom);
            area.draw(&anchored(&three_digits(height), above, NUMBERS, at)).map_err(failed)?;
        }
        Ok(())
    }

    /// The names of groups below the axis: outside the plane, which would move them onto its edge.
    fn draw_names(&self, area: &Area<'_>, plane: &Plane<'_, '_>) -> Result<(), Error> {
        let (left, top) = area.get_base_pixel();
        for (place, (name, _)) in self.groups.iter().enumerate() {
            let (x, y) = plane.backend_coord(&(place as f64 + 0.5, 0.0));
            for (line, words) in name_lines(name).iter().enumerate() {
                let below = (x - left, y - top + 6 + line as i32 * NAME_HEIGHT as i32);
                let at = Pos::new(HPos::Center, VPos::Top);
                area.draw(&anchored(words, below, WORDS, at)).map_err(failed)?;
            }
        }
        Ok(())
    }

    /// The lines of the longest group name.
    fn name_lines(&self) -> usize {
        self.groups.iter().map(|(name, _)| name_lines(name).len()).max().unwrap_or(1)
    }
}

fn name_lines(name: &str) -> Vec<String> {
    broken(name.split_whitespace(), NAME_LETTERS)
}

#[cfg(test)]
mod tests {
    use super::super::tests::texts;
    use super::super::{NARROW, WIDE, of_plot};
    use crate::report::Plot;

    fn bars(groups: &[(&str, [Option<f64>; 2])]) -> Plot {
        let group = |(name, bars): &(&str, [Option<f64>; 2])| ((*name).to_owned(), bars.to_vec());
        Plot::Bars {
            unit: "GB/s".into(),
            series: vec!["cached".into(), "sequential".into()],
            groups: groups.iter().map(group).collect(),
        }
    }

    #[test]
    fn every_word_and_bar_is_in_the_figure_at_any_width() {
        let plot = bars(&[("H & Co", [Some(42.0), Some(7.5)]), ("none", [None, None])]);
        for width in [WIDE, NARROW] {
            let svg = of_plot(&plot, width).unwrap().svg;
            for text in ["<svg", "GB/s", "cached", "sequential", "42.0", "7.50", "H &amp; Co"] {
                assert!(svg.contains(text), "{text}: {svg}");
            }
        }
    }

    #[test]
    fn lines_of_a_name_are_apart_and_inside_the_drawing() {
        let plot = bars(&[("a name that is as long as three lines are", [Some(1.0), None])]);
        let drawing = of_plot(&plot, WIDE).unwrap();
        let texts = texts(&drawing.svg);
        let y = |words: &str| texts.iter().find(|text| text.2 == words).unwrap().1;
        let lines = [y("a name that is as"), y("long as three"), y("lines are")];
        assert!(lines[0] + 12.0 < lines[1] && lines[1] + 12.0 < lines[2], "{lines:?}");
        assert!(lines[2] < f64::from(drawing.height) - 4.0);
    }

    #[test]
    fn many_groups_are_horizontal_with_names_and_numbers() {
        let names: Vec<String> = (1..=15).map(|n| format!("method {n}")).collect();
        let groups: Vec<_> = names
            .iter()
            .zip(1..)
            .map(|(name, n)| (name.as_str(), [Some(f64::from(n)), None]))
            .collect();
        let drawing = of_plot(&bars(&groups), WIDE).unwrap();
        assert!(drawing.width == WIDE && drawing.height > 15 * 36);
        let texts = texts(&drawing.svg);
        let y = |words: &str| texts.iter().find(|text| text.2 == words).unwrap().1;
        assert!(y("method 1") < y("method 15") && y("15.0") > y("method 15"));
    }

    #[test]
    fn a_chart_of_nothing_is_drawn() {
        for bars in [bars(&[]), bars(&[("a", [Some(0.0), Some(f64::NAN)])])] {
            assert!(of_plot(&bars, NARROW).unwrap().svg.contains("</svg>"));
        }
    }
}
