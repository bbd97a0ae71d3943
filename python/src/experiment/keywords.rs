//! The keywords `dialect`, `flip`, `rate` and `halo`, which a shader may have as names of its own.

use pyo3::conversion::FromPyObjectOwned;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping};
use quadrille::experiment::Names;

use crate::arguments::source::no_dialect;
use crate::error::wrong;

/// The keywords of a call. One that the shader declares a uniform or an input of is the shader's, unless the mapping gives that already.
pub(crate) struct Keywords<'a, 'py> {
    names: &'a Names,
    mapping: Option<&'a Bound<'py, PyMapping>>,
    /// Those that are the shader's.
    pub(crate) given: Bound<'py, PyDict>,
}

impl<'a, 'py> Keywords<'a, 'py> {
    pub(crate) fn new(
        py: Python<'py>,
        names: &'a Names,
        mapping: Option<&'a Bound<'py, PyMapping>>,
        given: Option<&Bound<'py, PyDict>>,
    ) -> Keywords<'a, 'py> {
        let given = given.cloned().unwrap_or_else(|| PyDict::new(py));
        Keywords { names, mapping, given }
    }

    /// The argument `flip`, if it is not the shader's.
    pub(crate) fn flip(&self, value: Option<Bound<'py, PyAny>>) -> PyResult<Option<bool>> {
        self.own("flip", "True or False", value)
    }

    /// The argument `rate`, if it is not the shader's.
    pub(crate) fn rate(&self, value: Option<Bound<'py, PyAny>>) -> PyResult<Option<f64>> {
        self.own("rate", "a number of steps a second", value)
    }

    /// The argument `halo`, if it is not the shader's.
    pub(crate) fn halo(&self, value: Option<Bound<'py, PyAny>>) -> PyResult<Option<u32>> {
        self.own("halo", "how far the shader reads from its own cell, an int from 0 on", value)
    }

    /// Takes an argument `dialect` that tells none, which must be the shader's.
    pub(crate) fn dialect(&self, value: Option<Bound<'py, PyAny>>) -> PyResult<()> {
        let Some(value) = self.unless_declared("dialect", value)? else { return Ok(()) };
        let got = match value.extract::<String>() {
            Ok(text) => format!("{text:?}"),
            Err(_) => value.repr()?.to_string(),
        };
        Err(no_dialect(value.py(), &got))
    }

    fn own<T: FromPyObjectOwned<'py>>(
        &self,
        name: &str,
        expected: &str,
        value: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<T>> {
        let Some(value) = self.unless_declared(name, value)? else { return Ok(None) };
        match value.extract() {
            Ok(value) => Ok(Some(value)),
            Err(_) => {
                let text = format!(
                    "{name}: expected {expected}, or a shader that declares a uniform or an input `{name}`; got {}",
                    value.repr()?
                );
                Err(wrong(value.py(), text))
            }
        }
    }

    /// The value of a keyword that is not the shader's.
    fn unless_declared(
        &self,
        name: &str,
        value: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(value) = value else { return Ok(None) };
        let declared =
            self.names.type_of(name).is_some() || self.names.inputs.iter().any(|x| x == name);
        let mapped = self.mapping.map_or(Ok(false), |mapping| mapping.contains(name))?;
        if declared && !mapped {
            self.given.set_item(name, value)?;
            return Ok(None);
        }
        Ok(Some(value))
    }
}

/// The argument `dialect` before the names of the shader are known: what tells a dialect, and what may be the shader's own. A word does not
/// say what a uniform is or where an input comes from, but for those of a bool.
pub(crate) fn told(value: Option<Bound<'_, PyAny>>) -> (Option<String>, Option<Bound<'_, PyAny>>) {
    let text = value.as_ref().and_then(|value| value.extract::<String>().ok());
    let word = text.filter(|text| {
        let letters = text.starts_with(|first: char| first.is_ascii_alphabetic());
        let plain = text.chars().all(|x| x.is_ascii_alphanumeric());
        letters && plain && !matches!(text.as_str(), "true" | "false")
    });
    match word {
        Some(word) => (Some(word), None),
        None => (None, value),
    }
}
