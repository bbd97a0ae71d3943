//! The properties of a matrix that decide the method and explain its convergence: found in parts of
//! it, which several ranks may have.

mod of_constant;
mod of_constant_operator;
mod of_csr;
mod of_field;
mod of_grid;

use std::ops::Range;

use bytemuck::{Pod, Zeroable};

use crate::data::cancellation::{Addition, Sums};
use crate::data::{Band, Block, Float, NineBanded};
use crate::memory::host_threads::in_ranges;

/// Properties of a matrix, or of some of its rows, that are those of the whole once those of all
/// rows are [combined](Properties::combined), in any order. Rows and columns count from 0 in the
/// whole matrix.
///
/// ```
/// use quadrille::data::{Block, Stencil};
/// use quadrille::linalg::solve::Properties;
///
/// let stencil = "convection:8x6".parse::<Stencil>()?;
/// let whole = Properties::of(&stencil.matrix()?);
/// let mut parts = Vec::new();
/// for rows in [0..3, 3..6] {
///     let owned = Block { columns: 0..8, rows };
///     let stored = owned.grown(1, 48, 8);
///     parts.push(Properties::of_part(&stencil.block(&stored)?, &stored, &owned, 48, 8));
/// }
/// assert_eq!(parts[0].combined(parts[1]), whole);
/// assert_eq!(whole.first_asymmetric(), Some((0, 9)));
/// # Ok::<(), quadrille::data::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Properties {
    unknowns: u64,
    asymmetric: [u64; 2],
    mirrored: [f64; 2],
    not_positive: u64,
    diagonal: f64,
    zero_diagonal: u64,
    not_dominant: u64,
    gershgorin: f64,
    largest: f64,
    /// The least and the largest magnitude of the diagonal.
    least: f64,
    most: f64,
    /// The least and the largest of the largest magnitudes of rows: of sparse matrices alone.
    least_row: f64,
    most_row: f64,
    /// 1 if couplings go across the ends of rows, or there is no grid.
    couples_across_ends: u64,
    /// The bits of [`Sums`].
    sums: u64,
}

/// The row of what was not found.
const NONE: u64 = u64::MAX;

/// The relative difference that rounding may make between entries that were computed as equals.
const ROUNDED: f64 = 1e-14;

/// Rows that are looked at together: the sums of their entries stay in the fastest cache.
const ROWS: usize = 1 << 10;

impl Properties {
    /// The properties of no rows: they leave others unchanged when combined.
    pub const NONE: Properties = Properties {
        unknowns: 0,
        asymmetric: [NONE; 2],
        mirrored: [0.0; 2],
        not_positive: NONE,
        diagonal: 0.0,
        zero_diagonal: NONE,
        not_dominant: NONE,
        gershgorin: 0.0,
        largest: 0.0,
        least: f64::INFINITY,
        most: 0.0,
        least_row: f64::INFINITY,
        most_row: 0.0,
        couples_across_ends: 0,
        sums: 0,
    };

    /// Finds the properties of a whole matrix.
    pub fn of<T: Float>(matrix: &NineBanded<T>) -> Properties {
        let (n, m) = (matrix.n(), matrix.m());
        let whole = Block::whole(n, m);
        Properties::of_part(matrix, &whole, &whole, n, m)
    }

    /// Finds the properties of the rows of an owned block, from the [matrix of a
    /// block](NineBanded::block) around it. The stored block has the owned one, and of a matrix
    /// with `n` rows for a grid in rows of `m` all that these rows are coupled with: one point more
    /// on each side, or two rows where the ends of rows are coupled.
    pub fn of_part<T: Float>(
        matrix: &NineBanded<T>,
        stored: &Block,
        owned: &Block,
        n: usize,
        m: usize,
    ) -> Properties {
        if let Some(constant) = matrix.constant() {
            return Properties::of_constant(constant, stored, owned, m);
        }
        if let Some(field) = matrix.field() {
            return Properties::of_field::<T>(field, stored, owned, [n, m]);
        }
        let pieces = pieces(stored, owned, n, m);
        let of = |rows: std::ops::Range<usize>| {
            let pieces = &pieces[rows.start / ROWS..rows.end / ROWS];
            pieces.iter().fold(Properties::NONE, |found, piece| piece.add(matrix, m, found))
        };
        let found = in_ranges(pieces.len() * ROWS, ROWS, of);
        found.into_iter().fold(Properties::NONE, Properties::combined)
    }

