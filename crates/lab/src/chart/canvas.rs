//! The area, the sizes and the colours that all charts share.

use plotters::coord::Shift;
use plotters::prelude::*;

use crate::{Error, MeasurementError, Result};

pub(super) trait Chart {
    fn height(&self) -> u32;

    fn draw(&self, area: &Area<'_>) -> Result<()>;
}

pub(super) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

pub(super) const HEIGHT: u32 = 360;
pub(super) const MARGIN: u32 = 12;
/// Room for the numbers and the unit of an axis, below it and to its left.
pub(super) const BELOW: u32 = 44;
pub(super) const LEFT: u32 = 66;
pub(super) const WORDS: u32 = 14;
pub(super) const NUMBERS: u32 = 13;
pub(super) const TITLE: u32 = 20;
pub(super) const TITLE_HEIGHT: u32 = 26;

/// Colours that colour-blind eyes distinguish (Okabe and Ito).
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(213, 94, 0),
    BLACK,
];

/// The names of those who compute, by the place of the colour that they have in every figure.
const ENGINES: [&[&str]; 7] = [
    &["cpu", "host", "one core"],
    &["vertex"],
    &["feedback"],
    &["fragment"],
    &["compute"],
    &["cpu-lanes", "texture"],
    &["attributes", "simulator"],
];

/// The colours of series by their names: an engine has its own, and others share what these leave,
/// in their order.
pub(super) fn colours<'a>(names: impl Iterator<Item = &'a str>) -> Vec<RGBColor> {
    let own = |name: &str| ENGINES.iter().position(|names| names.contains(&name));
    let own: Vec<Option<usize>> = names.map(own).collect();
    let free = (0..COLOURS.len()).filter(|place| !own.contains(&Some(*place)));
    let free: Vec<usize> = free.collect();
    let mut others = free.iter().copied().cycle();
    let place = |own: Option<usize>| own.or_else(|| others.next()).unwrap_or_default();
    own.into_iter().map(place).map(|place| COLOURS[place]).collect()
}

/// The errors of plotters borrow the drawing, so their text is kept.
pub(super) fn failed(error: impl std::fmt::Display) -> Error {
    MeasurementError::Figure { reason: error.to_string() }.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_has_its_colour_whoever_stands_beside_it() {
        let of = |names: &[&str]| colours(names.iter().copied());
        let [cpu, vertex] = of(&["cpu", "vertex"])[..] else { panic!("two") };
        assert_eq!(of(&["vertex", "host", "else"])[..2], [vertex, cpu]);
        let many = of(&["red", "vertex", "rgba", "packed", "one core"]);
        assert_eq!([many[1], many[4]], [vertex, cpu]);
        for (place, colour) in many.iter().enumerate() {
            assert!(!many[..place].contains(colour), "{many:?}");
        }
        assert_eq!(of(&["a"; 8])[7], of(&["a"])[0]);
    }
}
