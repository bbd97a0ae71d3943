//! Programs as Python gives them: the name of a file, or a text.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use quadrille::shader::{Source, Stage};

use crate::error::{Failure, wrong};

/// A program as it is given.
pub(crate) enum Text {
    File(PathBuf),
    Itself(String),
}

impl Text {
    /// A path object or the name of a file, or a text, which is told by a brace, a semicolon or a line break.
    pub(crate) fn take(what: &str, object: &Bound<'_, PyAny>) -> PyResult<Text> {
        match object.extract::<String>() {
            Ok(text) if text.contains(['{', ';', '\n']) => Ok(Text::Itself(text)),
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

/// The source of a fragment shader.
pub(crate) fn source(
    source: &Bound<'_, PyAny>,
    defines: Option<&Bound<'_, PyDict>>,
    include: Option<Vec<PathBuf>>,
) -> PyResult<Source> {
    let py = source.py();
    let mut made = match Text::take("a fragment shader", source)? {
        Text::Itself(text) => Source::fragment("kernel.frag", text),
        Text::File(path) => py
            .detach(|| Source::read(Stage::Fragment, path))
            .map_err(|error| Failure::from(error).into_exception(py))?,
    };
    for (name, value) in defines.into_iter().flatten() {
        made = made.define(name.extract::<String>()?, value.str()?.to_string());
    }
    for folder in include.unwrap_or_default() {
        made = made.include_dir(folder).map_err(|error| Failure::from(error).into_exception(py))?;
    }
    Ok(made)
}
