//! The folders from which a shader may include files.
//!
//! A shader may come from a stranger, and a compiler's errors quote its input: includes must not
//! reach files that the caller did not mean to show.

pub(in crate::shader) use crate::paths::parent;
use crate::paths::{Folder, resolved};
use crate::shader::Error;
use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The endings of files that may be included: the errors of a compiler quote no other file.
pub(crate) const ENDINGS: &str = ".glsl, .vert, .frag, .comp, .inc or .h";

/// All folders from which one shader may include files.
#[derive(Clone, Debug, Default)]
pub(crate) struct Folders {
    /// The folder of the shader's own file.
    own: Option<Folder>,
    /// Those that the caller added, in which every include is also looked for.
    added: Vec<Folder>,
}

/// The result of a search in one folder.
pub(crate) enum Search {
    /// A file by its name and by its real path, which is inside an allowed folder.
    File { named: PathBuf, real: PathBuf },
    /// A path that leads out of all allowed folders, whether or not there is a file.
    Outside,
    /// No such file in the folder.
    Nowhere,
}

impl Folders {
    /// Returns the folder of a file.
    pub(crate) fn of_file(path: &Path) -> Result<Folders, Error> {
        Ok(Folders { own: Some(folder(parent(path))?), added: Vec::new() })
    }

    pub(crate) fn add(&mut self, path: &Path) -> Result<(), Error> {
        self.push(folder(path)?);
        Ok(())
    }

    /// Allows the folder of another file too.
    pub(crate) fn add_own(&mut self, other: &Folders) {
        other.own.iter().cloned().for_each(|folder| self.push(folder));
    }

    fn push(&mut self, folder: Folder) {
        if self.added.iter().all(|known| known.named != folder.named) {
            self.added.push(folder);
        }
    }

    /// Returns the folders that the caller added, as they were named.
    pub(crate) fn added(&self) -> impl Iterator<Item = &Path> {
        self.added.iter().map(|folder| folder.named.as_path())
    }

    /// Returns all folders, as they were named.
    pub(crate) fn names(&self) -> Vec<String> {
        let all = self.own.iter().chain(&self.added);
        all.map(|folder| folder.named.display().to_string()).collect()
    }

    /// Looks for `wanted` in a folder: where its links lead, before any file is opened. A refusal does not
    /// reveal whether a file exists.
    pub(crate) fn search(&self, base: &Path, wanted: &Path) -> Search {
        let named = base.join(wanted);
        let real = resolved(&named);
        match self.own.iter().chain(&self.added).any(|folder| folder.holds_real(&real)) {
            false => Search::Outside,
            true if real.exists() => Search::File { named: tidy(named), real },
            true => Search::Nowhere,
        }
    }
}

/// Returns whether a file's name ends as those of shaders do.
pub(crate) fn is_shader(path: &Path) -> bool {
    let ending = path.extension().and_then(OsStr::to_str).map(str::to_lowercase);
    matches!(ending.as_deref(), Some("glsl" | "vert" | "frag" | "comp" | "inc" | "h"))
}

fn folder(path: &Path) -> Result<Folder, Error> {
    let is_there = path.metadata().and_then(|there| match there.is_dir() {
        true => Ok(()),
        false => Err(ErrorKind::NotADirectory.into()),
    });
    let failed = |reason| Error::Read { file: path.display().to_string(), from: None, reason };
    is_there.map_err(failed)?;
    Ok(Folder::new(path.to_owned()))
}

/// Removes the `.` that [`parent`] put in front.
fn tidy(path: PathBuf) -> PathBuf {
    path.strip_prefix(".").map(Path::to_owned).unwrap_or(path)
}
