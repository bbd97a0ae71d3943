//! Grouped horizontal bars, each group below its name, for more groups than fit side by side.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::super::super::Error;
use super::super::super::numbers::three_digits;
use super::bars::Bars;
use super::canvas::{Area, BELOW, MARGIN, NUMBERS, WORDS, colour, failed};
use super::words::anchored;

/// The heights of a name, of a bar, and of the gap below a group.
const NAME: f64 = 20.0;
const BAR: f64 = 17.0;
const GAP: f64 = 6.0;
/// The width of the number beside a bar.
const NUMBER: f64 = 64.0;

impl Bars<'_> {
    fn group_height(&self) -> f64 {
        NAME + BAR * self.series.len() as f64 + GAP
    }

    fn plane_height(&self) -> f64 {
        self.group_height() * self.groups.len().max(1) as f64
    }

    pub(super) fn horizontal_height(&self) -> u32 {
        self.plane_height() as u32 + BELOW + 2 * MARGIN
    }

    pub(super) fn draw_horizontal(&self, area: &Area<'_>) -> Result<(), Error> {
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
        let at = Pos::new(HPos::Left, VPos::Center);
        for (place, (name, bars)) in self.groups.iter().enumerate() {
            let top = height - place as f64 * self.group_height();
            let name = anchored(name, (0.0, top - 0.5 * NAME), WORDS, at);
            area.draw(&name).map_err(failed)?;
            for (index, bar) in bars.iter().enumerate().take(self.series.len()) {
                let Some(length) = bar.filter(|bar| bar.is_finite()) else { continue };
                let top = top - NAME - index as f64 * BAR;
                let corners = [(0.0, top), (length, top - BAR + 1.5)];
                area.draw(&Rectangle::new(corners, colour(index).filled())).map_err(failed)?;
                let end = (length + 0.008 * right, top - 0.5 * BAR);
                area.draw(&anchored(&three_digits(length), end, NUMBERS, at)).map_err(failed)?;
            }
        }
        Ok(())
    }
}
