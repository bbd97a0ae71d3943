//! The process of one test, as its parent sees it.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read};
use std::process::{ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::Context as _;

use quadrille_run::testing::outcome::{Answer, Exactness, Termination};

use super::isolated::Hello;
use super::selection::Selection;
use crate::prelude::*;
use crate::process::child::{Guarded, signal_of};

/// Making a context may take this long, whatever the time limit of the test: a driver loads its
/// libraries.
const START: Duration = Duration::from_secs(60);
/// The time between two looks for Ctrl-C.
const GLANCE: Duration = Duration::from_millis(50);
/// The most characters kept of the words of a process that crashed.
const WORDS: usize = 2000;

/// The name of a device, or why it has no context.
pub(super) fn name(selection: &Selection) -> anyhow::Result<Result<String, String>> {
    let mut watched = Watched::start(selection, &[])?;
    Ok(match watched.line(START) {
        Line::Said(line) => Ok(hello(&line)?),
        Line::Ended => Err(without_label(&watched.end()?.1)),
        Line::Late | Line::Stopped => Err(format!("no context after {} s", START.as_secs())),
    })
}

/// Runs a test, a file and what is to be done with it; `None` if Ctrl-C ended it.
pub(super) fn run(
    selection: &Selection,
    test: &[&OsStr],
    limit: Duration,
) -> anyhow::Result<Option<Termination>> {
    let mut watched = Watched::start(selection, test)?;
    let mut line = watched.line(START);
    if let Line::Said(_) = line {
        line = watched.line(limit);
    }
    Ok(Some(match line {
        Line::Said(line) => Termination::Answered(answer(&line)?),
        Line::Late => Termination::TimedOut(limit),
        Line::Stopped => return Ok(None),
        Line::Ended => {
            let (status, words) = watched.end()?;
            Termination::crashed(signal_of(status), status.code(), &words)
        }
    }))
}

/// The accuracy of a device for the operations that a shader uses; `None` if it could not be
/// measured.
pub(super) fn accuracy(
    selection: &Selection,
    words: &[&OsStr],
) -> anyhow::Result<Option<Vec<Exactness>>> {
    let mut watched = Watched::start(selection, words)?;
    let Line::Said(_) = watched.line(START) else { return Ok(None) };
    match watched.line(START) {
        Line::Said(line) => {
            Ok(Some(serde_json::from_str(&line).context("a process says no accuracy")?))
        }
        _ => Ok(None),
    }
}

fn hello(line: &str) -> anyhow::Result<String> {
    let hello: Hello = serde_json::from_str(line).context("a test's process says no device")?;
    Ok(hello.device)
}

fn answer(line: &str) -> anyhow::Result<Answer> {
    serde_json::from_str(line).context("a test's process gives no answer")
}

/// The error that the process wrote, without the word `error`.
fn without_label(words: &str) -> String {
    let text = words.trim();
    text.strip_prefix("error: ").unwrap_or(text).to_owned()
}

/// A line of a process, or why none came in time.
enum Line {
    Said(String),
    Ended,
    Late,
    Stopped,
}

/// A process whose lines are heard.
struct Watched {
    child: Guarded,
    lines: Receiver<String>,
    words: Option<JoinHandle<String>>,
    /// The process ends when this does.
    _parent: Option<ChildStdin>,
}

impl Watched {
    fn start(selection: &Selection, test: &[&OsStr]) -> anyhow::Result<Watched> {
        let mut child = Guarded::start(&mut command(selection, test)?)?;
        let (sender, lines) = channel();
        let out = child.0.stdout.take();
        std::thread::spawn(move || {
            for line in out.into_iter().flat_map(|out| BufReader::new(out).lines()) {
                let sent = line.map(|line| sender.send(line));
                if !matches!(sent, Ok(Ok(()))) {
                    break;
                }
            }
        });
        let err = child.0.stderr.take();
        let words = std::thread::spawn(move || err.map(last_words).unwrap_or_default());
        let _parent = child.0.stdin.take();
        Ok(Watched { child, lines, words: Some(words), _parent })
    }

    /// The next line within a limit.
    fn line(&mut self, limit: Duration) -> Line {
        let begun = Instant::now();
        loop {
            match self.lines.recv_timeout(GLANCE.min(limit.saturating_sub(begun.elapsed()))) {
                Ok(line) => return Line::Said(line),
                Err(RecvTimeoutError::Disconnected) => return Line::Ended,
                Err(RecvTimeoutError::Timeout) if interrupt::pressed() => return Line::Stopped,
                Err(RecvTimeoutError::Timeout) if begun.elapsed() >= limit => return Line::Late,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Returns how a process ended that closed its output, and what it wrote.
    fn end(&mut self) -> anyhow::Result<(ExitStatus, String)> {
        let status = self.child.0.wait().context("cannot wait for the process of a test")?;
        let words = self.words.take().and_then(|words| words.join().ok()).unwrap_or_default();
        Ok((status, words))
    }
}

/// The end of what a process says on standard error.
fn last_words(mut err: impl Read) -> String {
    let mut all = Vec::new();
    let _ = err.read_to_end(&mut all);
    let start = all.len().saturating_sub(WORDS);
    String::from_utf8_lossy(&all[start..]).into_owned()
}

fn command(selection: &Selection, test: &[&OsStr]) -> anyhow::Result<Command> {
    let program = std::env::current_exe().context("cannot find this program's own file")?;
    let mut command = Command::new(program);
    command.args(["test", "--isolated", "--api", selection.api_name()]).args(test);
    if let Some(selector) = &selection.selector {
        command.args(["--device", selector]);
    }
    if selection.softpipe {
        command.env("GALLIUM_DRIVER", "softpipe");
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    Ok(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_told_without_its_label() {
        assert_eq!(without_label("error: no device\n"), "no device");
    }

    #[test]
    fn only_the_end_of_many_words_is_kept() {
        let many = format!("{}end", "x".repeat(10 * WORDS));
        let kept = last_words(many.as_bytes());
        assert!(kept.len() == WORDS && kept.ends_with("xend"));
    }
}
