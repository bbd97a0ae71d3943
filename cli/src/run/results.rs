//! What came out: read, and written to files.

use std::path::Path;

use quadrille::data::Field;
use quadrille::experiment::{Error, Experiment};
use quadrille::io::field::{self, Look};

use super::super::failure::Failure;
use super::super::output;
use super::assignment::Assignment;
use super::report::short;

/// An output as the last step left it.
pub(super) struct Outcome {
    pub(super) name: String,
    pub(super) kind: String,
    pub(super) field: Field,
}

/// Refuses, before any work, files that could not be written after it.
pub(super) fn check_files(outputs: &[Assignment]) -> anyhow::Result<()> {
    for (index, Assignment { name, value }) in outputs.iter().enumerate() {
        // A picture of one channel is fine; how many there are is not known yet.
        field::check_name(value, 1)?;
        output::check_folder(Path::new(value))?;
        let earlier = outputs.get(..index).unwrap_or_default();
        if earlier.iter().any(|other| other.name == *name) {
            let text = format!("--output {name}=... is given twice");
            return Err(Failure::Input { text }.into());
        }
        if let Some(other) = earlier.iter().find(|other| other.value == *value) {
            let text = format!("outputs `{}` and `{name}` go to one file, {value}", other.name);
            return Err(Failure::Input { text }.into());
        }
    }
    Ok(())
}

/// Refuses names that the shader does not have, and pictures of what is none.
pub(super) fn check_names(outputs: &[Assignment], experiment: &Experiment) -> anyhow::Result<()> {
    for Assignment { name, value } in outputs {
        match experiment.outputs().iter().find(|output| output.name() == name) {
            Some(output) => field::check_name(value, output.channels())?,
            None => {
                let has: Vec<&str> = experiment.outputs().iter().map(|o| o.name()).collect();
                let text = format!("the shader has no output `{name}`; it has: {}", has.join(", "));
                return Err(Failure::Input { text }.into());
            }
        }
    }
    Ok(())
}

/// Reads all outputs.
pub(super) fn read(experiment: &Experiment) -> Result<Vec<Outcome>, Error> {
    let outputs = experiment.outputs().iter();
    let result = |output: &quadrille::experiment::Output| {
        let (name, kind) = (output.name().to_owned(), output.kind().to_owned());
        Ok(Outcome { field: experiment.read(&name)?, name, kind })
    };
    outputs.map(result).collect()
}

/// Writes those that were asked for, and notes what a picture does not show.
pub(super) fn write(
    outputs: &[Assignment],
    results: &[Outcome],
    look: Look,
) -> Result<(), quadrille::io::Error> {
    for Assignment { name, value } in outputs {
        let Some(result) = results.iter().find(|result| result.name == *name) else { continue };
        let written = field::write(value, &result.field, look)?;
        if written.outside > 0 {
            let (low, high) = written.range.unwrap_or_default();
            output::note(&format!(
                "note: {value}: {} numbers are outside {} to {}, and are shown as the nearest end",
                written.outside,
                short(low),
                short(high)
            ));
        }
        if written.nan > 0 {
            output::note(&format!("note: {value}: {} numbers are NaN", written.nan));
        }
    }
    Ok(())
}
