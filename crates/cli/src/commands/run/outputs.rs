//! The outputs of the shader, and the files that they are written to.

pub(super) mod write_summary;

use quadrille::Control;
use quadrille::data::Field;
use quadrille::gl::Class;
use quadrille_run::io::field::{self, Depth, PictureOptions, Raw, Written};
use quadrille_run::io::{FileNames, Numbered};
use quadrille_run::{Error, Experiment, Output, RunFile};

use super::arguments::flags::STREAM;
use super::arguments::pictures::OutputArguments;
use super::arguments::sequences::must_be_elsewhere;
use crate::arguments::assignment::Of;
use crate::prelude::*;
use write_summary::WriteSummary;

/// The files to write, all checked before the first step.
pub(super) struct Outputs {
    planned: Vec<Planned>,
    options: PictureOptions,
    /// The steps from one frame to the next.
    every: u64,
    /// Whether the reader of standard output has closed it.
    pub(super) closed: bool,
}

struct Planned {
    name: String,
    to: Target,
    /// The index of the output in [`Experiment::outputs`].
    output: usize,
    summary: WriteSummary,
}

/// The target of an output.
#[derive(PartialEq)]
enum Target {
    File(PathBuf),
    /// A file after every K-th step.
    Frames(Numbered),
    /// An array on standard output.
    Stream,
    /// Pixels on standard output, after every K-th step.
    Pixels(Raw),
}

pub(super) struct Outcome {
    pub(super) name: String,
    pub(super) kind: String,
    pub(super) field: Field,
}

impl Outputs {
    /// Finds the output for each file, and refuses files that could not be written.
    pub(super) fn plan(
        arguments: &OutputArguments,
        run: &RunFile,
        experiment: &Experiment,
        options: PictureOptions,
    ) -> anyhow::Result<Outputs> {
        let every = arguments.every.unwrap_or(1);
        let mut outputs = Outputs { planned: Vec::new(), options, every, closed: false };
        for given in &arguments.files {
            let to = Target::of(&given.value, arguments.raw)?;
            let (index, output) = find(experiment, given)?;
            let name = output.name();
            must_be_new(&outputs.planned, name, &to)?;
            to.check(output, every)?;
            if let Target::Frames(files) = &to {
                must_be_elsewhere(run, name, files)?;
            }
            if arguments.depth() == Some(Depth::Sixteen) {
                must_have_depth(output, &to, options)?;
            }
            outputs.planned.push(Planned {
                name: name.to_owned(),
                to,
                output: index,
                summary: WriteSummary::default(),
            });
        }
        Ok(outputs)
    }

    /// Checks options for frames, and notes what the user should know, before the first frame.
    pub(super) fn check_frames(
        &self,
        experiment: &Experiment,
        every: Option<u64>,
        keeps: bool,
        view: bool,
    ) -> Result<(), Failure> {
        let text = match every {
            _ if view && self.frames().is_some() => {
                "--view and a sequence of frames: a window steps as its keys say, so it writes no frames".to_owned()
            }
            Some(every) if self.frames().is_none() && !keeps => format!(
                "--every {every}: no output is a sequence of frames; expected --output NAME=frame-%04d.png, --raw FORMAT, or \
                 --checkpoint FILE"
            ),
            _ => {
                self.tell_of_scales(experiment);
                return Ok(());
            }
        };
        Err(Failure::Input { text })
    }

    /// Notes that frames have colour scales of their own.
    fn tell_of_scales(&self, experiment: &Experiment) {
        for planned in self.planned.iter().filter(|planned| planned.to.is_repeated()) {
            let channels = experiment.outputs()[planned.output].channels();
            if planned.to.is_mapped(channels, self.options) && self.options.range.is_none() {
                output::note(&format!(
                    "note: {}: each frame has a colour scale of its own, from its least to its greatest value; --range LO:HI \
                     gives all the same",
                    planned.to.text()
                ));
            }
        }
    }

    /// The target of an output, as text.
    pub(super) fn file(&self, output: usize) -> Option<String> {
        let planned = self.planned.iter().find(|planned| planned.output == output);
        planned.map(|planned| planned.to.text())
    }

