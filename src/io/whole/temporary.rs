//! The temporary files that become the files of a user: locked while they are written, so that one
//! whose writer was killed can be distinguished from one that is still being written.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tempfile::{Builder, NamedTempFile};

const PREFIX: &str = ".quadrille-";
/// The number of random characters after the prefix of a name.
const RANDOM: usize = 6;

/// The temporary files that this process has made, until another is made after their end.
static MADE: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes the temporary files that this process is still writing. For a process that ends at once,
/// whose files are not dropped.
pub fn remove_unfinished() {
    // Whoever holds the lock asks a disk that may not answer.
    let Ok(mut made) = MADE.try_lock() else { return };
    for path in made.drain(..) {
        // What was finished has another name.
        let _ = fs::remove_file(path);
    }
}

/// Makes a temporary file in a folder and locks it. No one but the owner may read it unless it is
/// `public`; then it has the rights of any new file. What killed writers left in the folder is
/// removed.
pub(in crate::io) fn create(folder: &Path, public: bool) -> io::Result<NamedTempFile> {
    remove_abandoned(folder);
    let mut builder = Builder::new();
    builder.prefix(PREFIX).rand_bytes(RANDOM);
    loop {
        let temporary = make(&mut builder, folder, public).map_err(bare)?;
        // Another writer may have taken it for abandoned before it was held: then that one has
        // the lock, or has removed it. A file system without locks has no leftovers removed.
        if !is_taken(temporary.as_file()) && temporary.path().exists() {
            let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
            made.retain(|path| path.exists());
            made.push(temporary.path().to_owned());
            return Ok(temporary);
        }
    }
}

#[cfg(unix)]
fn make(builder: &mut Builder<'_, '_>, folder: &Path, public: bool) -> io::Result<NamedTempFile> {
    if public {
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

/// Elsewhere rights come from the folder. Windows marks what tempfile makes by itself as temporary,
/// also once it has another name.
#[cfg(not(unix))]
fn make(builder: &mut Builder<'_, '_>, folder: &Path, _: bool) -> io::Result<NamedTempFile> {
    let new = |path: &Path| File::options().read(true).write(true).create_new(true).open(path);
    builder.make_in(folder, new)
}

/// Removes abandoned files. Errors are ignored, since they only leave a file behind.
fn remove_abandoned(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let random = name.to_str().and_then(|name| name.strip_prefix(PREFIX));
        let ours = random.is_some_and(|random| random.len() == RANDOM);
        if !ours || !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        if let Some(_held) = abandoned(&entry.path()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Opens a file that no writer holds.
#[cfg(unix)]
fn abandoned(path: &Path) -> Option<File> {
    let file = File::options().write(true).open(path).ok()?;
    lock(&file).is_ok().then_some(file)
}

/// Windows opens it only where no other process has it open, if what others may do is said so.
#[cfg(windows)]
fn abandoned(path: &Path) -> Option<File> {
    const REMOVE: u32 = windows_sys::Win32::Storage::FileSystem::FILE_SHARE_DELETE;
    let mut options = File::options();
    std::os::windows::fs::OpenOptionsExt::share_mode(&mut options, REMOVE);
    options.write(true).open(path).ok()
}

/// Without locks no file is considered abandoned.
#[cfg(not(any(unix, windows)))]
fn abandoned(_: &Path) -> Option<File> {
    None
}

/// Holds the file until it is closed, which the system does for a process that was killed; or
/// returns whether another does.
#[cfg(unix)]
fn is_taken(file: &File) -> bool {
    lock(file).is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock)
}

/// Who has it open holds it.
#[cfg(not(unix))]
fn is_taken(_: &File) -> bool {
    false
}

#[cfg(unix)]
fn lock(file: &File) -> io::Result<()> {
    Ok(rustix::fs::flock(file, rustix::fs::FlockOperation::NonBlockingLockExclusive)?)
}

/// Returns the system's own error, without the temporary file's name, which means nothing to a
/// reader.
fn bare(error: io::Error) -> io::Error {
    let inner =
        std::error::Error::source(&error).and_then(|inner| inner.downcast_ref::<io::Error>());
    match inner.unwrap_or(&error).raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code),
        None => error,
    }
}
