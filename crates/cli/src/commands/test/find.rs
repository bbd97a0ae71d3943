//! The tests below the paths, read and checked before any of them runs.

use std::collections::BTreeMap;

use quadrille_run::testing::TestFile;
use quadrille_run::testing::file::{ENDING, Error};

use super::arguments::Arguments;
use super::rights::Rights;
use crate::prelude::*;

/// A test, its file and its name: the path without the ending.
pub(super) struct Named {
    pub(super) name: String,
    pub(super) path: PathBuf,
    pub(super) rights: Rights,
    /// The description in the file, or the error in it.
    pub(super) test: Result<TestFile, Error>,
}

/// Every test that the arguments name.
pub(super) fn tests(arguments: &Arguments) -> anyhow::Result<Vec<Named>> {
    let mut paths = BTreeMap::new();
    for path in &arguments.paths {
        add(path, None, &mut paths)?;
    }
    let named = paths.into_iter().map(|(path, folder)| (name(&path), path, folder));
    let chosen = |name: &String| arguments.filter.as_ref().is_none_or(|part| name.contains(part));
    let chosen: Vec<_> = named.filter(|(name, ..)| chosen(name)).collect();
    if chosen.is_empty() {
        return Err(none(arguments).into());
    }
    let read = |(name, path, folder): (String, PathBuf, Option<PathBuf>)| {
        let is_named = folder.is_none();
        let rights = Rights { folder: folder.or(arguments.found_in.clone()), ..arguments.rights() };
        let allowed = if is_named { Ok(()) } else { rights.must_allow(&path) };
        let test = allowed.and_then(|()| TestFile::read(&path));
        let test = test.map(|test| rights.given(test));
        let test = test.and_then(|test| test.must_be_whole(arguments.bless).map(|()| test));
        Named { name, path, rights, test }
    };
    Ok(chosen.into_iter().map(read).collect())
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

/// Adds a file, or all below a folder but for what is hidden, each with the folder that was asked for.
fn add(
    path: &Path,
    folder: Option<&Path>,
    paths: &mut BTreeMap<PathBuf, Option<PathBuf>>,
) -> Result<(), Failure> {
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
        let folder = folder.map(Path::to_owned);
        let known = paths.entry(plain(path).to_owned()).or_insert_with(|| folder.clone());
        // What is named itself needs no folder.
        if folder.is_none() {
            *known = None;
        }
        return Ok(());
    }
    for entry in std::fs::read_dir(path).map_err(failure)? {
        let entry = entry.map_err(failure)?;
        let hidden = entry.file_name().to_string_lossy().starts_with('.');
        // A link to a folder may lead in a circle.
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if !hidden && (is_folder || is_test(&entry.path()) && entry.path().is_file()) {
            add(&entry.path(), folder.or(Some(path)), paths)?;
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
