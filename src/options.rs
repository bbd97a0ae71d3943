//! Options as data: each stands once, beside the type that it sets, with its name, its kind, its default and the sentence that
//! explains it.
//!
//! A front end brings names, and values as its users write them ([`Entry`]); the type that has the options ([`Specified`]) parses
//! and checks them, so that all front ends have the same options and say alike what was expected. Help texts, signatures and the
//! tables of the documentation come from the specifications, or are compared with them.

use std::fmt;
use std::str::FromStr;

use crate::error::{Kind as ErrorKind, failure};

/// A program or a language through which people set options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrontEnd {
    /// The command `quadrille`.
    Command,
    /// The Python module.
    Python,
    /// The package for browsers.
    Browser,
}

impl FrontEnd {
    /// Returns the name of an option as users of the front end write it: `--check-every`, `check_every`, `checkEvery`.
    pub fn spelled(self, name: &str) -> String {
        match self {
            FrontEnd::Command => format!("--{}", name.replace('_', "-")),
            FrontEnd::Python => name.to_owned(),
            FrontEnd::Browser => {
                let mut words = name.split('_');
                let first = words.next().unwrap_or_default().to_owned();
                words.fold(first, |spelled, word| {
                    let (initial, rest) = word.split_at(word.len().min(1));
                    spelled + &initial.to_uppercase() + rest
                })
            }
        }
    }
}

/// The kind of an option's values.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Kind {
    /// True or false.
    Flag,
    /// An integer from this on.
    Integer {
        /// The least one.
        least: u64,
    },
    /// A finite number from 0 on.
    Number,
    /// One of these names, each with what it means; empty where the sentence says it.
    Name(&'static [(&'static str, &'static str)]),
    /// A text of this form.
    Text(&'static str),
}

/// An option.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OptionSpec {
    /// The name, in small letters with `_` between words.
    pub name: &'static str,
    /// The kind of its values.
    pub kind: Kind,
    /// The default as text; empty for one that is chosen where the option is not set.
    pub default: &'static str,
    /// What it is, as a sentence without a full stop.
    pub help: &'static str,
    /// The version that brought it.
    pub since: &'static str,
    /// The front ends that have no such option, each with the reason.
    pub lacking: &'static [(FrontEnd, &'static str)],
}

/// A value as a front end has it. `None` says that it is not of the kind.
pub trait Entry {
    /// Returns the value of a flag.
    fn flag(&self) -> Option<bool>;
    /// Returns an integer that is not negative.
    fn integer(&self) -> Option<u64>;
    /// Returns a number.
    fn number(&self) -> Option<f64>;
    /// Returns a text.
    fn text(&self) -> Option<String>;
    /// Returns the value as messages show it.
    fn shown(&self) -> String;
}

/// The text of a command line.
impl Entry for &str {
    fn flag(&self) -> Option<bool> {
        self.parse().ok()
    }

    fn integer(&self) -> Option<u64> {
        self.parse().ok()
    }

    fn number(&self) -> Option<f64> {
        self.parse().ok()
    }

    fn text(&self) -> Option<String> {
        Some((*self).to_owned())
    }

    fn shown(&self) -> String {
        format!("`{self}`")
    }
}

/// A type whose options are specified.
pub trait Specified: Default {
    /// The options, in the order in which help lists them.
    const OPTIONS: &'static [OptionSpec];

    /// Sets one of [`OPTIONS`](Self::OPTIONS).
    ///
    /// # Errors
    /// [`Error::Value`] for a value of another kind, or out of range.
    fn set(&mut self, option: &OptionSpec, value: &dyn Entry) -> Result<(), Error>;

    /// Sets an option by its name, as a front end spells it.
    ///
    /// # Errors
    /// Those of [`set`](Self::set), with the name as it is spelled there; [`Error::Unknown`] for a name that no option has there.
    fn set_spelled(&mut self, end: FrontEnd, name: &str, value: &dyn Entry) -> Result<(), Error> {
        let known = Self::of(end).find(|option| end.spelled(option.name) == name);
        let Some(option) = known else {
            let known: Vec<String> = Self::of(end).map(|option| end.spelled(option.name)).collect();
            return Err(Error::Unknown {
                name: name.to_owned(),
                nearest: nearest(name, &known),
                known,
            });
        };
        self.set(option, value).map_err(|error| error.spelled(name))
    }

    /// Returns the options that a front end has.
    fn of(end: FrontEnd) -> impl Iterator<Item = &'static OptionSpec> {
        Self::OPTIONS
            .iter()
            .filter(move |option| option.lacking.iter().all(|(lacks, _)| *lacks != end))
    }
}

impl OptionSpec {
    /// Specifies an option that every front end has, since the first version.
    pub const fn new(
        name: &'static str,
        kind: Kind,
        default: &'static str,
        help: &'static str,
    ) -> OptionSpec {
        OptionSpec { name, kind, default, help, since: "0.1.0", lacking: &[] }
    }

    /// Returns what its values are, in a message.
    pub fn expected(&self) -> String {
        match self.kind {
            Kind::Flag => "true or false".to_owned(),
            Kind::Integer { least } => format!("an integer from {least} on"),
            Kind::Number => "a number from 0 on".to_owned(),
            Kind::Name(names) => {
                let names: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
                format!("one of: {}", names.join(", "))
            }
            Kind::Text(form) => form.to_owned(),
        }
    }

