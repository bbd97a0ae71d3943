//! Writes checkpoints, each in the place of the one before.

use std::fs;
use std::path::{Path, PathBuf};

use super::super::{Communicator, collective};
use super::agreement::{agreed, is_first};
use super::error::{MANIFEST, OF, place, reading, writing};
use super::manifest::{self, Manifest, Part};
use super::{Error, Identity, Result, State, part};
use crate::data::Block;
use crate::io::checkpoint::{self, Head};

/// The ending of the files of parts.
const PART: &str = "part";

/// A writer of the checkpoints of one computation to a folder, in which the last whole one is kept.
///
/// All processes make the same calls in the same order, each with the data of its own ranks; a
/// failure in one process is an error in all, and leaves the previous checkpoint.
#[derive(Debug)]
pub struct Writer {
    folder: PathBuf,
    identity: Identity,
    generation: u64,
    #[cfg(test)]
    pub(super) operations: super::tests::Operations,
}

impl Writer {
    /// Creates a writer, and the folder if there is none. A checkpoint of the same system in the
    /// folder is replaced by the first that is written.
    ///
    /// # Errors
    ///
    /// [`io::Error::OtherCheckpoint`](crate::io::Error::OtherCheckpoint) if the folder has the
    /// checkpoint of another system; those of [`Checkpoint::open`](super::Checkpoint::open) for one
    /// that cannot be read.
    pub fn new(
        ranks: &dyn Communicator,
        folder: impl AsRef<Path>,
        identity: Identity,
    ) -> Result<Writer> {
        let folder = folder.as_ref().to_path_buf();
        let looked = match is_first(ranks) {
            true => last_generation(&folder, &identity),
            false => Ok(0),
        };
        let mut bytes = agreed(ranks, looked)?.to_le_bytes().to_vec();
        collective::broadcast(ranks, 0, &mut bytes)?;
        let generation = bytes.try_into().map_or(0, u64::from_le_bytes);
        Ok(Writer {
            folder,
            identity,
            generation,
            #[cfg(test)]
            operations: super::tests::Operations::default(),
        })
    }

    /// Writes a checkpoint: of each vector, for each rank of this process, the numbers of the block
    /// that it owns.
    ///
    /// # Errors
    ///
    /// [`Error::State`] if vectors do not fit the blocks, or blocks do not have each unknown once;
    /// [`Error::OnRank`] where another process fails; [`Error::NotShared`] where processes do not
    /// see the same folder; and errors of the file system and of the communicator.
    pub fn write(
        &mut self,
        ranks: &dyn Communicator,
        owned: &[Block],
        state: &State,
    ) -> Result<()> {
        // Whatever fails: parts that a manifest may name by now are not written again.
        self.generation += 1;
        let generation = self.generation;
        let parts = agreed(ranks, self.write_parts(generation, ranks, owned, state))?;
        let parts = collective::texts(ranks, &parts)?;
        let finished = match is_first(ranks) {
            true => self.finish(generation, &parts, state),
            false => Ok(()),
        };
        agreed(ranks, finished)
    }

    /// Counts a file operation, which tests can make fail.
    fn operation(&self) -> Result<()> {
        #[cfg(test)]
        self.operations.next().map_err(writing(&self.folder))?;
        Ok(())
    }

    /// Returns the parts of this process's ranks, each as JSON.
    fn write_parts(
        &self,
        generation: u64,
        ranks: &dyn Communicator,
        owned: &[Block],
        state: &State,
    ) -> Result<Vec<String>> {
        let local = ranks.local();
        let Identity { n, m, facts } = &self.identity;
        must_fit(&self.identity, local.len(), owned, state)?;
        let write = |(at, (rank, block)): (usize, (usize, &Block))| {
            self.operation()?;
            let file = name(generation, rank);
            let path = self.folder.join(&file);
            let head =
                Head::new(facts.clone(), state.iteration, state.arrays(block.len(*n, *m)), ());
            let of_rank = state.vectors.iter().map(|(_, of_ranks)| &of_ranks[at]);
            let crc32 = part::write(&path, &head, of_rank)?;
            let bytes = fs::metadata(&path).map_err(reading(&path))?.len();
            let part = Part::new(file, block, bytes, crc32);
            Ok(serde_json::to_string(&part).unwrap_or_default())
        };
        local.zip(owned).enumerate().map(write).collect()
    }

