//! Files that a description names, relative to its own folder.

use std::path::{Path, PathBuf};

use quadrille::Place;
use quadrille::internal::Folder;

use super::error::FOLDERS;
use super::{Entry, Error};
use crate::io::Numbered;

/// A file, or numbered files, that a description names: where, and by which key.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    place: Place,
    pub(crate) key: String,
    pub(crate) file: PathBuf,
    /// The files of which `file` is the folder.
    each: Option<Numbered>,
}

impl Named {
    /// That the files of a sequence are there is seen when they are looked for.
    fn is_missing(&self) -> bool {
        let folder = FOLDERS.contains(&self.key.as_str());
        self.each.is_none() && if folder { !self.file.is_dir() } else { !self.file.is_file() }
    }

    /// Returns the first of its files that leads out of a folder.
    fn outside(&self, folder: &Folder) -> Option<PathBuf> {
        if !folder.holds(&self.file) {
            return Some(self.file.clone());
        }
        let numbers = self.each.as_ref().and_then(|each| each.find().ok());
        let files = numbers.into_iter().flatten().zip(self.each.iter().cycle());
        let mut files = files.map(|(number, each)| each.name(number));
        files.find(|file| !folder.holds(file))
    }
}

/// The files that a description names, which may come from a stranger: they are in one folder, unless
/// whoever runs it allows others.
#[derive(Clone, Debug)]
pub(crate) struct NamedFiles {
    description: PathBuf,
    /// The folder in which the description was searched for, if it was.
    searched: Option<PathBuf>,
    all: Vec<Named>,
    outside: bool,
}

impl NamedFiles {
    pub(crate) fn new(description: &Path) -> NamedFiles {
        let description = description.to_owned();
        NamedFiles { description, searched: None, all: Vec::new(), outside: false }
    }

    /// Allows files outside of the folder.
    pub(crate) fn allow_outside(&mut self) {
        self.outside = true;
    }

    /// Allows the files of a folder in which the description was searched for.
    pub(crate) fn found_in(&mut self, folder: PathBuf) {
        self.searched = Some(folder);
    }

    /// Takes what another description, which names this one, may name.
    pub(crate) fn allow_as(&mut self, other: &NamedFiles) {
        self.searched.clone_from(&other.searched);
        self.outside = other.outside;
    }

    /// Leaves out what is not read.
    pub(crate) fn retain(&mut self, is_read: impl FnMut(&Named) -> bool) {
        self.all.retain(is_read);
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Named> {
        self.all.iter()
    }

    /// Refuses a file that leads out of the folder, before any is opened.
    pub(crate) fn must_be_inside(&self) -> Result<(), Error> {
        if self.outside || self.all.is_empty() {
            return Ok(());
        }
        let folder = Folder::of_description(&self.description, self.searched.as_deref());
        self.all.iter().try_for_each(|named| match named.outside(&folder) {
            None => Ok(()),
            Some(file) => Err(Error::Outside {
                place: named.place.clone(),
                key: named.key.clone(),
                file,
                folder: folder.named.clone(),
            }),
        })
    }

    /// Refuses a file that leads out of the folder, and one of those that are needed that is not there.
    pub(crate) fn must_have(&self, needed: impl Fn(&Named) -> bool) -> Result<(), Error> {
        self.must_be_inside()?;
        match self.all.iter().find(|named| needed(named) && named.is_missing()).cloned() {
            None => Ok(()),
            Some(Named { place, key, file, .. }) => Err(Error::NoFile { place, key, file }),
        }
    }
}

/// The folder of a description, and the files that it was found to name.
pub(crate) struct Places<'a> {
    folder: &'a Path,
    pub(crate) named: NamedFiles,
}

impl<'a> Places<'a> {
    pub(crate) fn of(file: &'a Path) -> Places<'a> {
        let folder = file.parent().unwrap_or(Path::new(""));
        Places { folder, named: NamedFiles::new(file) }
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
        self.note(entry, path, None);
    }

    /// Notes that an entry names numbered files.
    pub(crate) fn name_each(&mut self, entry: &Entry<'_>, each: &Numbered) {
        self.note(entry, each.folder().to_owned(), Some(each.clone()));
    }

    fn note(&mut self, entry: &Entry<'_>, file: PathBuf, each: Option<Numbered>) {
        let (place, key) = (entry.place(), entry.path.clone());
        self.named.all.push(Named { place, key, file, each });
    }
}
