//! Finds the header of an ISF shader and holds its declarations.

use super::target::Target;

/// The declarations of a header.
#[derive(Debug, Default)]
pub(crate) struct Header {
    pub(crate) inputs: Vec<Input>,
    /// The targets of its passes, in their order; none for the pass that writes the picture.
    pub(crate) passes: Vec<Option<Target>>,
}

impl Header {
    /// Returns whether the size of a target follows from an input.
    pub(super) fn sizes_by(&self, input: &str) -> bool {
        self.passes.iter().flatten().flat_map(Target::names).any(|name| name == input)
    }
}

/// An input of a header, as GLSL declares it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Input {
    pub name: String,
    /// The GLSL type of the input.
    pub kind: &'static str,
    /// The text of its default, if it has one.
    pub default: Option<String>,
}

impl Input {
    /// Returns whether the size of a target may follow from it.
    pub(super) fn is_number(&self) -> bool {
        matches!(self.kind, "float" | "int" | "bool")
    }
}

/// Returns the header's JSON, and the byte at which it begins.
pub(crate) fn header(text: &str) -> Option<(usize, &str)> {
    let comment = text.trim_start_matches('\u{feff}').trim_start().strip_prefix("/*")?;
    let (inside, _) = comment.split_once("*/")?;
    let json = inside.trim();
    let first = json.strip_prefix('{')?.trim_start().chars().next();
    let start = json.as_ptr() as usize - text.as_ptr() as usize;
    matches!(first, Some('"' | '}')).then_some((start, json))
}

/// Returns whether a text begins with a header.
pub(crate) fn is_there(text: &str) -> bool {
    header(text).is_some()
}
