//! Programs as Python gives them: the name of a file, or a text.

use std::path::PathBuf;

use quadrille::options::Contents;
use quadrille::shader::{Source, Stage};
use quadrille_run::Dialects;
use quadrille_run::Settings;

use crate::error::{Failure, wrong};
use crate::prelude::*;

/// Takes a path object, the name of a file, or a text, which is recognised by a brace, a semicolon or a line break.
pub(crate) fn contents(what: &str, object: &Object<'_>) -> PyResult<Contents> {
    let refused = |got: String| {
        let text = format!("expected {what}: its text, or the name of its file; got {got}");
        Err(wrong(object.py(), text))
    };
    match (object.extract::<String>(), object.extract::<PathBuf>()) {
        (Ok(text), _) if text.contains(['{', ';', '\n']) => Ok(Contents::Text(text)),
        (Ok(name), _) if name.is_empty() => refused("an empty text".into()),
        (_, Ok(path)) => Ok(Contents::File(path)),
        _ => refused(object.get_type().to_string()),
    }
}

/// Returns the source of a shader as the library has it, as the settings have it read. The stage is
/// what `stage` says, else what the file's name does, else the fragment stage.
pub(crate) fn source(
    given: &Object<'_>,
    stage: Option<&str>,
    settings: &Settings,
) -> PyResult<Source> {
    let py = given.py();
    let stage = stage.map(|stage| self::stage(py, stage)).transpose()?;
    let failed = |error: quadrille::shader::Error| Failure::from(error).into_exception(py);
    let made = match (contents("a shader", given)?, stage) {
        (Contents::Text(text), Some(Stage::Compute)) => Source::compute("kernel.comp", text),
        (Contents::Text(text), _) => Source::fragment("kernel.frag", text),
        (Contents::File(path), stage) => {
            let stage = stage.or_else(|| Stage::of_file(&path)).unwrap_or(Stage::Fragment);
            py.detach(|| Source::read(stage, path)?.with_vertices_beside()).map_err(failed)?
        }
    };
    settings.source(made).or_raise(py)
}

/// The argument `stage`.
fn stage(py: Python<'_>, name: &str) -> PyResult<Stage> {
    match name {
        "fragment" => Ok(Stage::Fragment),
        "compute" => Ok(Stage::Compute),
        _ => Err(wrong(py, format!("stage: expected \"fragment\" or \"compute\", got {name:?}"))),
    }
}
