//! Vectors on a grid that ranks share: each reads and writes its part of a file.

use std::path::Path;

use bytemuck::{cast_slice, cast_slice_mut};

use quadrille::cluster::checkpoint::Numbers;
use quadrille::cluster::{Incoming, Outgoing, Partition};
use quadrille::data::{self, Block, Float, NineBanded, Stencil};
use quadrille::io::matrix_market::{self, Outline};
use quadrille::io::npy::{self, Parts};
use quadrille::{io, memory};

use super::Joined;
use crate::output::note;
use crate::process::interrupt;

/// Single or double precision.
pub(crate) trait Real: Float + npy::Element {
    fn read_block(
        path: &Path,
        block: &Block,
        size: (usize, usize),
    ) -> io::Result<(Vec<Self>, npy::Notes)>;
    fn write(path: &Path, shape: &[usize], numbers: &[Self]) -> io::Result<()>;
    fn of_stencil(stencil: &Stencil, block: &Block) -> data::Result<NineBanded<Self>>;
    fn of_file(path: &Path, outline: &Outline, block: &Block) -> io::Result<NineBanded<Self>>;
    fn of_double(matrix: NineBanded<f64>) -> data::Result<NineBanded<Self>>;
    /// Copies the numbers of a checkpoint; `None` if they are of another type.
    fn of_numbers(numbers: &Numbers) -> Option<Vec<Self>>;
}

/// A precision by the functions of it.
macro_rules! real {
    ($number:ident, $numbers:ident, $block:ident, $read:ident, $write:ident, $of_double:expr) => {
        impl Real for $number {
            fn read_block(
                path: &Path,
                block: &Block,
                (n, m): (usize, usize),
            ) -> io::Result<(Vec<$number>, npy::Notes)> {
                io::vector::$read(path, block, n, m)
            }
            fn write(path: &Path, shape: &[usize], numbers: &[$number]) -> io::Result<()> {
                io::vector::$write(path, shape, numbers)
            }
            fn of_stencil(stencil: &Stencil, block: &Block) -> data::Result<NineBanded<$number>> {
                stencil.$block(block)
            }
            fn of_file(
                path: &Path,
                outline: &Outline,
                block: &Block,
            ) -> io::Result<NineBanded<$number>> {
                matrix_market::$read(path, outline, block)
            }
            fn of_double(matrix: NineBanded<f64>) -> data::Result<NineBanded<$number>> {
                $of_double(matrix)
            }
            fn of_numbers(numbers: &Numbers) -> Option<Vec<$number>> {
                match numbers {
                    Numbers::$numbers(numbers) => Some(numbers.clone()),
                    _ => None,
                }
            }
        }
    };
}

real!(f32, Single, block, read_block, write, |matrix: NineBanded<f64>| Ok(matrix.rounded()?.0));
real!(f64, Double, block_f64, read_block_f64, write_f64, Ok);

fn is_npy(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("npy"))
}

/// The numbers of a block of a grid of `n` numbers in rows of `m`, read without the others.
pub(crate) fn read<T: Real>(
    path: &Path,
    block: &Block,
    (n, m): (usize, usize),
) -> io::Result<Vec<T>> {
    let (numbers, notes) = T::read_block(path, block, (n, m))?;
    if notes.rounded {
        note(&format!("note: {}: its 64-bit floats were rounded to 32 bits", path.display()));
    }
    Ok(numbers)
}

/// The numbers of a block of a grid, row by row, of those at a range of the whole.
pub(crate) fn of_block<T, I: Iterator<Item = T>>(
    block: &Block,
    (n, m): (usize, usize),
    numbers: impl Fn(std::ops::Range<usize>) -> I,
) -> Vec<T> {
    block.rows.clone().flat_map(|row| numbers(block.in_row(row, n, m))).collect()
}

/// The numbers of a block of a grid, of those of a block around it.
pub(crate) fn part_of<T: Copy>(
    inner: &Block,
    outer: &Block,
    (n, m): (usize, usize),
    numbers: &[T],
) -> Vec<T> {
    let line = |row: usize| {
        let first =
            (row - outer.rows.start) * outer.width() + inner.columns.start - outer.columns.start;
        numbers[first..][..inner.in_row(row, n, m).len()].iter().copied()
    };
    inner.rows.clone().flat_map(line).collect()
}

