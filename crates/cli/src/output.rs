//! Standard output and standard error, without a panic if nobody reads them; and checks of files
//! that will be written.

pub(crate) mod progress;
pub(crate) mod speak;

use std::io::{ErrorKind, Write, stderr, stdout};
use std::path::Path;

use anyhow::Context as _;
use serde::Serialize;

use quadrille::internal::{harmless, turns};
use quadrille::io;

use crate::process::failure::Failure;
use crate::process::interrupt;
use crate::process::launcher::rank;

/// Prints a result; of several ranks, the first does. A reader that closed the pipe, as `head`
/// does, has read enough.
pub(crate) fn say(text: &str) -> anyhow::Result<()> {
    say_as_it_is(&harmless(text))
}

/// Prints text that is in order: also commands of the service that reads it.
pub(crate) fn say_as_it_is(text: &str) -> anyhow::Result<()> {
    if rank() > 0 {
        return Ok(());
    }
    let mut out = stdout().lock();
    match interrupt::writing(|| writeln!(out, "{text}").and_then(|()| out.flush())) {
        Err(error) if !is_closed(&error) => Err(unwritten(&error).into()),
        _ => Ok(()),
    }
}

/// Writes bytes to standard output; false if its reader has closed it.
pub(crate) fn say_bytes(bytes: &[u8]) -> anyhow::Result<bool> {
    let mut out = stdout().lock();
    match interrupt::writing(|| out.write_all(bytes).and_then(|()| out.flush())) {
        Ok(()) => Ok(true),
        Err(error) if is_closed(&error) => Ok(false),
        Err(error) => Err(unwritten(&error).into()),
    }
}

/// Whether the reader has gone. Windows has three errors for it, of which Rust knows two.
fn is_closed(error: &std::io::Error) -> bool {
    const PIPE_NOT_CONNECTED: i32 = 233;
    error.kind() == ErrorKind::BrokenPipe
        || cfg!(windows) && error.raw_os_error() == Some(PIPE_NOT_CONNECTED)
}

/// The arguments are right, so this is work that failed: 1.
fn unwritten(error: &std::io::Error) -> Failure {
    Failure::Work { text: format!("cannot write to standard output: {error}") }
}

/// Prints a value as a line of JSON, for the process that started this one.
pub(crate) fn say_line(value: &impl Serialize) -> anyhow::Result<()> {
    say_as_it_is(&escaped(&serde_json::to_string(value)?))
}

fn say_json(value: &impl Serialize) -> anyhow::Result<()> {
    say_as_it_is(&escaped(
        &serde_json::to_string_pretty(value).context("cannot make JSON of the result")?,
    ))
}

/// JSON with the characters that it need not escape and [`harmless`] changes, escaped too: DEL, those
/// from U+0080 on, those that turn the direction of writing, and `##[`.
fn escaped(json: &str) -> String {
    let unescaped = |c: &char| c.is_control() && *c >= '\u{7f}' || turns(*c);
    let escape = |c: char| match unescaped(&c) {
        true => format!("\\u{:04x}", u32::from(c)),
        false => c.to_string(),
    };
    let json = json.replace("##[", "##\\u005b");
    if json.chars().any(|c| unescaped(&c)) { json.chars().map(escape).collect() } else { json }
}

pub(crate) fn show(
    json: bool,
    report: &impl Serialize,
    text: impl FnOnce() -> String,
) -> anyhow::Result<()> {
    if json { say_json(report) } else { say(&text()) }
}

/// Names in a column of this width, and what they are, one a line.
pub(crate) fn column(width: usize, lines: &[(&str, String)]) -> String {
    let lines = lines.iter().map(|(name, text)| format!("{name:<width$}{text}"));
    lines.collect::<Vec<_>>().join("\n")
}

/// A word, quoted for a shell if necessary.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || "-_./=,:+".contains(letter);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// Prints a message on standard error, and ignores that it may be closed; of several ranks, the
/// first does.
pub(crate) fn note(text: &str) {
    if rank() == 0 {
        complain(text);
    }
}

/// Prints a message on standard error from any rank: an error, which may be its own.
pub(crate) fn complain(text: &str) {
    let _ = writeln!(stderr().lock(), "{}", harmless(text));
}

/// Refuses a file that could not be written, or whose name has another ending, before the work for
/// it.
pub(crate) fn check_file(path: Option<&Path>, ending: &'static str) -> Result<(), io::Error> {
    let Some(path) = path else { return Ok(()) };
    quadrille::io::must_end_in(path, ending)?;
    check_folder(path)
}

/// Refuses a chart whose file could not be written, or in a build without reports.
pub(crate) fn check_chart(path: Option<&Path>) -> anyhow::Result<()> {
    if path.is_some() {
        quadrille_lab::must_have_reports("a chart")?;
    }
    Ok(check_file(path, ".svg")?)
}

/// Refuses a file that could not be written, before the work for it.
pub(crate) fn check_folder(path: &Path) -> Result<(), io::Error> {
    use std::io::Error;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let reason = if path.is_dir() {
        ErrorKind::IsADirectory.into()
    } else if !folder.is_dir() {
        Error::new(ErrorKind::NotFound, "its folder does not exist")
    } else if path.exists() && !path.is_file() {
        return Ok(()); // A pipe or a device, which is written in place.
    } else if let Err(error) = tempfile::tempfile_in(folder) {
        error.kind().into()
    } else {
        return Ok(());
    };
    let place = quadrille::Place::file(path.display().to_string());
    Err(io::Error::Write { place, reason })
}