    /// Returns the number of frames that were written.
    pub(super) fn count(&self, output: usize) -> Option<u64> {
        let planned = self.planned.iter().find(|planned| planned.output == output)?;
        planned.to.is_repeated().then_some(planned.summary.count)
    }

    /// Whether standard output has results, so that all else goes to standard error.
    pub(super) fn take_the_stream(&self) -> bool {
        self.planned.iter().any(|planned| planned.to.is_stream())
    }

    /// Whether there are other outputs than the one on standard output.
    pub(super) fn are_elsewhere(&self) -> bool {
        self.planned.iter().any(|planned| !planned.to.is_stream())
    }

    /// The steps from one frame to the next, if there are frames.
    pub(super) fn frames(&self) -> Option<u64> {
        let any = self.planned.iter().any(|planned| planned.to.is_repeated());
        any.then_some(self.every)
    }

    /// Refuses fewer steps than those to the first frame.
    pub(super) fn must_have_a_frame(&self, steps: u64) -> Result<(), Failure> {
        match self.frames() {
            Some(every) if every > steps => {
                let text = format!(
                    "--every {every}: expected at most {steps}, the number of steps, so that there is a frame"
                );
                Err(Failure::Input { text })
            }
            _ => Ok(()),
        }
    }

    /// Writes the frames of the step that was done last, unless none is due. Stops where nobody
    /// reads them.
    pub(super) fn write_frames(&mut self, experiment: &Experiment) -> anyhow::Result<Control> {
        let step = experiment.iteration();
        if !step.is_multiple_of(self.every) {
            return Ok(Control::Continue);
        }
        for Planned { name, to, summary, output } in &mut self.planned {
            let precision = experiment.outputs().get(*output).map(Output::precision);
            let saturated = |field: &Field| {
                precision.map_or(0, |precision| precision.saturated(field.values().as_ref()))
            };
            match to {
                Target::Frames(files) => {
                    let (field, path) = (experiment.read(name)?, files.name(step));
                    summary.saturated += saturated(&field);
                    let write = || field::write(path, &field, self.options);
                    summary.add(interrupt::writing(write)?);
                }
                Target::Pixels(raw) => {
                    let field = experiment.read(name)?;
                    summary.saturated += saturated(&field);
                    let (bytes, written) = raw.bytes(STANDARD_OUTPUT, &field, self.options)?;
                    if !output::say_bytes(&bytes)? {
                        self.closed = true;
                        return Ok(Control::Stop);
                    }
                    summary.add(written);
                }
                Target::File(_) | Target::Stream => {}
            }
        }
        Ok(Control::Continue)
    }

    /// Writes what is written once, and notes what pictures do not show.
    pub(super) fn write(&mut self, results: &[Outcome]) -> anyhow::Result<()> {
        for Planned { to, output, summary, .. } in &mut self.planned {
            let Some(result) = results.get(*output) else { continue };
            match to {
                Target::File(path) => summary.add(field::write(path, &result.field, self.options)?),
                Target::Stream => {
                    let mut bytes = Vec::new();
                    field::write_to(&mut bytes, &result.field)?;
                    self.closed |= !output::say_bytes(&bytes)?;
                    summary.add(Written::default());
                }
                Target::Frames(_) | Target::Pixels(_) => {}
            }
            summary.notes(&to.text()).iter().for_each(|note| output::note(note));
        }
        Ok(())
    }
}

impl Target {
    fn of(text: &str, raw: Option<Raw>) -> anyhow::Result<Target> {
        Ok(match (FileNames::parse(text)?, raw) {
            (FileNames::One(path), Some(raw)) if path.as_os_str() == STREAM => Target::Pixels(raw),
            (FileNames::One(path), None) if path.as_os_str() == STREAM => Target::Stream,
            (FileNames::One(path), _) => Target::File(path),
            (FileNames::Each(files), _) => Target::Frames(files),
        })
    }

    fn check(&self, output: &Output, every: u64) -> anyhow::Result<()> {
        let path = match self {
            Target::File(path) => path.clone(),
            Target::Frames(files) => files.name(every),
            Target::Stream => return Ok(()),
            Target::Pixels(raw) => {
                let floats = output.class() == Class::Float;
                return Ok(raw.check(STANDARD_OUTPUT, output.channels(), floats)?);
            }
        };
        field::check_name(&path, output.channels())?;
        Ok(output::check_folder(&path)?)
    }

