//! The file that makes parts a checkpoint.

use std::fs;
use std::io::ErrorKind;
use std::ops::Range;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::error::{MANIFEST, place, reading};
use super::{Error, Identity, Numbers};
use crate::data::Block;
use crate::date;

/// What this version writes and reads.
const VERSION: u32 = 1;

/// What a checkpoint is of, what all ranks know, and where each part is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Manifest {
    written: String,
    generation: u64,
    identity: Identity,
    iteration: u64,
    /// As text, which has infinities too, and gives the same bits.
    numbers: Vec<(String, String)>,
    vectors: Vec<Vector>,
    pub(super) parts: Vec<Part>,
}

/// A vector: its name, and the type of its numbers as NumPy names it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Vector {
    pub(super) name: String,
    #[serde(rename = "type")]
    of: String,
}

/// A rank's part: a file with the numbers of its block of each vector, one vector after the other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Part {
    pub(super) file: String,
    columns: Range<usize>,
    rows: Range<usize>,
    pub(super) bytes: u64,
    pub(super) crc32: u32,
}

impl Vector {
    pub(super) fn new(name: &str, of: &Numbers) -> Vector {
        Vector { name: name.into(), of: of.type_name().into() }
    }

    pub(super) fn zeros(&self, count: usize) -> Result<Numbers, Error> {
        Numbers::zeros(&self.of, count)?.ok_or_else(|| Error::State {
            expected: "vectors of 32-bit or 64-bit floats in this machine's order of bytes".into(),
            got: format!("type '{}' of {}", self.of, self.name),
        })
    }
}

impl Part {
    pub(super) fn new(file: String, block: Block, bytes: u64, crc32: u32) -> Part {
        Part { file, columns: block.columns, rows: block.rows, bytes, crc32 }
    }

    pub(super) fn block(&self) -> Block {
        Block { columns: self.columns.clone(), rows: self.rows.clone() }
    }
}

/// The whole file: the checksum is that of the manifest's JSON without spaces.
#[derive(Serialize, Deserialize)]
struct Content {
    quadrille_checkpoint: u32,
    crc32: u32,
    manifest: Manifest,
}

/// The text of the manifest in a folder, if there is one.
pub(super) fn read(folder: &Path) -> Result<Option<Vec<u8>>, Error> {
    let path = folder.join(MANIFEST);
    match fs::read(&path) {
        Ok(text) => Ok(Some(text)),
        // A name that is no folder has no manifest either.
        Err(reason) if reason.kind() == ErrorKind::NotFound && folder.is_dir() => Ok(None),
        Err(reason) => Err(reading(&path)(reason)),
    }
}

impl Manifest {
    pub(super) fn new(
        generation: u64,
        identity: Identity,
        iteration: u64,
        numbers: &[(String, f64)],
    ) -> Manifest {
        let numbers = numbers.iter().map(|(name, number)| (name.clone(), format!("{number:e}")));
        Manifest {
            written: date::now(),
            generation,
            identity,
            iteration,
            numbers: numbers.collect(),
            vectors: Vec::new(),
            parts: Vec::new(),
        }
    }

    /// The same with the vectors and the parts, which must have each unknown once.
    pub(super) fn of_parts(
        self,
        vectors: Vec<Vector>,
        parts: Vec<Part>,
    ) -> Result<Manifest, Error> {
        let manifest = Manifest { vectors, parts, ..self };
        match manifest.misfit() {
            None => Ok(manifest),
            Some((expected, got)) => Err(Error::State { expected, got }),
        }
    }

    pub(super) fn identity(&self) -> &Identity {
        &self.identity
    }

    pub(super) fn iteration(&self) -> u64 {
        self.iteration
    }

    pub(super) fn generation(&self) -> u64 {
        self.generation
    }

    pub(super) fn vectors(&self) -> &[Vector] {
        &self.vectors
    }

    pub(super) fn parts(&self) -> &[Part] {
        &self.parts
    }

    pub(super) fn numbers(&self) -> Result<Vec<(String, f64)>, Error> {
        let number = |(name, text): &(String, String)| match text.parse() {
            Ok(number) => Ok((name.clone(), number)),
            Err(_) => Err(Error::State { expected: format!("a number {name}"), got: text.clone() }),
        };
        self.numbers.iter().map(number).collect()
    }

    /// The text of the file.
    pub(super) fn text(&self) -> serde_json::Result<Vec<u8>> {
        let crc32 = crc32fast::hash(&serde_json::to_vec(self)?);
        let content = Content { quadrille_checkpoint: VERSION, crc32, manifest: self.clone() };
        serde_json::to_vec_pretty(&content)
    }

    /// From the text of the file in a folder.
    pub(super) fn parse(folder: &Path, text: &[u8]) -> Result<Manifest, Error> {
        let place = || place(&folder.join(MANIFEST));
        let damaged = |got: String| {
            let expected = "the manifest of a checkpoint as quadrille wrote it".into();
            Error::Damaged { place: place(), expected, got }
        };
        // The version first: another one need not have the same fields.
        #[derive(Deserialize)]
        struct Head {
            quadrille_checkpoint: u64,
        }
        let head: Head =
            serde_json::from_slice(text).map_err(|error| damaged(error.to_string()))?;
        if head.quadrille_checkpoint != u64::from(VERSION) {
            let got = head.quadrille_checkpoint;
            return Err(Error::Version { place: place(), expected: VERSION, got });
        }
        let content: Content =
            serde_json::from_slice(text).map_err(|error| damaged(error.to_string()))?;
        let bytes =
            serde_json::to_vec(&content.manifest).map_err(|error| damaged(error.to_string()))?;
        let crc32 = crc32fast::hash(&bytes);
        if crc32 != content.crc32 {
            return Err(damaged(format!("other numbers: their checksum is {crc32}")));
        }
        match content.manifest.misfit() {
            None => Ok(content.manifest),
            Some((expected, got)) => Err(Error::Damaged { place: place(), expected, got }),
        }
    }

    /// Why the parts are not a partition of the grid: what was expected, and what is there.
    fn misfit(&self) -> Option<(String, String)> {
        let Identity { n, m, .. } = self.identity;
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
            let meets = |other: &Part| {
                let meet = |a: &Range<usize>, b: &Range<usize>| a.start < b.end && b.start < a.end;
                meet(&part.columns, &other.columns) && meet(&part.rows, &other.rows)
            };
            if let Some(other) = self.parts[..at].iter().position(meets) {
                return Some((
                    expected(),
                    format!("blocks of ranks {other} and {at} with the same unknowns"),
                ));
            }
            count = count.saturating_add(block.len(n, m));
        }
        (count != n).then(|| (expected(), format!("blocks with {count} of them")))
    }
}
