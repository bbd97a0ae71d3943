//! Standard output and standard error, without a panic where no one reads them.

use std::io::{ErrorKind, Write, stderr, stdout};

use anyhow::Context as _;
use serde::Serialize;

/// Prints a result. A reader that has left (as `head` does) has read enough.
pub(super) fn say(text: &str) -> anyhow::Result<()> {
    let mut out = stdout().lock();
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(error).context("cannot write to standard output")
        }
        _ => Ok(()),
    }
}

/// Prints a result as one JSON object.
pub(super) fn say_json(value: &impl Serialize) -> anyhow::Result<()> {
    say(&serde_json::to_string_pretty(value).context("cannot make JSON of the result")?)
}

/// Prints a message on standard error; if that is closed, no one wants it.
pub(super) fn note(text: &str) {
    let _ = writeln!(stderr().lock(), "{text}");
}
