//! Reads GLSL as text: comments, lines, directives, tokens, and what a preprocessor leaves of them.

pub(super) mod comments;
mod condition;
pub(super) mod directive;
mod expansion;
mod hidden;
pub(super) mod interface;
pub(super) mod lines;
mod macros;
pub(super) mod mentions;
pub(super) mod preprocess;
pub(super) mod tokens;
pub(super) mod verdict;
