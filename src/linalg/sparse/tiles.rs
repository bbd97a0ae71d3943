//! The entries of rows for work groups, tile by tile.
//!
//! The order of entries in a tile does not count, as long as each product is put where its row finds
//! it. In the order of addresses, invocations that run together read numbers of x that are near each
//! other, however far apart the columns of a row are.

use crate::{NoMemory, memory};

use super::blocks::{Tile, blocks_of};
use super::rows::Rows;

/// The entries that invocations which run together read at once, four each.
const STRIP: usize = 128;

pub(super) struct Tiles {
    /// For each block where its entries begin, four in an element, its first texel of the result, its
    /// texels and a zero; and then the first entry of each row, and the end of the last.
    pub(super) rows: Vec<u32>,
    /// The blocks.
    pub(super) count: usize,
    /// The most tiles that a block has.
    pub(super) most: usize,
    pub(super) values: Vec<[f32; 4]>,
    /// The addresses; and then the places of products in their tiles, eight in an element.
    pub(super) addresses: Vec<[u32; 4]>,
}

impl Tiles {
    /// Returns the tiles of rows that this many texels of the result hold.
    pub(super) fn new(rows: Rows<'_>, texels: usize, tile: Tile) -> Result<Tiles, NoMemory> {
        let mut starts = memory::with_room(4 * texels + 1)?;
        let mut end = 0;
        for row in 0..4 * texels {
            starts.push(end as u32);
            end += rows.length(row);
        }
        starts.push(end as u32);
        let blocks = blocks_of(&starts, tile)?;
        let longest = blocks.iter().map(|block| block.entries.len()).max().unwrap_or(0);
        let fours = blocks.iter().map(|block| block.entries.len().div_ceil(4)).sum::<usize>();
        let mut places = memory::with_room(fours)?;
        let mut tiles = Tiles {
            rows: memory::with_room(4 * blocks.len() + starts.len())?,
            count: blocks.len(),
            most: longest.div_ceil(tile.entries),
            values: memory::with_room(fours)?,
            addresses: memory::with_room(fours + fours.div_ceil(2))?,
        };
        let zero = rows.places.zero() as u32;
        let mut own = memory::with_room(longest)?;
        for block in &blocks {
            let [first, texel] = [tiles.values.len(), block.texels.start].map(|at| at as u32);
            tiles.rows.extend([first, texel, block.texels.len() as u32, 0]);
            own.clear();
            own.extend(block.rows().flat_map(|row| rows.factors(row)));
            own.chunks(tile.entries).for_each(|entries| tiles.add(entries, zero, &mut places));
        }
        tiles.rows.extend_from_slice(&starts);
        let packed = |[one, other]: [[u16; 4]; 2]| {
            let two = |low: u16, high: u16| u32::from(low) | u32::from(high) << 16;
            [
                two(one[0], one[1]),
                two(one[2], one[3]),
                two(other[0], other[1]),
                two(other[2], other[3]),
            ]
        };
        let pairs = places.chunks(2).map(|pair| [pair[0], pair.get(1).copied().unwrap_or([0; 4])]);
        tiles.addresses.extend(pairs.map(packed));
        Ok(tiles)
    }

    /// Adds the entries of a tile, and as many zeros as fill up the last four.
    fn add(&mut self, entries: &[(f32, u32)], zero: u32, places: &mut Vec<[u16; 4]>) {
        let first = self.values.len();
        let fours = entries.len().div_ceil(4);
        self.values.resize(first + fours, [0.0; 4]);
        self.addresses.resize(first + fours, [zero; 4]);
        places.resize(first + fours, [0; 4]);
        let entry = |at: usize| entries.get(at).copied().unwrap_or((0.0, zero));
        let mut order: Vec<usize> = (0..4 * fours).collect();
        order.sort_by_key(|at| entry(*at).1);
        for (index, at) in order.into_iter().enumerate() {
            let (four, lane) = place_of(index, fours);
            let four = first + four;
            (self.values[four][lane], self.addresses[four][lane]) = entry(at);
            places[four][lane] = at as u16;
        }
    }
}

/// Returns where an entry is in a tile of so many fours: in each strip, those that are read at once by
/// invocations beside each other follow each other in the order.
fn place_of(index: usize, fours: usize) -> (usize, usize) {
    let strip = index / STRIP * STRIP / 4;
    let width = (STRIP / 4).min(fours - strip);
    (strip + index % STRIP % width, index % STRIP / width)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_of_a_tile_has_a_place() {
        for fours in [0, 1, 3, 31, 32, 33, 100, 256] {
            let mut taken = vec![[false; 4]; fours];
            for index in 0..4 * fours {
                let (four, lane) = place_of(index, fours);
                assert!(!std::mem::replace(&mut taken[four][lane], true));
            }
        }
        // The first of 40 fours' entries are read by 32 invocations, then the rest by eight.
        assert_eq!([place_of(1, 40), place_of(32, 40), place_of(129, 40), place_of(136, 40)], {
            [(1, 0), (0, 1), (33, 0), (32, 1)]
        });
    }
}
