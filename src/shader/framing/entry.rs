//! The function at which a shader starts.

/// The function at which a shader starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Main {
    /// The name of the function.
    pub name: &'static str,
    /// The declaration as it is written in a shader.
    pub written: &'static str,
}

impl Main {
    /// The `main` of GLSL.
    pub const GLSL: Main = Main { name: "main", written: "void main() { ... }" };
}
