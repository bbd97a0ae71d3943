//! The arguments `wrap`, `filter`, `precision` and `halo`: how inputs are sampled and held.

use std::str::FromStr;

use pyo3::prelude::*;
use pyo3::types::PyMapping;
use quadrille::experiment::{Precision, Samplings, Setup};

use super::passes::pairs;
use crate::error::{Failure, wrong};

/// How the inputs are sampled, in which precision they are held, and how far from its own texel a shader reads those that are larger than a
/// texture.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Held {
    pub(crate) samplings: Samplings,
    pub(crate) precisions: Vec<(String, Precision)>,
    pub(crate) halo: Option<u32>,
}

impl Held {
    pub(crate) fn take(
        wrap: Option<&Bound<'_, PyAny>>,
        filter: Option<&Bound<'_, PyAny>>,
        precision: Option<&Bound<'_, PyMapping>>,
    ) -> PyResult<Held> {
        let samplings = samplings(wrap, filter)?;
        let precisions = precision.map_or(Ok(Vec::new()), precisions)?;
        Ok(Held { samplings, precisions, halo: None })
    }

    pub(crate) fn set(&self, setup: Setup) -> Setup {
        let setup = setup.samplings(self.samplings.clone());
        let precision = |setup: Setup, (input, precision): &(String, Precision)| {
            setup.precision(input, *precision)
        };
        let setup = self.precisions.iter().fold(setup, precision);
        match self.halo {
            Some(halo) => setup.halo(halo),
            None => setup,
        }
    }
}

fn precisions(given: &Bound<'_, PyMapping>) -> PyResult<Vec<(String, Precision)>> {
    let named = |(input, text): (String, String)| match text.parse::<Precision>() {
        Ok(precision) => Ok((input, precision)),
        Err(error) => Err(Failure::from(error).into_exception(given.py())),
    };
    pairs("precision", Some(given))?.into_iter().map(named).collect()
}

/// How the inputs are sampled.
fn samplings(
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
