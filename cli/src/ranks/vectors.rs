//! Vectors on a grid that ranks share: each reads and writes its part of a file.

use std::path::Path;

use bytemuck::{cast_slice, cast_slice_mut};

use quadrille::cluster::{Incoming, Outgoing, Partition, collective};
use quadrille::data::{Block, Float};
use quadrille::internal::memory;
use quadrille::io::npy::{self, Parts, Reader, Unfinished};
use quadrille::{Place, io};

use super::super::interrupt;
use super::super::output::note;
use super::Joined;

/// Single or double precision.
pub(crate) trait Real: Float + npy::Element {
    fn read(path: &Path) -> io::Result<npy::Array<Self>>;
    fn read_block(
        reader: &mut Reader,
        block: &Block,
        size: (usize, usize),
    ) -> io::Result<(Vec<Self>, npy::Notes)>;
    fn write(path: &Path, shape: &[usize], numbers: &[Self]) -> io::Result<()>;
}

impl Real for f32 {
    fn read(path: &Path) -> io::Result<npy::Array<f32>> {
        io::vector::read(path)
    }
    fn read_block(
        reader: &mut Reader,
        block: &Block,
        (n, m): (usize, usize),
    ) -> io::Result<(Vec<f32>, npy::Notes)> {
        reader.block(block, n, m)
    }
    fn write(path: &Path, shape: &[usize], numbers: &[f32]) -> io::Result<()> {
        io::vector::write(path, shape, numbers)
    }
}

impl Real for f64 {
    fn read(path: &Path) -> io::Result<npy::Array<f64>> {
        io::vector::read_f64(path)
    }
    fn read_block(
        reader: &mut Reader,
        block: &Block,
        (n, m): (usize, usize),
    ) -> io::Result<(Vec<f64>, npy::Notes)> {
        reader.block_f64(block, n, m)
    }
    fn write(path: &Path, shape: &[usize], numbers: &[f64]) -> io::Result<()> {
        io::vector::write_f64(path, shape, numbers)
    }
}

fn is_npy(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("npy"))
}

/// The numbers of a block of a grid of `n` numbers in rows of `m`: of a `.npy` file no others are read, unless it is a pipe.
pub(crate) fn read<T: Real>(
    path: &Path,
    block: &Block,
    (n, m): (usize, usize),
) -> io::Result<Vec<T>> {
    let is_file = std::fs::metadata(path).is_ok_and(|there| there.is_file());
    let (numbers, rounded) = if is_npy(path) && is_file {
        let (numbers, notes) = T::read_block(&mut Reader::open(path)?, block, (n, m))?;
        (numbers, notes.rounded)
    } else {
        let array = T::read(path)?;
        if array.data.len() != n {
            let expected = format!("{n} numbers, one for each unknown of the matrix");
            return Err(io::Error::Shape { place: file(path), expected, got: array.shape });
        }
        (of_block(block, (n, m), |range| array.data[range].iter().copied()), array.rounded)
    };
    if rounded {
        note(&format!("note: {}: its 64-bit floats were rounded to 32 bits", path.display()));
    }
    must_be_finite(path, &numbers, block, (n, m))?;
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

fn must_be_finite<T: Real>(
    path: &Path,
    numbers: &[T],
    block: &Block,
    size: (usize, usize),
) -> io::Result<()> {
    let finite = |number: T| Into::<f64>::into(number).is_finite();
    match numbers.iter().position(|number| !finite(*number)) {
        None => Ok(()),
        Some(at) => {
            let whole = of_block(block, size, |range| range)[at];
            let at_whole = format!("[{whole}]");
            Err(io::Error::NotFinite { place: file(path), at: at_whole, value: numbers[at].into() })
        }
    }
}

fn file(path: &Path) -> Place {
    Place::file(path.display().to_string())
}

/// Vectors of which each rank has what it owns.
pub(crate) struct Shared<'a, T> {
    pub(crate) joined: &'a Joined,
    pub(crate) partition: &'a Partition,
    /// What this rank owns of each.
    pub(crate) owned: &'a [Vec<T>],
}

impl<T: Real> Shared<'_, T> {
    /// Writes one vector, or several as rows. The file has its name once all parts are written.
    pub(crate) fn write(&self, path: &Path) -> anyhow::Result<()> {
        let (n, _) = self.partition.size();
        let shape = if self.owned.len() == 1 { vec![n] } else { vec![self.owned.len(), n] };
        if is_npy(path) && !path.exists() || path.is_file() && is_npy(path) {
            return self.write_parts(path, &shape);
        }
        let mut all = Vec::new();
        for owned in self.owned {
            all.extend(self.gathered(owned)?.unwrap_or_default());
        }
        let written = match super::rank() {
            0 => interrupt::writing(|| T::write(path, &shape, &all)),
            _ => Ok(()),
        };
        self.joined.agree(written.map_err(anyhow::Error::new))
    }

    fn write_parts(&self, path: &Path, shape: &[usize]) -> anyhow::Result<()> {
        let begun = match super::rank() {
            0 => Unfinished::create::<T>(path, shape).map(Some),
            _ => Ok(None),
        };
        let whole = self.joined.agree(begun.map_err(anyhow::Error::new))?;
        let temporary =
            whole.as_ref().map(|whole| whole.temporary().to_string_lossy().into_owned());
        let mut name = temporary.unwrap_or_default().into_bytes();
        collective::broadcast(&*self.joined.communicator(), 0, &mut name)?;
        let name = String::from_utf8_lossy(&name).into_owned();
        let written = interrupt::writing(|| self.write_own(Path::new(&name), path));
        self.joined.agree(written.map_err(anyhow::Error::new))?;
        let finished = whole.map_or(Ok(()), Unfinished::finish);
        self.joined.agree(finished.map_err(anyhow::Error::new))
    }

    fn write_own(&self, temporary: &Path, path: &Path) -> io::Result<()> {
        let (n, m) = self.partition.size();
        let block = self.partition.owned(self.rank());
        let mut parts = Parts::open(temporary, path)?;
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

    fn rank(&self) -> usize {
        self.joined.communicator().local().start
    }

    /// A whole vector, on the first rank alone.
    pub(crate) fn gathered(&self, owned: &[T]) -> anyhow::Result<Option<Vec<T>>> {
        let (ranks, (n, m)) = (self.joined.communicator(), self.partition.size());
        let here = self.rank();
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
