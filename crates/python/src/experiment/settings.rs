//! The keywords of shaders that are settings, as the library's [`Settings`]: all functions read
//! them here.

use std::str::FromStr;

use pyo3::conversion::FromPyObjectOwned;
use pyo3::types::{PyDict, PyMapping};
use quadrille::Extent;
use quadrille_run::Dialect;
use quadrille_run::{Common, Names, Precision, Settings};

use crate::arguments::source::Text;
use crate::error::{Failure, wrong};
use crate::prelude::*;

/// The settings of how the text of a shader is read.
pub(crate) const OF_TEXT: &[&str] = &["dialect", "define", "include", "common"];

/// The settings of the computation in a call.
pub(crate) const OF_CALL: &[&str] =
    &["size", "groups", "wrap", "filter", "precision", "halo", "flip", "rate"];

/// The settings of an experiment besides those.
pub(crate) const OF_EXPERIMENT: &[&str] = &["feedback", "reads", "seed"];

/// Names that shaders had before these were settings, so that a shader that declares one has it.
const SHARED: [&str; 5] = ["dialect", "define", "flip", "rate", "halo"];

/// Earlier names of settings, which are read and not shown.
const OLD: [(&str, &str); 1] = [("defines", "define")];

/// The keywords of a call, of which the settings are taken out; what stays is the shader's.
pub(crate) struct Keywords<'a, 'py> {
    pub(crate) mapping: Option<&'a Bound<'py, PyMapping>>,
    pub(crate) rest: Bound<'py, PyDict>,
}

impl<'a, 'py> Keywords<'a, 'py> {
    pub(crate) fn new(
        py: Python<'py>,
        mapping: Option<&'a Bound<'py, PyMapping>>,
        given: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Keywords<'a, 'py>> {
        let rest = given.map_or_else(|| Ok(PyDict::new(py)), |given| given.copy())?;
        Ok(Keywords { mapping, rest })
    }

    /// Returns the settings for the texts. Before the names of a shader are known, keywords that
    /// may be among them stay.
    pub(crate) fn of_text(&self, has_names: bool) -> PyResult<Settings> {
        let mut settings = Settings::default();
        for keyword in OF_TEXT {
            let Some(value) = self.take(keyword)? else { continue };
            match has_names && may_be_a_name(keyword, &value) {
                true => self.rest.set_item(keyword, value)?,
                false => set(&mut settings, keyword, &value)?,
            }
        }
        Ok(settings)
    }

    /// Sets what these keywords say, but for those that are the shader's: it declares a uniform or
    /// an input of that name, unless the mapping gives that already.
    pub(crate) fn settings(
        &self,
        names: &Names,
        lists: &[&[&str]],
        settings: &mut Settings,
    ) -> PyResult<()> {
        for keyword in lists.iter().copied().flatten() {
            let declared =
                names.type_of(keyword).is_some() || names.inputs.iter().any(|name| name == keyword);
            let mapped = self.mapping.map_or(Ok(false), |mapping| mapping.contains(*keyword))?;
            if !(SHARED.contains(keyword) && declared && !mapped)
                && let Some(value) = self.take(keyword)?
            {
                set(settings, keyword, &value)?;
            }
        }
        Ok(())
    }

    /// A keyword's value, unless that is None.
    fn take(&self, keyword: &str) -> PyResult<Option<Object<'py>>> {
        let old = OLD.iter().find(|(_, now)| *now == keyword).map(|(old, _)| *old);
        let mut taken = None;
        for name in [Some(keyword), old].into_iter().flatten() {
            let Some(value) = self.rest.get_item(name)? else { continue };
            self.rest.del_item(name)?;
            if !value.is_none() && taken.replace(value).is_some() {
                let text = format!("{keyword}: it is given twice, also as `{name}`");
                return Err(wrong(self.rest.py(), text));
            }
        }
        Ok(taken)
    }
}