    /// Makes the parts a checkpoint, and removes the files that no longer belong to one.
    fn finish(&self, generation: u64, parts: &[String], state: &State) -> Result<()> {
        let manifest = self.folder.join(MANIFEST);
        let parts = parts.iter().map(|part| serde_json::from_str(part));
        let parts: Vec<Part> =
            parts.collect::<Result<_, _>>().map_err(|error| writing(&manifest)(error.into()))?;
        for (rank, part) in parts.iter().enumerate() {
            self.must_be_here(&part.file, rank, part.bytes)?;
        }
        let Identity { n, m, facts } = self.identity.clone();
        let more = Manifest::new(generation, (n, m), state, parts)?;
        let head = Head::new(facts, state.iteration, Vec::new(), more);
        self.operation()?;
        synchronize(&self.folder).map_err(writing(&self.folder))?;
        self.operation()?;
        checkpoint::write(&manifest, OF, &head, std::iter::empty::<Result<[u8; 0]>>())?;
        synchronize(&self.folder).map_err(writing(&self.folder))?;
        self.remove_others(generation)
    }

    /// Checks that this process sees a part that another wrote.
    fn must_be_here(&self, file: &str, rank: usize, expected: u64) -> Result<()> {
        let path = self.folder.join(file);
        let got = fs::metadata(&path).map_or(0, |there| there.len());
        match got == expected && path.exists() {
            true => Ok(()),
            false => Err(Error::NotShared { place: place(&path), rank, expected, got }),
        }
    }

    /// Removes the parts of other generations. What cannot be removed only takes room.
    fn remove_others(&self, generation: u64) -> Result<()> {
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let file = entry.file_name();
            if generation_of(&file.to_string_lossy()).is_some_and(|other| other != generation) {
                self.operation()?;
                let _ = fs::remove_file(entry.path());
            }
        }
        Ok(())
    }
}

/// Returns the generation of the checkpoint that is in a folder, which is made if there is none.
fn last_generation(folder: &Path, identity: &Identity) -> Result<u64> {
    fs::create_dir_all(folder).map_err(writing(folder))?;
    let Some(bytes) = manifest::read(folder)? else { return Ok(0) };
    let head = manifest::parse(folder, &bytes)?;
    head.must_be_of(&identity.facts, folder, OF)?;
    Ok(head.more.generation)
}

/// Refuses a state that is not that of the blocks.
fn must_fit(identity: &Identity, ranks: usize, owned: &[Block], state: &State) -> Result<()> {
    let refused = |expected: String, got: String| Err(Error::State { expected, got });
    if owned.len() != ranks {
        return refused(
            format!("blocks of {ranks} ranks of this process"),
            owned.len().to_string(),
        );
    }
    for (name, of_ranks) in &state.vectors {
        if of_ranks.len() != ranks {
            let expected = format!("numbers of {ranks} ranks of this process in {name}");
            return refused(expected, of_ranks.len().to_string());
        }
        let first = of_ranks.first().map(super::Numbers::type_name);
        for (block, numbers) in owned.iter().zip(of_ranks) {
            let (expected, got) = (block.len(identity.n, identity.m), numbers.len());
            if expected != got {
                return refused(
                    format!("{expected} numbers of a block in {name}"),
                    got.to_string(),
                );
            }
            if Some(numbers.type_name()) != first {
                let expected = format!("numbers of one type in {name}");
                return refused(expected, "several".into());
            }
        }
    }
    Ok(())
}

/// Returns the file of a rank's part.
fn name(generation: u64, rank: usize) -> String {
    format!("{generation:08}-{rank:06}.{PART}")
}

/// Returns the generation of a part by the name of its file; `None` if it is no part.
fn generation_of(file: &str) -> Option<u64> {
    let (generation, rank) = file.strip_suffix(PART)?.strip_suffix('.')?.split_once('-')?;
    rank.parse::<usize>().ok()?;
    generation.parse().ok()
}

/// Lets the names of files in a folder reach the disk before what is written next.
#[cfg(unix)]
fn synchronize(folder: &Path) -> std::io::Result<()> {
    fs::File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn synchronize(_: &Path) -> std::io::Result<()> {
    Ok(())
}
