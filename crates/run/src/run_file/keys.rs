//! The keys beside the shaders that descriptions of runs and of tests have in common: the options of an experiment, its inputs and
//! its uniforms.

use std::path::PathBuf;

use toml::Spanned;
use toml::de::DeValue;

use quadrille::options::{self, FrontEnd, Kind, Many, OptionSpec, Specified};

use crate::io::description::{Entry, Error, Places, Table, number, whole};
use crate::{Origin, Settings, Uniform};

/// Returns the keys that descriptions of runs and of tests have in common, and their names from earlier versions, which are read
/// and not listed.
pub(crate) fn keys() -> (Vec<&'static str>, Vec<&'static str>) {
    let options = || Settings::of(FrontEnd::RunFile);
    let keys = ["version", "input", "uniform"].into_iter().chain(options().map(|known| known.name));
    (keys.collect(), options().flat_map(|known| known.formerly).copied().collect())
}

impl Settings {
    /// Returns the settings of a description.
    pub(crate) fn read(table: &Table<'_>, places: &mut Places<'_>) -> Result<Settings, Error> {
        version(table)?;
        let mut settings = Settings::some(table, places, |_| true)?;
        settings.inputs = inputs(table, places)?;
        settings.uniforms = uniforms(table)?;
        Ok(settings)
    }

    /// Returns those of the options that a table sets.
    pub(super) fn some(
        table: &Table<'_>,
        places: &mut Places<'_>,
        is_read: impl Fn(&str) -> bool,
    ) -> Result<Settings, Error> {
        let mut settings = Settings::default();
        for option in Settings::of(FrontEnd::RunFile).filter(|option| is_read(option.name)) {
            if let Some(entry) = entry(table, option)? {
                settings.set_entry(option, &entry, places)?;
            }
        }
        Ok(settings)
    }

    fn set_entry(
        &mut self,
        option: &OptionSpec,
        entry: &Entry<'_>,
        places: &mut Places<'_>,
    ) -> Result<(), Error> {
        let by_name = match option.many {
            Many::ByName(_) => true,
            Many::ByNameOrAll => entry.value().is_table(),
            _ => false,
        };
        let entries = match by_name {
            true => entry.table()?.entries(),
            false if option.many == Many::List => entry.items(),
            false => vec![entry.clone()],
        };
        for entry in &entries {
            let of = by_name.then_some(entry.key);
            let value = Value { entry, of, places };
            self.set(option, &value).map_err(|error| refused(option, entry, error))?;
            if matches!(option.kind, Kind::Folder | Kind::Contents) {
                places.file(entry)?;
            }
        }
        Ok(())
    }
}

/// Returns the entry of an option, which may have its name from an earlier version.
fn entry<'a>(table: &Table<'a>, option: &OptionSpec) -> Result<Option<Entry<'a>>, Error> {
    let mut found = table.get(option.name);
    for old in option.formerly {
        match (&found, table.get(old)) {
            (Some(entry), Some(old)) => {
                let (place, key, other) = (old.place(), old.path, entry.path.clone());
                return Err(Error::Conflict { place, key, other });
            }
            (None, old) => found = old,
            _ => {}
        }
    }
    Ok(found)
}

fn refused(option: &OptionSpec, entry: &Entry<'_>, error: options::Error) -> Error {
    match (error, option.many) {
        (options::Error::Value { expected, .. }, Many::ByNameOrAll) => entry.wrong(format!(
            "{expected}; for all inputs, or by name as in {}.NAME = ...",
            option.name
        )),
        (options::Error::Value { expected, .. }, _) => entry.wrong(expected),
        (error, _) => entry.unfit(error.to_string()),
    }
}

/// A value of TOML.
struct Value<'a, 'e> {
    entry: &'a Entry<'e>,
    of: Option<&'a str>,
    places: &'a Places<'e>,
}

impl options::Entry for Value<'_, '_> {
    fn of(&self) -> Option<&str> {
        self.of
    }

    fn flag(&self) -> Option<bool> {
        self.entry.value().as_bool()
    }

    fn integer(&self) -> Option<u64> {
        u64::try_from(whole(self.entry.value())?).ok()
    }

    fn number(&self) -> Option<f64> {
        number(self.entry.value())
    }

    fn text(&self) -> Option<String> {
        let text = self.entry.value().as_str().filter(|text| !text.is_empty());
        text.map(str::to_owned)
    }

