//! The file of a rank's part.

use std::path::Path;

use super::manifest::{Manifest, Part, meet};
use super::{Numbers, Result};
use crate::data::Block;
use crate::io::checkpoint::{self, Head, Opened, damaged};
use crate::memory;

/// The sort of content of the file.
const OF: &str = "rank's part of a system";

/// Writes the numbers of each vector, one after the other; returns their checksum.
pub(super) fn write<'a>(
    path: &Path,
    head: &Head<()>,
    vectors: impl Iterator<Item = &'a Numbers>,
) -> Result<u32> {
    checkpoint::write(path, OF, head, vectors.map(|numbers| Ok(numbers.bytes())))
}

/// Puts what a part has of these blocks into their vectors.
pub(super) fn read(
    folder: &Path,
    manifest: &Manifest,
    part: &Part,
    blocks: &[Block],
    vectors: &mut [(String, Vec<Numbers>)],
) -> Result<()> {
    let (n, m) = manifest.size;
    let block = part.block();
    if !blocks.iter().any(|wanted| meet(&block, wanted)) {
        return Ok(());
    }
    let path = folder.join(&part.file);
    if !path.exists() {
        return Err(damaged(&path, "a part of the checkpoint", "no such file").into());
    }
    let mut opened = Opened::<()>::open(&path, OF)?;
    opened.must_have(&manifest.arrays(&block))?;
    for (_, of_ranks) in vectors {
        let size = of_ranks.first().map_or(0, Numbers::size);
        let mut bytes: Vec<u8> = memory::zeroed(block.width().min(block.len(n, m)) * size)?;
        for row in block.rows.clone() {
            let here = block.in_row(row, n, m);
            let bytes = &mut bytes[..here.len() * size];
            opened.read(bytes)?;
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
    match opened.finish()? {
        sum if sum == part.crc32 => Ok(()),
        sum => {
            let expected = format!("the part with the checksum {:08x}", part.crc32);
            Err(damaged(&path, expected, format!("one with {sum:08x}")).into())
        }
    }
}
