//! The settings of an experiment as a page gives them, and the run that they describe.

use js_sys::{Array, Reflect, Uint8Array};
use quadrille_run::{Origin, RunFile, Settings, Uniform};
use wasm_bindgen::prelude::*;

use crate::array::NdArray;
use crate::error::{Result, wrong};
use crate::specified::{literal, options_beside, properties};

/// The properties of `Settings` of `crates/web/package/index.d.ts` that are no options.
const SUBJECT: [&str; 7] = ["shader", "name", "runFile", "files", "include", "inputs", "uniforms"];

/// Returns the value of a uniform as `quadrille run --uniform` takes it.
pub(crate) fn uniform(name: &str, value: JsValue) -> Result<String> {
    let values = match value.dyn_ref::<Array>() {
        Some(values) => values.iter().map(literal).collect(),
        None => literal(value).map(|value| vec![value]),
    };
    let values: Option<Vec<String>> = values;
    let misfit =
        || wrong(format!("uniform {name}: expected a number, a boolean, numbers, or their text"));
    values.map(|values| values.join(",")).ok_or_else(misfit)
}

/// Returns the run that settings describe.
pub(crate) fn run(settings: &JsValue) -> Result<RunFile> {
    let mut options: Settings = options_beside("settings", settings, &SUBJECT)?;
    let get = |key: &str| Reflect::get(settings, &key.into()).unwrap_or_default();
    options.inputs = inputs(&get("inputs"))?;
    options.uniforms = uniforms(&get("uniforms"))?;
    let mut files = files("files", &get("files"))?;
    files.extend(self::files("include", &get("include"))?);
    let (name, [shader, run_file]) = (text("name", get("name"))?, [get("shader"), get("runFile")]);
    let run = match (text("shader", shader)?, text("runFile", run_file)?) {
        (Some(_), Some(_)) | (None, None) => {
            return Err(wrong("settings: expected either a shader or a runFile"));
        }
        (Some(text), None) => {
            let name = name.as_deref().unwrap_or("shader.frag");
            files.push((name.to_owned(), text.into_bytes()));
            RunFile::shader(name)
        }
        (None, Some(text)) => {
            RunFile::parse(name.as_deref().unwrap_or("experiment.run.toml"), &text)?
        }
    };
    let files: Vec<_> = files.iter().map(|(name, bytes)| (name.as_str(), &bytes[..])).collect();
    Ok(run.given(&files)?.with(options))
}

/// Returns the text of a property that may be missing.
fn text(name: &str, value: JsValue) -> Result<Option<String>> {
    match value.as_string() {
        None if !value.is_undefined() && !value.is_null() => {
            Err(wrong(format!("settings: {name}: expected a text, got {value:?}")))
        }
        text => Ok(text),
    }
}

fn uniforms(object: &JsValue) -> Result<Vec<(String, Uniform)>> {
    let set = |(name, value): (String, JsValue)| {
        let text = uniform(&name, value)?;
        Ok((name, Uniform::from(text)))
    };
    properties("uniforms", object)?.into_iter().map(set).collect()
}

fn inputs(object: &JsValue) -> Result<Vec<(String, Origin)>> {
    let input = |(name, value): (String, JsValue)| {
        let origin: Origin = match value.as_string() {
            Some(rule) => rule.parse()?,
            None => NdArray::take(&format!("input {name}"), &value)?.field()?.into(),
        };
        if origin.file().is_some() || origin.files().is_some() || origin.is_stream() {
            return Err(wrong(format!(
                "input {name}: expected an array {{ data, shape }}, or random:WIDTHxHEIGHT, zeros: or ramp:, got {origin}"
            )));
        }
        Ok((name, origin))
    };
    properties("inputs", object)?.into_iter().map(input).collect()
}

fn files(what: &str, object: &JsValue) -> Result<Vec<(String, Vec<u8>)>> {
    let file = |(name, value): (String, JsValue)| {
        let bytes = match (value.as_string(), value.dyn_ref::<Uint8Array>()) {
            (Some(text), _) => text.into_bytes(),
            (None, Some(bytes)) => bytes.to_vec(),
            (None, None) => {
                return Err(wrong(format!("file {name}: expected a text or a Uint8Array")));
            }
        };
        Ok((name, bytes))
    };
    properties(what, object)?.into_iter().map(file).collect()
}
