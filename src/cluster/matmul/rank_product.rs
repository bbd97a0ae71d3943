//! The work of one rank in a product: its strips and its tiles on its device.

use crate::Shape;
use crate::data::Block;
use crate::gl::Context;
use crate::linalg::matmul::{Accumulator, Element, Options};
use crate::memory;

use super::step::{Operand, Step, within};
use super::strip::{Memory, Place, Strip};
use super::tiling::{Pass, Tiling};
use super::{Error, Layout, Result, Source, Target};

/// The elements of C that are read at a time, if a row has not more: memory that is used again is
/// faster than new memory.
pub(super) const BAND: usize = 16 << 20;

/// A rank of this process: its device, where its parts of A and B come from, and where its part of
/// C goes.
#[allow(missing_docs)] // Named after what they are.
pub struct Rank<'a, T> {
    pub context: &'a Context,
    pub a: &'a mut dyn Source<T>,
    pub b: &'a mut dyn Source<T>,
    pub c: &'a mut dyn Target<T>,
}

/// The memory of a strip that is exchanged.
pub(super) struct StripMemory<'a, T: Element> {
    pub(super) rank: usize,
    pub(super) operand: Operand,
    pub(super) memory: Memory<'a, T>,
}

/// The blocks of an operand to read, on a thread.
pub(super) struct Reading<'a, T> {
    source: &'a mut dyn Source<T>,
    places: Vec<Place<'a, T>>,
}

impl<T: Element> Reading<'_, T> {
    pub(super) fn read(self) -> Result<()> {
        let Reading { source, places } = self;
        places.into_iter().try_for_each(|place| place.fill(source))
    }
}

/// The memory of a rank's strips that is lent for a step.
pub(super) struct StepMemory<'a, T: Element> {
    pub(super) held: Vec<StripMemory<'a, T>>,
    pub(super) readings: [Reading<'a, T>; 2],
}

/// The strips and the tiles that a rank holds for a pass.
pub(super) struct RankProduct<T: Element> {
    rank: usize,
    /// The rows of tiles of A, and the columns of tiles of B.
    a: Vec<Strip<T>>,
    b: Vec<Strip<T>>,
    /// The tiles, row by row.
    tiles: Vec<Accumulator<T>>,
}

impl<T: Element> RankProduct<T> {
    pub(super) fn new(
        context: &Context,
        rank: usize,
        tiling: &Tiling,
        width: usize,
        options: Options,
    ) -> Result<RankProduct<T>> {
        let of_a = Shape::new(tiling.tile.rows, width);
        let of_b = Shape::new(width, tiling.tile.cols);
        let tile = || Ok(Accumulator::new(context, of_a, of_b, options)?);
        let strips = |count, shape| (0..count).map(|_| Strip::new(context, shape)).collect();
        // The first tile before all else: it shows whether a tile fits.
        let first: Result<_> = tile();
        let mut tiles = vec![first?];
        for _ in 1..tiling.down * tiling.across {
            tiles.push(tile()?);
        }
        let (a, b): (Result<_>, Result<_>) =
            (strips(tiling.down, of_a), strips(tiling.across, of_b));
        Ok(RankProduct { rank, a: a?, b: b?, tiles })
    }

    /// Lends the memory of its strips: of a step, to be exchanged, and of the one after it what the
    /// rank has itself, to be read. Waits until the device is done with what is there.
    pub(super) fn lend<'a>(
        &'a mut self,
        exchanged: Option<Step<'_>>,
        read: Option<Step<'_>>,
        own: &'a mut Rank<'_, T>,
    ) -> Result<StepMemory<'a, T>> {
        let RankProduct { rank, a, b, .. } = self;
        let mut held = Vec::new();
        let number = read.map(|read| read.number);
        let number = number.or(exchanged.map(|exchanged| exchanged.number + 1)).unwrap_or(0);
        let mut lend = |operand: Operand, strips: &'a mut [Strip<T>], source| {
            let mut places = Vec::new();
            for (index, strip) in strips.iter_mut().enumerate() {
                let [before, memory] = strip.memory(number);
                if exchanged.is_some_and(|step| index < step.strips(operand)) {
                    held.push(StripMemory { rank: *rank, operand, memory: before });
                }
                if let Some(block) = read.and_then(|read| read.own_block(operand, *rank, index)) {
                    places.push(memory.place(block)?);
                }
            }
            Ok::<_, Error>(Reading { source, places })
        };
        let readings = [lend(Operand::A, a, &mut *own.a)?, lend(Operand::B, b, &mut *own.b)?];
        Ok(StepMemory { held, readings })
    }

    /// Starts to upload the panel of a step, and to add its product to all tiles of the pass.
    pub(super) fn add(&mut self, step: Step<'_>, context: &Context) -> Result<()> {
        let RankProduct { a, b, tiles, .. } = self;
        let Step { number, pass, .. } = step;
        a.iter_mut().take(pass.rows.len()).try_for_each(|strip| strip.upload(number))?;
        b.iter_mut().take(pass.columns.len()).try_for_each(|strip| strip.upload(number))?;
        for (index, tile) in tiles_of(pass).zip(tiles.iter_mut()) {
            tile.add(&a[index.0].matrix, &b[index.1].matrix)?;
        }
        Ok(context.flush()?)
    }

    /// Hands the tiles of a pass on; the next one begins new sums.
    pub(super) fn finish(
        &mut self,
        pass: &Pass,
        layout: &Layout,
        rank: &mut Rank<'_, T>,
    ) -> Result<()> {
        let c = layout.of_c(self.rank);
        let largest = pass.columns.iter().map(|columns| columns.len() * c.rows.len());
        let mut elements = memory::with_room(largest.max().unwrap_or(0).min(BAND))?;
        for ((row, column), tile) in tiles_of(pass).zip(&mut self.tiles) {
            let rows = within(&pass.rows[row], &c.rows);
            let block = Block { columns: within(&pass.columns[column], &c.columns), rows };
            let width = pass.columns[column].len();
            let each = (BAND / width).max(1);
            for start in (0..block.rows.len()).step_by(each).filter(|_| !block.columns.is_empty()) {
                let end = block.rows.len().min(start + each);
                elements.resize((end - start) * width, T::default());
                tile.read_rows(start..end, &mut elements)?;
                let rows = block.rows.start + start..block.rows.start + end;
                let part = Block { columns: block.columns.clone(), rows };
                rank.c.write(&part, &elements, width)?;
            }
            tile.clear();
        }
        Ok(())
    }

    /// Returns the options that run, as text.
    pub(super) fn options(&self) -> String {
        self.tiles.first().map_or_else(String::new, Accumulator::text)
    }
}

/// Returns the tiles of a pass: row and column of each.
fn tiles_of(pass: &Pass) -> impl Iterator<Item = (usize, usize)> + use<> {
    let (rows, columns) = (pass.rows.len(), pass.columns.len());
    (0..rows).flat_map(move |row| (0..columns).map(move |column| (row, column)))
}
