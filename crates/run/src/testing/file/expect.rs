//! Reads the expectations of a test on the outputs, or on the compiler.

use toml::de::DeValue;

use crate::io::description::{self, Entry, Places, Table, number};
use quadrille::Rectangle;

use super::expectation::{Claim, Expectation, Part};
use super::{Error, Literal, Tested};
use quadrille::testing::{Denormals, Nan, Tolerance};

const CLAIMS: [&str; 6] = ["equals", "values", "all", "twin", "finite", "inside"];
const TOLERANCES: [&str; 4] = ["exact", "ulp", "absolute", "relative"];
const WHOLE: [&str; 15] = [
    "at",
    "equals",
    "values",
    "all",
    "twin",
    "finite",
    "inside",
    "exact",
    "ulp",
    "absolute",
    "relative",
    "outliers",
    "nan",
    "denormals",
    "device",
];
/// The same without `at` and `device`: the keys of a device's own expectation.
const PART: &[&str] = {
    let [_, part @ .., _] = &WHOLE;
    part
};

/// Returns the expectations of the outputs, or the message of the compiler.
pub(super) fn of(
    table: &Table<'_>,
    tested: &Tested,
    places: &mut Places<'_>,
) -> Result<(Vec<Expectation>, Option<String>), Error> {
    let mut expectations = Vec::new();
    let Some(expect) = table.get("expect") else { return Ok((expectations, None)) };
    let expect = expect.table()?;
    let message = expect.get("error").filter(|entry| entry.value().is_str());
    for entry in expect.entries() {
        match &message {
            Some(message) if message.key != entry.key => return Err(conflict(&entry, message)),
            Some(_) => continue,
            None => {}
        }
        for (output, entry) in outputs(entry.key.to_owned(), entry, tested)? {
            for table in entry.tables()? {
                expectations.push(expectation(&output, &table, places)?);
            }
        }
    }
    Ok((expectations, message.map(|entry| entry.text()).transpose()?))
}

/// Returns the outputs that a key is about: one by its name, or all of a table of a pass or of a
/// target, as in `[expect.pass.output]`.
fn outputs<'a>(
    name: String,
    entry: Entry<'a>,
    tested: &Tested,
) -> Result<Vec<(String, Entry<'a>)>, Error> {
    let is_pass = matches!(tested, Tested::Run(_)) && !name.contains('.');
    if !is_pass && !has_outputs(&entry) {
        return Ok(vec![(name, entry)]);
    }
    let mut found = Vec::new();
    for part in entry.table()?.entries() {
        found.extend(outputs(format!("{name}.{}", part.key), part, tested)?);
    }
    Ok(found)
}

/// Returns whether a table holds tables of outputs in place of an expectation.
fn has_outputs(entry: &Entry<'_>) -> bool {
    let is_table = |value: &DeValue<'_>| match value {
        DeValue::Array(items) => items.first().is_some_and(|item| item.get_ref().is_table()),
        value => value.is_table(),
    };
    let is_output = |part: &Entry<'_>| !WHOLE.contains(&part.key) && is_table(part.value());
    entry.value().is_table()
        && entry.table().is_ok_and(|table| table.entries().iter().any(is_output))
}

fn expectation(
    output: &str,
    table: &Table<'_>,
    places: &mut Places<'_>,
) -> Result<Expectation, Error> {
    table.only(&WHOLE)?;
    let general = part(table, None, places)?;
    if general.claim.is_none() {
        let (place, key) = (table.place(), format!("expect.{output}"));
        let what = "what is expected: equals, values, all, twin, finite or inside";
        return Err(description::Error::Missing { place, key, what }.into());
    }
    let at = table.get("at").map(|entry| rectangle(&entry)).transpose()?;
    let mut devices = Vec::new();
    if let Some(entry) = table.get("device") {
        for entry in entry.table()?.entries() {
            let table = entry.table()?;
            table.only(PART)?;
            devices.push((entry.key.to_owned(), part(&table, general.claim.as_ref(), places)?));
        }
    }
    Ok(Expectation { output: output.to_owned(), place: table.place(), at, general, devices })
}

fn rectangle(entry: &Entry<'_>) -> Result<Rectangle, Error> {
    const EXPECTED: &str = "x, y, width and height, the last two from 1 on, as in [0, 0, 64, 48]";
    match entry.integers(EXPECTED)? {
        [x, y, width, height] if width > 0 && height > 0 => Ok(Rectangle::new(x, y, width, height)),
        _ => Err(entry.wrong(EXPECTED).into()),
    }
}

