//! The arguments `wrap` and `filter`: a name for all inputs, or a mapping of names by input.

use std::str::FromStr;

use pyo3::prelude::*;
use pyo3::types::PyMapping;
use quadrille::experiment::Samplings;

use crate::error::{Failure, wrong};

/// How the inputs are sampled.
pub(crate) fn samplings(
    wrap: Option<&Bound<'_, PyAny>>,
    filter: Option<&Bound<'_, PyAny>>,
) -> PyResult<Samplings> {
    let mut samplings = Samplings::new();
    for (input, value) in by_input("wrap", wrap)? {
        samplings = match input {
            Some(input) => samplings.wrap(input, value),
            None => samplings.wrap_all(value),
        };
    }
    for (input, value) in by_input("filter", filter)? {
        samplings = match input {
            Some(input) => samplings.filter(input, value),
            None => samplings.filter_all(value),
        };
    }
    Ok(samplings)
}

/// The values of an argument, each of an input by name or of all.
fn by_input<T: FromStr>(
    argument: &str,
    given: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<(Option<String>, T)>>
where
    Failure: From<T::Err>,
{
    let Some(given) = given else { return Ok(Vec::new()) };
    let py = given.py();
    let parsed =
        |text: String| text.parse::<T>().map_err(|error| Failure::from(error).into_exception(py));
    if let Ok(text) = given.extract::<String>() {
        return Ok(vec![(None, parsed(text)?)]);
    }
    let unfit = || {
        let text =
            format!("{argument}: expected a str for all inputs, or a mapping of them by input");
        wrong(py, text)
    };
    let mapping = given.cast::<PyMapping>().map_err(|_| unfit())?;
    let pair = |item: Bound<'_, PyAny>| {
        let (input, text) = item.extract::<(String, String)>().map_err(|_| unfit())?;
        Ok((Some(input), parsed(text)?))
    };
    mapping.items()?.iter().map(pair).collect()
}
