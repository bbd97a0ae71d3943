//! The function at which a shader starts.

/// The function at which a shader starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Main {
    /// Its name.
    pub name: &'static str,
    /// How it is written.
    pub written: &'static str,
}

impl Main {
    /// The one that GLSL has.
    pub const GLSL: Main = Main { name: "main", written: "void main() { ... }" };
}
