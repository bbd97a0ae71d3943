//! Reads GLSL as text: comments, directives, tokens and words.

pub(super) mod comments;
pub(super) mod condition;
pub(super) mod conditions;
pub(super) mod directive;
pub(super) mod macros;
pub(super) mod mentions;
pub(super) mod preprocess;
pub(super) mod tokens;
