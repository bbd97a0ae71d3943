//! Options as data: each stands once, beside the type that it sets, with its name, its kind, its default and the sentence that
//! explains it.
//!
//! A front end brings names, and values as its users write them ([`Entry`]); the type that has the options ([`Specified`]) parses
//! and checks them, so that all front ends have the same options and say alike what was expected. Help texts, signatures and the
//! tables of the documentation come from the specifications, or are compared with them.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use crate::error::failure;

/// A program or a language through which people set options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrontEnd {
    /// The command `quadrille`.
    Command,
    /// Descriptions in TOML: runs and tests of shaders.
    RunFile,
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
            FrontEnd::RunFile | FrontEnd::Python => name.to_owned(),
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// A finite number above 0.
    Positive,
    /// A number that single precision holds, or an infinity.
    Single,
    /// One of these names, each with what it means; empty where the sentence says it.
    Name(&'static [(&'static str, &'static str)]),
    /// A text of this form.
    Text(&'static str),
    /// A value of GLSL.
    Literal,
    /// A folder.
    Folder,
    /// A file, or the text that it would hold.
    Contents,
    /// Integers from 1 on, one for each axis.
    Sides {
        /// What they count.
        what: &'static str,
        /// The fewest of them; those that are left out are 1.
        least: usize,
        /// An example with all of them.
        example: &'static [u32],
    },
}

/// The number of values of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Many {
    /// One.
    One,
    /// Any number, in an order.
    List,
    /// One for each name. A command line writes name and value in this form: `OUTPUT=INPUT`.
    ByName(&'static str),
    /// One for each name, or for all without a name.
    ByNameOrAll,
}

/// A text, or the file that holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contents {
    /// A file.
    File(PathBuf),
    /// The text itself.
    Text(String),
}

/// An option.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OptionSpec {
    /// The name, in small letters with `_` between words.
    pub name: &'static str,
    /// The kind of its values.
    pub kind: Kind,
    /// The number of its values.
    pub many: Many,
    /// The default as text; empty for one that is chosen where the option is not set.
    pub default: &'static str,
    /// What it is, as a sentence without a full stop.
    pub help: &'static str,
    /// The version that brought it.
    pub since: &'static str,
    /// Names that it had in earlier versions, which are read and not listed.
    pub formerly: &'static [&'static str],
    /// The front ends that have no such option, each with the reason.
    pub lacking: &'static [(FrontEnd, &'static str)],
}

/// A value as a front end has it, one of several where an option has several. `None` says that it is not of the kind. What
/// is not overridden is read from the text, as of a command line.
pub trait Entry {
    /// Returns the name that the value is for, where an option has one for each name.
    fn of(&self) -> Option<&str> {
        None
    }

    /// Returns a text.
    fn text(&self) -> Option<String>;

    /// Returns the value of a flag.
    fn flag(&self) -> Option<bool> {
        self.text()?.parse().ok()
    }

    /// Returns an integer that is not negative.
    fn integer(&self) -> Option<u64> {
        self.text()?.parse().ok()
    }

    /// Returns a number.
    fn number(&self) -> Option<f64> {
        self.text()?.parse().ok()
    }

    /// Returns a list of integers.
    fn sides(&self) -> Option<Vec<u32>> {
        self.text()?.split('x').map(|side| side.parse().ok()).collect()
    }

    /// Returns a value of GLSL as its text.
    fn literal(&self) -> Option<String> {
        self.text()
    }

    /// Returns a path, relative to the folder of the process.
    fn path(&self) -> Option<PathBuf> {
        self.text().filter(|text| !text.is_empty()).map(PathBuf::from)
    }

    /// Returns a file, or the text that it would hold.
    fn contents(&self) -> Option<Contents> {
        self.path().map(Contents::File)
    }

    /// Returns the value as messages show it.
    fn shown(&self) -> String {
        self.text().map_or_else(String::new, |text| format!("`{text}`"))
    }

    /// Returns how the values of a flag are written there.
    fn flags(&self) -> &'static str {
        "true or false"
    }

    /// Returns how a list of integers is written there.
    fn written(&self, sides: &[u32]) -> String {
        let sides: Vec<String> = sides.iter().map(u32::to_string).collect();
        sides.join("x")
    }
}

impl Entry for &str {
    fn text(&self) -> Option<String> {
        Some((*self).to_owned())
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
        let known = Self::of(end).find(|option| option.is_named(end, name));
        let Some(option) = known else {
            let known: Vec<String> = Self::of(end).map(|option| end.spelled(option.name)).collect();
            return Err(Error::Unknown {
                name: name.to_owned(),
                nearest: nearest(name, &known),
                known,
            });
        };
        self.set_in(end, option, value)
    }

