//! The keywords of shaders that are settings, as the library's [`Settings`]: all functions read
//! them here.

use pyo3::types::{PyDict, PyMapping};
use quadrille::options::{self, FrontEnd, OptionSpec, Specified};
use quadrille_run::{Names, Settings};

use crate::arguments::specified;
use crate::error::wrong;
use crate::prelude::*;

/// The settings of how the text of a shader is read.
const OF_TEXT: &[&str] = &["dialect", "define", "include", "common"];

/// The settings of an experiment besides those that a call of a kernel has too.
const OF_EXPERIMENT: &[&str] = &["feedback", "reads", "seed"];

/// The settings of the computation in a call.
pub(crate) fn of_call() -> impl Iterator<Item = &'static OptionSpec> {
    of_run().filter(|option| !OF_TEXT.contains(&option.name))
}

/// The settings of a call that compiles its shader.
pub(crate) fn of_run() -> impl Iterator<Item = &'static OptionSpec> {
    of_experiment().filter(|option| !OF_EXPERIMENT.contains(&option.name))
}

/// The settings of an experiment.
pub(crate) fn of_experiment() -> impl Iterator<Item = &'static OptionSpec> {
    Settings::of(FrontEnd::Python)
}

/// Settings whose names no shader's uniform or input can have as a keyword. A shader that declares one of the others has it.
const RESERVED: [&str; 10] = [
    "include",
    "common",
    "wrap",
    "filter",
    "precision",
    "size",
    "groups",
    "feedback",
    "reads",
    "seed",
];

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
        for option in of_experiment().filter(|option| OF_TEXT.contains(&option.name)) {
            let Some(value) = self.take(option)? else { continue };
            match has_names && may_be_a_name(option.name, &value) {
                true => self.rest.set_item(option.name, value)?,
                false => set(&mut settings, option, &value)?,
            }
        }
        Ok(settings)
    }

    /// Sets what the keywords of these say, but for those that are the shader's: it declares a uniform or
    /// an input of that name, unless the mapping gives that already.
    pub(crate) fn settings(
        &self,
        names: &Names,
        options: impl Iterator<Item = &'static OptionSpec>,
        settings: &mut Settings,
    ) -> PyResult<()> {
        for option in options {
            let keyword = option.name;
            let declared =
                names.type_of(keyword).is_some() || names.inputs.iter().any(|name| name == keyword);
            let mapped = self.mapping.map_or(Ok(false), |mapping| mapping.contains(keyword))?;
            if (RESERVED.contains(&keyword) || !declared || mapped)
                && let Some(value) = self.take(option)?
            {
                set(settings, option, &value)?;
            }
        }
        Ok(())
    }

    /// A keyword's value, unless that is None.
    fn take(&self, option: &OptionSpec) -> PyResult<Option<Object<'py>>> {
        let (keyword, mut taken) = (option.name, None);
        for name in [&keyword].into_iter().chain(option.formerly) {
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

/// Sets what one keyword says. Some may be names of a shader's own.
pub(crate) fn set(
    settings: &mut Settings,
    option: &OptionSpec,
    value: &Object<'_>,
) -> PyResult<()> {
    let keyword = option.name;
    let shared = match RESERVED.contains(&keyword) || OF_TEXT.contains(&keyword) {
        false => format!(", or a shader that declares a uniform or an input `{keyword}`"),
        true => String::new(),
    };
    specified::set(settings, option, value)?.map_err(|error| match error {
        options::Error::Value { name, expected, got } => {
            wrong(value.py(), format!("{name}: expected {expected}{shared}; got {got}"))
        }
        error => wrong(value.py(), error.to_string()),
    })
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
