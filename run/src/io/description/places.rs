//! Files that a description names, relative to its own folder.

use std::path::{Path, PathBuf};

use quadrille::Place;

use super::error::FOLDERS;
use super::{Entry, Error};

/// Returns whether what a key names is not there.
pub(crate) fn is_missing(key: &str, path: &Path) -> bool {
    if FOLDERS.contains(&key) { !path.is_dir() } else { !path.is_file() }
}

/// The folder of a description, and the files that it was found to name: where, by which key, and
/// the file.
pub(crate) struct Places<'a> {
    folder: &'a Path,
    pub(crate) named: Vec<(Place, String, PathBuf)>,
}

impl<'a> Places<'a> {
    pub(crate) fn of(file: &'a Path) -> Places<'a> {
        Places { folder: file.parent().unwrap_or(Path::new("")), named: Vec::new() }
    }

    /// Returns a path as seen from the folder of the process.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Returns the file that an entry names.
    pub(crate) fn file(&mut self, entry: &Entry<'_>) -> Result<PathBuf, Error> {
        let path = self.path(&entry.text()?);
        self.name(entry, path.clone());
        Ok(path)
    }

    /// Notes that an entry names a file.
    pub(crate) fn name(&mut self, entry: &Entry<'_>, path: PathBuf) {
        self.named.push((entry.place(), entry.path.clone(), path));
    }
}