    fn literal(&self) -> Option<String> {
        match self.entry.value() {
            DeValue::String(text) => Some(text.to_string()),
            DeValue::Float(float) => Some(float.as_str().to_owned()),
            value => whole(value).map(|number| number.to_string()),
        }
    }

    fn path(&self) -> Option<PathBuf> {
        self.text().map(|name| self.places.path(&name))
    }

    fn sides(&self) -> Option<Vec<u32>> {
        let item = |item: &Spanned<DeValue<'_>>| u32::try_from(whole(item.get_ref())?).ok();
        self.entry.value().as_array()?.iter().map(item).collect()
    }

    fn shown(&self) -> String {
        self.entry.shown()
    }

    fn written(&self, sides: &[u32]) -> String {
        format!("{sides:?}")
    }
}

fn version(table: &Table<'_>) -> Result<(), Error> {
    match table.get("version") {
        Some(entry) if whole(entry.value()) != Some(1) => {
            Err(entry.wrong("1, the version of this format"))
        }
        _ => Ok(()),
    }
}

/// Returns the entries of a table that may be missing.
pub(crate) fn entries<'a>(table: &Table<'a>, key: &str) -> Result<Vec<Entry<'a>>, Error> {
    table.get(key).map_or(Ok(Vec::new()), |entry| Ok(entry.table()?.entries()))
}

fn inputs(table: &Table<'_>, places: &mut Places<'_>) -> Result<Vec<(String, Origin)>, Error> {
    let mut inputs = Vec::new();
    for entry in entries(table, "input")? {
        inputs.push((entry.key.to_owned(), origin(&entry, places)?));
    }
    Ok(inputs)
}

/// Reads the source of the numbers of an entry.
pub(super) fn origin(entry: &Entry<'_>, places: &mut Places<'_>) -> Result<Origin, Error> {
    let origin: Origin =
        entry.text()?.parse().map_err(|error: crate::Error| entry.unfit(error.to_string()))?;
    if origin.is_stream() {
        return Err(entry.wrong("a file, since standard input cannot be read again"));
    }
    let origin = origin.below(|name| places.path(name));
    match (origin.file(), origin.files()) {
        (Some(file), _) => places.name(entry, file.clone()),
        (_, Some(each)) => places.name_each(entry, each),
        (None, None) => {}
    }
    Ok(origin)
}

pub(super) fn texts_of(table: &Table<'_>, key: &str) -> Result<Vec<(String, String)>, Error> {
    let pair = |entry: Entry<'_>| Ok((entry.key.to_owned(), entry.text()?));
    entries(table, key)?.into_iter().map(pair).collect()
}

pub(super) fn uniforms(table: &Table<'_>) -> Result<Vec<(String, Uniform)>, Error> {
    let mut uniforms = Vec::new();
    for entry in entries(table, "uniform")? {
        add_uniform(&entry, entry.key, &mut uniforms)?;
    }
    Ok(uniforms)
}

/// Returns a uniform, or the members of a struct.
fn add_uniform(
    entry: &Entry<'_>,
    name: &str,
    uniforms: &mut Vec<(String, Uniform)>,
) -> Result<(), Error> {
    if let DeValue::Table(_) = entry.value() {
        for member in entry.table()?.entries() {
            add_uniform(&member, &format!("{name}.{}", member.key), uniforms)?;
        }
        return Ok(());
    }
    let mut parts = Vec::new();
    match flattened(entry.value(), &mut parts) {
        Some(()) if !parts.is_empty() => {
            uniforms.push((name.to_owned(), parts.join(",").into()));
            Ok(())
        }
        _ => Err(entry.wrong("a number, true or false, or a list of numbers")),
    }
}

/// Returns the numbers of a list of lists, as text.
fn flattened(value: &DeValue<'_>, parts: &mut Vec<String>) -> Option<()> {
    match value {
        DeValue::Array(items) => {
            return items.iter().map(Spanned::get_ref).try_for_each(|item| flattened(item, parts));
        }
        DeValue::String(text) => parts.push(text.to_string()),
        DeValue::Boolean(value) => parts.push(value.to_string()),
        DeValue::Float(float) => parts.push(float.as_str().to_owned()),
        value => parts.push(whole(value)?.to_string()),
    }
    Some(())
}