    /// Sets an option of a front end.
    ///
    /// # Errors
    /// Those of [`set`](Self::set), with the name as it is spelled there.
    fn set_in(
        &mut self,
        end: FrontEnd,
        option: &OptionSpec,
        value: &dyn Entry,
    ) -> Result<(), Error> {
        let spelled = |error: Error| error.spelled(option.name, &end.spelled(option.name));
        self.set(option, value).map_err(spelled)
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
        let (many, since) = (Many::One, "0.1.0");
        OptionSpec { name, kind, many, default, help, since, formerly: &[], lacking: &[] }
    }

    /// Returns the option with several values.
    pub const fn many(self, many: Many) -> OptionSpec {
        OptionSpec { many, ..self }
    }

    /// Returns the option without these front ends, for the reasons.
    pub const fn lacking(self, lacking: &'static [(FrontEnd, &'static str)]) -> OptionSpec {
        OptionSpec { lacking, ..self }
    }

    /// Returns the option with names of earlier versions.
    pub const fn formerly(self, formerly: &'static [&'static str]) -> OptionSpec {
        OptionSpec { formerly, ..self }
    }

    /// Returns whether it has this name, or had it.
    pub fn is_named(&self, end: FrontEnd, name: &str) -> bool {
        self.formerly.iter().chain([&self.name]).any(|known| end.spelled(known) == name)
    }

    /// Returns what its values are, in a message of the command.
    pub fn expected(&self) -> String {
        self.expected_as(&"")
    }

    /// Returns what its values are, as the front end of an entry writes them.
    fn expected_as(&self, entry: &dyn Entry) -> String {
        match self.kind {
            Kind::Flag => entry.flags().to_owned(),
            Kind::Integer { least } => format!("an integer from {least} on"),
            Kind::Number => "a number from 0 on".to_owned(),
            Kind::Positive => "a number above 0".to_owned(),
            Kind::Single => "a single-precision number".to_owned(),
            Kind::Folder => "a folder".to_owned(),
            Kind::Contents => "a file, or its text".to_owned(),
            Kind::Sides { what, example, .. } => {
                format!("{what}, integers from 1 on, as in {}", entry.written(example))
            }
            Kind::Name(names) => {
                let names: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
                format!("one of: {}", names.join(", "))
            }
            Kind::Text(form) => form.to_owned(),
            Kind::Literal => "a number, or a text of GLSL".to_owned(),
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
        let least = if self.kind == Kind::Positive { f64::MIN_POSITIVE } else { 0.0 };
        let is_right = |number: &f64| *number >= least && number.is_finite();
        value.number().filter(is_right).ok_or_else(|| self.refused(value))
    }

    /// Returns a number in single precision.
    ///
    /// # Errors
    /// [`Error::Value`], also for NaN and for a finite one that single precision does not hold.
    pub fn single(&self, value: &dyn Entry) -> Result<f32, Error> {
        let number = value.number().ok_or_else(|| self.refused(value))?;
        let single = number as f32;
        match single.is_infinite() == number.is_infinite() && !number.is_nan() {
            true => Ok(single),
            false => Err(self.refused(value)),
        }
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

    /// Returns a value of GLSL, a folder or a file's contents: what the entry returns.
    ///
    /// # Errors
    /// [`Error::Value`].
    pub fn some<T>(
        &self,
        value: &dyn Entry,
        get: impl Fn(&dyn Entry) -> Option<T>,
    ) -> Result<T, Error> {
        get(value).ok_or_else(|| self.refused(value))
    }

    /// Returns the integers of N axes.
    ///
    /// # Errors
    /// [`Error::Value`], also for too many or too few.
    pub fn sides<const N: usize>(&self, value: &dyn Entry) -> Result<[u32; N], Error> {
        let Kind::Sides { least, .. } = self.kind else { return Err(self.refused(value)) };
        let fits = |sides: &Vec<u32>| (least..=N).contains(&sides.len()) && !sides.contains(&0);
        let sides = value.sides().filter(fits).ok_or_else(|| self.refused(value))?;
        Ok(std::array::from_fn(|axis| sides.get(axis).copied().unwrap_or(1)))
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
        let of = value.of().map_or_else(String::new, |of| format!(" of `{of}`"));
        let name = format!("{}{of}", self.name);
        Error::Value { name, expected: self.expected_as(value), got: value.shown() }
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
    /// Returns the error with the name as a front end spells it.
    fn spelled(self, plain: &str, spelled: &str) -> Error {
        match self {
            Error::Value { name, expected, got } => {
                Error::Value { name: name.replacen(plain, spelled, 1), expected, got }
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
