//! The tables of a test but for what it expects.

use std::path::Path;
use std::time::Duration;

use crate::io::description::{self, Entry, Places, Table, number};
use crate::{RunFile, Settings, entries, keys};
use quadrille::shader::Api;

use super::{Error, KEYS, Known, Require, TestFile, Tested, Vary, expect};

const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10);

impl TestFile {
    pub(super) fn of(path: &Path, table: &Table<'_>) -> Result<TestFile, Error> {
        let (keys, old) = keys();
        table.only_or(&[&KEYS[..], &keys].concat(), &old)?;
        let mut places = Places::of(path);
        let tested = tested(table, &mut places)?;
        let settings = Settings::read(table, &mut places)?;
        let (expectations, error) = expect::of(table, &tested, &mut places)?;
        Ok(TestFile {
            path: path.to_owned(),
            tested,
            timeout: table.get("timeout").map_or(Ok(DEFAULT_TIMEOUT), |entry| timeout(&entry))?,
            apis: table.get("api").map_or(Ok(vec![Api::Gl]), |entry| apis(&entry))?,
            vary: table
                .get("vary")
                .map_or(Ok(Vec::new()), |entry| vary(&entry, table, &settings))?,
            settings,
            expectations,
            error,
            require: require(table)?,
            known: known(table)?,
            named: places.named,
        })
    }
}

fn tested(table: &Table<'_>, places: &mut Places<'_>) -> Result<Tested, Error> {
    match (table.get("shader"), table.get("run")) {
        (Some(shader), Some(run)) => {
            let (place, key, other) = (run.place(), run.path, shader.path);
            Err(description::Error::Conflict { place, key, other }.into())
        }
        (None, None) => {
            let (place, key) = (table.place(), "shader".into());
            let what = "the file of the shader, or `run` with a *.run.toml";
            Err(description::Error::Missing { place, key, what }.into())
        }
        (Some(shader), None) => match RunFile::is_named(shader.text()?) {
            false => Ok(Tested::Shader(places.file(&shader)?)),
            true => Err(shader.wrong("a shader; a *.run.toml is given by `run`").into()),
        },
        (None, Some(run)) => match RunFile::is_named(run.text()?) {
            true => Ok(Tested::Run(places.file(&run)?)),
            false => Err(run.wrong("a *.run.toml; a shader is given by `shader`").into()),
        },
    }
}

fn timeout(entry: &Entry<'_>) -> Result<Duration, Error> {
    let seconds = number(entry.value()).filter(|seconds| *seconds > 0.0);
    seconds
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| entry.wrong("seconds, a number above 0").into())
}

fn apis(entry: &Entry<'_>) -> Result<Vec<Api>, Error> {
    chosen(entry, "gl or gles", [("gl", Api::Gl), ("gles", Api::Gles)])
}

fn vary(entry: &Entry<'_>, table: &Table<'_>, settings: &Settings) -> Result<Vec<Vary>, Error> {
    let chosen = chosen(entry, "reads or size", [("reads", Vary::Reads), ("size", Vary::Size)])?;
    if chosen.contains(&Vary::Reads) && !settings.samplings.is_empty() {
        let reason = "`vary` = \"reads\" cannot be with `wrap` or `filter`: a shader that samples by `texture()` in its own way \
                      reads texels by texelFetch alone";
        return Err(entry.unfit(reason).into());
    }
    if chosen.contains(&Vary::Size) && !entries(table, "feedback")?.is_empty() {
        let reason = "`vary` = \"size\" cannot be with `feedback`: what feeds back has the size of its input";
        return Err(entry.unfit(reason).into());
    }
    if chosen.contains(&Vary::Size) && table.get("run").is_some() {
        let reason = "`vary` = \"size\" cannot be with `run`, whose passes have sizes of their own";
        return Err(entry.unfit(reason).into());
    }
    Ok(chosen)
}

/// Reads a list of names, none of them twice.
fn chosen<T: Copy + PartialEq>(
    entry: &Entry<'_>,
    expected: &str,
    names: [(&str, T); 2],
) -> Result<Vec<T>, Error> {
    let mut chosen = Vec::new();
    for name in entry.texts()? {
        match names.iter().find(|(known, one)| *known == name && !chosen.contains(one)) {
            Some((_, one)) => chosen.push(*one),
            None => return Err(entry.wrong(format!("{expected}, each at most once")).into()),
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
            return Err(description::Error::Missing {
                place,
                key,
                what: "why the test fails there",
            }
            .into());
        };
        known.push(Known { device: entry.key.to_owned(), reason: reason.text()? });
    }
    Ok(known)
}
