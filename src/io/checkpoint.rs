//! The container of saved state: what it is of, numbers, and their checksums, in one file.
//!
//! ```text
//! quadrille checkpoint of an experiment, version 2, 1c291ca3              the checksum of the second line
//! {"written":..., "identity":..., "iteration":9, "arrays":..., "more":...}
//! the numbers of all arrays, as they are in memory, and 9bf1a0c2          their checksum
//! ```
//!
//! NumPy's `fromfile` reads the numbers behind the second line.

use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use bytemuck::NoUninit;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::error::{opened, reading, whole_file};
use super::facts::{Facts, differences};
use super::{Error, Result, write_whole};
use crate::error::with_article;
use crate::io::date;

/// The version of the format that is written and read.
const VERSION: u32 = 2;
const WORDS: &str = "quadrille checkpoint of ";
/// No line is longer.
const LONGEST: u64 = 1 << 26;
/// The bytes of the checksum at the end, with the end of its line.
const SUM: u64 = 9;

/// The second line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Head<T> {
    written: String,
    /// The facts that identify the computation.
    pub identity: Facts,
    /// The steps that were done.
    pub iteration: u64,
    /// The arrays that follow.
    pub arrays: Vec<Array>,
    /// The state that only this sort of checkpoint has.
    pub more: T,
}

/// An array: its name, the type of its numbers as NumPy names it, and its shape.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Array {
    /// The name of the array.
    pub name: String,
    /// The type.
    #[serde(rename = "type")]
    pub of: String,
    /// The lengths of its axes.
    pub shape: Vec<usize>,
}

impl<T> Head<T> {
    /// Makes the head of a state that is written now.
    pub fn new(identity: Facts, iteration: u64, arrays: Vec<Array>, more: T) -> Head<T> {
        Head { written: date::now(), identity, iteration, arrays, more }
    }

    /// Refuses the state of another experiment or system.
    ///
    /// # Errors
    /// [`Error::OtherCheckpoint`] with all that differs.
    pub fn must_be_of(
        &self,
        own: &[(String, String)],
        path: &Path,
        of: &'static str,
    ) -> Result<()> {
        let differences = differences(own, &self.identity);
        match differences.is_empty() {
            true => Ok(()),
            false => Err(Error::OtherCheckpoint { place: whole_file(path), of, differences }),
        }
    }
}

impl Array {
    /// Describes an array of numbers as they are in memory, with their type, such as `f4`.
    pub fn new(name: &str, of: &str, shape: &[usize]) -> Array {
        Array { name: name.into(), of: native(of), shape: shape.into() }
    }

    /// Returns whether its numbers are of this type, as they are in memory.
    pub fn is_of(&self, of: &str) -> bool {
        self.of == native(of)
    }

    /// Returns the number of elements.
    pub fn numbers(&self) -> usize {
        self.shape.iter().fold(1, |product, axis| product.saturating_mul(*axis))
    }

    fn bytes(&self) -> u64 {
        let size = self.of.chars().last().and_then(|digit| digit.to_digit(10)).unwrap_or(0);
        u64::from(size).saturating_mul(self.numbers() as u64)
    }
}

/// Returns a type with this machine's order of bytes.
fn native(of: &str) -> String {
    let order = if cfg!(target_endian = "little") { '<' } else { '>' };
    format!("{order}{of}")
}

impl fmt::Display for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {:?}", self.name, self.of, self.shape)
    }
}

/// Writes a file of the state of `of` whole or not at all: the numbers of the arrays of its head,
/// in their order. Returns their checksum.
///
/// # Errors
/// Those of the numbers; [`Error::Write`].
pub fn write<T: Serialize, N: NoUninit, A: AsRef<[N]>, E: From<Error>>(
    path: &Path,
    of: &str,
    head: &Head<T>,
    numbers: impl Iterator<Item = std::result::Result<A, E>>,
) -> std::result::Result<u32, E> {
    let (mut sum, mut failed) = (crc32fast::Hasher::new(), None);
    let written = write_whole(path, |file| {
        let text = serde_json::to_vec(head)?;
        let words = with_article(of);
        writeln!(file, "{WORDS}{words}, version {VERSION}, {:08x}", crc32fast::hash(&text))?;
        file.write_all(&text)?;
        file.write_all(b"\n")?;
        for numbers in numbers {
            let numbers = numbers.map_err(|error| {
                failed = Some(error);
                std::io::Error::other("no numbers")
            })?;
            let bytes = bytemuck::cast_slice(numbers.as_ref());
            sum.update(bytes);
            file.write_all(bytes)?;
        }
        writeln!(file, "{:08x}", sum.clone().finalize())
    });
    match failed {
        Some(error) => Err(error),
        None => Ok(written.map(|()| sum.finalize())?),
    }
}

/// A file whose first two lines are read and right.
pub struct Opened<T, R = BufReader<File>> {
    /// The second line.
    pub head: Head<T>,
    path: PathBuf,
    reader: R,
    /// The bytes behind the lines.
    rest: u64,
    sum: crc32fast::Hasher,
}

