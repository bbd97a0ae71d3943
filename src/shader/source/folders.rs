//! The folders from which a shader may include files.
//!
//! A shader may come from a stranger, and a compiler's errors quote its input: includes must not
//! reach files that the caller did not mean to show.

use crate::shader::Error;
use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

/// The endings of files that may be included: the errors of a compiler quote no other file.
pub(in crate::shader) const ENDINGS: &str = ".glsl, .vert, .frag, .comp, .inc or .h";

/// A folder by the caller's name and by its real path.
#[derive(Clone, Debug)]
struct Folder {
    named: PathBuf,
    real: PathBuf,
}

/// All folders from which one shader may include files.
#[derive(Clone, Debug, Default)]
pub(in crate::shader) struct Folders {
    /// The folder of the shader's own file.
    own: Option<Folder>,
    /// Those that the caller added, in which every include is also looked for.
    added: Vec<Folder>,
}

/// The result of a search in one folder.
pub(in crate::shader) enum Search {
    /// A file by its name and by its real path, which is inside an allowed folder.
    File { named: PathBuf, real: PathBuf },
    /// A path that leads out of all allowed folders, whether or not there is a file.
    Outside,
    /// No such file in the folder.
    Nowhere,
}

impl Folders {
    /// Returns the folder of a file.
    pub(in crate::shader) fn of_file(path: &Path) -> Result<Folders, Error> {
        Ok(Folders { own: Some(folder(parent(path))?), added: Vec::new() })
    }

    pub(in crate::shader) fn add(&mut self, path: &Path) -> Result<(), Error> {
        self.push(folder(path)?);
        Ok(())
    }

    /// Allows the folder of another file too.
    pub(in crate::shader) fn add_own(&mut self, other: &Folders) {
        other.own.iter().cloned().for_each(|folder| self.push(folder));
    }

    fn push(&mut self, folder: Folder) {
        if self.added.iter().all(|known| known.named != folder.named) {
            self.added.push(folder);
        }
    }

    /// Returns the folders that the caller added, as they were named.
    pub(in crate::shader) fn added(&self) -> impl Iterator<Item = &Path> {
        self.added.iter().map(|folder| folder.named.as_path())
    }

    /// Returns all folders, as they were named.
    pub(in crate::shader) fn names(&self) -> Vec<String> {
        let all = self.own.iter().chain(&self.added);
        all.map(|folder| folder.named.display().to_string()).collect()
    }

    /// Looks for `wanted` in a folder. The path is checked as text before the disk is read, so that
    /// a refusal does not reveal whether a file exists, and again where the links in it really
    /// lead.
    pub(in crate::shader) fn search(&self, base: &Path, wanted: &Path) -> Search {
        let Ok(start) = base.canonicalize() else { return Search::Nowhere };
        if !joined(&start, wanted).is_some_and(|path| self.hold(&path)) {
            return Search::Outside;
        }
        let named = base.join(wanted);
        match named.canonicalize() {
            Err(_) => Search::Nowhere,
            Ok(real) if self.hold(&real) => Search::File { named: tidy(named), real },
            Ok(_) => Search::Outside,
        }
    }

    fn hold(&self, real: &Path) -> bool {
        self.own.iter().chain(&self.added).any(|folder| real.starts_with(&folder.real))
    }
}

/// Returns whether a file's name ends as those of shaders do.
pub(in crate::shader) fn is_shader(path: &Path) -> bool {
    let ending = path.extension().and_then(OsStr::to_str).map(str::to_lowercase);
    matches!(ending.as_deref(), Some("glsl" | "vert" | "frag" | "comp" | "inc" | "h"))
}

/// Returns the folder of a file, with a name that the system understands.
pub(in crate::shader) fn parent(path: &Path) -> &Path {
    let parent = path.parent().unwrap_or(Path::new(""));
    if parent.as_os_str().is_empty() { Path::new(".") } else { parent }
}

fn folder(path: &Path) -> Result<Folder, Error> {
    let real = path.canonicalize().and_then(|real| match real.is_dir() {
        true => Ok(real),
        false => Err(ErrorKind::NotADirectory.into()),
    });
    let failed = |reason| Error::Read { file: path.display().to_string(), from: None, reason };
    Ok(Folder { named: path.to_owned(), real: real.map_err(failed)? })
}

/// Returns a relative path as seen from a folder, `..` resolved in the text; none for an absolute
/// path.
fn joined(start: &Path, wanted: &Path) -> Option<PathBuf> {
    let mut path = start.to_owned();
    for part in wanted.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(path.pop()),
            Component::Normal(name) => path.push(name),
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(path)
}

/// Removes the `.` that [`parent`] put in front.
fn tidy(path: PathBuf) -> PathBuf {
    path.strip_prefix(".").map(Path::to_owned).unwrap_or(path)
}