/// Vectors of which each rank has what it owns.
pub(crate) struct Shared<'a, T> {
    pub(crate) joined: &'a Joined,
    pub(crate) partition: &'a Partition,
    /// The numbers of each vector that this rank owns.
    pub(crate) owned: &'a [Vec<T>],
}

impl<T: Real> Shared<'_, T> {
    /// Writes one vector in a shape, or several as rows. The file has its name once all parts are written.
    pub(crate) fn write(&self, path: &Path, shape: &[usize]) -> anyhow::Result<()> {
        let (n, _) = self.partition.size();
        let shape = if self.owned.len() == 1 { shape.to_vec() } else { vec![self.owned.len(), n] };
        if is_npy(path) {
            let (parts, unnamed) = self.joined.file::<T>(path, &shape)?.split();
            return unnamed.finish(self.joined, interrupt::writing(|| self.write_own(parts)));
        }
        let mut all = Vec::new();
        for owned in self.owned {
            all.extend(self.gathered(owned)?.unwrap_or_default());
        }
        let written = match self.joined.rank() {
            0 => interrupt::writing(|| T::write(path, &shape, &all)),
            _ => Ok(()),
        };
        self.joined.agree(written.map_err(anyhow::Error::new))
    }

    fn write_own(&self, mut parts: Parts) -> io::Result<()> {
        let (n, m) = self.partition.size();
        let block = self.partition.owned(self.joined.rank());
        if let [owned] = self.owned {
            parts.write_block(&block, n, m, owned)?;
            return parts.finish();
        }
        for (at, mut owned) in self.owned.iter().map(Vec::as_slice).enumerate() {
            for row in block.rows.clone() {
                let range = block.in_row(row, n, m);
                let (line, rest) = owned.split_at(range.len());
                parts.write_rectangle(at..at + 1, range, line)?;
                owned = rest;
            }
        }
        parts.finish()
    }

    /// Draws the first vector, row by row of the grid.
    pub(crate) fn draw(&self, path: &Path, title: &str) -> anyhow::Result<()> {
        let whole = self.gathered(&self.owned[0])?;
        let drawn = whole.map_or(Ok(()), |whole| {
            let values: Vec<f32> = whole.into_iter().map(|number| number.into() as f32).collect();
            let (n, width) = self.partition.size();
            let height = n.div_ceil(width);
            let picture =
                quadrille_run::io::picture::HeatMap::new(width, height, &values).title(title);
            interrupt::writing(|| picture.write(path))
        });
        self.joined.agree(drawn.map_err(anyhow::Error::new))
    }

    /// A whole vector, on the first rank alone.
    pub(crate) fn gathered(&self, owned: &[T]) -> anyhow::Result<Option<Vec<T>>> {
        let (ranks, (n, m)) = (self.joined.communicator(), self.partition.size());
        let here = self.joined.rank();
        if here > 0 {
            let own = Outgoing { from: here, to: 0, bytes: cast_slice(owned) };
            ranks.exchange(&[own], &mut [])?;
            return Ok(None);
        }
        let others = 1..self.partition.ranks();
        let mut parts: Vec<Vec<T>> = vec![owned.to_vec()];
        for rank in others {
            parts.push(memory::zeroed(self.partition.owned(rank).len(n, m))?);
        }
        let incoming = parts.iter_mut().enumerate().skip(1);
        let incoming =
            incoming.map(|(from, part)| Incoming { from, to: 0, bytes: cast_slice_mut(part) });
        ranks.exchange(&[], &mut incoming.collect::<Vec<_>>())?;
        let mut whole: Vec<T> = memory::zeroed(n)?;
        for (rank, part) in parts.iter().enumerate() {
            let (block, mut part) = (self.partition.owned(rank), part.as_slice());
            for row in block.rows.clone() {
                let range = block.in_row(row, n, m);
                let (line, rest) = part.split_at(range.len());
                whole[range].copy_from_slice(line);
                part = rest;
            }
        }
        Ok(Some(whole))
    }
}
