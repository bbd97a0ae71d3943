//! The lock by which the process of the work learns that the one that watches it has ended. The
//! system takes it back when a process ends, however it ends.

use std::fs::File;
use std::path::PathBuf;

use anyhow::Context as _;
use rustix::fs::{FlockOperation, flock};

use crate::process::interrupt;

/// Locks the file of the process that watches.
pub(super) fn hold(file: &File) -> anyhow::Result<()> {
    flock(file, FlockOperation::LockExclusive).context("cannot lock a temporary file")
}

/// Ends this process where the one that watches it has ended, also before this was called: it then
/// gets the lock of the file that the other held.
pub(super) fn end_with_the_parent(file: File, path: PathBuf) -> anyhow::Result<()> {
    let wait = move || {
        while let Err(rustix::io::Errno::INTR) = flock(&file, FlockOperation::LockExclusive) {}
        let _ = std::fs::remove_file(path);
        interrupt::end(1)
    };
    std::thread::Builder::new().name("parent".into()).spawn(wait)?;
    Ok(())
}
