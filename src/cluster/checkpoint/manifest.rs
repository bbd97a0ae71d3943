//! The file that makes parts a checkpoint.

use std::fs;
use std::io::ErrorKind;
use std::ops::Range;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::error::{MANIFEST, OF, reading};
use super::{Error, Numbers, Result, State};
use crate::data::Block;
use crate::io::checkpoint::{Array, Head, Opened, another_version, damaged};

/// The manifest of version 1.
const OLD: &str = "checkpoint.json";

/// The manifest of a checkpoint: the state that all ranks share, and the file of each part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Manifest {
    pub(super) generation: u64,
    /// The unknowns, and how many are in a row of the grid.
    pub(super) size: (usize, usize),
    /// The numbers as text, which can hold infinities too, and gives the same bits.
    numbers: Vec<(String, String)>,
    /// The arrays of the whole grid.
    pub(super) vectors: Vec<Array>,
    pub(super) parts: Vec<Part>,
}

/// A rank's part: a file with the numbers of its block of each vector, one vector after the other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Part {
    pub(super) file: String,
    columns: Range<usize>,
    rows: Range<usize>,
    /// The size of the whole file.
    pub(super) bytes: u64,
    /// The checksum of its numbers.
    pub(super) crc32: u32,
}

impl Part {
    pub(super) fn new(file: String, block: &Block, bytes: u64, crc32: u32) -> Part {
        let Block { columns, rows } = block.clone();
        Part { file, columns, rows, bytes, crc32 }
    }

    pub(super) fn block(&self) -> Block {
        Block { columns: self.columns.clone(), rows: self.rows.clone() }
    }
}

/// Returns the bytes of the manifest in a folder, if there is one.
pub(super) fn read(folder: &Path) -> Result<Option<Vec<u8>>> {
    let (path, old) = (folder.join(MANIFEST), folder.join(OLD));
    match fs::read(&path) {
        Ok(bytes) => Ok(Some(bytes)),
        // A name that is no folder has no manifest either.
        Err(reason) if reason.kind() == ErrorKind::NotFound && folder.is_dir() => {
            if old.exists() {
                Err(another_version(&old, "1").into())
            } else {
                Ok(None)
            }
        }
        Err(reason) => Err(reading(&path)(reason)),
    }
}

/// Parses the bytes of the manifest in a folder.
pub(super) fn parse(folder: &Path, bytes: &[u8]) -> Result<Head<Manifest>> {
    let path = folder.join(MANIFEST);
    let opened = Opened::<Manifest, _>::new(&path, OF, bytes, bytes.len() as u64)?;
    opened.must_have(&[])?;
    let head = opened.head.clone();
    opened.finish()?;
    match head.more.misfit() {
        None => Ok(head),
        Some((expected, got)) => Err(damaged(&path, expected, got).into()),
    }
}

impl Manifest {
    /// Makes a manifest; the parts must have each unknown once.
    pub(super) fn new(
        generation: u64,
        size: (usize, usize),
        state: &State,
        parts: Vec<Part>,
    ) -> Result<Manifest> {
        let number = |(name, number): &(String, f64)| (name.clone(), format!("{number:e}"));
        let numbers = state.numbers.iter().map(number).collect();
        let vectors = state.arrays(size.0);
        let manifest = Manifest { generation, size, numbers, vectors, parts };
        match manifest.misfit() {
            None => Ok(manifest),
            Some((expected, got)) => Err(Error::State { expected, got }),
        }
    }

    pub(super) fn numbers(&self) -> Result<Vec<(String, f64)>> {
        let number = |(name, text): &(String, String)| match text.parse() {
            Ok(number) => Ok((name.clone(), number)),
            Err(_) => Err(Error::State { expected: format!("a number {name}"), got: text.clone() }),
        };
        self.numbers.iter().map(number).collect()
    }

    /// Zeros for the numbers of blocks of a vector.
    pub(super) fn zeros(&self, vector: &Array, blocks: &[Block]) -> Result<Vec<Numbers>> {
        let (n, m) = self.size;
        let zeros = |block: &Block| {
            Numbers::zeros(vector, block.len(n, m))?.ok_or_else(|| {
                let expected =
                    "vectors of 32-bit or 64-bit floats in this machine's order of bytes";
                Error::State { expected: expected.into(), got: vector.to_string() }
            })
        };
        blocks.iter().map(zeros).collect()
    }

    /// Returns the arrays in the part of a block.
    pub(super) fn arrays(&self, block: &Block) -> Vec<Array> {
        let (n, m) = self.size;
        let of_block = |vector: &Array| Array { shape: vec![block.len(n, m)], ..vector.clone() };
        self.vectors.iter().map(of_block).collect()
    }

    /// Explains why the parts are not a partition of the grid: what was expected, and what is
    /// there.
    fn misfit(&self) -> Option<(String, String)> {
        let (n, m) = self.size;
        if n == 0 || m == 0 {
            return Some(("a grid with numbers".into(), format!("{n} in rows of {m}")));
        }
        let expected = || format!("blocks that have each of {n} unknowns in rows of {m} once");
        let mut count = 0_usize;
        for (at, part) in self.parts.iter().enumerate() {
            // Whoever wrote the manifest, only files beside it are opened.
            if Path::new(&part.file).file_name() != Some(part.file.as_ref()) {
                let expected = "parts named without a folder, which are beside the manifest".into();
                return Some((expected, format!("`{}`", part.file)));
            }
            let block = part.block();
            if let Err(error) = block.must_be_in(n, m) {
                return Some((expected(), error.to_string()));
            }
            let meets = |other: &Part| meet(&block, &other.block());
            if let Some(other) = self.parts[..at].iter().position(meets) {
                let got = format!("blocks of ranks {other} and {at} with the same unknowns");
                return Some((expected(), got));
            }
            count = count.saturating_add(block.len(n, m));
        }
        (count != n).then(|| (expected(), format!("blocks with {count} of them")))
    }
}

/// Returns whether two blocks have a number in common.
pub(super) fn meet(one: &Block, other: &Block) -> bool {
    let meet = |a: &Range<usize>, b: &Range<usize>| a.start < b.end && b.start < a.end;
    meet(&one.columns, &other.columns) && meet(&one.rows, &other.rows)
}
