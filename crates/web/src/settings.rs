//! The settings of an experiment as a page gives them, and the run that they describe.

use std::collections::BTreeMap;
use std::str::FromStr;

use js_sys::{Array, Object, Uint8Array};
use quadrille::Extent;
use quadrille_run::{Dialect, Origin, RunFile, Samplings, Uniform};
use serde::Deserialize;
use wasm_bindgen::prelude::*;

use crate::array::NdArray;
use crate::error::{Result, wrong};

/// `Settings` of `crates/web/package/index.d.ts`, without its arrays and files.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Settings {
    shader: Option<String>,
    name: Option<String>,
    run_file: Option<String>,
    uniforms: BTreeMap<String, Value>,
    feedback: BTreeMap<String, String>,
    size: Option<(f64, f64)>,
    seed: Option<u64>,
    iterate: Option<u64>,
    dialect: Option<String>,
    flip: Option<bool>,
    rate: Option<f64>,
    wrap: Option<OneOrEach>,
    filter: Option<OneOrEach>,
    #[serde(with = "serde_wasm_bindgen::preserve")]
    inputs: JsValue,
    #[serde(with = "serde_wasm_bindgen::preserve")]
    files: JsValue,
}

/// The value of a uniform.
#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum Value {
    Bool(bool),
    Number(f64),
    Numbers(Vec<f64>),
    Text(String),
}

/// A choice for all inputs, or for each of some.
#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrEach {
    One(String),
    Each(BTreeMap<String, String>),
}

impl OneOrEach {
    /// Returns the inputs, none for all, and what is chosen for each.
    fn choices(self) -> Vec<(Option<String>, String)> {
        match self {
            OneOrEach::One(name) => vec![(None, name)],
            OneOrEach::Each(each) => {
                each.into_iter().map(|(input, name)| (Some(input), name)).collect()
            }
        }
    }
}

impl Value {
    /// Takes the value of a uniform.
    pub(crate) fn of(name: &str, value: JsValue) -> Result<Value> {
        serde_wasm_bindgen::from_value(value).map_err(|_| {
            wrong(format!("uniform {name}: expected a number, a boolean, numbers, or their text"))
        })
    }

    /// Returns it as `quadrille run --uniform` takes it.
    pub(crate) fn text(&self) -> String {
        match self {
            Value::Bool(value) => value.to_string(),
            Value::Number(number) => number.to_string(),
            Value::Numbers(numbers) => {
                let numbers: Vec<String> = numbers.iter().map(f64::to_string).collect();
                numbers.join(",")
            }
            Value::Text(text) => text.clone(),
        }
    }
}

/// Returns the run that settings describe.
pub(crate) fn run(settings: JsValue) -> Result<RunFile> {
    let settings: Settings = read("settings", settings, &KEYS)?;
    let mut files = files(&settings.files)?;
    let run = match (&settings.shader, &settings.run_file) {
        (Some(_), Some(_)) | (None, None) => {
            return Err(wrong("settings: expected either a shader or a runFile"));
        }
        (Some(text), None) => {
            let name = settings.name.as_deref().unwrap_or("shader.frag");
            files.push((name.to_owned(), text.clone().into_bytes()));
            RunFile::shader(name)
        }
        (None, Some(text)) => {
            RunFile::parse(settings.name.as_deref().unwrap_or("experiment.run.toml"), text)?
        }
    };
    let files: Vec<_> = files.iter().map(|(name, bytes)| (name.as_str(), &bytes[..])).collect();
    Ok(run.given(&files)?.with(settings.converted()?))
}

/// The properties of [`Settings`].
const KEYS: [&str; 15] = [
    "shader", "name", "runFile", "files", "inputs", "uniforms", "feedback", "size", "seed",
    "iterate", "dialect", "flip", "rate", "wrap", "filter",
];

