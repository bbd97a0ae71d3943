//! The file of tuned choices.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{Device, Entry};
use crate::error::Place;
use crate::gl::Context;
use crate::io::date;
use crate::io::{self, Error};

/// The number of the format, so that later versions can recognise it.
const FORMAT: u32 = 1;

/// A measurement: the choice, the device, and the day.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Record {
    /// The device.
    #[serde(flatten)]
    pub device: Device,
    /// The operation, for instance `matmul`.
    pub operation: String,
    /// The choice.
    #[serde(flatten)]
    pub entry: Entry,
    /// The version of quadrille that measured.
    pub quadrille: String,
    /// The day of the measurement, as `2026-11-21`.
    pub date: String,
}

impl Record {
    /// Records a measurement made today by this version of quadrille.
    pub fn new(device: Device, operation: impl Into<String>, entry: Entry) -> Record {
        let quadrille = env!("CARGO_PKG_VERSION").to_owned();
        Record { device, operation: operation.into(), entry, quadrille, date: date::today() }
    }

    /// Returns whether it is about the same device, operation and size.
    fn replaces(&self, other: &Record) -> bool {
        let question = |record: &Record| (record.operation.clone(), record.entry.size);
        self.device == other.device && question(self) == question(other)
    }
}

/// The tuned choices of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tuned {
    records: Vec<Record>,
}

#[derive(Serialize, Deserialize)]
struct Content {
    format: u32,
    records: Vec<Record>,
}

impl Tuned {
    /// Reads a file. One that does not exist has no records.
    ///
    /// # Errors
    ///
    /// [`Error::Syntax`](io::Error::Syntax) if the file does not hold tuned choices in a format of
    /// this version, [`Error::Read`](io::Error::Read) for errors of the file system.
    pub fn read(path: impl AsRef<Path>) -> io::Result<Tuned> {
        Ok(Tuned { records: records(path.as_ref())? })
    }

    /// Returns all records of the file, including those of other devices and drivers.
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// Returns the records of exactly this device and driver.
    pub fn of(&self, device: &Device) -> impl Iterator<Item = &Record> {
        self.records.iter().filter(move |record| record.device == *device)
    }
}

impl Context {
    /// Uses the tuned choices of the user's file ([`path`](super::path)) for this device and driver
    /// from now on, and returns their number: 0 where there is no file or nothing in it for them.
    ///
    /// # Errors
    ///
    /// Those of [`Tuned::read`]: the context then uses what it used before.
    pub fn load_tuned(&self) -> io::Result<usize> {
        let tuned = super::path().map_or(Ok(Tuned::default()), Tuned::read)?;
        let mut operations = BTreeMap::<&str, Vec<Entry>>::new();
        for Record { operation, entry, .. } in tuned.of(&Device::of(self.abilities())) {
            operations.entry(operation).or_default().push(entry.clone());
        }
        let loaded = operations.values().map(Vec::len).sum();
        for (operation, entries) in operations {
            self.use_tuned(operation, entries);
        }
        Ok(loaded)
    }
}

/// Adds records to a file, replaces those for the same device, driver, operation and size, and
/// creates the folder if necessary. Records whose rate is not finite are left out.
///
/// # Errors
///
/// [`Error::Syntax`](io::Error::Syntax) if the file exists and does not hold tuned choices: it
/// stays as it is; [`Error::Read`](io::Error::Read) and [`Error::Write`](io::Error::Write) for
/// errors of the file system.
pub fn save(path: impl AsRef<Path>, new: &[Record]) -> io::Result<()> {
    let path = path.as_ref();
    let mut records = records(path)?;
    let sound = new.iter().filter(|record| record.entry.gflops.is_finite());
    for record in sound {
        records.retain(|old| !record.replaces(old));
        records.push(record.clone());
    }
    let refused = |reason| Error::Write { place: place(path), reason };
    path.parent().map_or(Ok(()), fs::create_dir_all).map_err(refused)?;
    let content = Content { format: FORMAT, records };
    io::write_whole(path, |file| Ok(serde_json::to_writer_pretty(file, &content)?))
}

