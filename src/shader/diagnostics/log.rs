//! Reads the lines of a driver's log, in the forms that drivers write.
//!
//! ```text
//! 0:12(5): error: `foo' undeclared                Mesa, with a column
//! error: linking with uncompiled shader           Mesa, linking
//! 0(12) : error C1503: undefined variable "foo"   NVIDIA
//! ERROR: 0:12: 'foo' : undeclared identifier      ANGLE, glslang, AMD, Apple
//! ```

use super::diagnostic::Severity;

/// A line of a log. In a line of unknown form, everything is the message.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Entry<'a> {
    pub(super) severity: Severity,
    /// The line in the expanded text, from 1.
    pub(crate) line: Option<usize>,
    /// The column that the driver gives, from 1.
    pub(crate) column: Option<usize>,
    pub(crate) message: &'a str,
    /// The line as the driver wrote it.
    pub(crate) whole: &'a str,
}

/// Returns the lines of a log that are not empty.
pub(super) fn entries(log: &str) -> impl Iterator<Item = Entry<'_>> {
    log.lines()
        .map(|line| line.trim_end_matches(|c: char| c.is_whitespace() || c == '\0'))
        .filter(|line| !line.trim_start().is_empty())
        .map(entry)
}

fn entry(line: &str) -> Entry<'_> {
    let trimmed = line.trim_start();
    let read = bracketed(trimmed).or_else(|| worded(trimmed));
    read.unwrap_or(Entry {
        severity: Severity::Note,
        line: None,
        column: None,
        message: line,
        whole: line,
    })
}

/// Reads Mesa's `0:12(5): error: ...` and NVIDIA's `0(12) : error C1008: ...`.
fn bracketed(text: &str) -> Option<Entry<'_>> {
    let (_, rest) = number(text)?;
    let (line, column, rest) = match rest.strip_prefix(':') {
        Some(rest) => {
            let (line, rest) = number(rest)?;
            let (column, rest) = number(rest.strip_prefix('(')?)?;
            (line, Some(column), rest.strip_prefix(')')?)
        }
        None => {
            let (line, rest) = number(rest.strip_prefix('(')?)?;
            (line, None, rest.strip_prefix(')')?)
        }
    };
    let message = rest.trim_start().strip_prefix(':')?.trim_start();
    let (severity, message) = severity(message)?;
    Some(Entry { severity, line: Some(line), column, message, whole: text })
}

/// Reads `ERROR: 0:12: ...`, and `error: ...` or `ERROR: ...` without a place.
fn worded(text: &str) -> Option<Entry<'_>> {
    let (severity, message) = severity(text)?;
    let (line, message) =
        placed(message).map_or((None, message), |(line, rest)| (Some(line), rest));
    Some(Entry { severity, line, column: None, message, whole: text })
}

fn placed(text: &str) -> Option<(usize, &str)> {
    let (_, rest) = number(text)?;
    let (line, rest) = number(rest.strip_prefix(':')?)?;
    Some((line, rest.strip_prefix(':')?.trim_start()))
}

/// Takes `error:`, `ERROR:`, `preprocessor error:` or `error C1008:` off the front. NVIDIA's number
/// stays in the message: one can look it up.
fn severity(text: &str) -> Option<(Severity, &str)> {
    let body = text.strip_prefix("preprocessor ").unwrap_or(text);
    let end = body.find(|c: char| !c.is_ascii_alphabetic())?;
    let (word, rest) = body.split_at_checked(end)?;
    let severity = match word.to_ascii_lowercase().as_str() {
        "error" => Severity::Error,
        "warning" => Severity::Warning,
        "note" | "info" => Severity::Note,
        _ => return None,
    };
    let message = match rest.strip_prefix(':') {
        Some(message) => message,
        None => {
            let code = rest.trim_start();
            let (digits, _) = code.split_once(':')?;
            let plain = !digits.is_empty() && digits.chars().all(|c| c.is_ascii_alphanumeric());
            plain.then_some(code)?
        }
    };
    Some((severity, message.trim_start()))
}

fn number(text: &str) -> Option<(usize, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at_checked(end)?;
    Some((digits.parse().ok()?, rest))
}
