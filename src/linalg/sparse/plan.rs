//! Where a product finds the entries of a sparse matrix: plain arithmetic, no GL.
//!
//! Rows that are too long for an engine are cut into pieces, whose sums are computed first and then
//! taken for numbers of x.

use std::ops::Range;

use crate::{Extent, NoMemory, memory};

/// The longest rows that are not cut, and the longest pieces of rows of up to its square: a quarter
/// of what llvmpipe's loops make in one invocation.
pub(super) const MOST: usize = 1 << 14;

/// The slots of which the longest come first, so that neighbours are of similar lengths and yet near
/// each other in memory.
const WINDOW: usize = 1 << 12;

/// Which rows are cut, and where.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Cut {
    /// The most entries that are added one after the other.
    pub(super) most: usize,
    /// The rows that are longer: each with the index of its first piece.
    long: Vec<(usize, usize)>,
    /// The entries of each piece.
    pub(super) pieces: Vec<Range<usize>>,
}

/// The terms of a row: entries of the matrix, or the sums of pieces.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Terms {
    Entries(Range<usize>),
    Pieces(Range<usize>),
}

impl Terms {
    pub(super) fn len(&self) -> usize {
        match self {
            Terms::Entries(range) | Terms::Pieces(range) => range.len(),
        }
    }
}

impl Cut {
    /// Cuts the rows with these starts that are longer than `usual`. No row has more pieces than a
    /// piece has entries at most.
    pub(super) fn of(starts: &[usize], usual: usize) -> Result<Cut, NoMemory> {
        let rows = || starts.windows(2).map(|pair| pair[0]..pair[1]);
        let longest = rows().map(|row| row.len()).max().unwrap_or(0);
        let root = longest.isqrt() + usize::from(longest.isqrt().pow(2) < longest);
        let most = usual.max(root.next_power_of_two());
        let (mut long, mut pieces) = (Vec::new(), Vec::new());
        for (row, range) in rows().enumerate().filter(|(_, range)| range.len() > most) {
            memory::push(&mut long, (row, pieces.len()))?;
            for start in range.clone().step_by(most) {
                memory::push(&mut pieces, start..(start + most).min(range.end))?;
            }
        }
        Ok(Cut { most, long, pieces })
    }

    /// Returns the terms of a row with these entries.
    pub(super) fn terms(&self, row: usize, entries: Range<usize>) -> Terms {
        if entries.len() <= self.most {
            return Terms::Entries(entries);
        }
        let found = self.long.binary_search_by_key(&row, |(row, _)| *row);
        let first = found.map_or(0, |at| self.long[at].1);
        Terms::Pieces(first..first + entries.len().div_ceil(self.most))
    }

    /// Returns the roundings that an entry of a row of this length goes through at most: a product
    /// and a sum for each entry, and for each piece. That holds in whatever order terms are added
    /// up, since a sum with none of them is exact.
    pub(super) fn chain(&self, length: usize) -> usize {
        length.min(self.most) + 1 + if length > self.most { length.div_ceil(self.most) } else { 0 }
    }
}

/// The numbers that a column means: x, a zero, and the sums of pieces, which are in the rows of one
/// texture or the parts of one buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Addresses {
    /// The texels of x.
    pub(super) x: Extent,
    /// The rows of texels of the sums of pieces.
    pub(super) rows_of_sums: u32,
}

impl Addresses {
    /// Returns the addresses for x in this extent, and this many pieces.
    pub(super) fn new(x: Extent, pieces: usize) -> Addresses {
        let rows = pieces.div_ceil(4 * x.width as usize);
        Addresses { x, rows_of_sums: u32::try_from(rows).unwrap_or(u32::MAX) }
    }

    /// Returns the address of a zero: the first number of a row of zeros.
    pub(super) fn zero(self) -> usize {
        4 * self.x.texels()
    }

    /// Returns the row of texels where the sums of pieces begin.
    pub(super) fn first_row_of_sums(self) -> u32 {
        self.x.height + 1
    }

    /// Returns the address of the sum of the first piece.
    pub(super) fn sums(self) -> usize {
        self.zero() + 4 * self.x.width as usize
    }

    /// Returns the texels of all numbers, four in each.
    pub(super) fn texels(self) -> Extent {
        let height = self.first_row_of_sums().saturating_add(self.rows_of_sums);
        Extent::new(self.x.width, height)
    }
}

/// Where the entries of a quad are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// The texel of its first entries; the next ones are a stride further.
    pub(super) start: usize,
    /// The length of the longest of its rows.
    pub(super) length: usize,
    /// The quad: a texel of the result.
    pub(super) quad: usize,
}

