//! Settings as the keys of a description that says the same.

use std::path::Path;

use quadrille::options::Contents;

use crate::setup::settings::Uniform;
use crate::{Origin, Settings};

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
        // Without `..`, so that a new setting is not forgotten.
        let Settings {
            include_dirs,
            defines,
            common,
            dialect,
            inputs,
            seed,
            uniforms,
            samplings,
            precisions,
            // It changes no result, and a test varies it.
            reads: _,
            flip,
            rate,
            size,
            halo,
            groups,
            iterate,
            feedback,
        } = self;
        let mut lines = Vec::new();
        if !include_dirs.is_empty() {
            let folders = include_dirs.iter().map(|folder| Ok(string(&path(folder)?)));
            lines.push(format!(
                "include = [{}]",
                folders.collect::<Result<Vec<_>, E>>()?.join(", ")
            ));
        }
        lines.extend(by_name("define", defines, |text| string(text)));
        if let Some(Contents::File(file)) = common {
            lines.push(format!("common = {}", string(&path(file)?)));
        }
        for (name, origin) in inputs {
            let from = match origin.file() {
                Some(file) => path(file)?,
                None => origin.to_string(),
            };
            lines.push(line("input", name, &string(&from)));
        }
        let uniforms = uniforms.iter().filter_map(|(name, uniform)| match uniform {
            Uniform::Text(text) => Some((name.clone(), text)),
            Uniform::Value(_) => None,
        });
        lines.extend(by_name("uniform", &uniforms.collect::<Vec<_>>(), |text| {
            number_or_string(text)
        }));
        lines.extend(by_name("feedback", feedback, |input| string(input)));
        lines.extend(by_input("wrap", samplings.wraps(), inputs));
        lines.extend(by_input("filter", samplings.filters(), inputs));
        lines.extend(by_name("precision", precisions, |precision| string(&precision.to_string())));
        let size = size.map(|size| format!("[{}, {}]", size.width, size.height));
        let values = [
            ("size", size),
            ("halo", halo.map(|halo| halo.to_string())),
            ("groups", groups.map(|groups| format!("{groups:?}"))),
            ("dialect", dialect.map(|dialect| string(dialect.name()))),
            ("flip", flip.map(|flip| flip.to_string())),
            ("rate", rate.map(|rate| rate.to_string())),
            ("iterate", iterate.map(|steps| steps.to_string())),
            ("seed", seed.map(|seed| seed.to_string())),
        ];
        let given =
            values.into_iter().filter_map(|(key, value)| Some(format!("{key} = {}", value?)));
        lines.extend(given);
        Ok(lines)
    }
}

fn line(table: &str, name: &str, value: &str) -> String {
    format!("{table}.{} = {value}", key(name))
}

fn by_name<T>(table: &str, pairs: &[(String, T)], text: impl Fn(&T) -> String) -> Vec<String> {
    pairs.iter().map(|(name, value)| line(table, name, &text(value))).collect()
}

/// Returns the lines of a key that is one value for all inputs, or a table of values by input.
fn by_input<T: ToString>(
    table: &str,
    asked: &[(Option<String>, T)],
    inputs: &[(String, Origin)],
) -> Vec<String> {
    let of_all = asked.iter().find(|(name, _)| name.is_none()).map(|(_, value)| value.to_string());
    let named = asked.iter().filter_map(|(name, value)| Some((name.clone()?, value.to_string())));
    let mut of_one: Vec<(String, String)> = named.collect();
    match of_all {
        Some(value) if of_one.is_empty() => vec![format!("{table} = {}", string(&value))],
        Some(value) => {
            // A key is either a value or a table: all others get theirs by name.
            for (name, _) in inputs {
                if of_one.iter().all(|(own, _)| own != name) {
                    of_one.push((name.clone(), value.clone()));
                }
            }
            by_name(table, &of_one, |value| string(value))
        }
        None => by_name(table, &of_one, |value| string(value)),
    }
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
