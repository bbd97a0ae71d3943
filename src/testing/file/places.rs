//! Files that a test names, relative to its own folder.

use std::path::{Path, PathBuf};

use crate::Place;

use super::{Entry, Error};

/// The folder of a test, and the files that it was found to name.
pub(super) struct Places<'a> {
    folder: &'a Path,
    pub(super) named: Vec<(Place, String, PathBuf)>,
}

impl<'a> Places<'a> {
    pub(super) fn of(test: &'a Path) -> Places<'a> {
        Places { folder: test.parent().unwrap_or(Path::new("")), named: Vec::new() }
    }

    /// A path as seen from the folder of the process.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// The file that an entry names.
    pub(super) fn file(&mut self, entry: &Entry<'_>) -> Result<PathBuf, Error> {
        let path = self.path(&entry.text()?);
        self.name(entry, path.clone());
        Ok(path)
    }

    /// Notes that an entry names a file.
    pub(super) fn name(&mut self, entry: &Entry<'_>, path: PathBuf) {
        self.named.push((entry.place(), entry.path.clone(), path));
    }
}
