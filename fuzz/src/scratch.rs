//! Files for readers that take a path, and how much a reader allocates.

use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A folder for one case at a time, in memory where the system has such a place: writing a file
/// whole waits for the disk.
pub struct Scratch(TempDir);

impl Scratch {
    pub fn new() -> Scratch {
        let memory = Path::new("/dev/shm");
        let folder = if memory.is_dir() { memory.into() } else { std::env::temp_dir() };
        Scratch(tempfile::Builder::new().prefix("quadrille-fuzz-").tempdir_in(folder).unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file and returns its path.
    pub fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }
}

thread_local! {
    static SCRATCH: Scratch = Scratch::new();
}

/// Runs a case with this thread's folder.
pub fn with<R>(case: impl FnOnce(&Scratch) -> R) -> R {
    SCRATCH.with(case)
}

/// Runs a reader, which may not hold more than so many bytes at any one time.
pub fn bounded<R>(limit: usize, reader: impl FnOnce() -> R) -> R {
    let mut result = None;
    let spent = allocation_counter::measure(|| result = Some(reader()));
    assert!(spent.bytes_max <= limit as u64, "{} bytes where {limit} are allowed", spent.bytes_max);
    result.unwrap()
}
