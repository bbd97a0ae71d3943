//! The tables of a test but for what it expects.

use std::path::Path;
use std::time::Duration;

use toml::Spanned;
use toml::de::DeValue;

use crate::Extent;
use crate::experiment::{Origin, Samplings};
use crate::shader::Api;

use super::places::Places;
use super::table::{number, whole};
use super::{Entry, Error, KEYS, Known, Require, Table, TestFile, Vary, expect};

const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10);

impl TestFile {
    pub(super) fn of(path: &Path, table: &Table<'_>) -> Result<TestFile, Error> {
        table.only(&KEYS)?;
        version(table)?;
        let mut places = Places::of(path);
        let Some(shader) = table.get("shader") else {
            let (place, key) = (table.place(), "shader".into());
            return Err(Error::Missing { place, key, what: "the file of the shader" });
        };
        let shader = places.file(&shader)?;
        let inputs = inputs(table, &mut places)?;
        let (expectations, error) = expect::of(table, &mut places)?;
        Ok(TestFile {
            path: path.to_owned(),
            shader,
            include_dirs: include_dirs(table, &places)?,
            defines: defines(table)?,
            inputs,
            uniforms: uniforms(table)?,
            size: size(table)?,
            groups: groups(table)?,
            iterate: table.get("iterate").map_or(Ok(1), |entry| entry.whole(1))?,
            feedback: texts_of(table, "feedback")?,
            samplings: samplings(table)?,
            seed: table.get("seed").map_or(Ok(1), |entry| entry.whole(0))?,
            timeout: table.get("timeout").map_or(Ok(DEFAULT_TIMEOUT), |entry| timeout(&entry))?,
            apis: table.get("api").map_or(Ok(vec![Api::Gl]), |entry| apis(&entry))?,
            vary: table.get("vary").map_or(Ok(Vec::new()), |entry| vary(&entry, table))?,
            expectations,
            error,
            require: require(table)?,
            known: known(table)?,
            named: places.named,
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

fn include_dirs(table: &Table<'_>, places: &Places<'_>) -> Result<Vec<std::path::PathBuf>, Error> {
    let Some(entry) = table.get("include_dirs") else { return Ok(Vec::new()) };
    Ok(entry.texts()?.iter().map(|name| places.path(name)).collect())
}

fn defines(table: &Table<'_>) -> Result<Vec<(String, String)>, Error> {
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

/// The entries of a table that may be missing.
fn entries<'a>(table: &Table<'a>, key: &str) -> Result<Vec<Entry<'a>>, Error> {
    table.get(key).map_or(Ok(Vec::new()), |entry| Ok(entry.table()?.entries()))
}

fn inputs(table: &Table<'_>, places: &mut Places<'_>) -> Result<Vec<(String, Origin)>, Error> {
    let mut inputs = Vec::new();
    for entry in entries(table, "input")? {
        let text = entry.text()?;
        let origin: Origin = text.parse().map_err(|error: crate::experiment::Error| {
            let (place, reason) = (entry.place(), error.to_string());
            Error::Unfit { place, reason }
        })?;
        let origin = origin.below(|name| {
            let path = places.path(name);
            places.name(&entry, path.clone());
            path
        });
        inputs.push((entry.key.to_owned(), origin));
    }
    Ok(inputs)
}

fn texts_of(table: &Table<'_>, key: &str) -> Result<Vec<(String, String)>, Error> {
    let pair = |entry: Entry<'_>| Ok((entry.key.to_owned(), entry.text()?));
    entries(table, key)?.into_iter().map(pair).collect()
}

fn uniforms(table: &Table<'_>) -> Result<Vec<(String, String)>, Error> {
    let mut uniforms = Vec::new();
    for entry in entries(table, "uniform")? {
        add_uniform(&entry, entry.key, &mut uniforms)?;
    }
    Ok(uniforms)
}

/// A uniform, or the members of a struct.
fn add_uniform(
    entry: &Entry<'_>,
    name: &str,
    uniforms: &mut Vec<(String, String)>,
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
            uniforms.push((name.to_owned(), parts.join(",")));
            Ok(())
        }
        _ => Err(entry.wrong("a number, true or false, or a list of numbers")),
    }
}

/// The numbers of a list of lists, as text.
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

/// The keys `wrap` and `filter`: a name for all inputs, or a table of names by input.
fn samplings(table: &Table<'_>) -> Result<Samplings, Error> {
    let mut samplings = Samplings::new();
    for (input, entry) in by_input(table, "wrap")? {
        let wrap = named(&entry, "clamp, repeat or mirror")?;
        samplings = match input {
            Some(input) => samplings.wrap(input, wrap),
            None => samplings.wrap_all(wrap),
        };
    }
    for (input, entry) in by_input(table, "filter")? {
        let filter = named(&entry, "nearest or linear")?;
        samplings = match input {
            Some(input) => samplings.filter(input, filter),
            None => samplings.filter_all(filter),
        };
    }
    Ok(samplings)
}

/// The entries of a key that is one value for all inputs, or a table of values by input.
fn by_input<'a>(table: &Table<'a>, key: &str) -> Result<Vec<(Option<String>, Entry<'a>)>, Error> {
    let Some(entry) = table.get(key) else { return Ok(Vec::new()) };
    if !entry.value().is_table() {
        return Ok(vec![(None, entry)]);
    }
    let entries = entry.table()?.entries().into_iter();
    Ok(entries.map(|entry| (Some(entry.key.to_owned()), entry)).collect())
}