/// Sets what one keyword says.
fn set(settings: &mut Settings, keyword: &str, value: &Object<'_>) -> PyResult<()> {
    let samplings = std::mem::take(&mut settings.samplings);
    settings.samplings = match keyword {
        "wrap" => {
            by_input(keyword, value)?.into_iter().fold(
                samplings,
                |samplings, (of, wrap)| match of {
                    Some(input) => samplings.wrap(input, wrap),
                    None => samplings.wrap_all(wrap),
                },
            )
        }
        "filter" => by_input(keyword, value)?.into_iter().fold(
            samplings,
            |samplings, (of, filter)| match of {
                Some(input) => samplings.filter(input, filter),
                None => samplings.filter_all(filter),
            },
        ),
        _ => samplings,
    };
    match keyword {
        "dialect" => settings.dialect = dialect(value)?,
        "define" => settings.defines = defines(value)?,
        "include" => settings.include_dirs = own(keyword, "a list of folders", value)?,
        "size" => settings.size = Some(extent(value)?),
        "groups" => settings.groups = Some(groups(value)?),
        "precision" => settings.precisions = precisions(value)?,
        "halo" => {
            let expected = "how far the shader reads from its own cell, an int from 0 on";
            settings.halo = Some(shared(keyword, expected, value)?);
        }
        "flip" => settings.flip = Some(shared(keyword, "True or False", value)?),
        "rate" => settings.rate = Some(shared(keyword, "a number of steps a second", value)?),
        "common" => settings.common = Some(common(value)?),
        "feedback" => {
            let mapping = value.cast::<PyMapping>();
            let expected = "a mapping of outputs to inputs";
            let mapping = mapping.map_err(|_| unlike(keyword, expected, value))?;
            settings.feedback = pairs(keyword, Some(mapping))?;
        }
        "reads" => settings.reads = Some(named(keyword, value)?),
        "seed" => settings.seed = Some(own(keyword, "an int from 0 on", value)?),
        _ => {}
    }
    Ok(())
}

/// Returns the argument `size`: width and height.
pub(crate) fn extent(size: &Object<'_>) -> PyResult<Extent> {
    match size.extract::<(u32, u32)>() {
        Ok((width, height)) if width > 0 && height > 0 => Ok(Extent::new(width, height)),
        _ => {
            let expected = "(width, height), two integers from 1 on, as in size=(640, 360)";
            Err(unlike("size", expected, size))
        }
    }
}

/// Returns the argument `groups`: the work groups along x, y and z.
pub(crate) fn groups(groups: &Object<'_>) -> PyResult<[u32; 3]> {
    let counts = groups.extract::<u32>().map(|x| vec![x]).or_else(|_| groups.extract());
    let counts: Option<Vec<u32>> = counts.ok();
    let fitting = counts.filter(|counts| (1..=3).contains(&counts.len()) && !counts.contains(&0));
    let along =
        |counts: Vec<u32>| std::array::from_fn(|axis| counts.get(axis).copied().unwrap_or(1));
    fitting.map(along).ok_or_else(|| {
        let expected = "(x, y, z), integers from 1 on, of which y and z may be left out";
        unlike("groups", expected, groups)
    })
}

