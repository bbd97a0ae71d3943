//! Parts of matrices: what a file holds is known after reading it once, and a part is kept of it
//! when it is read again.

use std::path::Path;

use super::super::error::{in_file, reading, whole_file};
use super::super::{Error, Result};
use super::diagonals::{index_of, rounded};
use super::open;
use super::scanner::{Entry, Position, check_held};
use crate::data::Shape;
use crate::data::nine_banded::{check_sizes, entries::offsets::Offsets};
use crate::data::{self, Band, Block, Float, MAX_UNKNOWNS, MIN_WIDTH, NineBanded, zeros};

/// The properties of a file's matrix that must be known before it is cut into parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outline {
    /// The number of unknowns.
    pub n: usize,
    /// The distance of the outer bands: the width of the grid.
    pub m: usize,
    /// Whether an unknown at an end of a row of the grid is coupled to one at the other end of a
    /// row: then parts must have whole rows.
    pub couples_across_ends: bool,
}

/// Reads a nine-banded matrix without keeping it: all entries are checked, and the width is found
/// as by [`read_nine_banded`](super::read_nine_banded), if it is not given.
///
/// The matrix may be larger than any memory. Entries that cancel count as couplings.
///
/// # Errors
/// As [`read_nine_banded_f64`](super::read_nine_banded_f64), and [`Error::Unsupported`] for what is
/// no file on a disk, such as a pipe, since it is read more than once.
pub fn outline(path: impl AsRef<Path>, width: Option<usize>) -> Result<Outline> {
    let path = path.as_ref();
    must_be_a_file(path)?;
    let mut offsets = Offsets::new(width);
    let n =
        entries::<f64>(path, width, |place, entry| index_of(&mut offsets, place, entry).map(drop))?;
    let Some(m) = offsets.choose() else {
        return Err(Error::WidthOpen { place: whole_file(path), n });
    };
    let mut couples_across_ends = false;
    // Which entries are at ends is known with the width alone.
    entries::<f64>(path, width, |_, entry| {
        couples_across_ends |= is_across_ends(entry, m);
        Ok(())
    })?;
    Ok(Outline { n, m, couples_across_ends })
}

/// Reads the matrix of a block of the unknowns, as [`NineBanded::block`] takes it from the whole
/// one. All entries of the file are checked; only those of the block are kept, so memory is that of
/// the block.
///
/// # Errors
/// As [`read_nine_banded`](super::read_nine_banded) and [`NineBanded::block`], and
/// [`Error::Syntax`] if the file is no longer that of the outline.
pub fn read_block(path: impl AsRef<Path>, outline: &Outline, block: &Block) -> Result<NineBanded> {
    read_part(path.as_ref(), outline, block)
}

/// Reads the matrix of a block as [`read_block`] does, in double precision.
///
/// # Errors
/// As [`read_block`].
pub fn read_block_f64(
    path: impl AsRef<Path>,
    outline: &Outline,
    block: &Block,
) -> Result<NineBanded<f64>> {
    read_part(path.as_ref(), outline, block)
}

fn read_part<T: Float>(path: &Path, outline: &Outline, block: &Block) -> Result<NineBanded<T>> {
    let &Outline { n, m, .. } = outline;
    block.must_be_in(n, m).map_err(in_file(path))?;
    let (count, width) = (block.len(n, m), block.width());
    check_sizes(count, width).map_err(in_file(path))?;
    let mut offsets = Offsets::new(Some(m));
    let mut sums: [Vec<f64>; 9] = Default::default();
    let read = entries::<T>(path, Some(m), |place, entry| {
        index_of(&mut offsets, place, entry)?;
        let Some(row) = block.index(entry.row, m) else { return Ok(()) };
        if width < m && is_across_ends(entry, m) {
            let reason =
                data::BandError::AcrossEnds { row: entry.row, column: entry.col, width: m };
            let reason = Box::new(reason.into());
            return Err(Error::Data { place: place.place(), reason });
        }
        let Some(column) = block.index(entry.col, m) else { return Ok(()) };
        let Some(band) = Band::at_offset(column as isize - row as isize, width) else {
            return Ok(());
        };
        let sums = &mut sums[band.index()];
        if sums.is_empty() {
            *sums = zeros(count)
                .map_err(|reason| Error::Data { place: place.place(), reason: reason.into() })?;
        }
        sums[row] += entry.value;
        check_held::<T>(place, entry, sums[row])
    })?;
    if read != n {
        let (expected, got) = (format!("{n} rows, as it had before"), format!("{read}"));
        return Err(Error::Syntax { place: whole_file(path), expected, got });
    }
    rounded(path, width, count, sums)
}

/// Passes every entry other than zero of a square matrix to `visit`; returns its number of rows.
fn entries<T: Float>(
    path: &Path,
    width: Option<usize>,
    mut visit: impl FnMut(&Position<'_>, Entry) -> Result<()>,
) -> Result<usize> {
    let scanner = open(path)?;
    let Shape { rows, cols } = scanner.shape();
    if rows != cols {
        return Err(Error::NotSquare { place: scanner.place(), rows, cols });
    }
    check(rows, width.unwrap_or(MIN_WIDTH)).map_err(in_file(path))?;
    scanner.entries::<T>(|place, entry| match entry.value == 0.0 {
        true => Ok(()),
        false => visit(place, entry),
    })?;
    Ok(rows)
}

/// Sizes that a matrix in parts can have.
fn check(n: usize, m: usize) -> data::Result<()> {
    match (n, m) {
        (0, _) => Err(data::Error::Empty),
        (_, m) if m < MIN_WIDTH => Err(data::BandError::WidthTooSmall { m }.into()),
        (_, m) if m > MAX_UNKNOWNS => Err(data::Error::TooLarge { what: "the width m", got: m }),
        // Indices are signed where they are subtracted.
        _ if isize::try_from(n).is_err() => {
            Err(data::Error::TooLarge { what: "the number of unknowns", got: n })
        }
        _ => Ok(()),
    }
}

fn is_across_ends(entry: Entry, m: usize) -> bool {
    let along = Band::at_offset(entry.col as isize - entry.row as isize, m);
    match along.map_or(0, |band| band.step().0) {
        -1 => entry.row.is_multiple_of(m),
        1 => entry.row % m == m - 1,
        _ => false,
    }
}

fn must_be_a_file(path: &Path) -> Result<()> {
    if std::fs::metadata(path).map_err(reading(path))?.is_file() {
        return Ok(());
    }
    let accepted = "a file that can be read more than once";
    let got = "what is no regular file, such as a pipe,".into();
    Err(Error::Unsupported { place: whole_file(path), got, accepted })
}
