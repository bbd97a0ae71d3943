//! Arguments about sequences of frames and standard streams, and what they say about each other.

use quadrille_run::io::Numbered;
use quadrille_run::{Experiment, Origin, RunFile};

use super::Arguments;
use super::flags::STREAM;
use crate::prelude::*;

/// Refuses arguments that contradict each other, before anything is read.
pub(crate) fn check(arguments: &Arguments) -> Result<(), Failure> {
    let refused = |text: String| Err(Failure::Input { text });
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
    Ok(())
}

/// Refuses inputs, of the options or of a description, that contradict each other or an option.
pub(crate) fn check_inputs(arguments: &Arguments, run: &RunFile) -> Result<(), Failure> {
    let refused = |text: String| Err(Failure::Input { text });
    let inputs = &run.settings().inputs;
    let mut streams = inputs.iter().filter(|(_, origin)| origin.is_stream());
    if let (Some((first, _)), Some((second, _))) = (streams.next(), streams.next())
        && first != second
    {
        return refused(format!(
            "inputs `{first}` and `{second}` are both {STREAM}, and standard input is one array"
        ));
    }
    if let Some((name, origin)) = inputs.iter().find(|(_, origin)| origin.files().is_some()) {
        let with = [
            (arguments.view, "--view"),
            (arguments.time, "--time"),
            (arguments.save_test.is_some(), "--save-test"),
        ];
        if let Some((_, flag)) = with.iter().find(|(given, _)| *given) {
            return refused(format!(
                "input `{name}`, {origin}, is a sequence of frames, which {flag} does not take: give one file"
            ));
        }
    }
    if arguments.save_test.is_some()
        && let Some((name, _)) = inputs.iter().find(|(_, origin)| origin.is_stream())
    {
        let text = format!(
            "--save-test: input `{name}` comes on standard input, which no test can read again: give a file"
        );
        return refused(text);
    }
    Ok(())
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
