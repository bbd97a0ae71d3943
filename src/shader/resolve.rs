//! Finds the file that an `#include` names.

use super::source::{Home, Source};
use super::{Error, embedded};
use crate::error::Place;
use std::path::{Path, PathBuf};

/// A file whose text is at hand.
pub(super) struct Loaded {
    pub(super) name: String,
    pub(super) text: String,
    pub(super) home: Home,
}

impl Loaded {
    /// Two includes that reach the same file by different spellings have the same identity.
    pub(super) fn identity(&self) -> Home {
        match &self.home {
            Home::Disk(path) => Home::Disk(path.canonicalize().unwrap_or_else(|_| path.clone())),
            other => other.clone(),
        }
    }
}

/// What a search came to: a file, or the places where it was looked for.
pub(super) enum Found {
    File(Loaded),
    Nowhere { searched: Vec<String> },
}

/// Looks for `wanted` as seen from a file that lives at `from`: among the texts given with the
/// source, then beside the including file, then in `glsl/`.
pub(super) fn resolve(
    source: &Source,
    from: &Home,
    wanted: &str,
    directive: &Place,
) -> Result<Found, Error> {
    if let Some(file) = source.files.iter().find(|file| file.name == wanted) {
        let home = Home::Given(file.name.clone());
        let loaded = Loaded { name: file.shown.clone(), text: file.text.clone(), home };
        return Ok(Found::File(loaded));
    }
    if let Some(path) = beside_on_disk(from, wanted)
        && path.is_file()
    {
        return read(path, directive).map(Found::File);
    }
    let candidates = [beside_embedded(from, wanted), embedded::beside("", wanted)];
    let embedded = candidates.into_iter().flatten().find_map(|path| {
        let text = embedded::text(&path)?.to_owned();
        Some(Loaded { name: embedded::display_name(&path), text, home: Home::Embedded(path) })
    });
    Ok(match embedded {
        Some(loaded) => Found::File(loaded),
        None => Found::Nowhere { searched: searched(source, from, wanted) },
    })
}

fn beside_on_disk(from: &Home, wanted: &str) -> Option<PathBuf> {
    match from {
        Home::Disk(path) => Some(path.parent().unwrap_or(Path::new("")).join(wanted)),
        _ => None,
    }
}

fn beside_embedded(from: &Home, wanted: &str) -> Option<String> {
    match from {
        Home::Embedded(path) => embedded::beside(path, wanted),
        _ => None,
    }
}

fn read(path: PathBuf, directive: &Place) -> Result<Loaded, Error> {
    let name = path.display().to_string();
    match std::fs::read_to_string(&path) {
        Ok(text) => Ok(Loaded { name, text, home: Home::Disk(path) }),
        Err(reason) => Err(Error::Read { file: name, from: Some(directive.clone()), reason }),
    }
}

/// The places of a search that found nothing, with what there is.
fn searched(source: &Source, from: &Home, wanted: &str) -> Vec<String> {
    let given: Vec<&str> = source.files.iter().map(|file| file.name.as_str()).collect();
    let mut searched = vec![format!("the files given with the source: {}", listed(&given))];
    if let Some(path) = beside_on_disk(from, wanted) {
        searched.push(format!("on disk: {}", path.display()));
    }
    let embedded: Vec<&str> = embedded::files().map(|(name, _)| name).filter(includable).collect();
    searched.push(format!("the library's own glsl/: {}", listed(&embedded)));
    searched
}

/// Whole shaders are not offered for inclusion.
fn includable(name: &&str) -> bool {
    name.ends_with(".glsl")
}

fn listed(names: &[&str]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}
