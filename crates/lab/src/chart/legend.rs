//! The names of series, in rows above a chart, where they hide nothing.

use plotters::prelude::*;

use super::canvas::{Area, MARGIN, NUMBERS, failed};
use super::words::{text, width};
use crate::Result;

pub(super) struct Entry<'a> {
    pub(super) name: &'a str,
    pub(super) colour: RGBColor,
    pub(super) mark: Mark,
}

#[derive(Clone, Copy)]
pub(super) enum Mark {
    Square,
    /// The width of its stroke.
    Line(u32),
}

const ROW: u32 = 20;
const SAMPLE: i32 = 18;
const GAP: u32 = 18;

pub(super) fn height<'a>(names: impl Iterator<Item = &'a str>, across: u32) -> u32 {
    places(names, across).last().map_or(0, |(_, row)| (row + 1) * ROW + 8)
}

/// The places where the names begin: pixels from the left, and the row.
fn places<'a>(names: impl Iterator<Item = &'a str>, across: u32) -> Vec<(u32, u32)> {
    let (mut x, mut row) = (MARGIN, 0);
    let place = |name: &str| {
        let needs = SAMPLE as u32 + 6 + width(name) + GAP;
        if x > MARGIN && x + needs > across {
            (x, row) = (MARGIN, row + 1);
        }
        let place = (x, row);
        x += needs;
        place
    };
    names.map(place).collect()
}

pub(super) fn draw(area: &Area<'_>, entries: &[Entry<'_>]) -> Result<()> {
    let (across, _) = area.dim_in_pixel();
    let places = places(entries.iter().map(|entry| entry.name), across);
    for (entry, (x, row)) in entries.iter().zip(places) {
        let (x, y) = (x as i32, (8 + row * ROW + ROW / 2) as i32);
        let drawn = match entry.mark {
            Mark::Square => {
                let corners = [(x + 4, y - 5), (x + 14, y + 5)];
                area.draw(&Rectangle::new(corners, entry.colour.filled()))
            }
            Mark::Line(stroke) => {
                let ends = [(x, y), (x + SAMPLE, y)];
                area.draw(&PathElement::new(ends, entry.colour.stroke_width(stroke)))
            }
        };
        drawn.map_err(failed)?;
        area.draw(&text(entry.name, (x + SAMPLE + 6, y - 7), NUMBERS)).map_err(failed)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_do_not_fit_go_to_the_next_row() {
        let names = ["one", "two", "a name of twenty-six letters"];
        assert_eq!(places(names.into_iter(), 800).last().map(|place| place.1), Some(0));
        assert_eq!(places(names.into_iter(), 250).last(), Some(&(MARGIN, 1)));
        assert_eq!(height(std::iter::empty(), 300), 0);
    }
}
