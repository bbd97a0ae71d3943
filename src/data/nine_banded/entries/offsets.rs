//! The diagonals that entries are on, and the widths that they allow.

use crate::data::{Band, MIN_WIDTH};

/// The distance of the outer bands, as far as the entries met determine it.
#[derive(Clone, Debug, PartialEq)]
enum Width {
    /// Any distance: all entries lie on the three middle diagonals.
    Open,
    /// One of these distances, as the entries allow.
    Among(Vec<usize>),
    /// The distance that the caller set.
    Given(usize),
}

impl Width {
    /// Returns the widths that remain with an entry on this diagonal; none where it fits no width.
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

    /// Returns the possible diagonals and the reason, for an error.
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

/// The diagonals that entries were met on: never more than nine.
pub(crate) struct Offsets {
    width: Width,
    found: Vec<isize>,
}

impl Offsets {
    /// Starts without entries; `width` is the distance of the outer bands, if it is known.
    pub(crate) fn new(width: Option<usize>) -> Offsets {
        let width = width.map_or(Width::Open, Width::Given);
        Offsets { width, found: Vec::with_capacity(9) }
    }

    /// Returns the diagonals in the order in which they were met.
    pub(crate) fn found(&self) -> &[isize] {
        &self.found
    }

    /// Returns the index of a diagonal, which may be a new one; where no width explains it with
    /// those before it, the reason.
    pub(crate) fn index(&mut self, offset: isize) -> Result<usize, String> {
        if let Some(index) = self.found.iter().position(|known| *known == offset) {
            return Ok(index);
        }
        let width = self.width.with(offset);
        if width.is_impossible() {
            return Err(self.width.explain());
        }
        self.width = width;
        self.found.push(offset);
        Ok(self.found.len() - 1)
    }

    /// Returns the width: the largest offset itself where it is possible, else one less, else one
    /// more; `None` if only the three middle diagonals were met.
    pub(crate) fn choose(&self) -> Option<usize> {
        match &self.width {
            Width::Open => None,
            Width::Given(m) => Some(*m),
            Width::Among(widths) => {
                let largest = self.found.iter().map(|offset| offset.unsigned_abs()).max()?;
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
