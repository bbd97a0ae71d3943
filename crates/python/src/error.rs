//! Errors of the library as Python exceptions, by their kind: the classes are in
//! `quadrille_gl/errors.py`.
//!
//! Work on a worker's thread returns `Result<_, Failure>`. Any error of the library becomes one by
//! `?`.

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::PyType;
use quadrille::internal::advised;
use quadrille::shader::Diagnostic;
use quadrille::{Kind, stream, visible};

/// The reason why work on a worker's thread has no result: an error of the library.
pub(crate) struct Failure {
    pub(crate) kind: Kind,
    text: String,
    diagnostics: Vec<Diagnostic>,
}

impl Failure {
    /// Creates a failure of this kind.
    pub(crate) fn new(kind: Kind, text: impl Into<String>) -> Failure {
        Failure { kind, text: text.into(), diagnostics: Vec::new() }
    }

    /// Creates the failure of an argument, whose name precedes the error.
    pub(crate) fn of_argument(name: &str, error: impl quadrille::Failure) -> Failure {
        Failure::new(error.kind(), format!("{name}: {}", advised(&error)))
    }

    /// Returns the exception.
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

/// Results of the library that are had while the interpreter is held.
pub(crate) trait OrRaise<T> {
    /// Makes an error an exception.
    fn or_raise(self, py: Python<'_>) -> PyResult<T>;
}

impl<T, E: Into<Failure>> OrRaise<T> for Result<T, E> {
    fn or_raise(self, py: Python<'_>) -> PyResult<T> {
        self.map_err(|error| error.into().into_exception(py))
    }
}

/// Creates an exception of one of the classes of `quadrille_gl.errors`, for what is found out while
/// the interpreter is held.
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

/// Returns a class of `quadrille_gl.errors`.
pub(crate) fn class<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyType>> {
    Ok(py.import("quadrille_gl.errors")?.getattr(name)?.cast_into()?)
}

fn made(py: Python<'_>, name: &str, text: &str, found: &[Diagnostic]) -> PyResult<PyErr> {
    let class = class(py, name)?;
    if name != "CompileError" {
        return Ok(PyErr::from_value(class.call1((text,))?));
    }
    let diagnostic = py.import("quadrille_gl.errors")?.getattr("Diagnostic")?;
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

impl<E: Into<quadrille::Error>> From<E> for Failure {
    fn from(error: E) -> Failure {
        use quadrille_run::error::SizeError::{Extents, NoExtent};
        use stream::Error::{Compile, Link};
        let error = error.into();
        let diagnostics = match error.find() {
            Some(Compile { diagnostics, .. } | Link { diagnostics, .. }) => {
                diagnostics.items.clone()
            }
            _ => Vec::new(),
        };
        let text = match error.find() {
            Some(NoExtent { .. }) => format!("{error}, as in size=(640, 360)"),
            Some(Extents { .. }) => format!("{error}\nas in size=(640, 360)"),
            _ => advised(&*error),
        };
        Failure { kind: error.kind(), text, diagnostics }
    }
}