/// The order of entries in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Order {
    /// The quads whose entries alternate, so that invocations beside each other read texels beside
    /// each other; 1 where each invocation reads its own texels in a row.
    pub(super) stride: usize,
}

impl Order {
    /// Returns a line for each quad, and the number of texels. With a stride of 1 they are in the
    /// order of quads.
    pub(super) fn lines(self, lengths: &[u32]) -> Result<(Vec<Line>, usize), NoMemory> {
        let Order { stride } = self;
        let mut quads: Vec<usize> = memory::collected(lengths.len(), 0..lengths.len())?;
        if stride > 1 {
            for window in quads.chunks_mut(WINDOW) {
                window.sort_by_key(|quad| std::cmp::Reverse(lengths[*quad]));
            }
        }
        let mut lines = memory::with_room(lengths.len())?;
        let mut texels = 0;
        for slice in quads.chunks(stride) {
            let longest = slice.iter().map(|quad| lengths[*quad]).max().unwrap_or(0) as usize;
            for (lane, quad) in slice.iter().enumerate() {
                let length = lengths[*quad] as usize;
                lines.push(Line { start: texels + lane, length, quad: *quad });
            }
            texels += stride * longest;
        }
        Ok((lines, texels))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn starts(lengths: &[usize]) -> Vec<usize> {
        let ends = lengths.iter().scan(0, |end, length| {
            *end += length;
            Some(*end)
        });
        std::iter::once(0).chain(ends).collect()
    }

    /// Every entry is in one row's terms or in one piece, and no chain is longer than the most.
    #[test]
    fn rows_are_cut_where_they_are_much_longer_than_others() {
        for lengths in [
            vec![],
            vec![0],
            vec![5; 100],
            vec![1, 32, 33, 0, 200],
            vec![100_000, 3, 3, 65_536],
            vec![3, 1, 1 << 24],
            [vec![2; 1000], vec![1025, 4097]].concat(),
        ] {
            let starts = starts(&lengths);
            let cut = Cut::of(&starts, 32).unwrap();
            let mut entries = 0;
            let mut pieces = 0;
            for (row, length) in lengths.iter().enumerate() {
                let terms = cut.terms(row, starts[row]..starts[row + 1]);
                assert!(terms.len() <= cut.most && cut.most <= MOST, "{lengths:?}");
                assert!(cut.chain(*length) > terms.len());
                match terms {
                    Terms::Entries(range) => entries += range.len(),
                    Terms::Pieces(range) => {
                        assert_eq!(range.start, pieces);
                        pieces = range.end;
                        let own = &cut.pieces[range];
                        assert_eq!((own[0].start, own[own.len() - 1].end), {
                            (starts[row], starts[row + 1])
                        });
                        assert!(own.iter().all(|piece| (1..=cut.most).contains(&piece.len())));
                        entries += own.iter().map(Range::len).sum::<usize>();
                    }
                }
            }
            assert_eq!((entries, pieces), (lengths.iter().sum(), cut.pieces.len()));
        }
        assert!(Cut::of(&starts(&[5; 100]), 32).unwrap().pieces.is_empty());
        assert_eq!(Cut::of(&starts(&[1, 1 << 24]), MOST).unwrap().pieces.len(), (1 << 24) / MOST);
    }

    #[test]
    fn x_a_zero_and_sums_have_addresses_of_their_own() {
        let addresses = Addresses::new(Extent::new(8, 3), 70);
        assert_eq!((addresses.zero(), addresses.sums()), (96, 128));
        assert_eq!(addresses.texels(), Extent::new(8, 7));
        assert_eq!(Addresses::new(Extent::new(1, 1), 0).texels(), Extent::new(1, 2));
    }

    /// No two entries are in one texel, in either order.
    #[test]
    fn every_entry_of_a_quad_has_a_texel() {
        for lengths in
            [vec![], vec![0], vec![5; 70], (0..300).map(|at| at * 7 % 31).collect::<Vec<u32>>()]
        {
            for stride in [1, 4, 32] {
                let (lines, texels) = Order { stride }.lines(&lengths).unwrap();
                let mut taken = vec![false; texels];
                let mut quads = vec![false; lengths.len()];
                for Line { start, length, quad } in lines {
                    assert_eq!(length, lengths[quad] as usize);
                    assert!(!std::mem::replace(&mut quads[quad], true));
                    for entry in 0..length {
                        assert!(!std::mem::replace(&mut taken[start + stride * entry], true));
                    }
                }
                assert!(quads.into_iter().all(|quad| quad));
                assert!(stride > 1 || taken.into_iter().all(|texel| texel));
            }
        }
    }
}