    fn text(&self) -> String {
        match self {
            Target::File(path) => path.display().to_string(),
            Target::Frames(files) => files.to_string(),
            Target::Stream | Target::Pixels(_) => STANDARD_OUTPUT.to_owned(),
        }
    }

    fn is_stream(&self) -> bool {
        matches!(self, Target::Stream | Target::Pixels(_))
    }

    /// Whether it is written again and again.
    fn is_repeated(&self) -> bool {
        matches!(self, Target::Frames(_) | Target::Pixels(_))
    }

    /// The ending of its files' names, in small letters.
    fn ending(&self) -> String {
        let path = match self {
            Target::File(path) => path.clone(),
            Target::Frames(files) => files.name(1),
            Target::Stream | Target::Pixels(_) => return String::new(),
        };
        path.extension().unwrap_or_default().to_string_lossy().to_lowercase()
    }

    /// Whether an output of this many channels is drawn through a colour map.
    fn is_mapped(&self, channels: usize, options: PictureOptions) -> bool {
        let drawn = match self {
            Target::File(_) | Target::Frames(_) => self.ending() != "npy",
            Target::Stream => false,
            Target::Pixels(raw) => matches!(raw, Raw::Rgb24 | Raw::Rgba),
        };
        drawn && channels == 1 && options.colours.is_some()
    }
}

/// The name in messages.
const STANDARD_OUTPUT: &str = "standard output";

pub(super) fn read(experiment: &Experiment) -> Result<Vec<Outcome>, Error> {
    let outcome = |output: &Output| {
        let (name, kind) = (output.name().to_owned(), output.kind().to_owned());
        Ok(Outcome { field: experiment.read(&name)?, name, kind })
    };
    experiment.outputs().iter().map(outcome).collect()
}

/// Refuses a second file for an output, and a second output for a file.
fn must_be_new(planned: &[Planned], name: &str, to: &Target) -> Result<(), Failure> {
    let text = if planned.iter().any(|other| other.name == name) {
        format!("--output {name}=... is given twice")
    } else if let Some(other) = planned.iter().find(|other| other.to == *to) {
        format!("outputs `{}` and `{name}` go to one file, {}", other.name, to.text())
    } else {
        return Ok(());
    };
    Err(Failure::Input { text })
}

/// The output that is named, or the only one.
fn find<'a>(experiment: &'a Experiment, given: &Of) -> Result<(usize, &'a Output), Failure> {
    let outputs = experiment.outputs();
    let names = || outputs.iter().map(Output::name).collect::<Vec<_>>().join(", ");
    let text = match (&given.name, outputs) {
        (None, [only]) => return Ok((0, only)),
        (None, [first, ..]) => format!(
            "--output {file}: expected NAME=FILE, since there are several outputs: {}; as in --output {}={file}",
            names(),
            first.name(),
            file = given.value
        ),
        (None, []) => format!("--output {}: there is no output", given.value),
        (Some(name), _) => {
            match outputs.iter().enumerate().find(|(_, output)| output.name() == name) {
                Some(found) => return Ok(found),
                None => format!("the shader has no output `{name}`; it has: {}", names()),
            }
        }
    };
    Err(Failure::Input { text })
}

/// Refuses 16 bits for what has 8: the colours of a map, JPEG, and pixels of video.
fn must_have_depth(output: &Output, to: &Target, options: PictureOptions) -> Result<(), Failure> {
    let name = output.name();
    let text = match to.ending().as_str() {
        "jpg" | "jpeg" => format!(
            "--bits 16: output `{name}` goes to {}, and JPEG has 8 bits; write a .png",
            to.text()
        ),
        _ if matches!(to, Target::Pixels(Raw::Gray | Raw::Rgb24 | Raw::Rgba)) => {
            format!(
                "--bits 16: output `{name}` is written as pixels of 8 bits; --raw f32 has all bits"
            )
        }
        "png" if to.is_mapped(output.channels(), options) => format!(
            "--bits 16: output `{name}` has one channel and would be drawn through a colour map of 8 bits; add \
             --colours none for a picture in shades of grey"
        ),
        _ => return Ok(()),
    };
    Err(Failure::Input { text })
}
