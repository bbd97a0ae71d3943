//! The keys beside the shaders that descriptions of runs and of tests have in common.

use std::path::PathBuf;

use toml::Spanned;
use toml::de::DeValue;

use crate::dialect::Dialect;
use crate::io::description::{Entry, Error, Places, Table, number, whole};
use quadrille::Extent;

use crate::run_file::sampling::samplings;
use crate::{Common, Origin, Precision, Settings, Uniform};

/// The keys that descriptions of runs and of tests have in common.
pub(crate) const KEYS: [&str; 18] = [
    "version",
    "include",
    "define",
    "common",
    "input",
    "uniform",
    "wrap",
    "filter",
    "precision",
    "dialect",
    "flip",
    "rate",
    "size",
    "halo",
    "groups",
    "iterate",
    "feedback",
    "seed",
];

/// Names of keys from earlier versions, which are read and not listed.
pub(crate) const OLD_KEYS: [&str; 1] = ["include_dirs"];

impl Settings {
    /// Returns the settings of a description.
    pub(crate) fn of(table: &Table<'_>, places: &mut Places<'_>) -> Result<Settings, Error> {
        version(table)?;
        Ok(Settings {
            include_dirs: include(table, places)?,
            defines: defines(table)?,
            common: common(table, places)?,
            inputs: inputs(table, places)?,
            dialect: dialect(table)?,
            flip: table.get("flip").map(|entry| entry.truth()).transpose()?,
            rate: table.get("rate").map(|entry| rate(&entry)).transpose()?,
            uniforms: uniforms(table)?,
            samplings: samplings(table)?,
            precisions: precisions(table)?,
            size: size(table)?,
            halo: table.get("halo").map(|entry| halo(&entry)).transpose()?,
            groups: groups(table)?,
            iterate: table.get("iterate").map(|entry| entry.whole(1)).transpose()?,
            feedback: texts_of(table, "feedback")?,
            reads: None,
            seed: table.get("seed").map(|entry| entry.whole(0)).transpose()?,
        })
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

/// Reads the dialect; `None` if it is to be recognised.
pub(super) fn dialect(table: &Table<'_>) -> Result<Option<Dialect>, Error> {
    let Some(entry) = table.get("dialect") else { return Ok(None) };
    let name = entry.value().as_str().unwrap_or_default();
    match name.parse() {
        _ if name == "auto" => Ok(None),
        Ok(dialect) => Ok(Some(dialect)),
        Err(_) => {
            let names = Dialect::ALL.map(|dialect| format!("\"{dialect}\"")).join(", ");
            Err(entry.wrong(format!("\"auto\" or one of: {names}")))
        }
    }
}

fn halo(entry: &Entry<'_>) -> Result<u32, Error> {
    let texels = whole(entry.value()).and_then(|texels| u32::try_from(texels).ok());
    texels.ok_or_else(|| {
        entry.wrong("how far the shaders read from their own cells, an integer from 0 on")
    })
}

fn rate(entry: &Entry<'_>) -> Result<f64, Error> {
    let rate = number(entry.value()).filter(|rate| *rate > 0.0 && rate.is_finite());
    rate.ok_or_else(|| entry.wrong("steps a second, a number above 0"))
}

fn include(table: &Table<'_>, places: &mut Places<'_>) -> Result<Vec<PathBuf>, Error> {
    let Some(entry) = table.get_or("include", "include_dirs")? else { return Ok(Vec::new()) };
    let folders: Vec<PathBuf> = entry.texts()?.iter().map(|name| places.path(name)).collect();
    folders.iter().for_each(|folder| places.name(&entry, folder.clone()));
    Ok(folders)
}

fn common(table: &Table<'_>, places: &mut Places<'_>) -> Result<Option<Common>, Error> {
    let Some(entry) = table.get("common") else { return Ok(None) };
    Ok(Some(Common::File(places.file(&entry)?)))
}

pub(super) fn defines(table: &Table<'_>) -> Result<Vec<(String, String)>, Error> {
    let define = |entry: Entry<'_>| match entry.value() {
        DeValue::String(text) => Ok((entry.key.to_owned(), text.to_string())),
        DeValue::Float(float) => Ok((entry.key.to_owned(), float.as_str().to_owned())),
        value => match whole(value) {
            Some(number) => Ok((entry.key.to_owned(), number.to_string())),
            None => Err(entry.wrong("a number, or a text of GLSL in quotes")),
        },
    };
    entries(table, "define")?.into_iter().map(define).collect()
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

fn precisions(table: &Table<'_>) -> Result<Vec<(String, Precision)>, Error> {
    let precision = |entry: Entry<'_>| match entry.text()?.parse() {
        Ok(precision) => Ok((entry.key.to_owned(), precision)),
        Err(_) => Err(entry.wrong("single or half")),
    };
    entries(table, "precision")?.into_iter().map(precision).collect()
}

fn size(table: &Table<'_>) -> Result<Option<Extent>, Error> {
    const EXPECTED: &str = "the width and the height, integers from 1 on, as in [64, 48]";
    let Some(entry) = table.get("size") else { return Ok(None) };
    match entry.integers(EXPECTED)? {
        [width, height] if width > 0 && height > 0 => Ok(Some(Extent::new(width, height))),
        _ => Err(entry.wrong(EXPECTED)),
    }
}

pub(super) fn groups(table: &Table<'_>) -> Result<Option<[u32; 3]>, Error> {
    const EXPECTED: &str =
        "the numbers of work groups along x, y and z, integers from 1 on, as in [64, 1, 1]";
    let Some(entry) = table.get("groups") else { return Ok(None) };
    match entry.integers(EXPECTED)? {
        groups if groups.iter().all(|&count| count > 0) => Ok(Some(groups)),
        _ => Err(entry.wrong(EXPECTED)),
    }
}
