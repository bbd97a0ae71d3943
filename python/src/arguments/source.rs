//! Programs as Python gives them: the name of a file, or a text.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use quadrille::shader::{Dialect, Source, Stage};

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

/// The source of a shader, and what else a person says of it.
pub(crate) struct Shader<'a, 'py> {
    pub(crate) source: &'a Bound<'py, PyAny>,
    pub(crate) stage: Option<&'a str>,
    pub(crate) dialect: Option<&'a str>,
    pub(crate) defines: Option<&'a Bound<'py, PyDict>>,
    pub(crate) include: Option<Vec<PathBuf>>,
}

impl Shader<'_, '_> {
    /// The source as the library has it. The stage is what `stage` says, else what the file's name does, else the fragment stage.
    pub(crate) fn take(self) -> PyResult<Source> {
        let defined = self.defines()?;
        let Shader { source, stage, dialect, include, .. } = self;
        let py = source.py();
        let dialect = self::dialect(py, dialect)?;
        let failed = |error: quadrille::shader::Error| Failure::from(error).into_exception(py);
        let stage = stage.map(|stage| self::stage(py, stage)).transpose()?;
        let mut made = match (Text::take("a shader", source)?, stage) {
            (Text::Itself(text), Some(Stage::Compute)) => Source::compute("kernel.comp", text),
            (Text::Itself(text), _) => Source::fragment("kernel.frag", text),
            (Text::File(path), stage) => {
                let stage = stage.or_else(|| Stage::of_file(&path)).unwrap_or(Stage::Fragment);
                py.detach(|| Source::read(stage, path)).map_err(failed)?
            }
        };
        if let Some(dialect) = dialect {
            made = made.dialect(dialect);
        }
        for (name, value) in defined {
            made = made.define(name, value);
        }
        for folder in include.unwrap_or_default() {
            made = made.include_dir(folder).map_err(failed)?;
        }
        Ok(made)
    }

    /// The macros, each with its text.
    pub(crate) fn defines(&self) -> PyResult<Vec<(String, String)>> {
        let defines = self.defines.into_iter().flatten();
        let defined = defines.map(|(name, value)| match name.extract::<String>() {
            Ok(name) => Ok((name, value.str()?.to_string())),
            Err(_) => {
                let text = format!("defines: expected names that are str, got {}", name.repr()?);
                Err(wrong(name.py(), text))
            }
        });
        defined.collect()
    }
}

/// The argument `dialect`; none where it is to be recognised.
pub(crate) fn dialect(py: Python<'_>, name: Option<&str>) -> PyResult<Option<Dialect>> {
    let Some(name) = name.filter(|name| *name != "auto") else { return Ok(None) };
    name.parse().map(Some).map_err(|_| no_dialect(py, &format!("{name:?}")))
}

/// The error for what is no dialect.
pub(crate) fn no_dialect(py: Python<'_>, got: &str) -> PyErr {
    let names = Dialect::ALL.map(|dialect| format!("{:?}", dialect.name())).join(", ");
    wrong(py, format!("dialect: expected \"auto\" or one of {names}; got {got}"))
}

/// The argument `stage`.
fn stage(py: Python<'_>, name: &str) -> PyResult<Stage> {
    match name {
        "fragment" => Ok(Stage::Fragment),
        "compute" => Ok(Stage::Compute),
        _ => Err(wrong(py, format!("stage: expected \"fragment\" or \"compute\", got {name:?}"))),
    }
}
