//! Arguments that several functions take: programs, `progress`, and keywords that a function does
//! not have.

pub(crate) mod progress;
pub(crate) mod source;
pub(crate) mod specified;
pub(crate) mod unknown_keywords;