/// Returns an object with these properties as a value of Rust, or the default where there is none.
pub(crate) fn read<T>(what: &str, object: JsValue, keys: &[&str]) -> Result<T>
where
    T: Default + serde::de::DeserializeOwned,
{
    if object.is_undefined() || object.is_null() {
        return Ok(T::default());
    }
    let Some(given) = object.dyn_ref::<Object>() else {
        return Err(wrong(format!("{what}: expected an object with any of {}", keys.join(", "))));
    };
    // What serde does not ask for is not looked at by it.
    let given: Vec<String> = Object::keys(given).iter().filter_map(|key| key.as_string()).collect();
    if let Some(unknown) = given.iter().find(|key| !keys.contains(&key.as_str())) {
        let keys = keys.join(", ");
        return Err(wrong(format!("{what}: unknown `{unknown}`, expected any of {keys}")));
    }
    serde_wasm_bindgen::from_value(object).map_err(|error| wrong(format!("{what}: {error}")))
}

/// Returns a choice by its name; the error lists all.
pub(crate) fn named<T: FromStr<Err: std::fmt::Display>>(what: &str, name: &str) -> Result<T> {
    name.parse().map_err(|error| wrong(format!("{what}: {error}")))
}

impl Settings {
    fn converted(self) -> Result<quadrille_run::Settings> {
        let mut settings = quadrille_run::Settings::default();
        settings.inputs = inputs(&self.inputs)?;
        settings.uniforms = self
            .uniforms
            .iter()
            .map(|(name, value)| (name.clone(), Uniform::from(value.text())))
            .collect();
        settings.feedback = self.feedback.into_iter().collect();
        settings.size = self.size.map(extent).transpose()?;
        settings.seed = self.seed;
        settings.iterate = self.iterate;
        settings.dialect =
            self.dialect.map(|name| named::<Dialect>("dialect", &name)).transpose()?;
        settings.flip = self.flip;
        settings.rate = self.rate;
        settings.samplings = samplings(self.wrap, self.filter)?;
        Ok(settings)
    }
}

fn extent((width, height): (f64, f64)) -> Result<Extent> {
    let side = |side: f64| side.fract() == 0.0 && (1.0..=f64::from(u32::MAX)).contains(&side);
    match side(width) && side(height) {
        true => Ok(Extent::new(width as u32, height as u32)),
        false => Err(wrong(format!(
            "size: expected width and height, whole numbers from 1 on, got [{width}, {height}]"
        ))),
    }
}

fn samplings(wrap: Option<OneOrEach>, filter: Option<OneOrEach>) -> Result<Samplings> {
    let mut samplings = Samplings::new();
    for (input, name) in wrap.into_iter().flat_map(OneOrEach::choices) {
        let wrap = named("wrap", &name)?;
        samplings = match input {
            None => samplings.wrap_all(wrap),
            Some(input) => samplings.wrap(input, wrap),
        };
    }
    for (input, name) in filter.into_iter().flat_map(OneOrEach::choices) {
        let filter = named("filter", &name)?;
        samplings = match input {
            None => samplings.filter_all(filter),
            Some(input) => samplings.filter(input, filter),
        };
    }
    Ok(samplings)
}

/// Returns the entries of an object that may be missing.
fn entries(what: &str, object: &JsValue) -> Result<Vec<(String, JsValue)>> {
    if object.is_undefined() || object.is_null() {
        return Ok(Vec::new());
    }
    let misfit = || wrong(format!("{what}: expected an object with a property for each name"));
    let object = object.dyn_ref::<Object>().ok_or_else(misfit)?;
    let entry = |pair: JsValue| {
        let pair = Array::from(&pair);
        (pair.get(0).as_string().unwrap_or_default(), pair.get(1))
    };
    Ok(Object::entries(object).iter().map(entry).collect())
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
    entries("inputs", object)?.into_iter().map(input).collect()
}

fn files(object: &JsValue) -> Result<Vec<(String, Vec<u8>)>> {
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
    entries("files", object)?.into_iter().map(file).collect()
}