    /// Combines the properties of two sets of rows.
    #[must_use]
    pub fn combined(self, other: Properties) -> Properties {
        // Diagonal by diagonal, as the whole matrix is searched.
        let order = |found: &Properties| match found.asymmetric {
            [NONE, _] => (NONE, NONE),
            [row, column] => (column - row, row),
        };
        let pair = if order(&self) <= order(&other) { self } else { other };
        let least = if self.not_positive <= other.not_positive { self } else { other };
        Properties {
            unknowns: self.unknowns + other.unknowns,
            asymmetric: pair.asymmetric,
            mirrored: pair.mirrored,
            not_positive: least.not_positive,
            diagonal: least.diagonal,
            zero_diagonal: self.zero_diagonal.min(other.zero_diagonal),
            not_dominant: self.not_dominant.min(other.not_dominant),
            gershgorin: self.gershgorin.max(other.gershgorin),
            largest: self.largest.max(other.largest),
            least: self.least.min(other.least),
            most: self.most.max(other.most),
            least_row: self.least_row.min(other.least_row),
            most_row: self.most_row.max(other.most_row),
            couples_across_ends: self.couples_across_ends | other.couples_across_ends,
            sums: Sums(self.sums).and(Sums(other.sums)).0,
        }
    }

    /// Returns the number of rows.
    pub fn unknowns(&self) -> usize {
        self.unknowns as usize
    }

    /// Returns the first entry above the diagonal, diagonal by diagonal, that differs from its
    /// mirror image by more than rounding: its row and its column.
    pub fn first_asymmetric(&self) -> Option<(usize, usize)> {
        let [row, column] = self.asymmetric;
        found(row).map(|row| (row, column as usize))
    }

    /// Returns the entry of [`first_asymmetric`](Self::first_asymmetric) and its mirror image.
    pub(in crate::linalg::solve) fn mirrored(&self) -> (f64, f64) {
        self.mirrored.into()
    }

    /// Returns the first row whose diagonal entry is zero or negative, and that entry.
    pub fn first_not_positive(&self) -> Option<(usize, f64)> {
        found(self.not_positive).map(|row| (row, self.diagonal))
    }

    /// Returns the first row whose diagonal entry is zero.
    pub fn first_zero_diagonal(&self) -> Option<usize> {
        found(self.zero_diagonal)
    }

    /// Returns what a row's diagonal and the sum of the magnitudes beside it say.
    fn of_one_row(row: usize, diagonal: f64, beside: f64) -> Properties {
        let row_if = |holds: bool| if holds { row as u64 } else { NONE };
        Properties {
            unknowns: 1,
            not_positive: row_if(diagonal <= 0.0),
            diagonal: diagonal.min(0.0),
            zero_diagonal: row_if(diagonal == 0.0),
            not_dominant: row_if(diagonal.abs() < beside),
            gershgorin: (diagonal.abs() + beside) / diagonal.abs(),
            least: diagonal.abs(),
            most: diagonal.abs(),
            ..Properties::NONE
        }
    }

    /// Notes an entry and its mirror image where they differ, unless others did before. Reports the
    /// one above the diagonal, wherever it was found.
    fn note_pair(&mut self, [row, column]: [usize; 2], value: f64, mirrored: f64) {
        let differ = (value - mirrored).abs() > ROUNDED * value.abs().max(mirrored.abs());
        if differ && self.asymmetric[0] == NONE {
            let (pair, values) = ([row as u64, column as u64], [value, mirrored]);
            (self.asymmetric, self.mirrored) = match column > row {
                true => (pair, values),
                false => ([pair[1], pair[0]], [mirrored, value]),
            };
        }
    }

    /// Returns the first row whose diagonal is smaller than its other entries together, in absolute
    /// value.
    pub fn first_not_dominant_row(&self) -> Option<usize> {
        found(self.not_dominant)
    }

