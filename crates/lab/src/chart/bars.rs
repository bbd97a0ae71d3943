//! Grouped horizontal bars, each group below its name: they fit whatever there are.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::canvas::{Area, BELOW, Chart, MARGIN, NUMBERS, WORDS, colours, failed};
use super::legend::{self, Entry, Mark};
use super::words::anchored;
use crate::Result;
use crate::numbers::three_digits;

/// Bars in groups, with at most one bar of each series in a group.
pub(super) struct Bars<'a> {
    pub(super) unit: &'a str,
    pub(super) series: &'a [String],
    pub(super) groups: &'a [(String, Vec<Option<f64>>)],
    pub(super) width: u32,
}

/// The heights of a name, of a bar, and of the gap below a group.
const NAME: f64 = 20.0;
const BAR: f64 = 17.0;
const GAP: f64 = 6.0;
/// The width of the number beside a bar.
const NUMBER: f64 = 64.0;

impl Chart for Bars<'_> {
    fn height(&self) -> u32 {
        self.legend_height() + self.plane_height() as u32 + BELOW + 2 * MARGIN
    }

    fn draw(&self, area: &Area<'_>) -> Result<()> {
        let (head, body) = area.split_vertically(self.legend_height());
        if self.has_legend() {
            legend::draw(&head, &self.entries())?;
        }
        self.draw_bars(&body)
    }
}

impl Bars<'_> {
    fn entries(&self) -> Vec<Entry<'_>> {
        let names = self.series.iter().zip(self.colours());
        names.map(|(name, colour)| Entry { name, colour, mark: Mark::Square }).collect()
    }

    fn colours(&self) -> Vec<RGBColor> {
        colours(self.series.iter().map(String::as_str))
    }

    /// Returns whether there is a legend: a single series needs no name beside the title.
    fn has_legend(&self) -> bool {
        self.series.len() > 1
    }

    fn legend_height(&self) -> u32 {
        if !self.has_legend() {
            return 0;
        }
        legend::height(self.series.iter().map(String::as_str), self.width)
    }

    fn largest(&self) -> f64 {
        let bars = self.groups.iter().flat_map(|(_, bars)| bars.iter().flatten());
        bars.copied().filter(|bar| bar.is_finite()).fold(0.0, f64::max)
    }

    fn group_height(&self) -> f64 {
        NAME + BAR * self.series.len() as f64 + GAP
    }

    fn plane_height(&self) -> f64 {
        self.group_height() * self.groups.len().max(1) as f64
    }

    fn draw_bars(&self, area: &Area<'_>) -> Result<()> {
        let across = f64::from(self.width - 2 * MARGIN);
        let right =
            if self.largest() > 0.0 { self.largest() } else { 1.0 } * across / (across - NUMBER);
        let height = self.plane_height();
        let mut plane = ChartBuilder::on(area)
            .margin(MARGIN)
            .x_label_area_size(BELOW)
            .build_cartesian_2d(0.0..right, 0.0..height)
            .map_err(failed)?;
        plane
            .configure_mesh()
            .disable_y_mesh()
            .disable_y_axis()
            .max_light_lines(1)
            .x_labels(6)
            .x_desc(self.unit)
            .x_label_formatter(&|number| super::words::tick(*number))
            .label_style(("sans-serif", WORDS))
            .draw()
            .map_err(failed)?;
        let area = plane.plotting_area();
        let colours = self.colours();
        let at = Pos::new(HPos::Left, VPos::Center);
        for (place, (name, bars)) in self.groups.iter().enumerate() {
            let top = height - place as f64 * self.group_height();
            let name = anchored(name, (0.0, top - 0.5 * NAME), WORDS, at);
            area.draw(&name).map_err(failed)?;
            for (index, (bar, colour)) in bars.iter().zip(&colours).enumerate() {
                let Some(length) = bar.filter(|bar| bar.is_finite()) else { continue };
                let top = top - NAME - index as f64 * BAR;
                let corners = [(0.0, top), (length, top - BAR + 1.5)];
                area.draw(&Rectangle::new(corners, colour.filled())).map_err(failed)?;
                let end = (length + 0.008 * right, top - 0.5 * BAR);
                area.draw(&anchored(&three_digits(length), end, NUMBERS, at)).map_err(failed)?;
            }
        }
        Ok(())
    }
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
    fn many_groups_are_below_each_other_with_names_and_numbers() {
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
