//! A table of a TOML file, whose errors name the file, the line and the key.

use std::borrow::Cow;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use quadrille::Place;
use quadrille::internal::visible_name;

use super::Error;

/// The text of a file, for the places in it.
#[derive(Clone, Copy)]
pub(crate) struct Text<'a> {
    pub(crate) file: &'a str,
    /// The thing that the file describes, as in "test".
    pub(crate) what: &'static str,
    pub(crate) text: &'a str,
}

impl<'a> Text<'a> {
    pub(crate) fn parse(self) -> Result<Spanned<DeTable<'a>>, Error> {
        DeTable::parse(self.text).map_err(|error| Error::Toml {
            place: self.place(error.span().map_or(0, |span| span.start)),
            message: error.message().to_owned(),
        })
    }

    /// Returns the line and the column of a byte.
    fn place(self, at: usize) -> Place {
        let before = self.text.get(..at).unwrap_or_default();
        let line = before.rsplit('\n').next().unwrap_or_default();
        let number = before.matches('\n').count() + 1;
        Place::line(self.file, number).at_column(line.chars().count() + 1)
    }
}

/// A table at a path of keys, which is empty for that of the file.
pub(crate) struct Table<'a> {
    text: Text<'a>,
    path: String,
    table: &'a DeTable<'a>,
    at: usize,
}

/// A value at a key.
#[derive(Clone)]
pub(crate) struct Entry<'a> {
    text: Text<'a>,
    /// The whole path of the key.
    pub(crate) path: String,
    pub(crate) key: &'a str,
    key_at: usize,
    value: &'a Spanned<DeValue<'a>>,
}

impl<'a> Table<'a> {
    pub(crate) fn root(text: Text<'a>, table: &'a Spanned<DeTable<'a>>) -> Table<'a> {
        Table { text, path: String::new(), table: table.get_ref(), at: 0 }
    }

    pub(crate) fn place(&self) -> Place {
        self.text.place(self.at)
    }

    /// Returns the entries in the order of the file.
    pub(crate) fn entries(&self) -> Vec<Entry<'a>> {
        let mut entries: Vec<Entry<'a>> = self.table.iter().map(|pair| self.entry(pair)).collect();
        entries.sort_by_key(|entry| entry.key_at);
        entries
    }

