//! Arguments about sequences of frames and standard streams, and what they say about each other.

use quadrille::experiment::{Experiment, Origin};
use quadrille::io::Numbered;

use super::super::prelude::*;
use super::arguments::Arguments;
use super::assignment::Assignment;
use super::flags::STREAM;

/// Refuses arguments that contradict each other, before anything is read.
pub(super) fn check(arguments: &Arguments) -> Result<(), Failure> {
    let refused = |text: String| Err(Failure::Input { text });
    let mut streams = arguments.inputs.iter().filter(|input| input.value.is_stream());
    if let (Some(first), Some(second)) = (streams.next(), streams.next()) {
        let (first, second) = (&first.name, &second.name);
        return refused(format!(
            "inputs `{first}` and `{second}` are both {STREAM}, and standard input is one array"
        ));
    }
    let out = arguments.outputs.iter().any(|output| output.value == STREAM);
    if out && arguments.json {
        let text = format!(
            "--json and --output NAME={STREAM}: standard output has room for one of them; write the output to a file"
        );
        return refused(text);
    }
    if let (Some(raw), false) = (arguments.frames.raw, out) {
        return refused(format!(
            "--raw {raw}: expected an output on standard output: add --output NAME={STREAM}"
        ));
    }
    if arguments.view && arguments.frames.raw.is_some() {
        return refused(
            "--view and --raw: a window steps as its keys say, so it writes no frames".into(),
        );
    }
    let sequence = arguments.inputs.iter().find(|input| input.value.files().is_some());
    if let Some(Assignment { name, value }) = sequence {
        let with = [
            (arguments.view, "--view"),
            (arguments.time, "--time"),
            (arguments.save_test.is_some(), "--save-test"),
        ];
        if let Some((_, flag)) = with.iter().find(|(given, _)| *given) {
            return refused(format!(
                "--input {name}={value} is a sequence of frames, which {flag} does not take: give one file"
            ));
        }
    }
    if arguments.save_test.is_some()
        && let Some(input) = arguments.inputs.iter().find(|input| input.value.is_stream())
    {
        let text = format!(
            "--save-test: input `{}` comes on standard input, which no test can read again: give a file",
            input.name
        );
        return refused(text);
    }
    Ok(())
}

/// Refuses to write over the frames that are still to be read.
pub(super) fn must_be_elsewhere(
    arguments: &Arguments,
    name: &str,
    files: &Numbered,
) -> Result<(), Failure> {
    let folder = |files: &Numbered| {
        let folder = files.folder();
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        folder.canonicalize().ok()
    };
    let same = |other: &&Assignment<Origin>| {
        other.value.files().is_some_and(|other| {
            let frame = files.name(1);
            let frame = frame.file_name().and_then(|frame| frame.to_str()).unwrap_or_default();
            folder(other) == folder(files) && other.number(frame) == Some(1)
        })
    };
    match arguments.inputs.iter().find(same) {
        None => Ok(()),
        Some(input) => {
            let text = format!(
                "output `{name}` would write the files that input `{}` reads, {}: give them other names",
                input.name, input.value
            );
            Err(Failure::Input { text })
        }
    }
}

/// Refuses steps that would all compute the same: a --feedback was forgotten.
pub(super) fn must_change(experiment: &Experiment, iterate: u64) -> Result<(), Failure> {
    if iterate == 1 || experiment.changes() {
        return Ok(());
    }
    let text = format!(
        "--iterate {iterate} would compute the same each time: no output feeds back, and the shader does not use a \
         `uniform int iteration`; add --feedback OUTPUT=INPUT"
    );
    Err(Failure::Input { text })
}
