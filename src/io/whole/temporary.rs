//! The temporary files that become the files of a user: locked while they are written, so that one
//! whose writer was killed can be distinguished from one that is still being written.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

const PREFIX: &str = ".quadrille-";
/// The number of random characters after the prefix of a name.
const RANDOM: usize = 6;

/// Makes a temporary file in a folder and locks it. No one but the owner may read it unless it is
/// `public`; then it has the rights of any new file. What killed writers left in the folder is
/// removed.
pub(in crate::io) fn create(folder: &Path, public: bool) -> io::Result<NamedTempFile> {
    remove_abandoned(folder);
    let mut builder = Builder::new();
    builder.prefix(PREFIX).rand_bytes(RANDOM);
    if public {
        make_public(&mut builder);
    }
    loop {
        let temporary = builder.tempfile_in(folder).map_err(bare)?;
        // Another writer may have taken it for abandoned before it was locked: then that one has
        // the lock, or has removed it. A file system without locks has no leftovers removed.
        let taken =
            lock(temporary.as_file()).is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock);
        if !taken && temporary.path().exists() {
            return Ok(temporary);
        }
    }
}

#[cfg(unix)]
fn make_public(builder: &mut Builder<'_, '_>) {
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
}

/// Elsewhere rights come from the folder.
#[cfg(not(unix))]
fn make_public(_: &mut Builder<'_, '_>) {}

/// Removes abandoned files. Errors are ignored, since they only leave a file behind.
fn remove_abandoned(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let random = name.to_str().and_then(|name| name.strip_prefix(PREFIX));
        let ours = random.is_some_and(|random| random.len() == RANDOM);
        if !ours || !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        if let Ok(file) = File::options().write(true).open(entry.path())
            && lock(&file).is_ok()
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Locks the file until it is closed, which the system does for a process that was killed.
#[cfg(unix)]
fn lock(file: &File) -> io::Result<()> {
    Ok(rustix::fs::flock(file, rustix::fs::FlockOperation::NonBlockingLockExclusive)?)
}

/// Fails, so that without locks no file is considered abandoned.
#[cfg(not(unix))]
fn lock(_: &File) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
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