    /// Returns a value of a flag.
    ///
    /// # Errors
    /// [`Error::Value`] for any other value, as of the functions below.
    pub fn flag(&self, value: &dyn Entry) -> Result<bool, Error> {
        value.flag().ok_or_else(|| self.refused(value))
    }

    /// Returns an integer.
    ///
    /// # Errors
    /// [`Error::Value`], also below the least.
    pub fn integer(&self, value: &dyn Entry) -> Result<u64, Error> {
        let Kind::Integer { least } = self.kind else { return Err(self.refused(value)) };
        value.integer().filter(|integer| *integer >= least).ok_or_else(|| self.refused(value))
    }

    /// Returns a number.
    ///
    /// # Errors
    /// [`Error::Value`], also for one that is negative or not finite.
    pub fn number(&self, value: &dyn Entry) -> Result<f64, Error> {
        let is_right = |number: &f64| *number >= 0.0 && number.is_finite();
        value.number().filter(is_right).ok_or_else(|| self.refused(value))
    }

    /// Returns an integer that 32 bits hold.
    ///
    /// # Errors
    /// As [`integer`](Self::integer).
    pub fn small(&self, value: &dyn Entry) -> Result<u32, Error> {
        u32::try_from(self.integer(value)?).map_err(|_| self.refused(value))
    }

    /// Returns what a name or a text stands for.
    ///
    /// # Errors
    /// [`Error::Value`], with the names or the form.
    pub fn parsed<T: FromStr>(&self, value: &dyn Entry) -> Result<T, Error> {
        value.text().and_then(|text| text.parse().ok()).ok_or_else(|| self.refused(value))
    }

    /// Returns one of the names.
    ///
    /// # Errors
    /// [`Error::Value`], with the names.
    pub fn name_of(&self, value: &dyn Entry) -> Result<&'static str, Error> {
        let Kind::Name(names) = self.kind else { return Err(self.refused(value)) };
        let text = value.text().ok_or_else(|| self.refused(value))?;
        let known = names.iter().find(|(name, _)| *name == text);
        known.map(|(name, _)| *name).ok_or_else(|| self.refused(value))
    }

    fn refused(&self, value: &dyn Entry) -> Error {
        Error::Value { name: self.name.to_owned(), expected: self.expected(), got: value.shown() }
    }
}

/// An option that is not there, or that has no such value.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs)] // The text of each variant is its documentation.
pub enum Error {
    Unknown { name: String, nearest: Option<String>, known: Vec<String> },
    Value { name: String, expected: String, got: String },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Unknown { name, nearest: Some(nearest), .. } => {
                write!(f, "unknown option `{name}`: did you mean `{nearest}`?")
            }
            Error::Unknown { name, nearest: None, known } => {
                write!(f, "unknown option `{name}`: expected one of: {}", known.join(", "))
            }
            Error::Value { name, expected, got } => {
                write!(f, "{name}: expected {expected}; got {got}")
            }
        }
    }
}

impl std::error::Error for Error {}

failure!(Error);

impl Error {
    /// Returns the kind of failure: [`Kind::Input`](crate::Kind::Input).
    pub fn kind(&self) -> ErrorKind {
        ErrorKind::Input
    }

    fn spelled(self, name: &str) -> Error {
        match self {
            Error::Value { expected, got, .. } => {
                Error::Value { name: name.to_owned(), expected, got }
            }
            unknown => unknown,
        }
    }
}

/// Returns the known name that one was probably meant to be: a few letters away from it.
fn nearest(name: &str, known: &[String]) -> Option<String> {
    let near = |known: &&String| 3 * distance(name, known) <= known.chars().count().max(3);
    known.iter().filter(near).min_by_key(|known| distance(name, known)).cloned()
}

/// Returns how many letters have to be changed, left out or added (Levenshtein 1966).
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, letter) in one.chars().enumerate() {
        let mut before = std::mem::replace(&mut row[0], at + 1);
        for (column, known) in other.iter().enumerate() {
            let changed = before + usize::from(letter != *known);
            before = row[column + 1];
            row[column + 1] = changed.min(row[column] + 1).min(before + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_spelled_as_each_front_end_does() {
        let spelled = |name| {
            [FrontEnd::Command, FrontEnd::Python, FrontEnd::Browser].map(|end| end.spelled(name))
        };
        assert_eq!(spelled("check_every"), ["--check-every", "check_every", "checkEvery"]);
        assert_eq!(spelled("x0"), ["--x0", "x0", "x0"]);
    }

    #[test]
    fn the_nearest_name_is_a_few_letters_away() {
        let known = ["tolerance", "iterations", "method"].map(str::to_owned);
        for (name, expected) in [
            ("tolerence", Some("tolerance")),
            ("iteration", Some("iterations")),
            ("metod", Some("method")),
            ("seed", None),
        ] {
            assert_eq!(nearest(name, &known).as_deref(), expected, "{name}");
        }
        assert_eq!([distance("", "abc"), distance("kitten", "sitting")], [3, 3]);
    }
}
