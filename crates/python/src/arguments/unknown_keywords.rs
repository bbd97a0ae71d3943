//! Keywords that a function does not have: errors name the nearest that it has.
//!
//! A function that takes none but its own has `**unknown` in its signature, which `text_signature`
//! leaves out, and [`refuse`]s them. One that takes those of a shader too has its errors
//! [`hinted`].

use pyo3::exceptions::PyTypeError;
use pyo3::types::{IntoPyDict, PyDict, PyMapping, PyTuple};
use quadrille::visible;
use quadrille_run::Names;

use crate::error::class;
use crate::prelude::*;

/// The likeness of two keywords, from 0 to 1, from which on one may have been meant by the other.
const ALIKE: f64 = 0.7;

/// Refuses keywords that a function of the module does not have.
pub(crate) fn refuse(
    py: Python<'_>,
    function: &str,
    unknown: Option<&Bound<'_, PyDict>>,
) -> PyResult<()> {
    let Some(keyword) = unknown.and_then(|unknown| unknown.keys().iter().next()) else {
        return Ok(());
    };
    let keyword: String = keyword.extract()?;
    let known = keywords(py, function)?;
    let rest = match nearest(py, &keyword, &known)? {
        Some(known) => format!("did you mean `{known}`?"),
        None => format!("it has {}", known.join(", ")),
    };
    let text = format!("{function}() got an unexpected keyword argument `{keyword}`: {rest}");
    Err(PyTypeError::new_err(visible(&text).into_owned()))
}

/// Returns the error of a call whose keywords may be a shader's: with a hint on those that are near
/// to a function's and that the shader does not declare. `names` is none where what it declares is
/// not known. The first function is the one that was called.
pub(crate) fn hinted(
    functions: &[&str],
    given: Option<&Bound<'_, PyDict>>,
    names: Option<&Names>,
    error: PyErr,
) -> PyErr {
    let Some(given) = given else { return error };
    match hint(functions, given, names).and_then(|hint| add(given.py(), &error, &hint)) {
        Ok(()) => error,
        Err(other) => other,
    }
}

fn hint(functions: &[&str], given: &Bound<'_, PyDict>, names: Option<&Names>) -> PyResult<String> {
    let mut text = String::new();
    for keyword in given.keys() {
        let keyword: String = keyword.extract()?;
        let declares =
            |names: &Names| names.inputs.contains(&keyword) || names.type_of(&keyword).is_some();
        if !names.is_some_and(declares) {
            text += &near(given.py(), functions, &keyword, names.is_some())?;
        }
    }
    Ok(text)
}

/// Adds a text to an error that an argument or the shader is wrong.
fn add(py: Python<'_>, error: &PyErr, text: &str) -> PyResult<()> {
    let value = error.value(py);
    let wrong = value.is_instance(class(py, "InputError")?.as_any())?
        || value.is_instance(class(py, "CompileError")?.as_any())?;
    if text.is_empty() || !wrong {
        return Ok(());
    }
    let mut arguments: Vec<Object<'_>> = value.getattr("args")?.extract()?;
    if let Some(first) = arguments.first_mut() {
        let text = first.extract::<String>()? + &visible(text);
        *first = text.into_pyobject(py)?.into_any();
    }
    value.setattr("args", PyTuple::new(py, arguments)?)
}

/// A line on a keyword that is near to one of a function; empty for one that is not.
fn near(py: Python<'_>, functions: &[&str], keyword: &str, known: bool) -> PyResult<String> {
    let called = functions.first().copied().unwrap_or_default();
    let unless = if known { "" } else { " unless the shader declares it" };
    for function in functions {
        let own = keywords(py, function)?;
        if *function == called && own.iter().any(|own| own == keyword) {
            break;
        }
        if let Some(meant) = nearest(py, keyword, &own)? {
            return Ok(match *function == called {
                true => format!(
                    "\n{called}() has no keyword `{keyword}`{unless}: did you mean `{meant}`?"
                ),
                false => format!(
                    "\n{called}() has no keyword `{keyword}`{unless}: `{meant}` is one of {function}()"
                ),
            });
        }
    }
    Ok(String::new())
}

/// The keywords of a function of the module, or of a method or a class.
fn keywords(py: Python<'_>, function: &str) -> PyResult<Vec<String>> {
    let module = py.import("quadrille_gl")?.into_any();
    let function = function.split('.').try_fold(module, |object, name| object.getattr(name))?;
    let inspect = py.import("inspect")?;
    let parameters = inspect.call_method1("signature", (function,))?.getattr("parameters")?;
    let parameters = parameters.cast_into::<PyMapping>()?;
    let mut names = Vec::new();
    for parameter in parameters.values()?.iter() {
        let kind: String = parameter.getattr("kind")?.getattr("name")?.extract()?;
        let name: String = parameter.getattr("name")?.extract()?;
        if matches!(kind.as_str(), "KEYWORD_ONLY" | "POSITIONAL_OR_KEYWORD") && name != "self" {
            names.push(name);
        }
    }
    Ok(names)
}

fn nearest(py: Python<'_>, keyword: &str, known: &[String]) -> PyResult<Option<String>> {
    let options = [("cutoff", ALIKE)].into_py_dict(py)?;
    options.set_item("n", 1)?;
    let found =
        py.import("difflib")?.call_method("get_close_matches", (keyword, known), Some(&options))?;
    Ok(found.extract::<Vec<String>>()?.pop())
}
