//! Finds the file that an `#include` names.

use crate::error::Place;
use crate::shader::Error;
use crate::shader::diagnostics::excerpt::Excerpt;
use crate::shader::source::folders::{ENDINGS, Search, is_shader, parent};
use crate::shader::source::{Home, Source, embedded, text};
use std::path::{Path, PathBuf};

/// A file whose text is at hand.
pub(crate) struct Loaded {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) home: Home,
}

impl Loaded {
    /// Returns the identity of a file: two includes that reach the same file by different spellings
    /// have the same identity.
    pub(super) fn identity(&self) -> Home {
        match &self.home {
            Home::Disk(path) => Home::Disk(path.canonicalize().unwrap_or_else(|_| path.clone())),
            other => other.clone(),
        }
    }
}

/// The result of a search.
pub(crate) enum Found {
    File(Loaded),
    /// A path that leads out of the folders that the shader may include from.
    Outside {
        folders: Vec<String>,
    },
    /// A path to a file that is not a shader's.
    NotShader {
        expected: String,
    },
    Nowhere {
        searched: Vec<String>,
    },
}

impl Found {
    /// Returns the file, or an error of the directive at this position.
    pub(crate) fn file(
        self,
        wanted: &str,
        place: &Place,
        excerpt: &Excerpt,
    ) -> Result<Loaded, Error> {
        let (wanted, place) = (wanted.to_owned(), place.clone());
        let excerpt = Box::new(excerpt.clone());
        Err(match self {
            Found::File(loaded) => return Ok(loaded),
            Found::Outside { folders } => Error::OutsideInclude { wanted, folders, place, excerpt },
            Found::NotShader { expected } => Error::NotShader { wanted, expected, place, excerpt },
            Found::Nowhere { searched } => {
                Error::MissingInclude { wanted, place, excerpt, searched }
            }
        })
    }
}

/// Looks for `wanted` as seen from a file that lives at `from`: among the texts given with the
/// source, then beside the including file, then in the folders that the caller added, then in
/// `glsl/`.
pub(crate) fn resolve(
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
    let on_disk = on_disk(source, from, wanted);
    if let Search::File { named, real } = on_disk {
        return read(named, &real, directive);
    }
    let candidates = [beside_embedded(from, wanted), embedded::beside("", wanted)];
    let embedded = candidates.into_iter().flatten().find_map(|path| {
        let text = embedded::text(&path)?.to_owned();
        Some(Loaded { name: embedded::display_name(&path), text, home: Home::Embedded(path) })
    });
    Ok(match (embedded, on_disk) {
        (Some(loaded), _) => Found::File(loaded),
        (None, Search::Outside) => Found::Outside { folders: source.folders.names() },
        (None, _) => Found::Nowhere { searched: searched(source, from) },
    })
}

/// Returns the first file that the folders hold; if there is none, whether the path leads out of
/// one of them.
fn on_disk(source: &Source, from: &Home, wanted: &str) -> Search {
    if Path::new(wanted).has_root() {
        return Search::Outside;
    }
    let mut outcome = Search::Nowhere;
    for base in bases(source, from) {
        match source.folders.search(base, Path::new(wanted)) {
            file @ Search::File { .. } => return file,
            Search::Outside => outcome = Search::Outside,
            Search::Nowhere => {}
        }
    }
    outcome
}

/// Returns the folders in which a file looks for what it includes. The library's own files look in
/// none.
fn bases<'a>(source: &'a Source, from: &'a Home) -> impl Iterator<Item = &'a Path> {
    let beside = match from {
        Home::Disk(path) => Some(parent(path)),
        _ => None,
    };
    let library = matches!(from, Home::Embedded(_));
    beside.into_iter().chain(source.folders.added().filter(move |_| !library))
}

fn beside_embedded(from: &Home, wanted: &str) -> Option<String> {
    match from {
        Home::Embedded(path) => embedded::beside(path, wanted),
        _ => None,
    }
}

/// Reads a regular file with a shader's name, and no other: a pipe would wait, a device never ends.
fn read(named: PathBuf, real: &Path, directive: &Place) -> Result<Found, Error> {
    let expected = if !real.is_file() {
        "a regular file".to_owned()
    } else if !is_shader(real) {
        format!("a shader's file, whose name ends in {ENDINGS}")
    } else {
        let name = named.display().to_string();
        let text = text::read(real, &name, Some(directive))?;
        return Ok(Found::File(Loaded { name, text, home: Home::Disk(named) }));
    };
    Ok(Found::NotShader { expected })
}

/// Returns the folders of a search that found nothing, with their files.
fn searched(source: &Source, from: &Home) -> Vec<String> {
    let given: Vec<&str> = source.files.iter().map(|file| file.name.as_str()).collect();
    let mut searched = vec![format!("the files given with the source: {}", listed(&given))];
    searched.extend(bases(source, from).map(|base| format!("in the folder {}", base.display())));
    let embedded: Vec<&str> = embedded::files().map(|(name, _)| name).filter(includable).collect();
    searched.push(format!("the library's own glsl/: {}", listed(&embedded)));
    searched
}

/// Returns whether a file is offered for inclusion, which whole shaders are not.
fn includable(name: &&str) -> bool {
    name.ends_with(".glsl")
}

fn listed(names: &[&str]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}
