//! Shaders as Python gives them: the name of a file, or a text.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use quadrille::shader::{Source, Stage};

use crate::error::{Failure, wrong};

/// The source of a fragment shader: a path object or the name of a file, or GLSL, which is told by a brace, a semicolon or a line break.
pub(crate) fn source(
    source: &Bound<'_, PyAny>,
    defines: Option<&Bound<'_, PyDict>>,
    include: Option<Vec<PathBuf>>,
) -> PyResult<Source> {
    let py = source.py();
    let read = |path: PathBuf| {
        let source = py.detach(|| Source::read(Stage::Fragment, path));
        source.map_err(|error| Failure::from(error).into_exception(py))
    };
    let mut made = match source.extract::<String>() {
        Ok(text) if text.contains(['{', ';', '\n']) => Source::fragment("kernel.frag", text),
        Ok(name) => read(name.into())?,
        Err(_) => read(source.extract::<PathBuf>().map_err(|_| {
            let kind = source.get_type().to_string();
            wrong(
                py,
                format!(
                    "expected a fragment shader: its text, or the name of its file; got {kind}"
                ),
            )
        })?)?,
    };
    for (name, value) in defines.into_iter().flatten() {
        made = made.define(name.extract::<String>()?, value.str()?.to_string());
    }
    for folder in include.unwrap_or_default() {
        made = made.include_dir(folder).map_err(|error| Failure::from(error).into_exception(py))?;
    }
    Ok(made)
}
