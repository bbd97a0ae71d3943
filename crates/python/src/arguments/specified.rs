//! Options that the library specifies, as keywords.

use pyo3::types::{PyBool, PyDict};
use quadrille::options::{Entry, FrontEnd, Specified};

use super::unknown_keywords::refuse;
use crate::error::wrong;
use crate::prelude::*;

/// A value of Python.
struct Value<'a, 'py>(&'a Object<'py>);

impl Entry for Value<'_, '_> {
    fn flag(&self) -> Option<bool> {
        self.0.extract().ok()
    }

    fn integer(&self) -> Option<u64> {
        self.0.extract().ok().filter(|_| !self.0.is_instance_of::<PyBool>())
    }

    fn number(&self) -> Option<f64> {
        self.0.extract().ok().filter(|_| !self.0.is_instance_of::<PyBool>())
    }

    /// A tile of 16 x 8 is also `(16, 8)`, and a text of digits an int.
    fn text(&self) -> Option<String> {
        let side = || self.integer().map(|side| side.to_string());
        let sides = || self.0.extract().ok().map(|(x, y): (u32, u32)| format!("{x}x{y}"));
        self.0.extract().ok().or_else(side).or_else(sides)
    }

    fn shown(&self) -> String {
        self.0.repr().map_or_else(|_| "?".to_owned(), |text| text.to_string())
    }
}

/// Returns the options that the keywords of a function of the module set; `None` leaves one as it is.
pub(crate) fn options<T: Specified>(
    py: Python<'_>,
    function: &str,
    keywords: Option<&Bound<'_, PyDict>>,
) -> PyResult<T> {
    let (mut made, unknown) = (T::default(), PyDict::new(py));
    for (name, value) in keywords.into_iter().flatten() {
        let name: String = name.extract()?;
        match T::of(FrontEnd::Python).find(|option| option.name == name) {
            None => unknown.set_item(name, value)?,
            Some(_) if value.is_none() => {}
            Some(option) => {
                made.set(option, &Value(&value)).map_err(|error| wrong(py, error.to_string()))?;
            }
        }
    }
    refuse(py, function, Some(&unknown))?;
    Ok(made)
}