    /// Returns whether an unknown at an end of a row of the grid is coupled to one at the other end
    /// of a row, or the matrix is a [sparse one](Self::of_csr) without a grid.
    pub fn couples_across_ends(&self) -> bool {
        self.couples_across_ends != 0
    }

    /// Returns the largest sum of magnitudes of a row over that of its diagonal: no eigenvalue of
    /// D^-1 A is larger (Gershgorin 1931).
    pub fn gershgorin(&self) -> f64 {
        self.gershgorin
    }

    /// Returns the largest magnitude on the diagonal over the least.
    pub fn diagonal_span(&self) -> f64 {
        self.most / self.least
    }

    /// Returns whether it is symmetric with a positive diagonal, as a positive definite one is.
    pub fn is_symmetric_with_positive_diagonal(&self) -> bool {
        self.first_asymmetric().is_none() && self.first_not_positive().is_none()
    }

    /// Returns the largest of the largest magnitudes of rows over the least, of a [sparse
    /// matrix](Self::of_csr); else 0.
    pub fn span_of_rows(&self) -> f64 {
        self.most_row / self.least_row
    }

    /// Returns the largest magnitude of an entry.
    pub fn largest(&self) -> f64 {
        self.largest
    }

    /// Returns whether the constants are the null space of the matrix and of its transpose: every
    /// row and every column has couplings, whose sum is zero up to rounding. The same small number on
    /// the whole diagonal beside that is no rounding.
    pub fn has_constant_null_space(&self) -> bool {
        Sums(self.sums).are_zero()
    }
}

fn found(row: u64) -> Option<usize> {
    (row != NONE).then_some(row as usize)
}

/// Rows in a row.
struct Piece {
    /// The rows in the stored block's matrix.
    rows: Range<usize>,
    /// The first of the rows in the whole matrix.
    whole: usize,
}

/// Returns the rows of an owned block.
fn pieces(stored: &Block, owned: &Block, n: usize, m: usize) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for row in owned.rows.clone() {
        let whole = owned.in_row(row, n, m);
        let first =
            (row - stored.rows.start) * stored.width() + owned.columns.start - stored.columns.start;
        match pieces.last_mut() {
            Some(last)
                if last.rows.end == first
                    && last.whole + last.rows.len() == whole.start
                    && last.rows.len() + whole.len() <= ROWS =>
            {
                last.rows.end += whole.len();
            }
            _ if whole.is_empty() => {}
            _ => {
                for start in (0..whole.len()).step_by(ROWS) {
                    let end = (start + ROWS).min(whole.len());
                    let piece =
                        Piece { rows: first + start..first + end, whole: whole.start + start };
                    pieces.push(piece);
                }
            }
        }
    }
    pieces
}

impl Piece {
    /// Combines the properties of this piece's rows with those found before.
    fn add<T: Float>(&self, matrix: &NineBanded<T>, m: usize, before: Properties) -> Properties {
        let mut found = Properties { unknowns: self.rows.len() as u64, ..Properties::NONE };
        self.find_asymmetric(matrix, m, &mut found);
        self.look_at_rows(matrix, &mut found);
        self.look_at_ends(matrix, m, &mut found);
        found.sums = self.sums(matrix, Sums(before.sums)).0;
        before.combined(found)
    }

    /// Returns what the sums of rows and columns say: one that rounding does not explain is enough for the whole.
    fn sums<T: Float>(&self, matrix: &NineBanded<T>, before: Sums) -> Sums {
        let mut sums = before;
        for at in self.rows.clone() {
            if sums.is_beyond() {
                break;
            }
            let (diagonal, others) = apart(row(matrix, at));
            sums = sums.and(Sums::of_row(diagonal, others));
            sums = sums.and(Addition::of(column(matrix, at)).beyond());
        }
        sums
    }

    /// Returns the index in the whole matrix of a row of the stored one.
    fn whole(&self, row: usize) -> usize {
        self.whole + (row - self.rows.start)
    }

