//! The argument `progress` of long work: `True` for a bar, or a callable that gets the progress.
//!
//! Make one by [`Telling::of`], give its [`tell`](Telling::tell) to `Worker::call_telling`, and
//! [`end`](Telling::end) it.

use pyo3::types::PyBool;
use quadrille::Progress;

use crate::error::wrong;
use crate::prelude::*;

/// The receiver of progress.
pub(crate) struct Telling<'py> {
    tell: Option<Object<'py>>,
}

impl<'py> Telling<'py> {
    /// Takes the argument; `unit` is what a bar counts.
    pub(crate) fn of(
        py: Python<'py>,
        progress: Option<Object<'py>>,
        unit: &str,
    ) -> PyResult<Telling<'py>> {
        let Some(progress) = progress else { return Ok(Telling { tell: None }) };
        let tell = match progress.cast::<PyBool>() {
            Ok(wanted) if wanted.is_true() => {
                Some(py.import("quadrille_gl._progress")?.call_method1("bar", (unit,))?)
            }
            Ok(_) => None,
            Err(_) if progress.is_callable() => Some(progress),
            Err(_) => {
                let kind = progress.get_type().to_string();
                return Err(wrong(
                    py,
                    format!("progress: expected True, False or a callable, got {kind}"),
                ));
            }
        };
        Ok(Telling { tell })
    }

    /// Returns the function to call with `(done, expected, residual)`.
    pub(crate) fn tell(&self) -> Option<&Object<'py>> {
        self.tell.as_ref()
    }

    /// Reports the last progress, if the work has one, and ends the bar.
    pub(crate) fn end(self, last: Option<Progress>) -> PyResult<()> {
        let Some(tell) = self.tell else { return Ok(()) };
        if let Some(Progress { done, expected, residual, .. }) = last {
            tell.call1((done, expected, residual))?;
        }
        match tell.getattr_opt("close")? {
            Some(close) => close.call0().map(|_| ()),
            None => Ok(()),
        }
    }
}
