//! The diagonals of a file as they are met, and the widths that they still allow.

use std::path::Path;

use super::super::error::{in_file, no_memory, whole_file};
use super::super::{Error, Result};
use super::scanner::{Entry, Position, check_held};
use crate::data::{self, Band, Float, MIN_WIDTH, NineBanded, check_sizes, zeros};
use crate::memory;

/// What the entries so far say about the distance of the outer bands.
#[derive(Clone, Debug, PartialEq)]
enum Width {
    /// Nothing: all of them lie on the three middle diagonals.
    Open,
    /// It is one of these.
    Among(Vec<usize>),
    /// The caller said it.
    Given(usize),
}

impl Width {
    /// The widths that remain with an entry on this diagonal; none where it fits no width.
    fn with(&self, offset: isize) -> Width {
        let far = offset.unsigned_abs();
        match self {
            _ if far <= 1 => self.clone(),
            Width::Open => Width::Among((far - 1..=far + 1).filter(|&m| m >= MIN_WIDTH).collect()),
            Width::Among(widths) => {
                let fits = |m: &usize| Band::at_offset(offset, *m).is_some();
                Width::Among(widths.iter().copied().filter(fits).collect())
            }
            &Width::Given(m) if Band::at_offset(offset, m).is_some() => Width::Given(m),
            Width::Given(_) => Width::Among(Vec::new()),
        }
    }

    fn is_impossible(&self) -> bool {
        matches!(self, Width::Among(widths) if widths.is_empty())
    }

    /// For an error: the possible diagonals, and the reason.
    fn explain(&self) -> String {
        match self {
            Width::Open => format!(
                "which belongs to no grid: from +-2 on, the diagonals are +-(m-1), +-m, +-(m+1) with a width m of at least {MIN_WIDTH}"
            ),
            Width::Given(m) => format!("but with the given width {m} {}", diagonals(*m)),
            Width::Among(widths) => match widths[..] {
                [m] => format!(
                    "but the entries before it leave only the width {m}, where {}",
                    diagonals(m)
                ),
                _ => format!(
                    "but the entries before it leave only a width among {widths:?}, with diagonals +-(m-1), +-m, +-(m+1) beside the three in the middle"
                ),
            },
        }
    }
}

fn diagonals(m: usize) -> String {
    format!("the diagonals are 0, +-1, +-{}, +-{m}, +-{}", m - 1, m + 1)
}

/// The nonzero diagonals of a square matrix: never more than nine.
pub(super) struct Diagonals {
    n: usize,
    width: Width,
    found: Vec<(isize, Vec<f64>)>,
}

impl Diagonals {
    pub(super) fn new(n: usize, width: Option<usize>) -> data::Result<Self> {
        check_sizes(n, width.unwrap_or(MIN_WIDTH))?;
        let width = width.map_or(Width::Open, Width::Given);
        Ok(Diagonals { n, width, found: Vec::with_capacity(9) })
    }

    /// Adds an entry to its diagonal, or refuses it where no width explains it with those before it.
    pub(super) fn add<T: Float>(&mut self, position: &Position<'_>, entry: Entry) -> Result<()> {
        if entry.value == 0.0 {
            return Ok(());
        }
        let offset = entry.col as isize - entry.row as isize;
        let known = self.found.iter().position(|(known, _)| *known == offset);
        let index = match known {
            Some(index) => index,
            None => self.start(position, entry, offset)?,
        };
        let sum = &mut self.found[index].1[entry.row];
        *sum += entry.value;
        check_held::<T>(position, entry, *sum)
    }

    /// Makes room for a diagonal that was not met before.
    fn start(&mut self, position: &Position<'_>, entry: Entry, offset: isize) -> Result<usize> {
        let width = self.width.with(offset);
        if width.is_impossible() {
            return Err(Error::NotNineBanded {
                place: position.place(),
                row: entry.row + 1,
                col: entry.col + 1,
                diagonal: offset,
                why: self.width.explain(),
            });
        }
        let room = zeros(self.n)
            .map_err(|reason| Error::Data { place: position.place(), reason: Box::new(reason) })?;
        self.width = width;
        self.found.push((offset, room));
        Ok(self.found.len() - 1)
    }

    /// The matrix, each entry rounded to its type.
    pub(super) fn finish<T: Float>(self, path: &Path) -> Result<NineBanded<T>> {
        let Some(m) = self.choose() else {
            return Err(Error::WidthOpen { place: whole_file(path), n: self.n });
        };
        let mut bands: [Vec<T>; 9] = Default::default();
        for (offset, entries) in self.found {
            if let Some(band) = Band::at_offset(offset, m) {
                let rounded = entries.into_iter().map(T::nearest);
                bands[band.index()] =
                    memory::collected(self.n, rounded).map_err(no_memory(path))?;
            }
        }
        for band in bands.iter_mut().filter(|band| band.is_empty()) {
            *band = zeros(self.n).map_err(in_file(path))?;
        }
        NineBanded::new(m, bands).map_err(in_file(path))
    }

    /// The width: the largest offset itself where it is possible, else one less, else one more.
    fn choose(&self) -> Option<usize> {
        match &self.width {
            Width::Open => None,
            Width::Given(m) => Some(*m),
            Width::Among(widths) => {
                let largest = self.found.iter().map(|(offset, _)| offset.unsigned_abs()).max()?;
                let preferred = [largest, largest - 1, largest + 1];
                preferred.into_iter().find(|width| widths.contains(width))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_narrow_as_diagonals_are_met() {
        let first = Width::Open.with(16);
        assert_eq!(first, Width::Among(vec![15, 16, 17]));
        assert_eq!(first.with(1), first);
        assert_eq!(first.with(-14), Width::Among(vec![15]));
        assert!(first.with(-14).with(17).is_impossible());
    }

    #[test]
    fn the_diagonal_beside_the_middle_three_means_width_three() {
        assert_eq!(Width::Open.with(-2), Width::Among(vec![3]));
    }
}