/// A value by its name.
fn named<T: FromStr>(keyword: &str, value: &Object<'_>) -> PyResult<T>
where
    Failure: From<T::Err>,
{
    let text: String = own(keyword, "a str", value)?;
    text.parse().map_err(|error: T::Err| Failure::from(error).into_exception(value.py()))
}

/// Reads the dialect; `None` where it is to be recognised.
fn dialect(value: &Object<'_>) -> PyResult<Option<Dialect>> {
    let name = value.extract::<String>().unwrap_or_default();
    match name.parse() {
        _ if name == "auto" => Ok(None),
        Ok(dialect) => Ok(Some(dialect)),
        Err(_) => {
            let names = Dialect::ALL.map(|dialect| format!("{:?}", dialect.name())).join(", ");
            let expected = format!("\"auto\" or one of {names}");
            let got = value.extract::<String>().map(|text| format!("{text:?}"));
            let got = got.or_else(|_| value.repr().map(|text| text.to_string()))?;
            Err(wrong(value.py(), format!("dialect: expected {expected}; got {got}")))
        }
    }
}

/// Whether a value cannot be a setting of a text: a word sets a dialect, and a dict macros.
fn may_be_a_name(keyword: &str, value: &Object<'_>) -> bool {
    let text = value.extract::<String>().ok();
    match keyword {
        "dialect" => !text.is_some_and(|text| {
            let letters = text.starts_with(|first: char| first.is_ascii_alphabetic());
            let plain = text.chars().all(|x| x.is_ascii_alphanumeric());
            letters && plain && !matches!(text.as_str(), "true" | "false")
        }),
        "define" => !value.is_instance_of::<PyDict>(),
        _ => false,
    }
}

/// The text in front of each shader: itself, or the name of its file.
fn common(value: &Object<'_>) -> PyResult<Common> {
    Ok(match Text::take("common", value)? {
        Text::File(path) => Common::File(path),
        Text::Itself(text) => Common::Text(text),
    })
}

fn defines(value: &Object<'_>) -> PyResult<Vec<(String, String)>> {
    let Ok(defines) = value.cast::<PyDict>() else {
        return Err(unlike("define", "a dict of macros and their values", value));
    };
    let define = |(name, value): (Object<'_>, Object<'_>)| {
        let name: String = own("define", "names that are str", &name)?;
        Ok((name, value.str()?.to_string()))
    };
    defines.iter().map(define).collect()
}

fn precisions(value: &Object<'_>) -> PyResult<Vec<(String, Precision)>> {
    let Ok(mapping) = value.cast::<PyMapping>() else {
        return Err(unlike("precision", "a mapping of inputs to \"half\" or \"single\"", value));
    };
    let precision = |(input, text): (String, String)| match text.parse::<Precision>() {
        Ok(precision) => Ok((input, precision)),
        Err(error) => Err(Failure::from(error).into_exception(value.py())),
    };
    pairs("precision", Some(mapping))?.into_iter().map(precision).collect()
}

/// Returns a mapping of texts to texts.
pub(crate) fn pairs(
    argument: &str,
    mapping: Option<&Bound<'_, PyMapping>>,
) -> PyResult<Vec<(String, String)>> {
    let Some(mapping) = mapping else { return Ok(Vec::new()) };
    let pair = |item: Object<'_>| {
        item.extract::<(String, String)>().map_err(|_| {
            wrong(mapping.py(), format!("{argument}: expected a mapping of names to names"))
        })
    };
    mapping.items()?.iter().map(pair).collect()
}

/// The values of an argument, each of an input by name or of all.
fn by_input<T: FromStr>(keyword: &str, given: &Object<'_>) -> PyResult<Vec<(Option<String>, T)>>
where
    Failure: From<T::Err>,
{
    let py = given.py();
    let parsed = |text: String| text.parse::<T>().or_raise(py);
    if let Ok(text) = given.extract::<String>() {
        return Ok(vec![(None, parsed(text)?)]);
    }
    let unfit = || {
        let text =
            format!("{keyword}: expected a str for all inputs, or a mapping of them by input");
        wrong(py, text)
    };
    let mapping = given.cast::<PyMapping>().map_err(|_| unfit())?;
    let pair = |item: Object<'_>| {
        let (input, text) = item.extract::<(String, String)>().map_err(|_| unfit())?;
        Ok((Some(input), parsed(text)?))
    };
    mapping.items()?.iter().map(pair).collect()
}

fn unlike(keyword: &str, expected: &str, got: &Object<'_>) -> PyErr {
    let shown = got.repr().map_or_else(|_| "?".to_owned(), |text| text.to_string());
    wrong(got.py(), format!("{keyword}: expected {expected}; got {shown}"))
}

fn own<'py, T: FromPyObjectOwned<'py>>(
    keyword: &str,
    expected: &str,
    value: &Object<'py>,
) -> PyResult<T> {
    value.extract().map_err(|_| unlike(keyword, expected, value))
}

/// The value of a keyword that shaders may have as a name of their own.
fn shared<'py, T: FromPyObjectOwned<'py>>(
    keyword: &str,
    expected: &str,
    value: &Object<'py>,
) -> PyResult<T> {
    let or = format!("{expected}, or a shader that declares a uniform or an input `{keyword}`");
    own(keyword, &or, value)
}
