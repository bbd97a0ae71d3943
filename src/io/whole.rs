//! Writing a file whole or not at all.
//!
//! All bytes go to a temporary file beside the target, which is then renamed to it. The target
//! stays what it was to the rest of the system:
//!
//! * a symbolic link stays one, and the file that it points at is written;
//! * the new file has the permission bits of the old one, and its owner and group where this
//!   process may set them; where the group cannot be kept, its rights are dropped (access control
//!   lists are not kept);
//! * a file of several names (hard links) keeps them: the finished bytes are copied into it. That
//!   copy is not atomic, which is the price of keeping the names.

mod temporary;

use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use tempfile::NamedTempFile;

use super::error::whole_file;
use super::{Error, Result};

pub use temporary::remove_unfinished;

/// The files whose bytes the system is writing to its disk.
static SYNCED: AtomicUsize = AtomicUsize::new(0);

/// Returns whether the system is writing the bytes of a file to its disk, which may take long.
pub fn is_synced() -> bool {
    SYNCED.load(Ordering::Relaxed) > 0
}

/// Waits until the bytes of a file are on its disk.
pub(super) fn sync(file: &File) -> io::Result<()> {
    SYNCED.fetch_add(1, Ordering::Relaxed);
    let done = file.sync_all();
    SYNCED.fetch_sub(1, Ordering::Relaxed);
    done
}

/// Lets `fill` write a temporary file, which then replaces `path`: a failure leaves the old file.
/// What is not a regular file (a pipe, `/dev/null`) is written directly.
///
/// # Errors
/// [`Error::Write`].
pub fn write_whole(
    path: &Path,
    fill: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>,
) -> Result<()> {
    write(path, fill).map_err(|reason| Error::Write { place: whole_file(path), reason })
}

fn write(
    path: &Path,
    fill: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>,
) -> io::Result<()> {
    let there = fs::metadata(path).ok();
    match &there {
        Some(there) if there.is_dir() => Err(io::Error::from(io::ErrorKind::IsADirectory)),
        Some(there) if !there.is_file() => fill_and_flush(&File::create(path)?, fill),
        _ => {
            let replacement = Replacement::begin(path)?;
            fill_and_flush(replacement.file(), fill)?;
            replacement.finish()
        }
    }
}

/// A temporary file that will take the name of another, which is a regular file or does not exist.
/// It is removed if it is dropped before that.
pub(super) struct Replacement {
    temporary: NamedTempFile,
    path: PathBuf,
    there: Option<Metadata>,
}

impl Replacement {
    pub(super) fn begin(path: &Path) -> io::Result<Replacement> {
        let path = target(path)?;
        let there = fs::metadata(&path).ok();
        let temporary = temporary::create(folder_of(&path), there.is_none())?;
        Ok(Replacement { temporary, path, there })
    }

    pub(super) fn file(&self) -> &File {
        self.temporary.as_file()
    }

    /// Returns the path at which other processes write to the file.
    pub(super) fn temporary(&self) -> &Path {
        self.temporary.path()
    }

    /// Puts the file in its place, once all has been written.
    pub(super) fn finish(mut self) -> io::Result<()> {
        if self.there.as_ref().is_some_and(has_other_names) {
            return copy_into(&self.path, self.temporary.as_file_mut());
        }
        if let Some(there) = &self.there {
            keep_rights(self.temporary.as_file(), there);
        }
        sync(self.temporary.as_file())?;
        rename(self.temporary, &self.path)
    }
}

#[cfg(unix)]
fn rename(temporary: NamedTempFile, path: &Path) -> io::Result<()> {
    temporary.persist(path).map(drop).map_err(|refused| refused.error)
}

/// The standard library's takes paths of more than 260 characters on Windows; tempfile's does not.
/// Dropped afterwards, the temporary file has no name that could be removed.
#[cfg(not(unix))]
fn rename(temporary: NamedTempFile, path: &Path) -> io::Result<()> {
    fs::rename(temporary.path(), path)
}

