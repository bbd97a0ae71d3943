//! Of a constant matrix every row is like one of a small grid, whose properties are found instead.

use std::ops::Range;

use super::{NONE, Piece, Properties, ROWS};
use crate::data::{Band, Block, Constant, Float, NineBanded};

impl Properties {
    /// Finds the properties of the rows of an owned block, of a constant matrix of the stored one, in a
    /// grid in rows of m.
    pub(super) fn of_constant<T: Float>(
        constant: &Constant<T>,
        stored: &Block,
        owned: &Block,
        m: usize,
    ) -> Properties {
        let (xs, ys) = (kept(&stored.columns, &owned.columns), kept(&stored.rows, &owned.rows));
        let small = Block { columns: 0..xs.len(), rows: 0..ys.len() };
        let place = |x: usize, y: usize| (xs[x] - stored.columns.start, ys[y] - stored.rows.start);
        let matrix = NineBanded::of_constant(Constant::new(
            &small,
            Band::ALL.map(|band| constant.coupling(band)),
            |x, y| {
                let (x, y) = place(x, y);
                constant.entry(Band::DD, x, y)
            },
        ));
        let width = xs.len();
        let inside = |places: &[usize], range: &Range<usize>| {
            let first = places.iter().position(|place| *place == range.start).unwrap_or(0);
            first..first + places.iter().filter(|place| range.contains(place)).count()
        };
        let (columns, rows) = (inside(&xs, &owned.columns), inside(&ys, &owned.rows));
        let found = rows.fold(Properties::NONE, |found, y| {
            let rows = y * width + columns.start..y * width + columns.end;
            debug_assert!(rows.len() <= ROWS);
            Piece { whole: rows.start, rows }.add(&matrix, width, found)
        });
        let whole = |row: u64| match row {
            NONE => NONE,
            row => (ys[row as usize / width] * m + xs[row as usize % width]) as u64,
        };
        let asymmetric = match found.asymmetric {
            [NONE, _] => found.asymmetric,
            [row, column] => {
                let row_of_grid = whole(row);
                let band = Band::at_offset((column - row) as isize, width);
                let offset = band.map_or(0, |band| band.offset(m));
                [row_of_grid, row_of_grid.wrapping_add_signed(offset as i64)]
            }
        };
        Properties {
            unknowns: (owned.width() * owned.rows.len()) as u64,
            asymmetric,
            not_positive: whole(found.not_positive),
            zero_diagonal: whole(found.zero_diagonal),
            not_dominant: whole(found.not_dominant),
            ..found
        }
    }
}

/// Returns places of the stored ones, in order, that have between them every kind of row: the first
/// and the last two, of the stored and of the owned ones.
fn kept(stored: &Range<usize>, owned: &Range<usize>) -> Vec<usize> {
    let ends = |range: &Range<usize>| {
        let Range { start, end } = *range;
        [start, start + 1, end.saturating_sub(2), end - 1]
    };
    let mut places: Vec<usize> = ends(stored).into_iter().chain(ends(owned)).collect();
    places.retain(|place| stored.contains(place));
    places.sort_unstable();
    places.dedup();
    places
}