/// Returns a table of an expectation, whose claim may stand in the general one.
fn part(
    table: &Table<'_>,
    general: Option<&Claim>,
    places: &mut Places<'_>,
) -> Result<Part, Error> {
    let claim = one_of(table, &CLAIMS)?.map(|entry| claim(&entry, places)).transpose()?;
    let part = Part {
        tolerance: tolerance(table)?,
        outliers: table.get("outliers").map(|entry| outliers(&entry)).transpose()?,
        nan: named(table, "nan", [("equal", Nan::Equal), ("forbid", Nan::Forbid)])?,
        denormals: named(
            table,
            "denormals",
            [("any", Denormals::Any), ("keep", Denormals::Keep), ("flush", Denormals::Flush)],
        )?,
        claim,
    };
    let claim = part.claim.as_ref().or(general);
    if let Some(claim) = claim.filter(|claim| claim.needs_no_tolerance()) {
        must_be_without(table, claim)?;
    }
    Ok(part)
}

/// Returns the entry of the one of these keys that is there.
fn one_of<'a>(table: &Table<'a>, keys: &[&str]) -> Result<Option<Entry<'a>>, Error> {
    let mut there = table.entries().into_iter().filter(|entry| keys.contains(&entry.key));
    let first = there.next();
    match (&first, there.next()) {
        (Some(first), Some(second)) => Err(conflict(&second, first)),
        _ => Ok(first),
    }
}

fn conflict(entry: &Entry<'_>, other: &Entry<'_>) -> Error {
    let (key, other) = (entry.path.clone(), other.path.clone());
    description::Error::Conflict { place: entry.place(), key, other }.into()
}

fn claim(entry: &Entry<'_>, places: &mut Places<'_>) -> Result<Claim, Error> {
    let value = entry.value();
    Ok(match entry.key {
        "equals" => Claim::Equals(places.file(entry)?),
        "twin" => Claim::Twin(places.file(entry)?),
        "values" => Claim::Values(Literal::of(value).ok_or_else(|| {
            entry.wrong(
                "a list of rows of equal length, of numbers up to 3.4e38, inf or nan, or of lists of 1 to 4 of these",
            )
        })?),
        "all" => {
            Claim::All(Literal::texel(value).ok_or_else(|| {
                entry.wrong("a number up to 3.4e38, inf or nan, or a list of the numbers of 1 to 4 channels")
            })?)
        }
        "finite" => {
            entry.only_true()?;
            Claim::Finite
        }
        _ => inside(entry)?,
    })
}

fn inside(entry: &Entry<'_>) -> Result<Claim, Error> {
    let ends = entry
        .value()
        .as_array()
        .map(|ends| ends.iter().map(|end| number(end.get_ref())).collect::<Vec<_>>());
    match ends.as_deref() {
        Some(&[Some(low), Some(high)]) if low <= high => Ok(Claim::Inside(low, high)),
        _ => Err(entry.wrong("the least and the greatest number, as in [0.0, 1.0]").into()),
    }
}

fn tolerance(table: &Table<'_>) -> Result<Option<Tolerance>, Error> {
    let [exact, ulp, absolute, relative] = TOLERANCES.map(|key| table.get(key));
    let close = absolute.as_ref().or(relative.as_ref());
    let stated: Vec<&Entry<'_>> =
        [exact.as_ref(), ulp.as_ref(), close].into_iter().flatten().collect();
    if let [first, second, ..] = stated[..] {
        return Err(conflict(second, first));
    }
    if let Some(entry) = exact {
        entry.only_true()?;
        return Ok(Some(Tolerance::Exact));
    }
    if let Some(entry) = ulp {
        return Ok(Some(Tolerance::Ulp(entry.whole(0)?)));
    }
    if absolute.is_none() && relative.is_none() {
        return Ok(None);
    }
    let bound = |entry: Option<Entry<'_>>| entry.map_or(Ok(0.0), |entry| entry.bound());
    Ok(Some(Tolerance::Close { absolute: bound(absolute)?, relative: bound(relative)? }))
}

fn outliers(entry: &Entry<'_>) -> Result<usize, Error> {
    Ok(usize::try_from(entry.whole(0)?).unwrap_or(usize::MAX))
}

/// Returns the value of this name.
fn named<T, const N: usize>(
    table: &Table<'_>,
    key: &str,
    names: [(&str, T); N],
) -> Result<Option<T>, Error> {
    let Some(entry) = table.get(key) else { return Ok(None) };
    let text = entry.value().as_str().unwrap_or_default();
    let expected = names.each_ref().map(|(name, _)| format!("\"{name}\"")).join(" or ");
    match names.into_iter().find(|(name, _)| *name == text) {
        Some((_, value)) => Ok(Some(value)),
        None => Err(entry.wrong(expected).into()),
    }
}

/// Refuses keys of comparisons beside a claim that compares with nothing.
fn must_be_without(table: &Table<'_>, claim: &Claim) -> Result<(), Error> {
    let compares = |entry: &Entry<'_>| {
        TOLERANCES.contains(&entry.key) || ["nan", "denormals"].contains(&entry.key)
    };
    match table.entries().into_iter().find(compares) {
        None => Ok(()),
        Some(entry) => {
            let (place, key, claim) = (entry.place(), entry.path, claim.key());
            Err(Error::NoneNeeded { place, key, claim })
        }
    }
}
