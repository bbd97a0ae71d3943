//! The comparisons of a test.

use std::path::Path;

use crate::RunFile;
use quadrille::data::{Field, Values};
use quadrille::shader::Reads;
use quadrille::{Extent, Rectangle};

use super::computed::{Outputs, Subject, Variation};
use super::error::Error;
use super::finding::Finding;
use super::part::cut;
use crate::testing::file::{self, Claim, Expectation, Literal, Part, Tested, Vary};
use quadrille::internal::testing::{check_part, compare_part};
use quadrille::testing::Rule;
use quadrille::testing::{Mismatch, Wanted};

/// Makes all comparisons: with a second run, with variations, and with what is expected.
pub(super) fn all(subject: &Subject<'_>) -> Result<Vec<Finding>, Error> {
    let outputs = subject.compute(Variation::default())?;
    // Before further runs: the description may be wrong.
    for expectation in &subject.test.expectations {
        outputs.expected_by(expectation)?;
    }
    let mut findings = unchanged("again", &outputs, &subject.compute(Variation::default())?, 0);
    for vary in &subject.test.vary {
        findings.extend(varied(subject, &outputs, *vary)?);
    }
    for expectation in &subject.test.expectations {
        let output = outputs.expected_by(expectation)?;
        findings.push(expected(subject, expectation, output)?);
    }
    Ok(findings)
}

/// Outputs that must not differ at all from those of another run, which may be larger: then they
/// are compared from this row of it on.
pub(super) fn unchanged(
    claim: &'static str,
    outputs: &Outputs,
    others: &Outputs,
    row: u32,
) -> Vec<Finding> {
    let finding = |(name, output): &(String, Field)| {
        let other = others.get(name)?;
        let part = Rectangle { y: row, ..output.extent().rectangle() };
        Some(Finding {
            output: name.clone(),
            claim,
            difference: compare_part(other, part, output, &Rule::exact()),
            got: cut(other, part)?,
            expected: output.try_clone().ok(),
            file: None,
        })
    };
    outputs.fields.iter().filter_map(finding).collect()
}

fn varied(subject: &Subject<'_>, outputs: &Outputs, vary: Vary) -> Result<Vec<Finding>, Error> {
    let with = |variation| subject.compute(variation);
    match vary {
        Vary::Reads => {
            let of = |reads| with(Variation { reads: Some(reads), ..Variation::default() });
            Ok(unchanged("reads", &of(Reads::Fetch)?, &of(Reads::Sample)?, 0))
        }
        Vary::Size => {
            let extent =
                outputs.fields.first().map(|(_, field)| field.extent()).unwrap_or_default();
            let extent = Extent::new(extent.width + 1, extent.height + 1);
            let larger = with(Variation { extent: Some(extent), ..Variation::default() })?;
            // Where y = 0 is the last row, the row that comes in addition is the first.
            Ok(unchanged("size", outputs, &larger, larger.flips.into()))
        }
    }
}

/// Compares an output with what is expected on this device.
fn expected(
    subject: &Subject<'_>,
    expectation: &Expectation,
    output: &Field,
) -> Result<Finding, Error> {
    let part = expectation.on(&subject.context.abilities().renderer);
    let at = expectation.at.unwrap_or_else(|| output.extent().rectangle());
    let Some(claim) = &part.claim else {
        return Err(expectation.unfit("nothing is expected on this device".into()).into());
    };
    let unfit = |mismatch: Mismatch| unfit(expectation, claim, mismatch);
    let finding = |difference, expected| Finding {
        output: expectation.output.clone(),
        claim: claim.key(),
        difference: Ok(difference),
        got: cut(output, at).unwrap_or_else(|| output.clone()),
        expected,
        file: match claim {
            Claim::Equals(file) => Some(file.clone()),
            _ => None,
        },
    };
    let wanted = match claim {
        Claim::Finite => Some(Wanted::Finite),
        Claim::Inside(low, high) => Some(Wanted::Inside(*low, *high)),
        _ => None,
    };
    if let Some(wanted) = wanted {
        let outliers = part.outliers.unwrap_or(0);
        let difference = check_part(output, at, wanted, outliers).map_err(unfit)?;
        return Ok(finding(difference, None));
    }
    let expected = numbers(subject, expectation, claim, output, at)?;
    let rule = rule(expectation, &part, output.values())?;
    let difference = match expected {
        Some(ref expected) => compare_part(output, at, expected, &rule),
        None => Err(Mismatch::Outside { part: at, whole: output.extent() }),
    };
    Ok(finding(difference.map_err(unfit)?, expected))
}