    fn entry(
        &self,
        (key, value): (&'a Spanned<Cow<'a, str>>, &'a Spanned<DeValue<'a>>),
    ) -> Entry<'a> {
        let name = key.get_ref().as_ref();
        let shown = visible_name(name);
        let path = match self.path.as_str() {
            "" => shown.into_owned(),
            path => format!("{path}.{shown}"),
        };
        Entry { text: self.text, path, key: name, key_at: key.span().start, value }
    }

    pub(crate) fn get(&self, key: &str) -> Option<Entry<'a>> {
        self.table.get_key_value(key).map(|pair| self.entry(pair))
    }

    /// Refuses keys that are not among these.
    pub(crate) fn only(&self, keys: &[&'static str]) -> Result<(), Error> {
        self.only_or(keys, &[])
    }

    /// Refuses keys that are not among these, of which errors do not list the old ones.
    pub(crate) fn only_or(&self, keys: &[&'static str], old: &[&str]) -> Result<(), Error> {
        let is_known = |entry: &Entry<'_>| keys.contains(&entry.key) || old.contains(&entry.key);
        match self.entries().into_iter().find(|entry| !is_known(entry)) {
            None => Ok(()),
            Some(entry) => Err(entry.unknown(&self.path, keys)),
        }
    }
}

impl<'a> Entry<'a> {
    pub(crate) fn place(&self) -> Place {
        self.text.place(self.key_at)
    }

    fn unknown(&self, table: &str, keys: &[&'static str]) -> Error {
        let (place, key) = (self.place(), visible_name(self.key).into_owned());
        let within = match table {
            "" => format!("of a {}", self.text.what),
            table => format!("in `{table}`"),
        };
        Error::UnknownKey { place, key, within, keys: keys.to_vec() }
    }

    /// Returns the error of a key that does not fit the others.
    pub(crate) fn unfit(&self, reason: impl Into<String>) -> Error {
        Error::Unfit { place: self.place(), reason: reason.into() }
    }

    /// Returns the error of a value that is not as expected.
    pub(crate) fn wrong(&self, expected: impl Into<String>) -> Error {
        Error::Value {
            place: self.text.place(self.value.span().start),
            key: self.path.clone(),
            expected: expected.into(),
            got: self.shown(),
        }
    }

    /// Returns the value as it stands in the file, cut where it is long.
    pub(crate) fn shown(&self) -> String {
        if self.value.get_ref().is_table() {
            return "a table".into();
        }
        let text = self.text.text.get(self.value.span()).unwrap_or_default();
        let first = text.lines().next().unwrap_or_default();
        match first.chars().count() > 60 || text.lines().nth(1).is_some() {
            true => format!("{} ...", first.chars().take(60).collect::<String>()),
            false => first.to_owned(),
        }
    }

    pub(crate) fn value(&self) -> &'a DeValue<'a> {
        self.value.get_ref()
    }

    pub(crate) fn text(&self) -> Result<String, Error> {
        let text = self.value().as_str().filter(|text| !text.is_empty());
        text.map(str::to_owned).ok_or_else(|| self.wrong("a text in quotes"))
    }

    /// Checks a switch that is either `true` or absent.
    pub(crate) fn only_true(&self) -> Result<(), Error> {
        match self.value().as_bool() {
            Some(true) => Ok(()),
            _ => Err(self.wrong("true, or no such line")),
        }
    }

    pub(crate) fn truth(&self) -> Result<bool, Error> {
        self.value().as_bool().ok_or_else(|| self.wrong("true or false"))
    }

    pub(crate) fn whole(&self, least: u64) -> Result<u64, Error> {
        let number = whole(self.value()).and_then(|number| u64::try_from(number).ok());
        let number = number.filter(|number| *number >= least);
        number.ok_or_else(|| self.wrong(format!("an integer from {least} on")))
    }

    /// Returns a finite number that is not negative.
    pub(crate) fn bound(&self) -> Result<f64, Error> {
        let number = number(self.value()).filter(|number| *number >= 0.0 && number.is_finite());
        number.ok_or_else(|| self.wrong("a finite number from 0 on"))
    }

    /// Returns a list of N integers.
    pub(crate) fn integers<const N: usize>(&self, expected: &str) -> Result<[u32; N], Error> {
        let item = |item: &Spanned<DeValue<'_>>| u32::try_from(whole(item.get_ref())?).ok();
        let items = self.value().as_array().and_then(|items| items.iter().map(item).collect());
        items
            .and_then(|items: Vec<u32>| <[u32; N]>::try_from(items).ok())
            .ok_or_else(|| self.wrong(expected))
    }

    pub(crate) fn table(&self) -> Result<Table<'a>, Error> {
        match self.value() {
            DeValue::Table(table) => {
                let (text, path) = (self.text, self.path.clone());
                Ok(Table { text, path, table, at: self.key_at })
            }
            _ => Err(self.wrong(format!("a table, as in {}", self.as_table()))),
        }
    }

    /// Shows in a message how a table with this key is written.
    fn as_table(&self) -> String {
        const OF_VALUES: [&str; 9] = [
            "input",
            "uniform",
            "define",
            "precision",
            "feedback",
            "read",
            "require",
            "wrap",
            "filter",
        ];
        const OF_TABLES: [&str; 5] = ["pass", "buffer", "expect", "known", "device"];
        let path = &self.path;
        match self.key {
            key if OF_VALUES.contains(&key) => format!("`{path}.NAME = ...`"),
            key if OF_TABLES.contains(&key) => format!("`[{path}.NAME]`"),
            _ => format!("`[{path}]`"),
        }
    }

    /// Returns the tables of an array of tables, or the one table.
    pub(crate) fn tables(&self) -> Result<Vec<Table<'a>>, Error> {
        self.items().iter().map(Entry::table).collect()
    }

    /// Returns the items of an array, or the one value.
    pub(crate) fn items(&self) -> Vec<Entry<'a>> {
        let DeValue::Array(items) = self.value() else { return vec![self.clone()] };
        let item = |value: &'a Spanned<DeValue<'a>>| Entry {
            value,
            path: self.path.clone(),
            key_at: value.span().start,
            ..*self
        };
        items.iter().map(item).collect()
    }

    /// Reads texts, or one text.
    pub(crate) fn texts(&self) -> Result<Vec<String>, Error> {
        let item = |item: &Spanned<DeValue<'_>>| item.get_ref().as_str().map(str::to_owned);
        let items = match self.value() {
            DeValue::Array(items) => items.iter().map(item).collect(),
            DeValue::String(text) => Some(vec![text.to_string()]),
            _ => None,
        };
        items
            .filter(|items: &Vec<String>| !items.is_empty())
            .ok_or_else(|| self.wrong("a list of texts"))
    }
}

/// Returns the integer of a value.
pub(crate) fn whole(value: &DeValue<'_>) -> Option<i64> {
    let integer = value.as_integer()?;
    i64::from_str_radix(integer.as_str(), integer.radix()).ok()
}

/// Returns the number of a value.
pub(crate) fn number(value: &DeValue<'_>) -> Option<f64> {
    match value {
        DeValue::Float(float) => float.as_str().parse().ok(),
        value => whole(value).map(|number| number as f64),
    }
}
