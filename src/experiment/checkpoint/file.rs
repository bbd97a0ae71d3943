//! The file of a checkpoint: two lines of text, the texels of all arrays, and their checksum.
//!
//! The first line has the version and the checksum of the second, which is JSON: what the experiment is, and which arrays follow. The
//! texels are as they are in memory, array by array and row by row; NumPy's `fromfile` reads them.

use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::experiment::Error;
use crate::io::write_whole;
use crate::{Place, date, io, memory};

/// What the file begins with.
const WORDS: &str = "quadrille checkpoint of an experiment, version ";
const VERSION: u32 = 1;
/// No line of a checkpoint is longer.
const LONGEST: u64 = 1 << 26;
/// The checksum at the end.
const SUM: u64 = 4;

/// The second line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Head {
    written: String,
    pub(super) iteration: u64,
    pub(super) facts: Vec<(String, String)>,
    arrays: Vec<Array>,
}

/// The texels of a texture: its height, its width and its channels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Array {
    name: String,
    #[serde(rename = "type")]
    of: String,
    shape: [usize; 3],
}

impl Head {
    pub(super) fn new(iteration: u64, facts: Vec<(String, String)>, arrays: Vec<Array>) -> Head {
        Head { written: date::now(), iteration, facts, arrays }
    }
}

impl Array {
    pub(super) fn new(name: &str, of: &str, shape: [usize; 3]) -> Array {
        Array { name: name.into(), of: of.into(), shape }
    }

    fn words(&self) -> usize {
        self.shape.iter().fold(1, |product, axis| product.saturating_mul(*axis))
    }
}

/// Writes a checkpoint; `words` gives the texels of an array by its index.
pub(super) fn write(
    path: &Path,
    head: &Head,
    words: impl Fn(usize) -> Result<Vec<u32>, Error>,
) -> Result<(), Error> {
    let mut failed = None;
    let written = write_whole(path, |file| {
        let text = serde_json::to_vec(head)?;
        writeln!(file, "{WORDS}{VERSION}, {:08x}", crc32fast::hash(&text))?;
        file.write_all(&text)?;
        file.write_all(b"\n")?;
        let mut sum = crc32fast::Hasher::new();
        for index in 0..head.arrays.len() {
            let words = words(index).map_err(|error| {
                failed = Some(error);
                std::io::Error::other("no texels")
            })?;
            let bytes = bytemuck::cast_slice(&words);
            sum.update(bytes);
            file.write_all(bytes)?;
        }
        file.write_all(&sum.finalize().to_le_bytes())
    });
    match failed {
        Some(error) => Err(error),
        None => Ok(written?),
    }
}

/// A checkpoint whose lines are read and right.
pub(super) struct Opened {
    pub(super) head: Head,
    path: PathBuf,
    reader: BufReader<File>,
    /// The bytes after the lines.
    rest: u64,
}

impl Opened {
    pub(super) fn open(path: &Path) -> Result<Opened, Error> {
        let file = File::open(path).map_err(reading(path))?;
        let length = file.metadata().map_err(reading(path))?.len();
        let mut reader = BufReader::with_capacity(1 << 20, file);
        let first = line(path, &mut reader)?;
        let words = first
            .strip_prefix(WORDS.as_bytes())
            .ok_or_else(|| damaged(path, "a checkpoint of an experiment", "another file".into()))?;
        let words = String::from_utf8_lossy(words).into_owned();
        let (version, sum) = words.split_once(", ").unwrap_or((&words, ""));
        if version != VERSION.to_string() {
            let (place, got) = (place(path), version.to_owned());
            return Err(Error::CheckpointVersion { place, expected: VERSION, got });
        }
        let second = line(path, &mut reader)?;
        let found = format!("{:08x}", crc32fast::hash(&second));
        if found != sum {
            let got = format!("a head with the checksum {found}");
            return Err(damaged(path, &format!("a head with the checksum {sum}"), got));
        }
        let head: Head = serde_json::from_slice(&second)
            .map_err(|error| damaged(path, "the head of a checkpoint", error.to_string()))?;
        let rest = length.saturating_sub((first.len() + second.len() + 2) as u64);
        Ok(Opened { head, path: path.to_path_buf(), reader, rest })
    }

    /// The texels of all arrays, which must be these.
    pub(super) fn arrays(&mut self, expected: &[Array]) -> Result<Vec<Vec<u32>>, Error> {
        let Opened { head, path, reader, rest } = self;
        if head.arrays != expected {
            let text = |arrays: &[Array]| {
                let array = |Array { name, of, shape }: &Array| format!("{name} {of} {shape:?}");
                arrays.iter().map(array).collect::<Vec<_>>().join(", ")
            };
            return Err(damaged(
                path,
                &format!("the arrays {}", text(expected)),
                text(&head.arrays),
            ));
        }
        let bytes = expected.iter().map(|array| 4 * array.words() as u64).sum::<u64>() + SUM;
        if *rest != bytes {
            let expected = format!("{bytes} bytes after its head");
            return Err(damaged(path, &expected, rest.to_string()));
        }
        let (mut sum, mut all) = (crc32fast::Hasher::new(), Vec::new());
        for array in expected {
            let mut words: Vec<u32> = memory::zeroed(array.words())?;
            let bytes = bytemuck::cast_slice_mut(&mut words);
            reader.read_exact(bytes).map_err(reading(path))?;
            sum.update(bytes);
            all.push(words);
        }
        let mut end = [0; SUM as usize];
        reader.read_exact(&mut end).map_err(reading(path))?;
        let (expected, got) = (u32::from_le_bytes(end), sum.finalize());
        if expected != got {
            let expected = format!("numbers with the checksum {expected:08x}");
            return Err(damaged(path, &expected, format!("{got:08x}")));
        }
        Ok(all)
    }
}

/// A line without its end.
fn line(path: &Path, reader: &mut impl BufRead) -> Result<Vec<u8>, Error> {
    let mut line = Vec::new();
    reader.take(LONGEST).read_until(b'\n', &mut line).map_err(reading(path))?;
    match line.pop() {
        Some(b'\n') => Ok(line),
        _ => Err(damaged(
            path,
            "a checkpoint of an experiment",
            "another file, or the start of one".into(),
        )),
    }
}

fn reading(path: &Path) -> impl Fn(std::io::Error) -> Error {
    move |reason| match reason.kind() {
        ErrorKind::UnexpectedEof => damaged(path, "a whole checkpoint", "its start alone".into()),
        _ => Error::Io(io::Error::Read { place: place(path), reason }),
    }
}

fn damaged(path: &Path, expected: &str, got: String) -> Error {
    Error::DamagedCheckpoint { place: place(path), expected: expected.to_owned(), got }
}

fn place(path: &Path) -> Place {
    Place::file(path.display().to_string())
}
