//! Arguments about sequences of frames and standard streams, and what they say about each other.

use quadrille_run::io::Numbered;
use quadrille_run::{Experiment, Origin, RunFile};

use super::flags::STREAM;
use super::pictures::OutputArguments;
use crate::prelude::*;

/// Refuses arguments that contradict each other, before anything is read.
pub(crate) fn check(outputs: &OutputArguments, view: bool, json: bool) -> Result<(), Failure> {
    let out = outputs.files.iter().any(|output| output.value == STREAM);
    let text = match outputs.raw {
        _ if out && json => format!(
            "--json and --output NAME={STREAM}: standard output has room for one of them; write the output to a file"
        ),
        Some(raw) if !out => format!(
            "--raw {raw}: expected an output on standard output: add --output NAME={STREAM}"
        ),
        Some(_) if view => {
            "--view and --raw: a window steps as its keys say, so it writes no frames".to_owned()
        }
        _ => return Ok(()),
    };
    Err(Failure::Input { text })
}

/// Refuses inputs, of the options or of a description, that contradict each other or an option; `one` are the options that take no
/// sequence of frames.
pub(crate) fn check_inputs(
    run: &RunFile,
    one: &[(bool, &str)],
    saves_test: bool,
) -> Result<(), Failure> {
    let inputs = &run.settings().inputs;
    let mut streams = inputs.iter().filter(|(_, origin)| origin.is_stream()).map(|(name, _)| name);
    let stream = streams.next();
    let second = streams.find(|name| Some(*name) != stream);
    let frames = inputs.iter().find(|(_, origin)| origin.files().is_some());
    let flag = one.iter().find(|(given, _)| *given).map(|(_, flag)| flag);
    let text = match (stream, second, frames.zip(flag)) {
        (Some(first), Some(second), _) => format!(
            "inputs `{first}` and `{second}` are both {STREAM}, and standard input is one array"
        ),
        (_, _, Some(((name, origin), flag))) => format!(
            "input `{name}`, {origin}, is a sequence of frames, which {flag} does not take: give one file"
        ),
        (Some(name), ..) if saves_test => format!(
            "--save-test: input `{name}` comes on standard input, which no test can read again: give a file"
        ),
        _ => return Ok(()),
    };
    Err(Failure::Input { text })
}

/// Refuses to write over the frames that are still to be read.
pub(crate) fn must_be_elsewhere(
    run: &RunFile,
    name: &str,
    files: &Numbered,
) -> Result<(), Failure> {
    let folder = |files: &Numbered| {
        let folder = files.folder();
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        folder.canonicalize().ok()
    };
    let same = |(_, other): &&(String, Origin)| {
        other.files().is_some_and(|other| {
            let frame = files.name(1);
            let frame = frame.file_name().and_then(|frame| frame.to_str()).unwrap_or_default();
            folder(other) == folder(files) && other.number(frame) == Some(1)
        })
    };
    match run.settings().inputs.iter().find(same) {
        None => Ok(()),
        Some((input, origin)) => {
            let text = format!(
                "output `{name}` would write the files that input `{input}` reads, {origin}: give them other names"
            );
            Err(Failure::Input { text })
        }
    }
}

/// Refuses steps that would all compute the same: a --feedback was forgotten.
pub(crate) fn must_change(
    run: &RunFile,
    experiment: &Experiment,
    iterate: u64,
) -> Result<(), Failure> {
    if iterate == 1 || experiment.changes() {
        return Ok(());
    }
    let (by, mend) = match RunFile::is_named(run.path()) {
        true => (
            format!("{}: {iterate} steps", run.path().display()),
            "add a `[buffer.NAME]` with `from = \"pass.output\"`",
        ),
        false => (format!("--iterate {iterate}"), "add --feedback OUTPUT=INPUT"),
    };
    let text = format!(
        "{by} would compute the same each time: no output feeds back, and no shader reads the number of the step (`uniform int iteration`) or the time (`iTime` of Shadertoy, `TIME` of ISF); {mend}"
    );
    Err(Failure::Input { text })
}
