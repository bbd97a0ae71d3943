//! Writing a file whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use super::error::whole_file;
use super::{Error, Result};

/// Has `fill` write into a temporary file beside `path`, then renames it to `path`: a failure on the way
/// leaves what was there. Symbolic links are followed. What is not a regular file (a pipe, `/dev/null`) is written straight.
pub(crate) fn write_whole(
    path: &Path,
    fill: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>,
) -> Result<()> {
    write(path, fill).map_err(|reason| Error::Write { place: whole_file(path), reason })
}

fn write(
    path: &Path,
    fill: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>,
) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(there) if there.is_dir() => Err(io::Error::from(io::ErrorKind::IsADirectory)),
        Ok(there) if !there.is_file() => fill_and_flush(&File::create(path)?, fill),
        Ok(_) => replace(&fs::canonicalize(path)?, fill),
        Err(_) => replace(path, fill),
    }
}

fn replace(
    path: &Path,
    fill: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>,
) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let temporary = temporary_in(&folder.map_or_else(|| PathBuf::from("."), Path::to_path_buf))?;
    fill_and_flush(temporary.as_file(), fill)?;
    temporary.as_file().sync_all()?;
    temporary.persist(path).map(drop).map_err(|refused| refused.error)
}

/// A temporary file with the rights of any new file, not the private ones that are usual for temporary files.
fn temporary_in(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(".quadrille-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder).map_err(bare)
}

/// The system's own error: around it stands the temporary's name, which says nothing to who reads it.
fn bare(error: io::Error) -> io::Error {
    let inner =
        std::error::Error::source(&error).and_then(|inner| inner.downcast_ref::<io::Error>());
    match inner.unwrap_or(&error).raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code),
        None => error,
    }
}

fn fill_and_flush(
    file: &File,
    fill: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>,
) -> io::Result<()> {
    let mut writer = BufWriter::new(file);
    fill(&mut writer)?;
    writer.flush()
}
