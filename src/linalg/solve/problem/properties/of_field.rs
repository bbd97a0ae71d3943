//! Properties of diffusion by a coefficient, from its five bands as they follow from the coefficients.

use super::{NONE, Piece, Properties, ROWS, pieces};
use crate::data::cancellation::Sums;
use crate::data::{Block, Diffusion, Float};
use crate::memory::host_threads::in_ranges;

impl Properties {
    /// Finds the properties of the rows of an owned block, of diffusion at the points of the stored one, in a grid of
    /// `n` points in rows of `m`.
    pub(super) fn of_field<T: Float>(
        field: &Diffusion,
        stored: &Block,
        owned: &Block,
        [n, m]: [usize; 2],
    ) -> Properties {
        let pieces = pieces(stored, owned, n, m);
        let found = in_ranges(pieces.len() * ROWS, ROWS, |some| {
            let some = some.start / ROWS..some.end / ROWS;
            pieces[some]
                .iter()
                .map(|piece| of_rows::<T>(field, piece))
                .fold(Properties::NONE, Properties::combined)
        });
        found.into_iter().fold(Properties::NONE, Properties::combined)
    }
}

fn of_rows<T: Float>(field: &Diffusion, piece: &Piece) -> Properties {
    let mut found = Properties { unknowns: piece.rows.len() as u64, ..Properties::NONE };
    field.each_segment(piece.rows.clone(), |rows, [middle, others @ ..]: &[&[T]; 5]| {
        for (at, row) in rows.enumerate() {
            let diagonal: f64 = middle[at].into();
            let beside: f64 = others.iter().map(|numbers| numbers[at].into().abs()).sum();
            if diagonal < beside && found.not_dominant == NONE {
                found.not_dominant = piece.whole(row) as u64;
            }
            if diagonal == 0.0 && found.zero_diagonal == NONE {
                let row = piece.whole(row) as u64;
                (found.zero_diagonal, found.not_positive) = (row, row);
            }
            // A row is its column mirrored.
            if !Sums(found.sums).is_beyond() {
                let others = others.iter().map(|numbers| -numbers[at].into().abs());
                found.sums = Sums(found.sums).and(Sums::of_row(diagonal, others)).0;
            }
            found.least = found.least.min(diagonal);
            found.most = found.most.max(diagonal);
            found.gershgorin = found.gershgorin.max((diagonal + beside) / diagonal);
        }
    });
    Properties { largest: found.most, ..found }
}
