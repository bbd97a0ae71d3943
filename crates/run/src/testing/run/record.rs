//! Records the outputs of a test, as the expected numbers from now on.

use std::path::PathBuf;

use quadrille::data::{Field, Values};
use quadrille::gl::Context;
use quadrille::internal::visible_name;

use super::claims::unchanged;
use super::computed::{Outputs, Subject, Variation, run_of};
use super::error::Error;
use super::lacks;
use super::part::cut;
use crate::testing::file::{Claim, TestFile};
use quadrille::testing::Mismatch;

/// The numbers that a test is to expect, none where no expectation has a file, or why they should
/// not be expected.
#[derive(Clone, Debug)]
pub enum Recording {
    /// The numbers and their files.
    Ready(Vec<Recorded>),
    /// The outputs cannot be expected, for these reasons.
    Refused(Vec<String>),
    /// This device is not suited to compute them: it lacks an ability that the test needs, or the
    /// test is known to fail on it.
    Skipped(String),
}

/// The numbers that an output is to have.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Recorded {
    /// The output.
    pub output: String,
    /// The file that they belong in.
    pub file: PathBuf,
    /// The numbers.
    pub field: Field,
    /// Whether the description does not name the file yet.
    pub is_new: bool,
}

/// Computes the numbers that a test's files should hold on this device; for a test that expects
/// nothing, those of every output. Numbers that are not finite, differ between two runs or, unless
/// `constant` allows it, are the same in all texels are refused: a test of them would say little.
/// Nothing is computed where the device lacks what the test needs, or where the test is known to
/// fail.
///
/// # Errors
/// As [`run()`](super::run()); a shader that does not compile is one too.
pub fn record(context: &Context, test: &TestFile, constant: bool) -> Result<Recording, Error> {
    if test.error.is_some() {
        return Ok(Recording::Ready(Vec::new()));
    }
    let abilities = context.abilities();
    if let Some(reason) = lacks(&test.require, abilities) {
        return Ok(Recording::Skipped(reason));
    }
    if let Some(known) = test.known_on(&abilities.renderer) {
        let [device, reason] = [&known.device, &known.reason].map(|text| visible_name(text));
        let reason =
            format!("it is known to fail on {device} ({reason}), so nothing is written here");
        return Ok(Recording::Skipped(reason));
    }
    let subject = Subject::new(context, test, run_of(test, &test.tested)?)?;
    let outputs = subject.compute(Variation::default())?;
    let again = subject.compute(Variation::default())?;
    let recorded = recorded(context, test, &outputs)?;
    let mut reasons: Vec<String> = unchanged("again", &outputs, &again, 0)
        .iter()
        .filter(|finding| !finding.is_right())
        .map(|finding| finding.reason())
        .collect();
    reasons.extend(recorded.iter().filter_map(|recorded| refusal(recorded, constant)));
    Ok(if reasons.is_empty() { Recording::Ready(recorded) } else { Recording::Refused(reasons) })
}

fn recorded(context: &Context, test: &TestFile, outputs: &Outputs) -> Result<Vec<Recorded>, Error> {
    if test.expectations.is_empty() {
        let new = |(output, field): &(String, Field)| Recorded {
            output: output.clone(),
            file: test.golden(output),
            field: field.clone(),
            is_new: true,
        };
        return Ok(outputs.fields.iter().map(new).collect());
    }
    let mut all = Vec::new();
    for expectation in &test.expectations {
        let field = outputs.expected_by(expectation)?;
        if let Some(Claim::Equals(file)) = expectation.on(&context.abilities().renderer).claim {
            let at = expectation.at.unwrap_or_else(|| field.extent().rectangle());
            let Some(field) = cut(field, at) else {
                let reason = Mismatch::Outside { part: at, whole: field.extent() }.to_string();
                return Err(expectation.unfit(reason).into());
            };
            all.push(Recorded { output: expectation.output.clone(), file, field, is_new: false });
        }
    }
    Ok(all)
}

/// Explains why numbers should not become the expected ones.
fn refusal(recorded: &Recorded, constant: bool) -> Option<String> {
    let Recorded { output, field, .. } = recorded;
    let values = field.values();
    let wrong = values.doubles().filter(|number| !number.is_finite()).count();
    if wrong > 0 {
        return Some(format!("output `{output}` has {wrong} numbers that are NaN or infinite"));
    }
    let texels = field.extent().texels();
    if constant || texels == 1 || !is_constant(values, field.channels()) {
        return None;
    }
    Some(format!("output `{output}` is the same in all {texels} texels, as where nothing is drawn"))
}

fn is_constant(values: &Values, channels: usize) -> bool {
    fn same<T: PartialEq>(values: &[T], channels: usize) -> bool {
        values.chunks(channels).all(|texel| values.starts_with(texel))
    }
    match values {
        Values::F32(values) => same(values, channels),
        Values::I32(values) => same(values, channels),
        Values::U32(values) => same(values, channels),
    }
}
