//! The file of a rank's part.

use std::fs::File;
use std::io::{BufReader, ErrorKind, Read, Write};
use std::ops::Range;
use std::path::Path;

use super::error::{place, reading};
use super::manifest::Part;
use super::{Error, Numbers};
use crate::data::Block;
use crate::io;
use crate::memory;

/// Writes the numbers of each vector, one after the other; returns how many bytes they are, and their checksum.
pub(super) fn write<'a>(
    path: &Path,
    vectors: impl Iterator<Item = &'a Numbers>,
) -> Result<(u64, u32), Error> {
    let (mut bytes, mut sum) = (0, crc32fast::Hasher::new());
    io::write_whole(path, |file| {
        for numbers in vectors {
            bytes += numbers.bytes().len() as u64;
            sum.update(numbers.bytes());
            file.write_all(numbers.bytes())?;
        }
        Ok(())
    })?;
    Ok((bytes, sum.finalize()))
}

/// Puts what a part has of these blocks of a grid of `n` numbers in rows of `m` into their vectors.
pub(super) fn read(
    folder: &Path,
    part: &Part,
    (n, m): (usize, usize),
    blocks: &[Block],
    vectors: &mut [(String, Vec<Numbers>)],
) -> Result<(), Error> {
    let block = part.block();
    if !blocks
        .iter()
        .any(|wanted| meet(&wanted.rows, &block.rows) && meet(&wanted.columns, &block.columns))
    {
        return Ok(());
    }
    let mut reader = Checked::open(folder, part)?;
    for (_, of_ranks) in vectors {
        for row in block.rows.clone() {
            let here = block.in_row(row, n, m);
            let size = of_ranks.first().map_or(0, Numbers::size);
            let bytes = reader.next(here.len() * size)?;
            for (wanted, numbers) in blocks.iter().zip(&mut *of_ranks) {
                let there = wanted.in_row(row, n, m);
                let (start, end) = (here.start.max(there.start), here.end.min(there.end));
                if start >= end || !wanted.rows.contains(&row) {
                    continue;
                }
                let Some(to) = wanted.index(start, m) else { continue };
                let from = (start - here.start) * size..(end - here.start) * size;
                let to = to * size..(to + end - start) * size;
                numbers.bytes_mut()[to].copy_from_slice(&bytes[from]);
            }
        }
    }
    reader.end()
}

fn meet(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

/// A part's bytes, whose number and checksum must be those of the manifest.
struct Checked<'a> {
    path: std::path::PathBuf,
    part: &'a Part,
    reader: BufReader<File>,
    buffer: Vec<u8>,
    sum: crc32fast::Hasher,
}

impl Checked<'_> {
    fn open<'a>(folder: &Path, part: &'a Part) -> Result<Checked<'a>, Error> {
        let path = folder.join(&part.file);
        let file = match File::open(&path) {
            Err(reason) if reason.kind() == ErrorKind::NotFound => {
                let (expected, got) = ("a part of the checkpoint".into(), "no such file".into());
                return Err(Error::Part { place: place(&path), expected, got });
            }
            file => file.map_err(reading(&path))?,
        };
        let length = file.metadata().map_err(reading(&path))?.len();
        if length != part.bytes {
            let (expected, got) = (format!("{} bytes", part.bytes), format!("{length}"));
            return Err(Error::Part { place: place(&path), expected, got });
        }
        let reader = BufReader::with_capacity(1 << 20, file);
        Ok(Checked { path, part, reader, buffer: Vec::new(), sum: crc32fast::Hasher::new() })
    }

    /// The next bytes of the part.
    fn next(&mut self, count: usize) -> Result<&[u8], Error> {
        if self.buffer.len() < count {
            self.buffer = memory::zeroed(count)?;
        }
        let bytes = &mut self.buffer[..count];
        match self.reader.read_exact(bytes) {
            Ok(()) => {}
            Err(reason) if reason.kind() == ErrorKind::UnexpectedEof => {
                return Err(self.changed("fewer bytes than its vectors have".into()));
            }
            Err(reason) => return Err(reading(&self.path)(reason)),
        }
        self.sum.update(bytes);
        Ok(&self.buffer[..count])
    }

    /// Checks that nothing follows, and the sum.
    fn end(mut self) -> Result<(), Error> {
        let mut one = [0];
        if self.reader.read(&mut one).map_err(reading(&self.path))? > 0 {
            return Err(self.changed("more bytes than its vectors have".into()));
        }
        let sum = self.sum.clone().finalize();
        match sum == self.part.crc32 {
            true => Ok(()),
            false => Err(self.changed(format!("one with the checksum {sum}"))),
        }
    }

    fn changed(&self, got: String) -> Error {
        let expected = format!("a part with the checksum {}, as it was written", self.part.crc32);
        Error::Part { place: place(&self.path), expected, got }
    }
}
