//! Files that tests write and read.
#![allow(dead_code, unreachable_pub, reason = "each test program takes what it needs")]

use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// A folder for the files of a test.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Folder {
        Folder(TempDir::new().unwrap())
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        std::fs::write(self.file(name), bytes).unwrap();
    }

    /// Copies a folder of the repository to it.
    pub fn copy(&self, name: &str) {
        for file in files_below(&root().join(name)) {
            let to = self.file(file.strip_prefix(root()).unwrap().to_str().unwrap());
            std::fs::create_dir_all(to.parent().unwrap()).unwrap();
            std::fs::copy(&file, to).unwrap();
        }
    }

    /// The names of the files in it, sorted.
    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

/// The repository.
pub fn root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = package.ancestors().find(|folder| folder.join("Cargo.lock").exists());
    root.unwrap().to_path_buf()
}

/// Every file below a folder, hidden folders and those of builds apart, sorted.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy();
            if !path.is_dir() {
                files.push(path);
            } else if name != "target" && !name.starts_with('.') {
                folders.push(path);
            }
        }
    }
    files.sort();
    files
}

/// The names of the shaders below a folder, as they are embedded: its README apart.
pub fn shaders_below(folder: &Path) -> Vec<String> {
    let name =
        |file: PathBuf| file.strip_prefix(folder).unwrap().to_str().unwrap().replace('\\', "/");
    files_below(folder).into_iter().map(name).filter(|name| name != "README.md").collect()
}

/// A file of the repository's test data.
pub fn data(name: &str) -> String {
    root().join("tests/data").join(name).display().to_string()
}

/// A `.npy` file by hand: version 1.0, the header padded to a multiple of 64.
pub fn npy(kind: &str, fortran: bool, shape: &str, numbers: &[u8]) -> Vec<u8> {
    let order = if fortran { "True" } else { "False" };
    let mut header = format!("{{'descr': '{kind}', 'fortran_order': {order}, 'shape': {shape}, }}");
    while (10 + header.len() + 1) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(numbers);
    bytes
}

pub fn doubles(numbers: &[f64]) -> Vec<u8> {
    numbers.iter().flat_map(|x| x.to_le_bytes()).collect()
}

pub fn singles(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|x| x.to_le_bytes()).collect()
}
