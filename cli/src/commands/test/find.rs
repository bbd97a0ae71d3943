//! The tests below the paths, read and checked before any of them runs.

use std::collections::BTreeSet;

use quadrille::Place;
use quadrille::internal::Folder;
use quadrille_run::io::description;
use quadrille_run::testing::TestFile;
use quadrille_run::testing::file::{ENDING, Error};

use super::arguments::{ALLOW_OUTSIDE, Arguments};
use crate::prelude::*;

/// A test, its file and its name: the path without the ending.
pub(super) struct Named {
    pub(super) name: String,
    pub(super) path: PathBuf,
    /// The description in the file, or the error in it.
    pub(super) test: Result<TestFile, Error>,
}

/// Every test that the arguments name.
pub(super) fn tests(arguments: &Arguments) -> anyhow::Result<Vec<Named>> {
    let mut paths = BTreeSet::new();
    for path in &arguments.paths {
        add(path, &mut paths)?;
    }
    let named = paths.into_iter().map(|path| (name(&path), path));
    let chosen = |name: &String| arguments.filter.as_ref().is_none_or(|part| name.contains(part));
    let chosen: Vec<(String, PathBuf)> = named.filter(|(name, _)| chosen(name)).collect();
    if chosen.is_empty() {
        return Err(none(arguments).into());
    }
    let read = |(name, path): (String, PathBuf)| {
        let test = must_be_named_or_inside(&path, arguments).and_then(|()| TestFile::read(&path));
        let test = test.map(|test| arguments.allowing(test));
        let test = test.and_then(|test| test.must_be_whole(arguments.bless).map(|()| test));
        Named { name, path, test }
    };
    Ok(chosen.into_iter().map(read).collect())
}

/// Refuses a link that was found in a folder and leads out of it: errors quote a description.
fn must_be_named_or_inside(path: &Path, arguments: &Arguments) -> Result<(), Error> {
    let is_named = arguments.paths.iter().any(|named| plain(named) == path);
    if is_named || arguments.may_be_outside() || Folder::of_description(path).holds(path) {
        return Ok(());
    }
    let place = Place::file(path.display().to_string());
    let reason = format!("it is a link out of its folder; {ALLOW_OUTSIDE} follows it");
    Err(description::Error::Read { place, reason: std::io::Error::other(reason) }.into())
}

/// A path as the names of tests have it.
fn plain(path: &Path) -> &Path {
    path.strip_prefix(".").unwrap_or(path)
}

fn none(arguments: &Arguments) -> Failure {
    let paths: Vec<String> =
        arguments.paths.iter().map(|path| path.display().to_string()).collect();
    let paths = paths.join(", ");
    let text = match &arguments.filter {
        Some(filter) => format!("no test under {paths} has `{filter}` in its name"),
        None => format!("there is no file *{ENDING} under {paths}"),
    };
    Failure::Input { text }
}

/// Adds a file, or all below a folder but for what is hidden.
fn add(path: &Path, paths: &mut BTreeSet<PathBuf>) -> Result<(), Failure> {
    let failure = |error: std::io::Error| {
        let text = format!("{}: cannot read it: {error}", path.display());
        Failure::Input { text }
    };
    if !path.is_dir() {
        if !is_test(path) {
            let there = if path.exists() { "" } else { ", and there is nothing of this name" };
            let text = format!("{}: expected a folder or a file *{ENDING}{there}", path.display());
            return Err(Failure::Input { text });
        }
        paths.insert(plain(path).to_owned());
        return Ok(());
    }
    for entry in std::fs::read_dir(path).map_err(failure)? {
        let entry = entry.map_err(failure)?;
        let hidden = entry.file_name().to_string_lossy().starts_with('.');
        // A link to a folder may lead in a circle.
        let folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if !hidden && (folder || is_test(&entry.path()) && entry.path().is_file()) {
            add(&entry.path(), paths)?;
        }
    }
    Ok(())
}

fn is_test(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(ENDING))
}

fn name(path: &Path) -> String {
    let path = path.display().to_string();
    path.strip_suffix(ENDING).map_or(path.clone(), str::to_owned)
}
