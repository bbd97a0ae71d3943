//! Where the header of an ISF shader is, and what it declares.

#[cfg(not(feature = "files"))]
use super::super::error::Error;
#[cfg(not(feature = "files"))]
use super::super::source::Source;

/// An input of a header, as GLSL declares it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Input {
    pub(super) name: String,
    /// Its type in GLSL.
    pub(super) kind: &'static str,
    /// The text of its default, if it has one.
    pub(super) default: Option<String>,
}

/// The header's JSON, and the byte at which it begins.
pub(super) fn header(text: &str) -> Option<(usize, &str)> {
    let comment = text.trim_start_matches('\u{feff}').trim_start().strip_prefix("/*")?;
    let (inside, _) = comment.split_once("*/")?;
    let json = inside.trim();
    let first = json.strip_prefix('{')?.trim_start().chars().next();
    let start = json.as_ptr() as usize - text.as_ptr() as usize;
    matches!(first, Some('"' | '}')).then_some((start, json))
}

/// Without a reader of JSON only a text without a header can be read.
#[cfg(not(feature = "files"))]
pub(super) fn inputs(source: &Source) -> Result<Vec<Input>, Error> {
    match header(&source.text) {
        Some(_) => Err(Error::NoJson { shader: source.name.clone() }),
        None => Ok(Vec::new()),
    }
}
