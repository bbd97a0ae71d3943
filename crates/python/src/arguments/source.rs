//! Programs as Python gives them: the name of a file, or a text.

use std::path::PathBuf;

use quadrille::shader::{Source, Stage};
use quadrille_run::Dialects;
use quadrille_run::Settings;

use crate::error::{Failure, wrong};
use crate::prelude::*;

/// A program as it is given.
pub(crate) enum Text {
    File(PathBuf),
    Itself(String),
}

impl Text {
    /// Takes a path object, the name of a file, or a text, which is recognised by a brace, a
    /// semicolon or a line break.
    pub(crate) fn take(what: &str, object: &Object<'_>) -> PyResult<Text> {
        match object.extract::<String>() {
            Ok(text) if text.contains(['{', ';', '\n']) => Ok(Text::Itself(text)),
            Ok(name) if name.is_empty() => {
                let text = format!(
                    "expected {what}: its text, or the name of its file; got an empty text"
                );
                Err(wrong(object.py(), text))
            }
            Ok(name) => Ok(Text::File(name.into())),
            Err(_) => object.extract::<PathBuf>().map(Text::File).map_err(|_| {
                let kind = object.get_type();
                let text =
                    format!("expected {what}: its text, or the name of its file; got {kind}");
                wrong(object.py(), text)
            }),
        }
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
    let made = match (Text::take("a shader", given)?, stage) {
        (Text::Itself(text), Some(Stage::Compute)) => Source::compute("kernel.comp", text),
        (Text::Itself(text), _) => Source::fragment("kernel.frag", text),
        (Text::File(path), stage) => {
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
