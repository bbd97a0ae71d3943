//! Results as the Python objects of `quadrille_gl/results.py`.

use pyo3::types::PyDict;
use quadrille::Kind;
use quadrille::gl::Context;
use serde::Serialize;

use crate::error::exception;
use crate::prelude::*;

/// The device that computed a result.
#[derive(Clone)]
pub(crate) struct On {
    device: String,
    software: bool,
    api: String,
}

impl On {
    pub(crate) fn of(context: &Context) -> On {
        let abilities = context.abilities();
        On {
            device: abilities.renderer.clone(),
            software: abilities.software,
            api: abilities.api_text(),
        }
    }

    /// Sets the fields of a result.
    pub(crate) fn tell(&self, fields: &Bound<'_, PyDict>) -> PyResult<()> {
        fields.set_item("device", &self.device)?;
        fields.set_item("software", self.software)?;
        fields.set_item("api", &self.api)
    }
}

/// Creates an object of a class of `quadrille_gl.results`.
pub(crate) fn result<'py>(name: &str, fields: &Bound<'py, PyDict>) -> Returned<'py> {
    let class = fields.py().import("quadrille_gl.results")?.getattr(name)?;
    class.call((), Some(fields))
}

/// Creates an object of the fields that a command's `--json` has.
pub(crate) fn report<'py>(py: Python<'py>, fields: &impl Serialize) -> Returned<'py> {
    let text = serde_json::to_string(fields);
    let text = text.map_err(|error| exception(py, Kind::Driver, error.to_string()))?;
    py.import("quadrille_gl.results")?.getattr("_report")?.call1((text,))
}
