//! The keyword arguments of a shader: arrays for its inputs, numbers for its uniforms.

use std::path::PathBuf;

use numpy::{PyUntypedArray, PyUntypedArrayMethods};
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyMapping};
use quadrille::gl::{Type, TypeKind};
use quadrille_run::{Names, Uniform};

use crate::arrays::{Array, as_array, has_axes};
use crate::error::wrong;
use crate::prelude::*;

/// More numbers than the uniforms of a shader hold on any device.
const MOST_NUMBERS: usize = 1 << 20;

/// Uniforms, each with its GLSL type.
pub(crate) fn uniforms<'py>(py: Python<'py>, names: &Names) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, glsl) in &names.uniforms {
        dict.set_item(name, glsl.to_string())?;
    }
    Ok(dict)
}

/// Uniforms as settings have them.
pub(crate) fn texts(uniforms: &[(String, String)]) -> Vec<(String, Uniform)> {
    uniforms.iter().map(|(name, text)| (name.clone(), text.clone().into())).collect()
}

/// The arguments of a call.
#[derive(Default)]
pub(crate) struct Arguments<'py> {
    pub(crate) arrays: Vec<(String, Array<'py>)>,
    /// Texts for samplers, which say where an array comes from.
    pub(crate) origins: Vec<(String, String)>,
    /// The uniforms as texts, which the library converts to the declared types.
    pub(crate) uniforms: Vec<(String, String)>,
}

impl<'py> Arguments<'py> {
    /// Takes keyword arguments, and a mapping of those whose names Python or the function reserves.
    pub(crate) fn take(
        names: &Names,
        mapping: Option<&Bound<'py, PyMapping>>,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Arguments<'py>> {
        let mut arguments = Arguments::default();
        for (name, value) in keywords.into_iter().flatten() {
            arguments.add(names, name.extract()?, &value)?;
        }
        let Some(mapping) = mapping else { return Ok(arguments) };
        for item in mapping.items()?.iter() {
            let (name, value): (String, Object<'py>) = item.extract()?;
            if keywords.is_some_and(|keywords| keywords.contains(&name).unwrap_or(true)) {
                return Err(wrong(
                    mapping.py(),
                    format!("`{name}` is given twice: in the mapping and as a keyword"),
                ));
            }
            arguments.add(names, name, &value)?;
        }
        Ok(arguments)
    }

    /// Refuses a text for a sampler.
    pub(crate) fn must_be_arrays(&self, py: Python<'_>) -> PyResult<()> {
        match self.origins.first() {
            None => Ok(()),
            Some((name, text)) => {
                let text = format!(
                    "{name}: expected an array, got {text:?}: only a new Experiment reads files"
                );
                Err(wrong(py, text))
            }
        }
    }

    /// Sorts a value by what its name is in the shader. A name that the shader does not have is
    /// passed on, for the library to refuse with a list of the names that exist.
    fn add(&mut self, names: &Names, name: String, value: &Object<'py>) -> PyResult<()> {
        let uniform = names.type_of(&name);
        let sampled = names.inputs.contains(&name) || uniform.is_none() && has_axes(value);
        match sampled.then(|| origin(value)) {
            Some(Some(origin)) => self.origins.push((name, origin)),
            Some(None) => {
                let array = Array::take(&name, value)?;
                if array.shape().is_empty() {
                    let text = format!(
                        "{name}: expected an array, since the shader reads one; got a number"
                    );
                    return Err(wrong(value.py(), text));
                }
                self.arrays.push((name, array));
            }
            None => {
                let text = text(&name, uniform, value)?;
                self.uniforms.push((name, text));
            }
        }
        Ok(())
    }
}

/// The name of a file, or a text such as `zeros:64x48`.
fn origin(value: &Object<'_>) -> Option<String> {
    let text = value.extract::<String>().ok();
    text.or_else(|| value.extract::<PathBuf>().ok().map(|path| path.display().to_string()))
}

/// Writes a uniform's value as the library reads it: numbers with commas between them, matrices
/// column by column.
pub(crate) fn text(name: &str, glsl: Option<Type>, value: &Object<'_>) -> PyResult<String> {
    if let Some(text) = number(value) {
        return Ok(text);
    }
    if let Ok(text) = value.extract::<String>() {
        return Ok(text);
    }
    let array = as_array(name, value)?;
    must_be_few(name, &array)?;
    let matrix =
        |glsl: Type| matches!(glsl.kind, TypeKind::Matrix(_) | TypeKind::Rectangular { .. });
    let mut array = array.into_any();
    if glsl.is_some_and(matrix) && array.getattr("ndim")?.extract::<usize>()? > 1 {
        // Each matrix of several goes column by column.
        array = array.call_method1("swapaxes", (-1, -2))?;
    }
    let numbers = array.call_method0("ravel")?.call_method0("tolist")?;
    let mut texts = Vec::new();
    for value in numbers.try_iter()? {
        let value = value?;
        texts.push(number(&value).ok_or_else(|| {
            let kind = value.get_type().to_string();
            wrong(value.py(), format!("`{name}`: expected a number, or numbers of a vector, matrix or array; got {kind}"))
        })?);
    }
    Ok(texts.join(","))
}

/// Refuses more numbers than any uniform has, before each becomes a text. The library knows how
/// many this one has.
fn must_be_few(name: &str, array: &Bound<'_, PyUntypedArray>) -> PyResult<()> {
    match array.len() <= MOST_NUMBERS {
        true => Ok(()),
        false => {
            let text = format!(
                "`{name}`: expected the numbers of a uniform, got {} of them: samplers take arrays",
                array.len()
            );
            Err(wrong(array.py(), text))
        }
    }
}

/// A number as text from which it is read back exactly.
fn number(value: &Object<'_>) -> Option<String> {
    if let Ok(value) = value.cast::<PyBool>() {
        return Some(value.is_true().to_string());
    }
    if let Ok(value) = value.cast::<PyFloat>() {
        return value.extract::<f64>().ok().map(|value| format!("{value:?}"));
    }
    value.cast::<PyInt>().ok()?.str().ok().map(|text| text.to_string())
}