    /// Diagonals and magnitudes: band by band, which the compiler makes vectors of.
    fn look_at_rows<T: Float>(&self, matrix: &NineBanded<T>, found: &mut Properties) {
        let mut besides = [0.0_f64; ROWS];
        let besides = &mut besides[..self.rows.len()];
        for band in Band::ALL {
            let entries = matrix.band(band)[self.rows.clone()].iter();
            for (beside, entry) in besides.iter_mut().zip(entries) {
                let magnitude = (*entry).into().abs();
                *beside += if band == Band::DD { 0.0 } else { magnitude };
                found.largest = found.largest.max(magnitude);
            }
        }
        let diagonal = &matrix.band(Band::DD)[self.rows.clone()];
        for (at, (diagonal, beside)) in diagonal.iter().zip(besides).enumerate() {
            let (diagonal, row): (f64, _) = ((*diagonal).into(), (self.whole + at) as u64);
            if diagonal <= 0.0 && found.not_positive == NONE {
                (found.not_positive, found.diagonal) = (row, diagonal);
            }
            if diagonal == 0.0 {
                found.zero_diagonal = found.zero_diagonal.min(row);
            }
            if diagonal.abs() < *beside {
                found.not_dominant = found.not_dominant.min(row);
            }
            found.least = found.least.min(diagonal.abs());
            found.most = found.most.max(diagonal.abs());
            found.gershgorin = found.gershgorin.max((diagonal.abs() + *beside) / diagonal.abs());
        }
    }

    /// Looks for couplings across the ends of rows of the grid.
    fn look_at_ends<T: Float>(&self, matrix: &NineBanded<T>, m: usize, found: &mut Properties) {
        let ends = [(0, [Band::LL, Band::DL, Band::UL]), (m - 1, [Band::LU, Band::DU, Band::UU])];
        for (x, bands) in ends {
            let first = self.rows.start + (m + x - self.whole % m) % m;
            let mut rows = (first..self.rows.end).step_by(m);
            let any =
                rows.any(|row| bands.iter().any(|band| matrix.band(*band)[row] != T::default()));
            found.couples_across_ends |= u64::from(any);
        }
    }

    /// Looks at the entries above the diagonal, diagonal by diagonal.
    fn find_asymmetric<T: Float>(&self, matrix: &NineBanded<T>, m: usize, found: &mut Properties) {
        for band in [Band::DU, Band::UL, Band::UD, Band::UU] {
            let offset = band.offset(matrix.m()).unsigned_abs();
            let Some(mirror) = Band::at_offset(-band.offset(matrix.m()), matrix.m()) else {
                continue;
            };
            let end = self.rows.end.min(matrix.n().saturating_sub(offset)).max(self.rows.start);
            let above = matrix.band(band)[self.rows.start..end].iter();
            let below = &matrix.band(mirror)[(self.rows.start + offset).min(matrix.n())..];
            let pairs = above.zip(below).map(|(a, b)| -> (f64, f64) { ((*a).into(), (*b).into()) });
            let differ =
                |(_, (a, b)): &(usize, (f64, f64))| (a - b).abs() > ROUNDED * a.abs().max(b.abs());
            if let Some((at, (a, b))) = pairs.enumerate().find(differ) {
                let row = self.whole(self.rows.start + at);
                found.asymmetric = [row as u64, row.wrapping_add_signed(band.offset(m)) as u64];
                found.mirrored = [a, b];
                return;
            }
        }
    }
}

/// Returns the entries of a row, the diagonal first.
fn row<T: Float>(matrix: &NineBanded<T>, row: usize) -> [f64; 9] {
    Band::ALL.map(|band| matrix.band(band)[row].into())
}

/// Returns the entries of a column.
fn column<T: Float>(matrix: &NineBanded<T>, column: usize) -> [f64; 9] {
    Band::ALL.map(|band| {
        let row = column.checked_add_signed(-band.offset(matrix.m()));
        row.filter(|row| *row < matrix.n()).map_or(0.0, |row| matrix.band(band)[row].into())
    })
}

/// Returns the diagonal of nine entries, and the others that are not zero.
fn apart(entries: [f64; 9]) -> (f64, impl Iterator<Item = f64>) {
    let [diagonal, others @ ..] = entries;
    (diagonal, others.into_iter().filter(|entry| *entry != 0.0))
}

#[cfg(test)]
mod tests;
