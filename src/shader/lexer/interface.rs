//! The names that a text does not define, and what is known of them.

use std::collections::HashSet;

use super::verdict::Verdict;
use crate::shader::source::embedded;

/// The surroundings of a text, which may define names.
pub(crate) enum Interface<'a> {
    /// The macros that a driver defines are these, with their values. Some words are not replaced,
    /// whatever the text defines them as.
    Exact { given: &'a [(&'a str, u32)], left: &'a [&'a str] },
    /// The text is all that a driver gets, `#version` included. The driver may define names of
    /// extensions.
    Whole,
    /// The text is a part. These names, and any that a driver, the library or a dialect has, may be
    /// defined; `#version` is not the driver's.
    Part { given: HashSet<&'a str> },
}

impl<'a> Interface<'a> {
    /// Returns the surroundings of a part of a text in which these names are defined.
    pub(crate) fn part(given: impl Iterator<Item = &'a String>) -> Interface<'a> {
        Interface::Part { given: given.map(String::as_str).collect() }
    }

    /// Returns whether a name that the text does not define is defined.
    pub(super) fn defines(&self, name: &str) -> Verdict {
        let is_drivers = || name.starts_with("GL_") || name.contains("__");
        let may = match self {
            Interface::Exact { .. } => false,
            Interface::Whole => is_drivers(),
            Interface::Part { given } => {
                given.contains(name)
                    || is_drivers()
                    || name.starts_with("QUADRILLE_")
                    || is_of_a_dialect(name)
                    || embedded::defines(name)
            }
        };
        if may { Verdict::Maybe } else { Verdict::No }
    }
}

/// Returns whether what a dialect puts around a text may define a word as a macro.
fn is_of_a_dialect(word: &str) -> bool {
    let starts = ["gl_", "texture", "IMG_", "isf_", "vv_"];
    let words = [
        "main",
        "out",
        "varying",
        "mediump",
        "lowp",
        "discard",
        "sampler2DRect",
        "PASSINDEX",
        "HW_PERFORMANCE",
    ];
    let ends = ["_imgRect", "_imgSize", "_flip"];
    starts.iter().any(|start| word.starts_with(start))
        || words.contains(&word)
        || ends.iter().any(|end| word.ends_with(end))
}