/// Returns the error that an output cannot be compared with what is expected of it.
fn unfit(expectation: &Expectation, claim: &Claim, mismatch: Mismatch) -> Error {
    let output = &expectation.output;
    let key = match (&mismatch, claim) {
        (Mismatch::Outside { .. }, _) => "`at`".into(),
        (Mismatch::UlpOfIntegers { .. }, _) => "`ulp`".into(),
        (_, Claim::Equals(file) | Claim::Twin(file)) => {
            format!("`{}`, file {}", claim.key(), file.display())
        }
        _ => format!("`{}`", claim.key()),
    };
    expectation.unfit(format!("output `{output}`, {key}: {mismatch}")).into()
}

fn rule(expectation: &Expectation, part: &Part, values: &Values) -> Result<Rule, Error> {
    match (values, part.rule()) {
        (_, Some(rule)) => Ok(rule),
        (Values::I32(_) | Values::U32(_), None) => Ok(part.rule_of_integers()),
        (Values::F32(_), None) => {
            let (place, output) = (expectation.place.clone(), expectation.output.clone());
            Err(file::Error::NoTolerance { place, output }.into())
        }
    }
}

/// Returns the expected numbers of a part of an output; none where the part is not inside the
/// output.
fn numbers(
    subject: &Subject<'_>,
    expectation: &Expectation,
    claim: &Claim,
    output: &Field,
    at: Rectangle,
) -> Result<Option<Field>, Error> {
    let extent = Extent::new(at.width, at.height);
    let written = |literal: &Literal, field: Option<Field>| match field {
        Some(field) => Ok(Some(field)),
        None => {
            let (name, (extent, channels)) = (output.values().name(), literal.shape());
            let reason = format!(
                "`{}`: expected {name}, as the output has, for {extent} texels of {channels} channels",
                claim.key()
            );
            Err(expectation.unfit(reason).into())
        }
    };
    match claim {
        Claim::Values(literal) => written(literal, literal.field(output.values())),
        Claim::All(literal) => written(literal, literal.repeated(extent, output.values())),
        Claim::Equals(file) => {
            subject.test.must_have(file)?;
            read(expectation, file).map(Some)
        }
        Claim::Twin(file) => Ok(cut(&twin(subject, expectation, file, output.extent())?, at)),
        Claim::Finite | Claim::Inside(..) => Ok(None),
    }
}

fn read(expectation: &Expectation, file: &Path) -> Result<Field, Error> {
    let read = crate::io::field::read(file).map(|(field, _)| field);
    read.map_err(|error| expectation.unfit(error.to_string()).into())
}

/// Returns the output of the same name that another shader computes over this extent, or its only
/// one.
fn twin(
    subject: &Subject<'_>,
    expectation: &Expectation,
    file: &Path,
    extent: Extent,
) -> Result<Field, Error> {
    let tested = match RunFile::is_named(file) {
        true => Tested::Run(file.to_owned()),
        false => Tested::Shader(file.to_owned()),
    };
    let mut outputs = subject.twin(&tested, extent)?;
    let name = &expectation.output;
    let found = outputs.fields.iter().position(|(other, _)| other == name);
    match found.or((outputs.fields.len() == 1).then_some(0)) {
        Some(index) => Ok(outputs.fields.swap_remove(index).1),
        None => {
            let has = outputs.names();
            let reason = format!("the twin has no output `{name}`; it has: {has}");
            Err(expectation.unfit(reason).into())
        }
    }
}
