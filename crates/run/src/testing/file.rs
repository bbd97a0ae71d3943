//! The description of a test: a file `*.test.toml`, read and checked before anything runs.

mod error;
mod expect;
mod expectation;
mod setup;

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::Settings;
use crate::io::description::{self, NamedFiles, Table, Text};
use quadrille::Place;
use quadrille::shader::Api;

pub use self::error::Error;
pub use self::expectation::{Claim, Expectation, Part};
pub use crate::io::description::Literal;

/// The ending of the names of these files.
pub const ENDING: &str = ".test.toml";

/// A test of a shader, as its file describes it. Paths are relative to the file's folder, and lead into
/// the folder in which the process was started, or if the file is not below that, into its own:
/// [`allow_outside`](TestFile::allow_outside).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TestFile {
    /// The file.
    pub path: PathBuf,
    /// The shader or the run that is tested.
    pub tested: Tested,
    /// The settings beside the shader; they take precedence over those of a run.
    pub settings: Settings,
    /// The most time that the test may take.
    pub timeout: Duration,
    /// The APIs that it runs on.
    pub apis: Vec<Api>,
    /// The variations that must not change the result.
    pub vary: Vec<Vary>,
    /// The expectations on the outputs.
    pub expectations: Vec<Expectation>,
    /// A part of the message with which the shader must fail to compile.
    pub error: Option<String>,
    /// The abilities that the device must have; elsewhere the test is skipped.
    pub require: Require,
    /// Devices on which the test fails, by a part of their names.
    pub known: Vec<Known>,
    /// The files that it names.
    named: NamedFiles,
}

/// The subject of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tested {
    /// A fragment shader.
    Shader(PathBuf),
    /// A run of several passes, a [`RunFile`](crate::RunFile).
    Run(PathBuf),
}

/// A variation that must not change a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Vary {
    /// The way in which texels are read: by `texelFetch` or by sampling.
    Reads,
    /// A target that is one texel wider and higher.
    Size,
}

/// The abilities of a device that a test needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Require {
    /// Whether the keyword `precise` is needed.
    pub precise: bool,
    /// Whether compute shaders are needed.
    pub compute: bool,
    /// Whether blending into textures of floats is needed.
    pub float_blending: bool,
    /// Whether a hardware device is needed, rather than a software renderer.
    pub hardware: bool,
    /// The size up to which textures must be supported, in texels along each side.
    pub max_texture_size: u32,
    /// Parts of device names, of which the device's name must contain one; any name fits if there
    /// is none.
    pub devices: Vec<String>,
}

/// A device on which a test is known to fail.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Known {
    /// A part of the device's name.
    pub device: String,
    /// The reason of the failure.
    pub reason: String,
}

/// The keys of a test beside those of its settings.
const KEYS: [&str; 8] = ["shader", "run", "timeout", "api", "vary", "expect", "require", "known"];

impl TestFile {
    /// Reads a description and checks everything that can be checked without a device.
    ///
    /// # Errors
    /// [`Error`], with the line and the key, and the keys that exist.
    pub fn read(path: impl AsRef<Path>) -> Result<TestFile, Error> {
        let path = path.as_ref();
        let text = std::fs::read_to_string(path).map_err(|reason| {
            let place = Place::file(path.display().to_string());
            description::Error::Read { place, reason }
        })?;
        TestFile::parse(path, &text)
    }

    /// Checks a description whose text would stand in this file.
    ///
    /// # Errors
    /// As [`read`](TestFile::read).
    pub fn parse(path: impl AsRef<Path>, text: &str) -> Result<TestFile, Error> {
        let path = path.as_ref();
        let file = path.display().to_string();
        let text = Text { file: &file, what: "test", text };
        let parsed = text.parse()?;
        TestFile::of(path, &Table::root(text, &parsed))
    }

    /// Lets it name files that are outside of the folder in which the process was started, or of its own
    /// where it is not below that; also a run that it names. Without this they are refused before any
    /// file is opened: a description may come from a stranger, and errors quote files.
    #[must_use]
    pub fn allow_outside(mut self) -> TestFile {
        self.named.allow_outside();
        self
    }

    /// Lets it name the files of a folder in which it was searched for, in place of its own.
    #[must_use]
    pub fn found_in(mut self, folder: impl Into<PathBuf>) -> TestFile {
        self.named.found_in(folder.into());
        self
    }

    /// Returns the files that it names.
    pub(super) fn named(&self) -> &NamedFiles {
        &self.named
    }

    /// Refuses a test without expectations, unless they are to be written, and a test with missing
    /// files, or files outside of the folder. Files of expected numbers are looked for where the test
    /// runs: which of them it needs depends on the device.
    ///
    /// # Errors
    /// [`Error::NoExpectation`], [`description::Error::NoFile`], [`description::Error::Outside`].
    pub fn must_be_whole(&self, to_be_written: bool) -> Result<(), Error> {
        if self.expectations.is_empty() && self.error.is_none() && !to_be_written {
            let place = Place::file(self.path.display().to_string());
            return Err(Error::NoExpectation { place });
        }
        Ok(self.named.must_have(|named| !named.key.ends_with(".equals"))?)
    }

    /// Refuses a test that names a file outside of the folder.
    pub(super) fn must_be_inside(&self) -> Result<(), Error> {
        Ok(self.named.must_be_inside()?)
    }

    /// Refuses a test without this one of its files.
    pub(super) fn must_have(&self, file: &Path) -> Result<(), Error> {
        Ok(self.named.must_have(|named| named.file == file)?)
    }

    /// Returns the path of an output's expected numbers unless the description names one:
    /// `sobel.edges.npy` beside `sobel.test.toml`.
    pub fn golden(&self, output: &str) -> PathBuf {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let stem = name.strip_suffix(ENDING).unwrap_or(&name);
        self.path.with_file_name(format!("{stem}.{output}.npy"))
    }

    /// Returns the entry of a device on which the test is known to fail.
    pub fn known_on(&self, device: &str) -> Option<&Known> {
        self.known.iter().find(|known| is_part(&known.device, device))
    }
}

/// Returns whether a text is a part of a device's name, whatever the case of the letters.
pub(super) fn is_part(part: &str, device: &str) -> bool {
    device.to_lowercase().contains(&part.to_lowercase())
}

#[cfg(test)]
mod tests;