impl<T: DeserializeOwned> Opened<T> {
    /// Opens a file, which must have the state of `of`.
    ///
    /// # Errors
    /// [`Error::CheckpointVersion`], [`Error::DamagedCheckpoint`], [`Error::Read`].
    pub fn open(path: &Path, of: &str) -> Result<Opened<T>> {
        let (reader, length) = opened(path, 1 << 20)?;
        Opened::new(path, of, reader, length)
    }
}

impl<T: DeserializeOwned, R: BufRead> Opened<T, R> {
    /// Opens a checkpoint from the bytes of a file of this length.
    ///
    /// # Errors
    /// As [`Opened::open`].
    pub fn new(path: &Path, of: &str, mut reader: R, length: u64) -> Result<Opened<T, R>> {
        let expected = format!("the checkpoint of {}", with_article(of));
        let another = || damaged(path, expected.clone(), "another file, or the start of one");
        let mut line = || {
            let mut line = Vec::new();
            reader.by_ref().take(LONGEST).read_until(b'\n', &mut line).map_err(reading(path))?;
            line.pop_if(|end| *end == b'\n').map(|_| line).ok_or_else(another)
        };
        let first = line()?;
        let words = String::from_utf8_lossy(&first);
        let words = words.strip_prefix(WORDS).and_then(|words| words.split_once(", version "));
        let (got, version) = words.ok_or_else(another)?;
        let (version, sum) = version.split_once(", ").unwrap_or((version, ""));
        if version != VERSION.to_string() {
            return Err(another_version(path, version));
        }
        if got != with_article(of) {
            return Err(damaged(path, expected.clone(), format!("that of {got}")));
        }
        let second = line()?;
        let found = format!("{:08x}", crc32fast::hash(&second));
        if found != sum {
            let expected = format!("a head with the checksum {sum}");
            return Err(damaged(path, expected, format!("one with {found}")));
        }
        let head = serde_json::from_slice(&second)
            .map_err(|error| damaged(path, "the head of a checkpoint", error.to_string()))?;
        let rest = length.saturating_sub((first.len() + second.len() + 2) as u64);
        Ok(Opened { head, path: path.into(), reader, rest, sum: crc32fast::Hasher::new() })
    }

    /// Refuses other arrays than these, and another number of bytes than theirs.
    ///
    /// # Errors
    /// [`Error::DamagedCheckpoint`].
    pub fn must_have(&self, arrays: &[Array]) -> Result<()> {
        if self.head.arrays != arrays {
            let text = |arrays: &[Array]| {
                arrays.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
            };
            let (expected, got) = (text(arrays), text(&self.head.arrays));
            return Err(damaged(
                &self.path,
                format!("the arrays [{expected}]"),
                format!("[{got}]"),
            ));
        }
        let bytes = arrays.iter().fold(SUM, |sum, array| sum.saturating_add(array.bytes()));
        if self.rest != bytes {
            let expected = format!("{bytes} bytes after its head");
            return Err(damaged(&self.path, expected, self.rest.to_string()));
        }
        Ok(())
    }

    /// Reads the next numbers.
    ///
    /// # Errors
    /// [`Error::Read`]; [`Error::DamagedCheckpoint`] where the file ends.
    pub fn read(&mut self, numbers: &mut [u8]) -> Result<()> {
        self.fill(numbers)?;
        self.sum.update(numbers);
        Ok(())
    }

    /// Finishes after all numbers were read, and returns their checksum, which must be that of the
    /// file.
    ///
    /// # Errors
    /// As [`Opened::read`].
    pub fn finish(mut self) -> Result<u32> {
        let mut end = [0; SUM as usize];
        self.fill(&mut end)?;
        let sum = self.sum.finalize();
        let (expected, got) = (String::from_utf8_lossy(&end), format!("{sum:08x}"));
        match expected.strip_suffix('\n') == Some(&got) {
            true => Ok(sum),
            false => {
                let expected = format!("numbers with the checksum {}", expected.trim_end());
                Err(damaged(&self.path, expected, got))
            }
        }
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<()> {
        self.reader.read_exact(bytes).map_err(|reason| match reason.kind() {
            ErrorKind::UnexpectedEof => {
                damaged(&self.path, "a whole checkpoint", "its start alone")
            }
            _ => reading(&self.path)(reason),
        })
    }
}

/// Returns the error of a file of another version.
pub fn another_version(path: &Path, got: &str) -> Error {
    let (place, got) = (whole_file(path), got.to_owned());
    Error::CheckpointVersion { place, expected: VERSION, got }
}

/// Returns the error of a file that was changed, or is another.
pub fn damaged(path: &Path, expected: impl Into<String>, got: impl Into<String>) -> Error {
    let (expected, got) = (expected.into(), got.into());
    Error::DamagedCheckpoint { place: whole_file(path), expected, got }
}
