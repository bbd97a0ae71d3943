//! A part as its file keeps it: what was found, when, and with what it was measured, so that a
//! later run can check whether it is still valid.

use std::fs::{self, File};
use std::io::{BufReader, ErrorKind, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use quadrille::error::Kind;
use quadrille::io;

use crate::Scale;
use quadrille_lab::report::Part;
use quadrille_lab::{Error, MeasurementError};

/// The conditions under which a part was measured: a report has parts of one key only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Key {
    /// The version of quadrille, and which build of it.
    pub quadrille: String,
    pub renderer: String,
    /// The driver's version text.
    pub driver: String,
    pub cpu: String,
    pub scale: Scale,
    pub seed: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    pub kind: String,
    pub reason: String,
    /// Whether a result was wrong: then nothing else of the study is reported.
    pub wrong: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    pub key: Key,
    /// The end, in UTC.
    pub date: String,
    pub seconds: f64,
    pub part: Part,
    pub failure: Option<Failure>,
}

impl Key {
    /// The differences from another key, in words; `None` if they are equal.
    pub fn difference(&self, other: &Key) -> Option<String> {
        let [scale, other_scale] = [self.scale.name(), other.scale.name()];
        let [seed, other_seed] = [self.seed.to_string(), other.seed.to_string()];
        let pairs = [
            ("version", self.quadrille.as_str(), other.quadrille.as_str()),
            ("renderer", &self.renderer, &other.renderer),
            ("driver", &self.driver, &other.driver),
            ("processor", &self.cpu, &other.cpu),
            ("scale", scale, other_scale),
            ("seed", &seed, &other_seed),
        ];
        let (name, this, that) = pairs.into_iter().find(|(_, this, that)| this != that)?;
        Some(format!("its {name} is {this}, here it is {that}"))
    }
}

impl Failure {
    pub fn of(error: &Error) -> Failure {
        Failure {
            kind: words(error.kind()).to_owned(),
            reason: error.to_string(),
            wrong: matches!(error.find(), Some(MeasurementError::Wrong { .. })),
        }
    }
}

fn words(kind: Kind) -> &'static str {
    match kind {
        Kind::Input => "bad input",
        Kind::Compile => "a shader does not compile",
        Kind::Link => "shaders do not link",
        Kind::Limit => "beyond a limit of this device",
        Kind::Unsupported => "not supported by this device",
        Kind::NoDevice => "no device",
        Kind::OutOfMemory => "out of memory",
        Kind::ContextLost => "the device was lost",
        Kind::Driver => "an error of the driver",
        Kind::Failed => "it failed",
        Kind::Cancelled => "stopped",
        Kind::Io => "a file could not be read or written",
        _ => "another failure",
    }
}

impl Record {
    pub fn write(&self, path: &Path) -> Result<(), io::Error> {
        quadrille::io::write_whole(path, |file| {
            serde_json::to_writer_pretty(&mut *file, self)?;
            file.write_all(b"\n")
        })
    }

    /// Reads what an earlier run left, if it stands beside `key`: nothing where there is no file,
    /// and the reason where it must be measured again.
    pub fn read(path: &Path, key: &Key) -> Result<Option<Record>, String> {
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(format!("it cannot be read: {error}")),
        };
        let record: Record = serde_json::from_reader(BufReader::new(file))
            .map_err(|error| format!("it is not a part as this version writes it: {error}"))?;
        match (record.key.difference(key), &record.failure) {
            (Some(difference), _) => Err(difference),
            (None, Some(failure)) => Err(format!("it had failed: {}", failure.kind)),
            (None, None) => Ok(Some(record)),
        }
    }

    pub fn forget(path: &Path) -> Result<(), io::Error> {
        match fs::remove_file(path) {
            Err(reason) if reason.kind() != ErrorKind::NotFound => {
                let place = quadrille::Place::file(path.display().to_string());
                Err(io::Error::Write { place, reason })
            }
            _ => Ok(()),
        }
    }
}
