//! Reads the JSON of an ISF shader's header.

use serde_json::{Map, Value};

use super::super::error::Error;
use super::super::excerpt::Excerpt;
use super::super::source::Source;
use super::header::{Input, header};
use crate::error::Place;

/// The types of inputs that pictures are given to.
const IMAGES: [&str; 3] = ["image", "audio", "audioFFT"];

const TYPES: &str = "float, bool, long, event, point2D, color, image, audio or audioFFT";

/// The header of one source, and the places of what stands in it.
struct Reader<'a> {
    source: &'a Source,
    json: &'a str,
    /// The byte of the source's text at which it begins.
    start: usize,
}

/// The inputs of a source's header.
pub(super) fn inputs(source: &Source) -> Result<Vec<Input>, Error> {
    let Some((start, json)) = header(&source.text) else { return Ok(Vec::new()) };
    let reader = Reader { source, json, start };
    let root: Map<String, Value> =
        serde_json::from_str(json).map_err(|error| reader.not_json(&error))?;
    reader.must_have_one_pass(&root)?;
    let mut inputs = Vec::new();
    for item in reader.list(&root, "INPUTS")? {
        inputs.push(reader.input(item)?);
    }
    inputs.extend(reader.imported(&root)?);
    Ok(inputs)
}

impl Reader<'_> {
    /// Several passes have targets of their own, which one shader has not.
    fn must_have_one_pass(&self, root: &Map<String, Value>) -> Result<(), Error> {
        let (place, excerpt) = self.find("\"PERSISTENT_BUFFERS\"", 0);
        if root.get("PERSISTENT_BUFFERS").is_some_and(|buffers| *buffers != Value::Array(vec![])) {
            return Err(Error::IsfPasses { place, excerpt });
        }
        let passes = self.list(root, "PASSES")?;
        let own = |pass: &Value| {
            let keys = ["TARGET", "PERSISTENT", "WIDTH", "HEIGHT"];
            let said = |key: &&str| !matches!(pass.get(key), None | Some(Value::Bool(false)));
            keys.iter().any(said)
        };
        if passes.len() > 1 || passes.iter().any(own) {
            let (place, excerpt) = self.find("\"PASSES\"", 0);
            return Err(Error::IsfPasses { place, excerpt });
        }
        Ok(())
    }

    /// The items of a list that may be missing.
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

    /// The text of an input's default. An event has not happened, and a list begins with its first value.
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

    /// The pictures that the author keeps beside the shader: here they are given as any other.
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

    fn not_json(&self, error: &serde_json::Error) -> Error {
        // `line` and `column` count from 1, and the column in bytes.
        let lines = self.json.split_inclusive('\n').take(error.line().saturating_sub(1));
        let before: usize = lines.map(str::len).sum();
        let (place, excerpt) = self.at(before + error.column().saturating_sub(1));
        let whole = error.to_string();
        let message = whole.split(" at line ").next().unwrap_or_default().to_owned();
        Error::IsfJson { place, message, excerpt }
    }

    /// The error of a value that stands behind this text, from this byte of the JSON on.
    fn wrong(
        &self,
        behind: &str,
        from: usize,
        key: &str,
        expected: &'static str,
        got: &Value,
    ) -> Error {
        let (place, excerpt) = self.find(behind, from);
        let got = if got.is_null() { "nothing".to_owned() } else { got.to_string() };
        Error::IsfValue { place, key: key.to_owned(), expected, got, excerpt }
    }

    fn find(&self, text: &str, from: usize) -> (Place, Box<Excerpt>) {
        let rest = self.json.get(from..).unwrap_or_default();
        self.at(rest.find(text).map_or(from, |at| from + at))
    }

    /// The place of a byte of the JSON.
    fn at(&self, byte: usize) -> (Place, Box<Excerpt>) {
        let text = &self.source.text;
        let end = (self.start + byte).min(text.len());
        let before = String::from_utf8_lossy(text.as_bytes().get(..end).unwrap_or_default());
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        let place = Place::line(&self.source.name, line).at_column(column);
        let text = text.lines().nth(line - 1).unwrap_or_default().to_owned();
        (place, Box::new(Excerpt { line, text, column: Some(column) }))
    }
}

fn is_name(name: &str) -> bool {
    let letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    name.chars().all(letter) && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
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
