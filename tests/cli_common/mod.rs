//! Runs the command in a folder of its own and looks at all that it leaves.
#![allow(dead_code, unreachable_pub, reason = "each test file uses a part of it")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod running;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

#[allow(unused_imports, reason = "each test file uses a part of it")]
pub use running::{Running, Signal};

/// A folder for the files of a test.
pub struct Folder(TempDir);

/// What a run left.
pub struct Run {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

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

    /// The names of the files in it, sorted.
    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// The command with these arguments, separated by spaces, on the software renderer.
    pub fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_quadrille"));
        command.current_dir(self.path()).args(arguments.split_whitespace());
        command.env("QUADRILLE_DEVICE", "llvmpipe");
        // What was tuned on this machine is no part of a test.
        command.env("QUADRILLE_CACHE", self.file("cache"));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub fn start(&self, arguments: &str) -> Running {
        Running::start(&mut self.command(arguments))
    }

    pub fn run(&self, arguments: &str) -> Run {
        finish(self.start(arguments))
    }
}

/// Waits for a run to end. Whatever it says, it says without control characters: these are pipes.
pub fn finish(child: impl Into<Running>) -> Run {
    let output = child.into().output();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let run =
        Run { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) };
    for text in [&run.out, &run.err] {
        let control = text.chars().find(|c| c.is_control() && *c != '\n');
        assert_eq!(control, None, "{text}");
    }
    run
}

impl Run {
    /// The run, which must have ended with this code.
    #[track_caller]
    pub fn ended(self, code: i32) -> Run {
        assert_eq!(self.code, Some(code), "stdout: {}\nstderr: {}", self.out, self.err);
        self
    }

    /// Standard output, which must be one JSON object and nothing else.
    #[track_caller]
    pub fn json(&self) -> Value {
        let value: Value = serde_json::from_str(&self.out)
            .unwrap_or_else(|error| panic!("{error}: {}\n{}", self.out, self.err));
        assert!(value.is_object());
        value
    }

    #[track_caller]
    pub fn says(&self, text: &str) {
        assert!(self.err.contains(text), "expected `{text}` in: {}", self.err);
    }
}

/// A file of the repository's test data.
pub fn data(name: &str) -> String {
    format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"))
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
