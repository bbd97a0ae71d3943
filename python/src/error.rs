//! Errors of the library as Python exceptions, by their kind: the classes are in `quadrille/errors.py`.
//!
//! Work on a worker's thread returns `Result<_, Failure>`. Any error of the library becomes one by `?`; a new error type needs a
//! line at the end of this file.

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::PyType;
use quadrille::Kind;
use quadrille::internal::visible;
use quadrille::shader::Diagnostic;

/// Why work on a worker's thread has no result: an error of the library.
pub(crate) struct Failure {
    pub(crate) kind: Kind,
    text: String,
    diagnostics: Vec<Diagnostic>,
}

impl Failure {
    /// A failure of this kind.
    pub(crate) fn new(kind: Kind, text: impl Into<String>) -> Failure {
        Failure { kind, text: text.into(), diagnostics: Vec::new() }
    }

    /// The exception.
    pub(crate) fn into_exception(self, py: Python<'_>) -> PyErr {
        let Failure { kind, text, diagnostics } = self;
        // Parts of it may come from files, and Python prints it as it is.
        let text = visible(&text).into_owned();
        if kind == Kind::Cancelled {
            return PyKeyboardInterrupt::new_err(text);
        }
        made(py, class_of(kind), &text, &diagnostics).unwrap_or_else(|error| error)
    }
}

/// An exception of one of the classes of `quadrille.errors`, for what is found out while the interpreter is held.
pub(crate) fn exception(py: Python<'_>, kind: Kind, text: impl Into<String>) -> PyErr {
    Failure::new(kind, text).into_exception(py)
}

/// `InputError`: an argument is wrong.
pub(crate) fn wrong(py: Python<'_>, text: impl Into<String>) -> PyErr {
    exception(py, Kind::Input, text)
}

fn class_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Input | Kind::Io => "InputError",
        Kind::Compile | Kind::Link => "CompileError",
        Kind::OutOfMemory => "OutOfMemoryError",
        Kind::Limit | Kind::Unsupported => "LimitError",
        Kind::NoDevice | Kind::ContextLost | Kind::Driver => "DeviceError",
        _ => "Error",
    }
}

/// A class of `quadrille.errors`.
pub(crate) fn class<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyType>> {
    Ok(py.import("quadrille.errors")?.getattr(name)?.cast_into()?)
}

fn made(py: Python<'_>, name: &str, text: &str, found: &[Diagnostic]) -> PyResult<PyErr> {
    let class = class(py, name)?;
    if name != "CompileError" {
        return Ok(PyErr::from_value(class.call1((text,))?));
    }
    let diagnostic = py.import("quadrille.errors")?.getattr("Diagnostic")?;
    let all = found.iter().map(|item| {
        let place = item.place.as_ref();
        let line = place.and_then(|place| place.line);
        let column = place.and_then(|place| place.column);
        let file = place.map(|place| place.file.as_str());
        diagnostic.call1((item.severity.to_string(), file, line, column, visible(&item.message)))
    });
    let all = all.collect::<PyResult<Vec<_>>>()?;
    Ok(PyErr::from_value(class.call1((text, all))?))
}

/// Error types of the library that have nothing but a kind and a text.
macro_rules! plain {
    ($($error:ty),+ $(,)?) => { $(
        impl From<$error> for Failure {
            fn from(error: $error) -> Failure {
                Failure::new(error.kind(), error.to_string())
            }
        }
    )+ };
}

impl From<quadrille::stream::Error> for Failure {
    fn from(error: quadrille::stream::Error) -> Failure {
        use quadrille::stream::Error::{Compile, Link};
        let (kind, text) = (error.kind(), error.to_string());
        let diagnostics = match error {
            Compile { diagnostics, .. } | Link { diagnostics, .. } => diagnostics.items,
            _ => Vec::new(),
        };
        Failure { kind, text, diagnostics }
    }
}

impl From<quadrille::experiment::Error> for Failure {
    fn from(error: quadrille::experiment::Error) -> Failure {
        use quadrille::experiment::Error;
        match error {
            Error::Stream(error) => error.into(),
            error @ Error::NoExtent { .. } => {
                Failure::new(error.kind(), format!("{error}, as in size=(640, 360)"))
            }
            error @ Error::Extents { .. } => {
                Failure::new(error.kind(), format!("{error}\nas in size=(640, 360)"))
            }
            other => Failure::new(other.kind(), other.to_string()),
        }
    }
}

plain!(
    quadrille::NoMemory,
    quadrille::data::Error,
    quadrille::error::UnknownName,
    quadrille::gl::Error,
    quadrille::io::Error,
    quadrille::io::description::Error,
    quadrille::linalg::matmul::Error,
    quadrille::linalg::solve::Error,
    quadrille::sat::Error,
    quadrille_lab::Error,
    quadrille_lab::matmul::TooLong,
    quadrille::shader::Error,
    quadrille::vector_machine::Error,
);
