//! The places of messages' texels in the panels of a rank: plain arithmetic, no GL.

use std::collections::BTreeMap;

use crate::grid::{Part, Plan};
use crate::{Extent, Rectangle};

/// Texels in a row of a strip.
const WIDTH: usize = 1024;

/// Texels that are side by side in a message and in a strip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// The message's index.
    pub(super) message: usize,
    /// The first texel in the message.
    pub(super) at: usize,
    /// The first texel in the strip.
    pub(super) strip: usize,
    pub(super) length: usize,
}

/// The texels of one panel that messages have.
#[derive(Debug)]
pub(super) struct StripPlan {
    pub(super) panel: usize,
    /// The places of the strip's texels, row by row, in texels of the panel.
    rows: Vec<Rectangle>,
    pub(super) runs: Vec<Run>,
}

/// The strips of a rank's panels, and the texels of each message.
#[derive(Debug)]
pub(super) struct Strips {
    pub(super) strips: Vec<StripPlan>,
    pub(super) lengths: Vec<(usize, usize)>,
}

/// Returns the strips for messages to or from other ranks: each rectangle of the rank's texels goes
/// with the rank at the other end, in the order that both ends use. `of_part` is what a panel
/// gives, or takes.
pub(super) fn strips(
    copies: impl Iterator<Item = (usize, Rectangle)>,
    panels: &Plan,
    of_part: fn(&Part) -> Rectangle,
) -> Strips {
    let mut by_rank: BTreeMap<usize, Vec<Rectangle>> = BTreeMap::new();
    copies.for_each(|(other, place)| by_rank.entry(other).or_default().push(place));
    let texels = |places: &Vec<Rectangle>| places.iter().map(|place| place.texels()).sum();
    let lengths = by_rank.iter().map(|(other, places)| (*other, texels(places))).collect();
    let strips = panels.parts().iter().enumerate().map(|(panel, part)| {
        let mut strip = StripPlan { panel, rows: Vec::new(), runs: Vec::new() };
        for (message, places) in by_rank.values().enumerate() {
            let mut at = 0;
            for place in places {
                strip.add(message, at, *place, place.common(of_part(part)), part);
                at += place.texels();
            }
        }
        strip
    });
    let strips = strips.filter(|strip| strip.count() > 0).collect();
    Strips { strips, lengths }
}

impl StripPlan {
    /// Adds what a panel has of a rectangle that begins at this texel of a message.
    fn add(&mut self, message: usize, at: usize, whole: Rectangle, here: Rectangle, part: &Part) {
        if here.texels() == 0 {
            return;
        }
        for y in here.y..here.y + here.height {
            let row = Rectangle { y, height: 1, ..here };
            let before = (y - whole.y) as usize * whole.width as usize + (row.x - whole.x) as usize;
            let (at, strip, length) = (at + before, self.count(), row.width as usize);
            match self.runs.last_mut() {
                Some(run) if run.message == message && run.at + run.length == at => {
                    run.length += length;
                }
                _ => self.runs.push(Run { message, at, strip, length }),
            }
            self.rows.push(part.local(row));
        }
    }

    pub(super) fn count(&self) -> usize {
        self.runs.last().map_or(0, |run| run.strip + run.length)
    }

    /// Returns the extent of the strip's texture.
    pub(super) fn extent(&self) -> Extent {
        let width = self.count().min(WIDTH);
        Extent::new(width as u32, self.count().div_ceil(width.max(1)) as u32)
    }

    /// Returns the column and row in the panel of each texel, and any for those that fill up the
    /// last row.
    pub(super) fn places(&self, extent: Extent) -> Vec<[f32; 2]> {
        let row = |row: &Rectangle| {
            let y = row.y as f32;
            (row.x..row.x + row.width).map(move |x| [x as f32, y])
        };
        let mut places: Vec<[f32; 2]> = self.rows.iter().flat_map(row).collect();
        places.resize(extent.texels(), [0.0; 2]);
        places
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::grid::{GridShape, Halo};

    /// Every texel of each message is in one panel's strip if panels give it, at its place.
    #[test]
    fn strips_have_every_texel_of_each_message() {
        let halo = Halo { steps: 1, across_ends: false };
        let shape = GridShape::new(36, 11);
        let places = [(4, Rectangle::new(1, 0, 7, 2)), (2, Rectangle::new(0, 3, 9, 1))];
        let places = [places[0], places[1], (4, Rectangle::new(8, 5, 1, 6))];
        for limit in [3, 5, 64] {
            let panels = Plan::within(shape, Extent::new(limit, limit), halo).unwrap();
            let Strips { strips, lengths } = strips(places.into_iter(), &panels, |p| p.owned);
            assert_eq!(lengths, [(2, 9), (4, 20)]);
            let mut messages = [vec![None; 9], vec![None; 20]];
            for strip in &strips {
                let found = strip.places(strip.extent());
                assert_eq!(strip.count(), strip.runs.iter().map(|run| run.length).sum::<usize>());
                for run in &strip.runs {
                    for step in 0..run.length {
                        let [x, y] = found[run.strip + step];
                        let part = panels.parts()[strip.panel].stored;
                        let whole = (x as u32 + part.x, y as u32 + part.y);
                        let slot = &mut messages[run.message][run.at + step];
                        assert_eq!(slot.replace(whole), None);
                    }
                }
            }
            let texels = |place: Rectangle| {
                let columns = place.x..place.x + place.width;
                (place.y..place.y + place.height)
                    .flat_map(move |y| columns.clone().map(move |x| Some((x, y))))
            };
            let first: Vec<_> = texels(places[0].1).chain(texels(places[2].1)).collect();
            assert_eq!(messages[1], first);
            assert_eq!(messages[0], texels(places[1].1).collect::<Vec<_>>());
        }
    }
}
