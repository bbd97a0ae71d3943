//! The outputs of the shader, and the files that they are written to.

use quadrille::data::Field;
use quadrille::experiment::{Error, Experiment, Output};
use quadrille::io;
use quadrille::io::field::{self, Depth, PictureOptions};
use quadrille_lab::numbers::six_digits;

use super::super::prelude::*;
use super::arguments::Arguments;
use super::assignment::Assignment;

/// The files to write, all checked before the first step.
pub(super) struct Outputs {
    planned: Vec<Planned>,
    options: PictureOptions,
}

struct Planned {
    name: String,
    path: PathBuf,
    /// The index of the output in [`Experiment::outputs`].
    output: usize,
}

pub(super) struct Outcome {
    pub(super) name: String,
    pub(super) kind: String,
    pub(super) field: Field,
}

impl Outputs {
    /// Finds the output for each file, and refuses files that could not be written.
    pub(super) fn plan(
        arguments: &Arguments,
        experiment: &Experiment,
        options: PictureOptions,
    ) -> anyhow::Result<Outputs> {
        let mut planned: Vec<Planned> = Vec::new();
        for Assignment { name, value } in &arguments.outputs {
            let path = PathBuf::from(value);
            must_be_new(&planned, name, &path)?;
            let (index, output) = find(experiment, name)?;
            field::check_name(&path, output.channels())?;
            output::check_folder(&path)?;
            if arguments.depth() == Some(Depth::Sixteen) {
                must_have_depth(output, &path, options)?;
            }
            planned.push(Planned { name: name.clone(), path, output: index });
        }
        Ok(Outputs { planned, options })
    }

    pub(super) fn file(&self, output: usize) -> Option<&Path> {
        let planned = self.planned.iter().find(|planned| planned.output == output);
        planned.map(|planned| planned.path.as_path())
    }

    /// Writes the files, and notes what a picture does not show.
    pub(super) fn write(&self, results: &[Outcome]) -> Result<(), io::Error> {
        for Planned { path, output, .. } in &self.planned {
            let Some(result) = results.get(*output) else { continue };
            let written = field::write(path, &result.field, self.options)?;
            let path = path.display();
            if written.outside > 0 {
                let (low, high) = written.range.unwrap_or_default();
                output::note(&format!(
                    "note: {path}: {} values are outside {} to {} and are shown as the nearest end",
                    written.outside,
                    six_digits(low),
                    six_digits(high)
                ));
            }
            if written.nan > 0 {
                output::note(&format!("note: {path}: {} values are NaN", written.nan));
            }
        }
        Ok(())
    }
}

pub(super) fn read(experiment: &Experiment) -> Result<Vec<Outcome>, Error> {
    let outcome = |output: &Output| {
        let (name, kind) = (output.name().to_owned(), output.kind().to_owned());
        Ok(Outcome { field: experiment.read(&name)?, name, kind })
    };
    experiment.outputs().iter().map(outcome).collect()
}

/// Refuses a second file for an output, and a second output for a file.
fn must_be_new(planned: &[Planned], name: &str, path: &Path) -> Result<(), Failure> {
    let text = if planned.iter().any(|other| other.name == name) {
        format!("--output {name}=... is given twice")
    } else if let Some(other) = planned.iter().find(|other| other.path == path) {
        format!("outputs `{}` and `{name}` go to one file, {}", other.name, path.display())
    } else {
        return Ok(());
    };
    Err(Failure::Input { text })
}

fn find<'a>(experiment: &'a Experiment, name: &str) -> Result<(usize, &'a Output), Failure> {
    let outputs = experiment.outputs();
    let found = outputs.iter().enumerate().find(|(_, output)| output.name() == name);
    found.ok_or_else(|| {
        let names: Vec<&str> = outputs.iter().map(Output::name).collect();
        let text = format!("the shader has no output `{name}`; it has: {}", names.join(", "));
        Failure::Input { text }
    })
}

/// Refuses 16 bits for a picture in the colours of a map, which have 8.
fn must_have_depth(output: &Output, path: &Path, options: PictureOptions) -> Result<(), Failure> {
    let picture = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("png"));
    if !picture || output.channels() != 1 || options.colours.is_none() {
        return Ok(());
    }
    let text = format!(
        "--bits 16: output `{}` has one channel and would be drawn through a colour map of 8 bits; add \
         --colours none for a picture in shades of grey",
        output.name()
    );
    Err(Failure::Input { text })
}
