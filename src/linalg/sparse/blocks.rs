//! The entries of rows for work groups, each of which computes a block of rows.
//!
//! A block has about as many entries as a group multiplies at a time, a tile, and no more rows than
//! the group has invocations. Only a texel of the result that has more entries than a tile is a block
//! of several.

use std::ops::Range;

use crate::{NoMemory, memory};

/// The longest row that is not cut, whatever the mean length: a few tiles.
pub(super) const LONGEST: usize = 1 << 12;
/// A texel of the result with a longer row is a block of its own, so that many invocations add it up.
const LONG: usize = 256;

/// What a work group takes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tile {
    /// Its invocations, of which each adds up one row at most.
    pub(super) group: usize,
    /// The entries that it multiplies at a time, four of them beside each other.
    pub(super) entries: usize,
}

/// Some rows, by texels of the result, and their entries.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) texels: Range<usize>,
    pub(super) entries: Range<usize>,
}

impl Block {
    pub(super) fn rows(&self) -> Range<usize> {
        4 * self.texels.start..4 * self.texels.end
    }
}

/// Returns the blocks of rows that start at these entries, four rows to a texel of the result.
pub(super) fn blocks_of(starts: &[u32], tile: Tile) -> Result<Vec<Block>, NoMemory> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open = false;
    for texel in 0..starts.len() / 4 {
        let rows = &starts[4 * texel..4 * texel + 5];
        let long = rows.windows(2).any(|row| (row[1] - row[0]) as usize > LONG);
        let (start, end) = (rows[0] as usize, rows[4] as usize);
        let fits = |block: &&mut Block| {
            end - block.entries.start <= tile.entries && block.rows().len() + 4 <= tile.group
        };
        match blocks.last_mut().filter(|_| open && !long).filter(fits) {
            Some(block) => {
                block.texels.end += 1;
                block.entries.end = end;
            }
            None => {
                memory::push(&mut blocks, Block { texels: texel..texel + 1, entries: start..end })?
            }
        }
        open = !long;
    }
    Ok(blocks)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    const TILE: Tile = Tile { group: 128, entries: 1024 };

    /// Every texel is in one block with its entries, in order, and only a texel alone takes several
    /// tiles or has a long row.
    #[test]
    fn blocks_have_all_rows_once_and_fit_a_group() {
        for lengths in [
            vec![],
            vec![0; 4],
            vec![5; 4000],
            vec![0; 4000],
            vec![16; 4004],
            (0..4000).map(|row| row * 7 % 31).collect(),
            (0..4000).map(|row| if row % 97 == 0 { 1000 } else { 3 }).collect(),
            vec![4096; 16],
            vec![257, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2],
        ] {
            let lengths: Vec<u32> = lengths;
            let ends = lengths.iter().scan(0, |end, length| {
                *end += length;
                Some(*end)
            });
            let starts: Vec<u32> = std::iter::once(0).chain(ends).collect();
            let (mut entry, mut texel) = (0, 0);
            for block in blocks_of(&starts, TILE).unwrap() {
                assert_eq!((block.entries.start, block.texels.start), (entry, texel));
                (entry, texel) = (block.entries.end, block.texels.end);
                assert!((1..=TILE.group).contains(&block.rows().len()));
                let own = &lengths[block.rows()];
                assert_eq!(own.iter().sum::<u32>() as usize, block.entries.len());
                let long = own.iter().any(|length| *length as usize > LONG);
                let fits = block.entries.len() <= TILE.entries && !long;
                assert!(block.texels.len() == 1 || fits, "{lengths:?}");
            }
            assert_eq!((entry, 4 * texel), (lengths.iter().sum::<u32>() as usize, lengths.len()));
        }
    }
}