/// Returns the records of a file; none if it does not exist.
fn records(path: &Path) -> io::Result<Vec<Record>> {
    let text = match fs::read(path) {
        Ok(text) => text,
        Err(reason) if reason.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(reason) => return Err(Error::Read { place: place(path), reason }),
    };
    let unusable = |got| {
        Error::Syntax {
        place: place(path),
        expected: "tuned choices of this version of quadrille (delete the file to tune from the beginning)"
            .into(),
        got,
    }
    };
    // The format first: what another format holds need not fit the records of this one.
    #[derive(Deserialize)]
    struct Head {
        format: u32,
    }
    let error = |error: serde_json::Error| unusable(error.to_string());
    match serde_json::from_slice(&text).map_err(error)? {
        Head { format: FORMAT } => {}
        Head { format } => return Err(unusable(format!("format {format}"))),
    }
    serde_json::from_slice(&text).map_err(error).map(|content: Content| content.records)
}

fn place(path: &Path) -> Place {
    Place::file(path.display().to_string())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn device(driver: &str) -> Device {
        Device { renderer: "a card".into(), driver: driver.into(), api: "gl 4.5".into() }
    }

    fn record(driver: &str, size: usize, choice: &str) -> Record {
        let entry = Entry { size, choice: choice.into(), gflops: 1.5 };
        Record::new(device(driver), "matmul", entry)
    }

    fn chosen(tuned: &Tuned, device: &Device) -> Vec<String> {
        tuned.of(device).map(|record| record.entry.choice.clone()).collect()
    }

    #[test]
    fn another_driver_or_api_is_no_measurement() {
        let tuned = Tuned { records: vec![record("1", 64, "cp")] };
        assert_eq!(chosen(&tuned, &device("1")), ["cp"]);
        let gles = Device { api: "gles 3.2".into(), ..device("1") };
        for other in [device("2"), gles] {
            assert!(chosen(&tuned, &other).is_empty());
        }
    }

    #[test]
    fn saving_keeps_what_others_found_and_replaces_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new").join("tuned.json");
        assert_eq!(Tuned::read(&path).unwrap(), Tuned::default());
        save(&path, &[record("1", 64, "cp"), record("2", 64, "sp")]).unwrap();
        assert_eq!(chosen(&Tuned::read(&path).unwrap(), &device("1")), ["cp"]);
        save(&path, &[record("1", 64, "element"), record("1", 128, "block8x8")]).unwrap();
        let tuned = Tuned::read(&path).unwrap();
        let choices: Vec<&str> =
            tuned.records().iter().map(|record| record.entry.choice.as_str()).collect();
        assert_eq!(choices, ["sp", "element", "block8x8"]);
    }

    #[test]
    fn a_speed_that_is_no_number_is_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tuned.json");
        let mut record = record("1", 64, "cp");
        record.entry.gflops = f64::NAN;
        save(&path, &[record]).unwrap();
        assert_eq!(Tuned::read(&path).unwrap(), Tuned::default());
    }

    #[test]
    fn a_broken_file_is_refused_and_is_not_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tuned.json");
        for (text, said) in [
            ("{", "EOF while parsing"),
            ("", "EOF while parsing"),
            ("[1]", "invalid"),
            ("{\"format\": 2, \"records\": 7}", "got format 2"),
            ("{\"format\": 1, \"records\": [{}]}", "missing field"),
        ] {
            fs::write(&path, text).unwrap();
            let error = Tuned::read(&path).unwrap_err().to_string();
            assert!(error.contains(said), "{text}: {error}");
            assert!(save(&path, &[record("1", 64, "cp")]).is_err());
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        let error = Tuned::read(folder.path()).unwrap_err().to_string();
        assert!(error.contains("cannot read it"), "{error}");
    }
}
