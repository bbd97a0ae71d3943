//! Tuned choices on a real context, from the file that the environment names.
#![cfg(feature = "files")]

use std::process::Command;

use crate::common::{Flavour, each};
use quadrille::stream::choice::{self, Device, Entry, Record, Tuned};

const SAVED: Entry = Entry { size: 512, choice: String::new(), gflops: 2.5 };

#[test]
fn what_was_saved_for_a_device_is_found_on_it_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tuned.json");
    each(|context| {
        let device = Device::of(context.abilities());
        let entry = Entry { choice: device.api.clone(), ..SAVED };
        choice::save(&path, &[Record::new(device, "matmul", entry)]).unwrap();
    });
    each(|context| {
        let device = Device::of(context.abilities());
        let entry = Tuned::read(&path).find(&device, "matmul", 100).unwrap();
        assert_eq!(entry, Entry { choice: device.api.clone(), ..SAVED });
        let updated = Device { driver: format!("{}.1", device.driver), ..device };
        assert_eq!(Tuned::read(&path).find(&updated, "matmul", 100), None);
    });
}

/// Run by the test below in a process of its own, whose environment names the file.
#[test]
#[ignore = "needs the environment of another test"]
fn the_file_of_the_environment_is_read() {
    let context = Flavour::Gl.builder().build().unwrap();
    let found = choice::tuned(context.abilities(), "matmul", 512);
    assert_eq!(found, None, "nothing was saved yet");
    let record = Record::new(Device::of(context.abilities()), "matmul", SAVED);
    choice::save(choice::path().unwrap(), &[record]).unwrap();
    assert_eq!(choice::tuned(context.abilities(), "matmul", 512), Some(SAVED));
    assert_eq!(choice::note(), None);
    std::fs::write(choice::path().unwrap(), "no JSON").unwrap();
    assert_eq!(choice::note(), None, "the file is read once");
}

#[test]
fn the_environment_names_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    let status = Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "choice::the_file_of_the_environment_is_read"])
        .env("QUADRILLE_CACHE", folder.path().join("cache"))
        .status()
        .unwrap();
    assert!(status.success());
    assert!(folder.path().join("cache").join("tuned.json").exists());
}
