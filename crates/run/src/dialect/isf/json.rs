//! Reads the JSON of an ISF shader's header.

mod passes;
mod reader;

use serde_json::{Map, Value};

use super::header::{Header, Input, header};
use crate::dialect::Error;
use quadrille::Source;
use reader::{Reader, is_name};

/// The types of inputs that pictures are given to.
const IMAGES: [&str; 3] = ["image", "audio", "audioFFT"];

const TYPES: &str = "float, bool, long, event, point2D, color, image, audio or audioFFT";

/// Reads the declarations in the header of a source.
pub(crate) fn read(source: &Source) -> Result<Header, Error> {
    let Some((start, json)) = header(source.text()) else { return Ok(Header::default()) };
    let reader = Reader { source, json, start };
    let root: Map<String, Value> =
        serde_json::from_str(json).map_err(|error| reader.not_json(&error))?;
    let mut inputs = Vec::new();
    for item in reader.list(&root, "INPUTS")? {
        let input = reader.input(item)?;
        if inputs.iter().any(|earlier: &Input| earlier.name == input.name) {
            let name = format!("\"{}\"", input.name);
            let first = json.find(&name).map_or(0, |at| at + name.len());
            let expected = "another name than those of earlier inputs";
            return Err(reader.wrong(&name, first, "NAME", expected, &Value::String(input.name)));
        }
        inputs.push(input);
    }
    inputs.extend(reader.imported(&root)?);
    let passes = passes::read(&reader, &inputs)?;
    Ok(Header { inputs, passes })
}

impl Reader<'_> {
    /// Returns the items of a list that may be missing.
    fn list<'v>(&self, root: &'v Map<String, Value>, key: &str) -> Result<&'v [Value], Error> {
        match root.get(key) {
            None => Ok(&[]),
            Some(Value::Array(items)) => Ok(items),
            Some(other) => Err(self.wrong(&format!("\"{key}\""), 0, key, "a list", other)),
        }
    }

    fn input(&self, item: &Value) -> Result<Input, Error> {
        let Some(name) = item.get("NAME").and_then(Value::as_str).filter(|name| is_name(name))
        else {
            let got = item.get("NAME").unwrap_or(&Value::Null);
            let at = got.as_str().map_or("\"INPUTS\"".to_owned(), |name| format!("\"{name}\""));
            return Err(self.wrong(&at, 0, "NAME", "a name of GLSL", got));
        };
        let at = self.json.find(&format!("\"{name}\"")).unwrap_or(0);
        let kind = item.get("TYPE").unwrap_or(&Value::Null);
        let kind = match kind.as_str() {
            Some("float") => "float",
            Some("bool" | "event") => "bool",
            Some("long") => "int",
            Some("point2D") => "vec2",
            Some("color") => "vec4",
            Some(image) if IMAGES.contains(&image) => "sampler2D",
            _ => return Err(self.wrong("\"TYPE\"", at, &format!("{name}.TYPE"), TYPES, kind)),
        };
        let default = self.default(item, name, kind, at)?;
        Ok(Input { name: name.to_owned(), kind, default })
    }

    /// Returns the text of an input's default. An event has not happened, and a list begins with
    /// its first value.
    fn default(
        &self,
        item: &Value,
        name: &str,
        kind: &'static str,
        at: usize,
    ) -> Result<Option<String>, Error> {
        let first = || item.get("VALUES").and_then(|values| values.get(0));
        let Some(given) = item.get("DEFAULT").or_else(first) else {
            let event = item.get("TYPE").and_then(Value::as_str) == Some("event");
            return Ok(event.then(|| "false".to_owned()));
        };
        let (text, expected) = match kind {
            "float" => (number(given), "a number"),
            "int" => (integer(given), "an integer"),
            "bool" => (truth(given), "true or false"),
            "vec2" => (numbers(given, 2), "a list of 2 numbers"),
            "vec4" => (colour(given), "a list of 3 or 4 numbers"),
            // A picture has none.
            _ => return Ok(None),
        };
        match text {
            Some(text) => Ok(Some(text)),
            None => Err(self.wrong("\"DEFAULT\"", at, &format!("{name}.DEFAULT"), expected, given)),
        }
    }

    /// Returns the pictures that the author keeps beside the shader: here they are given as any
    /// other.
    fn imported(&self, root: &Map<String, Value>) -> Result<Vec<Input>, Error> {
        let names: Vec<&str> = match root.get("IMPORTED") {
            Some(Value::Object(table)) => table.keys().map(String::as_str).collect(),
            Some(Value::Array(items)) => {
                items.iter().filter_map(|item| item.get("NAME")?.as_str()).collect()
            }
            _ => Vec::new(),
        };
        if let Some(name) = names.iter().find(|name| !is_name(name)) {
            let got = Value::String((*name).to_owned());
            return Err(self.wrong(&format!("\"{name}\""), 0, "IMPORTED", "a name of GLSL", &got));
        }
        let input =
            |name: &&str| Input { name: (*name).to_owned(), kind: "sampler2D", default: None };
        Ok(names.iter().map(input).collect())
    }
}

fn number(value: &Value) -> Option<String> {
    value.as_number().map(ToString::to_string)
}

fn integer(value: &Value) -> Option<String> {
    let whole = value.as_i64().or_else(|| {
        let number = value.as_f64().filter(|number| number.fract() == 0.0)?;
        (number.abs() < 2e9).then_some(number as i64)
    })?;
    Some(whole.to_string())
}

/// Authors write 0 and 1 too.
fn truth(value: &Value) -> Option<String> {
    let truth = match value {
        Value::Bool(truth) => *truth,
        number => number.as_f64()? != 0.0,
    };
    Some(truth.to_string())
}

fn numbers(value: &Value, count: usize) -> Option<String> {
    let parts = value.as_array().filter(|parts| parts.len() == count)?;
    let parts: Option<Vec<String>> = parts.iter().map(number).collect();
    Some(parts?.join(","))
}

fn colour(value: &Value) -> Option<String> {
    numbers(value, 4).or_else(|| Some(numbers(value, 3)? + ",1"))
}
