//! Options that the library specifies, as keywords.

use std::path::PathBuf;

use pyo3::types::{PyBool, PyDict, PyMapping, PyString};
use quadrille::options::{Contents, Entry, Error, FrontEnd, Kind, Many, OptionSpec, Specified};

use super::source::contents;
use super::unknown_keywords::refuse;
use crate::error::wrong;
use crate::prelude::*;

/// A value of Python, with the name that it is for.
struct Value<'a, 'py> {
    of: Option<String>,
    object: &'a Object<'py>,
}

impl Entry for Value<'_, '_> {
    fn of(&self) -> Option<&str> {
        self.of.as_deref()
    }

    fn flag(&self) -> Option<bool> {
        self.object.extract().ok()
    }

    fn integer(&self) -> Option<u64> {
        self.object.extract().ok().filter(|_| !self.object.is_instance_of::<PyBool>())
    }

    fn number(&self) -> Option<f64> {
        self.object.extract().ok().filter(|_| !self.object.is_instance_of::<PyBool>())
    }

    /// A tile of 16 x 8 is also `(16, 8)`, and a text of digits an int.
    fn text(&self) -> Option<String> {
        let side = || self.integer().map(|side| side.to_string());
        let sides = || self.object.extract().ok().map(|(x, y): (u32, u32)| format!("{x}x{y}"));
        self.object.extract().ok().or_else(side).or_else(sides)
    }

    fn literal(&self) -> Option<String> {
        self.object.str().ok().map(|text| text.to_string())
    }

    fn path(&self) -> Option<PathBuf> {
        self.object.extract().ok()
    }

    fn contents(&self) -> Option<Contents> {
        contents("a text", self.object).ok()
    }

    fn sides(&self) -> Option<Vec<u32>> {
        let one = self.object.extract().map(|side: u32| vec![side]);
        one.or_else(|_| self.object.extract()).ok()
    }

    fn shown(&self) -> String {
        self.object.repr().map_or_else(|_| "?".to_owned(), |text| text.to_string())
    }

    fn flags(&self) -> &'static str {
        "True or False"
    }

    fn written(&self, sides: &[u32]) -> String {
        let sides: Vec<String> = sides.iter().map(u32::to_string).collect();
        format!("({})", sides.join(", "))
    }
}

/// Sets an option from the value of a keyword: a mapping where it has a value for each name, a sequence where it has several.
pub(crate) fn set<T: Specified>(
    made: &mut T,
    option: &OptionSpec,
    object: &Object<'_>,
) -> PyResult<Result<(), Error>> {
    let unlike = |expected: String| Error::Value {
        name: option.name.to_owned(),
        expected,
        got: Value { of: None, object }.shown(),
    };
    let mut items = Vec::new();
    match (option.many, object.cast::<PyMapping>()) {
        (Many::ByName(_) | Many::ByNameOrAll, Ok(mapping)) => {
            let is_text = |kind: &Object<'_>| kind.is_instance_of::<PyString>();
            for item in mapping.items()?.iter() {
                let (of, object): (Object<'_>, Object<'_>) = item.extract()?;
                if !is_text(&of) || matches!(option.kind, Kind::Text(_)) && !is_text(&object) {
                    return Ok(Err(unlike("a mapping of str".to_owned())));
                }
                items.push((Some(of.extract()?), object));
            }
        }
        (Many::ByName(form), _) => return Ok(Err(unlike(format!("a mapping, as {form}")))),
        (Many::List, _) if !object.is_instance_of::<PyString>() => {
            let Ok(all) = object.try_iter() else {
                return Ok(Err(unlike("a list".to_owned())));
            };
            for item in all {
                items.push((None, item?));
            }
        }
        _ => items.push((None, object.clone())),
    }
    let mut set = |(of, object)| made.set(option, &Value { of, object: &object });
    Ok(items.into_iter().try_for_each(&mut set))
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
                set(&mut made, option, &value)?.map_err(|error| wrong(py, error.to_string()))?;
            }
        }
    }
    refuse(py, function, Some(&unknown))?;
    Ok(made)
}
