//! Grouped horizontal bars, for more groups than fit side by side.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::super::super::Error;
use super::super::super::numbers::three_digits;
use super::bars::{BarChart, FILLED};
use super::{Area, NO_AREA, Plane, colour, failed, titled};

/// The height of a bar, and of the gap between groups.
const BAR_HEIGHT: usize = 18;
const GROUP_GAP: usize = 8;
/// The height of the axis and the title.
const AROUND: usize = 90;
/// The width of a letter of a name.
const LETTER: usize = 8;

impl BarChart {
    pub(super) fn horizontal_height(&self) -> u32 {
        (self.groups.len() * (self.series.len() * BAR_HEIGHT + GROUP_GAP) + AROUND) as u32
    }

    pub(super) fn draw_horizontal(&self, area: &Area<'_>) -> Result<(), Error> {
        // Room for the numbers beside the bars, and beside those for the names of the series.
        let room = if self.series.len() > 1 { 1.4 } else { 1.15 };
        let right = if self.largest() > 0.0 { room * self.largest() } else { 1.0 };
        let letters = self.groups.iter().map(|group| group.name.chars().count()).max();
        let area = titled(area, &self.title)?;
        let mut chart = ChartBuilder::on(&area)
            .margin(12)
            .x_label_area_size(48)
            .y_label_area_size((LETTER * letters.unwrap_or(0) + 12) as u32)
            .build_cartesian_2d(0.0..right, 0.0..self.groups.len().max(1) as f64)
            .map_err(failed)?;
        chart
            .configure_mesh()
            .disable_y_mesh()
            .disable_y_axis()
            .max_light_lines(1)
            .x_labels(6)
            .x_desc(&self.unit)
            .label_style(("sans-serif", 14))
            .draw()
            .map_err(failed)?;
        for (place, group) in self.groups.iter().enumerate() {
            let middle = self.top_of(place) - 0.5;
            // Text left of the axis is moved onto it: a space keeps the name off.
            let name = format!("{}\u{a0}", group.name);
            let name = beside(name, (0.0, middle), HPos::Right, 14);
            chart.plotting_area().draw(&name).map_err(failed)?;
        }
        for index in 0..self.series.len() {
            self.draw_series_horizontally(&mut chart, index, right)?;
        }
        self.draw_legend(&mut chart)
    }

    /// The top of a group on the axis; the first group is the highest.
    fn top_of(&self, place: usize) -> f64 {
        self.groups.len().saturating_sub(place) as f64
    }

    /// The bars of one series, each with its number at the end.
    fn draw_series_horizontally(
        &self,
        chart: &mut Plane,
        index: usize,
        right: f64,
    ) -> Result<(), Error> {
        let colour = colour(index);
        let height = FILLED / self.series.len().max(1) as f64;
        let bars: Vec<(f64, f64)> = self
            .groups
            .iter()
            .enumerate()
            .filter_map(|(place, group)| {
                let top = self.top_of(place) - 0.5 * (1.0 - FILLED) - index as f64 * height;
                Some((top, (*group.bars.get(index)?)?))
            })
            .collect();
        let rectangle = |(top, length): &(f64, f64)| {
            Rectangle::new([(0.0, *top), (*length, top - 0.92 * height)], colour.filled())
        };
        let drawn = chart.draw_series(bars.iter().map(rectangle)).map_err(failed)?;
        let name = self.series.get(index).map_or("", String::as_str);
        drawn
            .label(name)
            .legend(move |(x, y)| Rectangle::new([(x, y - 5), (x + 10, y + 5)], colour.filled()));
        let number = |(top, length): &(f64, f64)| {
            let end = (length + 0.008 * right, top - 0.46 * height);
            beside(three_digits(*length), end, HPos::Left, 13)
        };
        chart.draw_series(bars.iter().map(number)).map_err(failed)?;
        Ok(())
    }
}

/// Text beside a point, vertically centred.
fn beside(
    text: String,
    place: (f64, f64),
    side: HPos,
    size: u32,
) -> Text<'static, (f64, f64), String> {
    let style = ("sans-serif", size).into_text_style(&NO_AREA).pos(Pos::new(side, VPos::Center));
    Text::new(text, place, style)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::super::{Chart, Group, WIDTH, draw};
    use super::*;

    #[test]
    fn many_groups_lie_below_each_other_with_names_and_numbers() {
        let group =
            |n: usize| Group { name: format!("method {n}"), bars: vec![Some(n as f64), None] };
        let chart = BarChart {
            title: "Rates".into(),
            unit: "GFLOPS".into(),
            series: vec!["one".into(), "two".into()],
            groups: (1..=15).map(group).collect(),
        };
        assert!(chart.is_horizontal() && chart.width() == WIDTH && chart.height() > 15 * 36);
        let svg = draw(&[Box::new(chart)]).unwrap();
        for text in ["Rates", "GFLOPS", "method 1\u{a0}", "method 15", "15.0", "two"] {
            assert!(svg.contains(text), "{text}: {svg}");
        }
    }
}
