//! The file of tuned choices.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::{Device, Entry};
use crate::date;
use crate::error::Place;
use crate::io::{self, Error};

/// The number of the format, so that later versions can tell it apart.
const FORMAT: u32 = 1;

/// The files that were read: each once in the life of the process.
static READ: Mutex<BTreeMap<PathBuf, Arc<Tuned>>> = Mutex::new(BTreeMap::new());

/// A measurement: the choice, the device, and the day.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    /// A measurement of today by this version of quadrille.
    pub fn new(device: Device, operation: impl Into<String>, entry: Entry) -> Record {
        let quadrille = env!("CARGO_PKG_VERSION").to_owned();
        Record { device, operation: operation.into(), entry, quadrille, date: date::today() }
    }

    /// Whether it is about the same device, operation and size.
    fn replaces(&self, other: &Record) -> bool {
        let question = |record: &Record| (record.operation.clone(), record.entry.size);
        self.device == other.device && question(self) == question(other)
    }
}

/// The tuned choices of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tuned {
    records: Vec<Record>,
    note: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct Content {
    format: u32,
    records: Vec<Record>,
}

impl Tuned {
    /// Reads a file. If it cannot be read, there are no records and a [`note`](Tuned::note).
    pub fn read(path: impl AsRef<Path>) -> Tuned {
        match records(path.as_ref()) {
            Ok(records) => Tuned { records, note: None },
            Err(error) => Tuned { records: Vec::new(), note: Some(error.to_string()) },
        }
    }

    /// All records of the file, including those of other devices and drivers.
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// Why an existing file was not read.
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    /// The entry of the nearest size, by their ratio, for an operation on exactly this device and
    /// driver.
    pub fn find(&self, device: &Device, operation: &str, size: usize) -> Option<Entry> {
        let here = self.records.iter().filter(|record| record.device == *device);
        let entries = here.filter(|record| record.operation == operation);
        let distance = |entry: &Entry| (log(entry.size) - log(size)).abs();
        let nearest = entries
            .map(|record| &record.entry)
            .min_by(|one, other| distance(one).total_cmp(&distance(other)));
        nearest.cloned()
    }
}

fn log(size: usize) -> f64 {
    (size.max(1) as f64).ln()
}

/// The choices of a file, read at most once.
pub(super) fn at(path: &Path) -> Arc<Tuned> {
    let mut files = READ.lock().unwrap_or_else(PoisonError::into_inner);
    let tuned = files.entry(path.to_owned()).or_insert_with(|| Arc::new(Tuned::read(path)));
    tuned.clone()
}

/// Adds records to a file, replaces those for the same device, driver, operation and size, and creates the
/// folder if necessary. Records whose rate is not finite are left out.
///
/// # Errors
///
/// [`Error::Syntax`](io::Error::Syntax) if the file exists and does not hold tuned choices: it stays as it is;
/// [`Error::Read`](io::Error::Read) and [`Error::Write`](io::Error::Write) for errors of the file system.
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
    io::write_whole(path, |file| Ok(serde_json::to_writer_pretty(file, &content)?))?;
    READ.lock().unwrap_or_else(PoisonError::into_inner).remove(path);
    Ok(())
}

/// The records of a file; none if it does not exist.
fn records(path: &Path) -> io::Result<Vec<Record>> {
    let text = match fs::read(path) {
        Ok(text) => text,
        Err(reason) if reason.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(reason) => return Err(Error::Read { place: place(path), reason }),
    };
    let unusable = |got| Error::Syntax {
        place: place(path),
        expected: "tuned choices of this version of quadrille (delete the file to start anew)"
            .into(),
        got,
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

    fn chosen(tuned: &Tuned, driver: &str, size: usize) -> Option<String> {
        tuned.find(&device(driver), "matmul", size).map(|entry| entry.choice)
    }

    #[test]
    fn the_nearest_size_by_ratio_is_taken() {
        let records = vec![record("1", 64, "small"), record("1", 1024, "large")];
        let tuned = Tuned { records, note: None };
        for (size, expected) in
            [(0, "small"), (255, "small"), (257, "large"), (usize::MAX, "large")]
        {
            assert_eq!(chosen(&tuned, "1", size).as_deref(), Some(expected), "{size}");
        }
    }

    #[test]
    fn another_driver_api_or_operation_is_no_measurement() {
        let tuned = Tuned { records: vec![record("1", 64, "cp")], note: None };
        assert!(chosen(&tuned, "1", 64).is_some());
        assert!(chosen(&tuned, "2", 64).is_none());
        let gles = Device { api: "gles 3.2".into(), ..device("1") };
        assert!(tuned.find(&gles, "matmul", 64).is_none());
        assert!(tuned.find(&device("1"), "jacobi", 64).is_none());
    }

    #[test]
    fn saving_keeps_what_others_found_and_replaces_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new").join("tuned.json");
        assert_eq!(Tuned::read(&path), Tuned::default());
        save(&path, &[record("1", 64, "cp"), record("2", 64, "sp")]).unwrap();
        assert_eq!(chosen(&at(&path), "1", 64).as_deref(), Some("cp"));
        save(&path, &[record("1", 64, "element"), record("1", 128, "block8x8")]).unwrap();
        let tuned = at(&path);
        let choices: Vec<&str> =
            tuned.records().iter().map(|record| record.entry.choice.as_str()).collect();
        assert_eq!(choices, ["sp", "element", "block8x8"]);
        assert_eq!(*tuned, Tuned::read(&path));
    }

    #[test]
    fn a_speed_that_is_no_number_is_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tuned.json");
        let mut record = record("1", 64, "cp");
        record.entry.gflops = f64::NAN;
        save(&path, &[record]).unwrap();
        assert_eq!(Tuned::read(&path), Tuned::default());
    }

    #[test]
    fn a_broken_file_is_a_note_and_is_not_written_over() {
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
            let tuned = Tuned::read(&path);
            assert!(tuned.records().is_empty());
            assert!(tuned.note().is_some_and(|note| note.contains(said)), "{text}: {tuned:?}");
            assert!(save(&path, &[record("1", 64, "cp")]).is_err());
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        assert!(
            Tuned::read(folder.path()).note().is_some_and(|note| note.contains("cannot read it"))
        );
    }

    #[test]
    fn a_file_is_read_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tuned.json");
        assert!(at(&path).records().is_empty());
        fs::write(&path, "{").unwrap();
        assert_eq!(at(&path).note(), None);
    }
}