/// Returns the file that a name means, whether it exists or not, behind all symbolic links.
fn target(path: &Path) -> io::Result<PathBuf> {
    // As many as Linux follows.
    const MOST_LINKS: usize = 40;
    let mut path = path.to_path_buf();
    for _ in 0..=MOST_LINKS {
        match fs::read_link(&path) {
            Ok(next) => path = folder_of(&path).join(next),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("there are too many symbolic links on the way"))
}

fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// Writes over a file's bytes, and cuts it only after them: a disk that is full is found before a
/// byte is lost, unless the new bytes are more.
fn copy_into(path: &Path, from: &mut File) -> io::Result<()> {
    io::Seek::rewind(from)?;
    let mut file = File::options().write(true).open(path)?;
    let length = io::copy(from, &mut file)?;
    file.set_len(length)?;
    sync(&file)
}

#[cfg(unix)]
fn has_other_names(there: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(there) > 1
}

#[cfg(not(unix))]
fn has_other_names(_: &Metadata) -> bool {
    false
}

/// The temporary file is private at first, so that an error leaves it with fewer rights and never
/// with more.
#[cfg(unix)]
fn keep_rights(file: &File, there: &Metadata) {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    let group = Some(there.gid());
    let kept = fchown(file, Some(there.uid()), group).or_else(|_| fchown(file, None, group));
    let rights = if kept.is_ok() { 0o777 } else { 0o707 };
    let _ = file.set_permissions(PermissionsExt::from_mode(there.mode() & rights));
}

#[cfg(not(unix))]
fn keep_rights(_: &File, _: &Metadata) {}

fn fill_and_flush(
    file: &File,
    fill: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>,
) -> io::Result<()> {
    let mut writer = BufWriter::new(file);
    fill(&mut writer)?;
    writer.flush()
}

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    fn text(path: &Path, text: &str) {
        write_whole(path, |file| file.write_all(text.as_bytes())).unwrap();
        assert_eq!(fs::read_to_string(path).unwrap(), text);
    }

    fn failing(path: &Path) {
        let broken = write_whole(path, |file| {
            file.write_all(b"half of it")?;
            Err(io::Error::other("no more"))
        });
        assert!(broken.is_err());
    }

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().mode() & 0o7777
    }

    fn count(folder: &Path) -> usize {
        fs::read_dir(folder).unwrap().count()
    }

    #[test]
    fn a_file_keeps_its_mode_and_a_new_one_has_the_usual() {
        let folder = tempfile::tempdir().unwrap();
        let (path, usual) = (folder.path().join("x"), folder.path().join("usual"));
        fs::write(&usual, "").unwrap();
        text(&path, "new");
        assert_eq!(mode(&path), mode(&usual));
        for rights in [0o600, 0o640, 0o666, 0o755] {
            fs::set_permissions(&path, fs::Permissions::from_mode(rights)).unwrap();
            let owner = fs::metadata(&path).unwrap();
            failing(&path);
            text(&path, &format!("{rights:o}"));
            let new = fs::metadata(&path).unwrap();
            assert_eq!(mode(&path), rights);
            assert_eq!((new.uid(), new.gid()), (owner.uid(), owner.gid()));
        }
        assert_eq!(count(folder.path()), 2);
    }

    #[test]
    fn what_is_written_over_a_private_file_is_private_from_the_start() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        text(&path, "old");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        write_whole(&path, |file| {
            assert_eq!(file.get_ref().metadata()?.mode() & 0o7777, 0o600);
            file.write_all(b"new")
        })
        .unwrap();
    }

    #[test]
    fn hard_links_stay_and_all_names_have_the_new_text() {
        let folder = tempfile::tempdir().unwrap();
        let (path, other) = (folder.path().join("x"), folder.path().join("y"));
        for new in ["longer than it was", "short"] {
            fs::write(&path, "as it was").unwrap();
            let _ = fs::remove_file(&other);
            fs::hard_link(&path, &other).unwrap();
            failing(&path);
            assert_eq!(fs::read_to_string(&other).unwrap(), "as it was");
            text(&path, new);
            assert_eq!(fs::read_to_string(&other).unwrap(), new);
            assert_eq!(fs::metadata(&path).unwrap().nlink(), 2);
        }
        assert_eq!(count(folder.path()), 2);
    }

    #[test]
    fn symbolic_links_stay_and_their_target_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("inner");
        fs::create_dir(&inner).unwrap();
        let link = |name: &str, to: &str| {
            let link = folder.path().join(name);
            symlink(to, &link).unwrap();
            link
        };
        let (first, target) = (link("first", "inner/second"), inner.join("target"));
        symlink("target", inner.join("second")).unwrap();
        for new in ["it was not there", "it was there"] {
            text(&first, new);
            assert_eq!(fs::read_to_string(&target).unwrap(), new);
            assert!(first.is_symlink() && inner.join("second").is_symlink());
        }
        let round = link("round", "round");
        failing(&round);
        assert!(round.is_symlink());
        assert_eq!((count(folder.path()), count(&inner)), (3, 2));
    }

    #[test]
    fn a_write_in_the_same_folder_leaves_the_temporary_of_another() {
        let folder = tempfile::tempdir().unwrap();
        let (outer, inner) = (folder.path().join("outer"), folder.path().join("inner"));
        write_whole(&outer, |file| {
            text(&inner, "inner");
            assert_eq!(count(folder.path()), 2, "the inner file and the outer's temporary");
            file.write_all(b"outer")
        })
        .unwrap();
        assert_eq!(fs::read_to_string(&outer).unwrap(), "outer");
        assert_eq!(count(folder.path()), 2);
    }

    #[test]
    fn leftovers_are_removed_and_nothing_else_is() {
        let folder = tempfile::tempdir().unwrap();
        for name in [".quadrille-a1B2c3", ".quadrille-notes.md", ".quadrille", "quadrille-a1B2c3"] {
            fs::write(folder.path().join(name), "left").unwrap();
        }
        fs::create_dir(folder.path().join(".quadrille-folder")).unwrap();
        text(&folder.path().join("x"), "new");
        assert!(!folder.path().join(".quadrille-a1B2c3").exists());
        assert_eq!(count(folder.path()), 5);
    }
}
