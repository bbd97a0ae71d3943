//! Errors of the library as JavaScript's `Error`, with its kind and the places in shaders.

use js_sys::{Array, Object, Reflect};
use quadrille::linalg::solve::NotConverged;
use quadrille::{Kind, stream};
use wasm_bindgen::prelude::*;

/// The reason why a call has no result: any error of the library, by `?`, or a text.
pub struct Failure {
    kind: Kind,
    text: String,
    diagnostics: Vec<Diagnostic>,
    /// What a solver reached that did not converge.
    solution: Option<Object>,
}

struct Diagnostic {
    file: String,
    line: u32,
    column: Option<u32>,
    message: String,
}

pub(crate) type Result<T> = std::result::Result<T, Failure>;

/// Returns the failure of a line of a file.
pub(crate) fn wrong_line(file: &str, line: u64, message: String) -> Failure {
    let text = format!("{file}:{line}: {message}");
    let place = Diagnostic { file: file.to_owned(), line: line as u32, column: None, message };
    Failure { diagnostics: vec![place], ..Failure::new(Kind::Input, text) }
}

/// Returns the failure of a wrong argument.
pub(crate) fn wrong(text: impl Into<String>) -> Failure {
    Failure::new(Kind::Input, text)
}

/// Returns the failure of a browser that lacks what everything here needs.
pub(crate) fn unsupported(text: &str) -> Failure {
    Failure::new(Kind::Unsupported, text)
}

/// Returns the failure of a solver, with what it reached.
pub(crate) fn not_converged(error: &NotConverged, solution: Object) -> Failure {
    Failure { solution: Some(solution), ..Failure::new(error.kind(), error.to_string()) }
}

impl Failure {
    fn new(kind: Kind, text: impl Into<String>) -> Failure {
        Failure { kind, text: text.into(), diagnostics: Vec::new(), solution: None }
    }
}

impl<E: Into<quadrille::Error>> From<E> for Failure {
    fn from(error: E) -> Failure {
        use stream::Error::{Compile, Link};
        let error = error.into();
        let text = quadrille::internal::advised(&*error);
        let diagnostics = match error.find() {
            Some(Compile { diagnostics, .. } | Link { diagnostics, .. }) => {
                diagnostics.errors().into_iter().filter_map(Diagnostic::of).collect()
            }
            _ => Diagnostic::before(&text).into_iter().collect(),
        };
        Failure { diagnostics, ..Failure::new(error.kind(), text) }
    }
}

impl Diagnostic {
    fn of(item: &quadrille::shader::Diagnostic) -> Option<Diagnostic> {
        let place = item.place.as_ref()?;
        let (file, column) = (place.file.clone(), place.column.map(|column| column as u32));
        Some(Diagnostic { file, line: place.line? as u32, column, message: item.message.clone() })
    }

    /// Returns the place with which a message begins, as in `fill.run.toml:3:8: expected ...`.
    fn before(text: &str) -> Option<Diagnostic> {
        let first = text.lines().next()?;
        let (place, message) = first.split_once(": ")?;
        let mut parts = place.split(':');
        let file = parts.next()?.to_owned();
        let line = parts.next()?.parse().ok()?;
        let column = parts.next().and_then(|column| column.parse().ok());
        Some(Diagnostic { file, line, column, message: message.to_owned() })
    }

    fn into_object(self) -> JsValue {
        let object = Object::new();
        set(&object, "file", self.file);
        set(&object, "line", self.line);
        if let Some(column) = self.column {
            set(&object, "column", column);
        }
        set(&object, "message", self.message);
        object.into()
    }
}

impl From<Failure> for JsValue {
    fn from(Failure { kind, text, diagnostics, solution }: Failure) -> JsValue {
        let error = js_sys::Error::new(&text);
        let kind = match kind {
            Kind::ContextLost => "lost",
            Kind::NoDevice | Kind::Unsupported => "unsupported",
            _ if solution.is_some() => "convergence",
            _ => "failure",
        };
        if let Some(solution) = solution {
            set(&error, "solution", solution);
        }
        set(&error, "kind", kind);
        let diagnostics: Array = diagnostics.into_iter().map(Diagnostic::into_object).collect();
        set(&error, "diagnostics", diagnostics);
        error.into()
    }
}

/// Returns the error of a defect of the library, after which the context cannot be used.
pub(crate) fn defect(text: &str) -> JsValue {
    Failure::new(Kind::ContextLost, text).into()
}

/// Sets a property of an object that was just made, which cannot fail.
pub(crate) fn set(object: &JsValue, name: &str, value: impl Into<JsValue>) {
    let is_set = Reflect::set(object, &name.into(), &value.into());
    debug_assert_eq!(is_set, Ok(true), "{name}");
}
