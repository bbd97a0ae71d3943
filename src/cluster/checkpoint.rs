//! Checkpoints: the state of a computation on several ranks, in files from which it can continue on
//! any number of ranks.
//!
//! Each rank writes its part whole, to a file of its own in one folder. Then one process writes the
//! file `manifest`, which says what it is a checkpoint of and names the parts with their checksums.
//! It takes the place of the one before by renaming, and only after that the parts that the old one
//! named are removed: whenever a process or a machine stops, the folder has the last whole
//! checkpoint.
//!
//! A part has the numbers of its block of each vector, in the order of the manifest and row by row.
//! Both are files of `io/checkpoint.rs`, as those of experiments are; numbers of the manifest are
//! text that has all their digits.
//!
//! ```
//! use quadrille::cluster::checkpoint::{Checkpoint, Identity, Numbers, State, Writer};
//! use quadrille::{cluster::InProcess, data::Block};
//! # let folder = std::env::temp_dir().join("quadrille-checkpoint-doc");
//! # let _ = std::fs::remove_dir_all(&folder);
//! let identity = Identity::new(12, 4).with("stencil", "heat9:4x3");
//! let (two, one) = (InProcess::new(2), InProcess::new(1));
//! let halves = [Block { columns: 0..4, rows: 0..2 }, Block { columns: 0..4, rows: 2..3 }];
//! let x = vec![Numbers::Single(vec![1.0; 8]), Numbers::Single(vec![2.0; 4])];
//! let mut writer = Writer::new(&two, &folder, identity.clone())?;
//! writer.write(&two, &halves, &State::new(100).vector("x", x))?;
//!
//! let checkpoint = Checkpoint::open(&one, &folder)?;
//! checkpoint.must_be_of(&identity)?;
//! let state = checkpoint.read(&one, &[Block { columns: 2..4, rows: 1..3 }])?;
//! assert_eq!(state.iteration, 100);
//! assert_eq!(state.named("x"), Some(&[Numbers::Single(vec![1.0, 1.0, 2.0, 2.0])][..]));
//! # Ok::<(), quadrille::cluster::checkpoint::Error>(())
//! ```

mod agreement;
mod digest;
mod error;
mod identity;
mod keep;
mod manifest;
mod part;
mod state;
#[cfg(test)]
mod tests;
mod writer;

use std::path::{Path, PathBuf};

use self::agreement::{agreed, is_first};
use self::error::OF;
use self::manifest::Manifest;
use super::{Communicator, collective};
use crate::data::Block;
use crate::io::checkpoint::{Array, Head};

pub use digest::{digest, of_grid, of_matrix, of_vector};
pub use error::{Error, Result};
pub use identity::Identity;
pub use keep::Keep;
pub use state::{Numbers, State};
pub use writer::Writer;

/// A checkpoint in a folder, of which each rank reads what it needs.
///
/// All processes make the same calls in the same order, each with the data of its own ranks; a
/// failure in one process is an error in all.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    folder: PathBuf,
    head: Head<Manifest>,
}

impl Checkpoint {
    /// Opens the checkpoint in a folder, whose manifest the process of the first rank reads.
    ///
    /// # Errors
    ///
    /// [`Error::Empty`] if there is none; [`Error::File`] for one of another version of quadrille
    /// and for one that was changed; and errors of the communicator.
    pub fn open(ranks: &dyn Communicator, folder: impl AsRef<Path>) -> Result<Checkpoint> {
        let folder = folder.as_ref().to_path_buf();
        let read = match is_first(ranks) {
            true => {
                manifest::read(&folder).and_then(|bytes| bytes.ok_or_else(|| Error::empty(&folder)))
            }
            false => Ok(Vec::new()),
        };
        let mut bytes = agreed(ranks, read)?;
        collective::broadcast(ranks, 0, &mut bytes)?;
        let head = agreed(ranks, manifest::parse(&folder, &bytes))?;
        Ok(Checkpoint { folder, head })
    }

    /// Returns the number of unknowns, and how many are in a row of the grid.
    pub fn size(&self) -> (usize, usize) {
        self.head.more.size
    }

    /// Returns the steps that were done.
    pub fn iteration(&self) -> u64 {
        self.head.iteration
    }

    /// Returns the number of ranks that wrote it.
    pub fn ranks(&self) -> usize {
        self.head.more.parts.len()
    }

    /// Refuses the checkpoint of another system.
    ///
    /// # Errors
    ///
    /// [`io::Error::OtherCheckpoint`](crate::io::Error::OtherCheckpoint) with all that differs.
    pub fn must_be_of(&self, identity: &Identity) -> Result<()> {
        Ok(self.head.must_be_of(&identity.facts, &self.folder, OF)?)
    }

    /// Reads the state: of each vector, for each rank of this process, the numbers of its block,
    /// which may be any of the grid's, with halos too. Every part that has some of them is checked
    /// as a whole.
    ///
    /// # Errors
    ///
    /// [`Error::File`] for a part that is missing or was changed, [`Error::OnRank`] where another
    /// process fails, and errors of the communicator.
    pub fn read(&self, ranks: &dyn Communicator, blocks: &[Block]) -> Result<State> {
        agreed(ranks, self.read_here(blocks))
    }

    fn read_here(&self, blocks: &[Block]) -> Result<State> {
        let manifest = &self.head.more;
        let (n, m) = manifest.size;
        for block in blocks {
            block.must_be_in(n, m)?;
        }
        let zeros = |vector: &Array| Ok((vector.name.clone(), manifest.zeros(vector, blocks)?));
        let mut vectors = manifest.vectors.iter().map(zeros).collect::<Result<Vec<_>>>()?;
        for part in &manifest.parts {
            part::read(&self.folder, manifest, part, blocks, &mut vectors)?;
        }
        Ok(State { iteration: self.iteration(), numbers: manifest.numbers()?, vectors })
    }
}
