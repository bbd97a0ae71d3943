//! Settings as the keys of a description that says the same.

use std::path::Path;

use quadrille::options::{Contents, FrontEnd, Kind, OptionSpec, Specified};

use crate::Settings;
use crate::setup::settings::Uniform;

impl Settings {
    /// Returns the lines of a description that sets the same; `path` is the path to a file as the
    /// description has it. A uniform that is no text and a common text that is no file have no
    /// line.
    ///
    /// # Errors
    /// Those of `path`.
    pub fn described<E>(
        &self,
        path: impl Fn(&Path) -> Result<String, E>,
    ) -> Result<Vec<String>, E> {
        let mut lines = Vec::new();
        for (name, origin) in &self.inputs {
            let from = match origin.file() {
                Some(file) => path(file)?,
                None => origin.to_string(),
            };
            lines.push(line("input", name, &string(&from)));
        }
        for (name, uniform) in &self.uniforms {
            if let Uniform::Text(text) = uniform {
                lines.push(line("uniform", name, &number_or_string(text)));
            }
        }
        for option in Settings::of(FrontEnd::RunFile) {
            match (option.kind, &self.common) {
                (Kind::Folder, _) if !self.include_dirs.is_empty() => {
                    let folders = self.include_dirs.iter().map(|folder| Ok(string(&path(folder)?)));
                    let folders = folders.collect::<Result<Vec<_>, E>>()?.join(", ");
                    lines.push(format!("include = [{folders}]"));
                }
                (Kind::Contents, Some(Contents::File(file))) => {
                    lines.push(format!("common = {}", string(&path(file)?)));
                }
                _ => {
                    let values = self.values(option);
                    let names = self.inputs.iter().map(|(name, _)| name);
                    lines.extend(values_of(option, values, names));
                }
            }
        }
        Ok(lines)
    }
}

/// Returns the lines of an option: a key, or a table of values by name. A key is either a value or a table, so that one for all inputs
/// beside some is that of each of the others.
fn values_of<'a>(
    option: &OptionSpec,
    values: Vec<(Option<String>, String)>,
    inputs: impl Iterator<Item = &'a String>,
) -> Vec<String> {
    let written = |value: &str| match option.kind {
        Kind::Name(_) | Kind::Text(_) | Kind::Literal => string(value),
        _ => value.to_owned(),
    };
    let is_named = values.iter().any(|(of, _)| of.is_some());
    let mut lines = Vec::new();
    for (of, value) in &values {
        match of {
            Some(name) => lines.push(line(option.name, name, &written(value))),
            None if !is_named => lines.push(format!("{} = {}", option.name, written(value))),
            None => {}
        }
    }
    if let Some((_, value)) = values.iter().find(|(of, _)| of.is_none()).filter(|_| is_named) {
        let lacks = |name: &&String| values.iter().all(|(of, _)| of.as_ref() != Some(*name));
        lines.extend(inputs.filter(lacks).map(|name| line(option.name, name, &written(value))));
    }
    lines
}

fn line(table: &str, name: &str, value: &str) -> String {
    format!("{table}.{} = {value}", key(name))
}

/// Returns a text in quotes: what JSON escapes, TOML reads.
fn string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Returns a number as TOML writes it; any other text in quotes.
fn number_or_string(text: &str) -> String {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
    let all = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let plain = all(whole) && all(part) && (whole == "0" || !whole.starts_with('0'));
    // An integer of TOML has 64 bits.
    if plain && whole.len() < 19 { text.to_owned() } else { string(text) }
}

/// Returns a key, in quotes where it has other characters than those of names.
fn key(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if name.chars().all(plain) { name.to_owned() } else { string(name) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_toml_are_numbers() {
        for text in ["0", "-7", "0.5", "-12.25"] {
            assert_eq!(number_or_string(text), text);
        }
        for text in [
            "",
            "-",
            ".5",
            "5.",
            "00",
            "01.5",
            "1e3",
            "0x10",
            "true",
            "1,2",
            "9999999999999999999",
            "nan",
        ] {
            assert_eq!(number_or_string(text), format!("\"{text}\""));
        }
    }

    #[test]
    fn names_of_members_are_quoted() {
        assert_eq!(["x", "lights[1].power"].map(key), ["x", "\"lights[1].power\""]);
    }
}