/// A value by its name.
fn named<T: std::str::FromStr>(entry: &Entry<'_>, expected: &str) -> Result<T, Error> {
    let text = entry.text().ok();
    let named = text.and_then(|text| text.parse().ok());
    named.ok_or_else(|| {
        entry.wrong(format!("{expected}, for all inputs, or by name as in {}.x = ...", entry.key))
    })
}

fn size(table: &Table<'_>) -> Result<Option<Extent>, Error> {
    const EXPECTED: &str = "the width and the height, integers from 1 on, as in [64, 48]";
    let Some(entry) = table.get("size") else { return Ok(None) };
    match entry.integers(EXPECTED)? {
        [width, height] if width > 0 && height > 0 => Ok(Some(Extent::new(width, height))),
        _ => Err(entry.wrong(EXPECTED)),
    }
}

fn groups(table: &Table<'_>) -> Result<Option<[u32; 3]>, Error> {
    const EXPECTED: &str =
        "the numbers of work groups along x, y and z, integers from 1 on, as in [64, 1, 1]";
    let Some(entry) = table.get("groups") else { return Ok(None) };
    match entry.integers(EXPECTED)? {
        groups if groups.iter().all(|&count| count > 0) => Ok(Some(groups)),
        _ => Err(entry.wrong(EXPECTED)),
    }
}

fn timeout(entry: &Entry<'_>) -> Result<Duration, Error> {
    let seconds = number(entry.value()).filter(|seconds| *seconds > 0.0);
    seconds
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| entry.wrong("seconds, a number above 0"))
}

fn apis(entry: &Entry<'_>) -> Result<Vec<Api>, Error> {
    chosen(entry, "gl or gles", |name| match name {
        "gl" => Some(Api::Gl),
        "gles" => Some(Api::Gles),
        _ => None,
    })
}

fn vary(entry: &Entry<'_>, table: &Table<'_>) -> Result<Vec<Vary>, Error> {
    let chosen = chosen(entry, "reads or size", |name| match name {
        "reads" => Some(Vary::Reads),
        "size" => Some(Vary::Size),
        _ => None,
    })?;
    if chosen.contains(&Vary::Reads) && !samplings(table)?.is_empty() {
        let reason = "`vary` = \"reads\" cannot be with `wrap` or `filter`: a shader that samples by `texture()` in its own way \
                      reads texels by texelFetch alone";
        return Err(Error::Unfit { place: entry.place(), reason: reason.into() });
    }
    if chosen.contains(&Vary::Size) && !entries(table, "feedback")?.is_empty() {
        let reason = "`vary` = \"size\" cannot be with `feedback`: what feeds back has the size of its input";
        return Err(Error::Unfit { place: entry.place(), reason: reason.into() });
    }
    Ok(chosen)
}

/// Each of a list of names, none of them twice.
fn chosen<T: PartialEq>(
    entry: &Entry<'_>,
    expected: &str,
    named: impl Fn(&str) -> Option<T>,
) -> Result<Vec<T>, Error> {
    let mut chosen = Vec::new();
    for name in entry.texts()? {
        match named(&name).filter(|one| !chosen.contains(one)) {
            Some(one) => chosen.push(one),
            None => return Err(entry.wrong(format!("{expected}, each at most once"))),
        }
    }
    Ok(chosen)
}

fn require(table: &Table<'_>) -> Result<Require, Error> {
    let mut require = Require::default();
    let Some(entry) = table.get("require") else { return Ok(require) };
    let table = entry.table()?;
    table.only(&[
        "precise",
        "compute",
        "float_blending",
        "max_texture_size",
        "hardware",
        "device",
    ])?;
    for entry in table.entries() {
        let flag = match entry.key {
            "precise" => &mut require.precise,
            "compute" => &mut require.compute,
            "float_blending" => &mut require.float_blending,
            "hardware" => &mut require.hardware,
            "device" => {
                require.devices = entry.texts()?;
                continue;
            }
            _ => {
                let side = entry.whole(1)?;
                let fits = u32::try_from(side).map_err(|_| entry.wrong("a number of texels"));
                require.max_texture_size = fits?;
                continue;
            }
        };
        entry.only_true()?;
        *flag = true;
    }
    Ok(require)
}

fn known(table: &Table<'_>) -> Result<Vec<Known>, Error> {
    let mut known = Vec::new();
    for entry in entries(table, "known")? {
        let inner = entry.table()?;
        inner.only(&["reason"])?;
        let Some(reason) = inner.get("reason") else {
            let (place, key) = (entry.place(), format!("{}.reason", entry.path));
            return Err(Error::Missing { place, key, what: "why the test fails there" });
        };
        known.push(Known { device: entry.key.to_owned(), reason: reason.text()? });
    }
    Ok(known)
}
