//! The tables of buffers: what an output was in the step before.

use std::fmt;

use toml::de::DeValue;

use crate::io::description::{Entry, Error, Literal, Places, Table};

use crate::Origin;
use crate::run_file::keys::{entries, origin};
use crate::setup::scale::Size;

const KEYS: [&str; 4] = ["from", "first", "size", "channels"];

/// An array that holds what an output was in the step before.
#[derive(Clone, Debug)]
pub(super) struct Buffer {
    pub(super) name: String,
    /// The output, `pass.output`.
    pub(super) from: String,
    pub(super) first: First,
    /// Unless that of the whole run, or of its first numbers.
    pub(super) size: Option<Size>,
}

/// The numbers that a buffer holds before the first step.
#[derive(Clone, Debug)]
pub(super) enum First {
    /// The same in each texel.
    Texel(Literal),
    Array(Origin),
}

impl Buffer {
    /// Returns the buffers of a description, in their order.
    pub(super) fn all(table: &Table<'_>, places: &mut Places<'_>) -> Result<Vec<Buffer>, Error> {
        entries(table, "buffer")?.iter().map(|entry| Buffer::of(entry, places)).collect()
    }

    fn of(entry: &Entry<'_>, places: &mut Places<'_>) -> Result<Buffer, Error> {
        let table = entry.table()?;
        table.only(&KEYS)?;
        let Some(from) = table.get("from") else {
            let (place, key) = (entry.place(), format!("{}.from", entry.path));
            let what = "the output that it holds from the next step on, as in \"pass.output\"; what stays as it is is an `input`";
            return Err(Error::Missing { place, key, what });
        };
        let (name, from) = (entry.key.to_owned(), from.text()?);
        let first = First::of(&table, places)?;
        Ok(Buffer { name, from, first, size: Size::read(&table)? })
    }
}

impl First {
    fn of(table: &Table<'_>, places: &mut Places<'_>) -> Result<First, Error> {
        let (first, channels) = (table.get("first"), table.get("channels"));
        let is_array = first.as_ref().is_some_and(|first| first.value().is_str());
        if let Some(first) = first.as_ref().filter(|_| is_array) {
            let mut others = [channels, table.get("size")].into_iter().flatten();
            return match others.next() {
                None => Ok(First::Array(origin(first, places)?)),
                Some(other) => Err(other.unfit(format!(
                    "`{}` is that of `{}`: leave it out, or give numbers there",
                    other.path, first.path
                ))),
            };
        }
        let count = channels.as_ref().map(|entry| count(entry)).transpose()?;
        let Some(first) = first else {
            return Ok(First::Texel(Literal::zeros(count.unwrap_or(4))));
        };
        let texel = Literal::texel(first.value()).ok_or_else(|| {
            first.wrong("a number, a list of the numbers of 1 to 4 channels, a file, or random:WIDTHxHEIGHT, zeros: or ramp:")
        })?;
        if !matches!(first.value(), DeValue::Array(_)) {
            return Ok(First::Texel(texel.in_all(count.unwrap_or(4))));
        }
        match channels {
            Some(channels) if count != Some(texel.shape().1) => {
                Err(channels.wrong(format!("as many as `{}` has, or no such line", first.path)))
            }
            _ => Ok(First::Texel(texel)),
        }
    }
}

impl fmt::Display for First {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            First::Texel(texel) => texel.fmt(f),
            First::Array(origin) => origin.fmt(f),
        }
    }
}

fn count(entry: &Entry<'_>) -> Result<usize, Error> {
    match entry.whole(1)? {
        count @ 1..=4 => Ok(count as usize),
        _ => Err(entry.wrong("1 to 4")),
    }
}
