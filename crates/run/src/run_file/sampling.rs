//! The keys of how inputs are sampled.

use crate::io::description::{Entry, Error, Table};

use crate::Samplings;

/// Returns the keys `wrap` and `filter`: a name for all inputs, or a table of names by input.
pub(super) fn samplings(table: &Table<'_>) -> Result<Samplings, Error> {
    let mut samplings = Samplings::new();
    for (input, entry) in by_input(table, "wrap")? {
        let wrap = named(&entry, "clamp, repeat or mirror")?;
        samplings = match input {
            Some(input) => samplings.wrap(input, wrap),
            None => samplings.wrap_all(wrap),
        };
    }
    for (input, entry) in by_input(table, "filter")? {
        let filter = named(&entry, "nearest, linear or mipmap")?;
        samplings = match input {
            Some(input) => samplings.filter(input, filter),
            None => samplings.filter_all(filter),
        };
    }
    Ok(samplings)
}

/// Returns the entries of a key that is one value for all inputs, or a table of values by input.
fn by_input<'a>(table: &Table<'a>, key: &str) -> Result<Vec<(Option<String>, Entry<'a>)>, Error> {
    let Some(entry) = table.get(key) else { return Ok(Vec::new()) };
    if !entry.value().is_table() {
        return Ok(vec![(None, entry)]);
    }
    let entries = entry.table()?.entries().into_iter();
    Ok(entries.map(|entry| (Some(entry.key.to_owned()), entry)).collect())
}

/// Returns a value by its name.
fn named<T: std::str::FromStr>(entry: &Entry<'_>, expected: &str) -> Result<T, Error> {
    let text = entry.text().ok();
    let named = text.and_then(|text| text.parse().ok());
    named.ok_or_else(|| {
        entry.wrong(format!("{expected}, for all inputs, or by name as in {}.x = ...", entry.key))
    })
}
