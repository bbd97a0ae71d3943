//! What the errors of every room share: a [`Kind`], which decides the exit code, and a [`Place`].

use std::fmt;

/// What sort of failure an error reports. Programs branch on this, never on the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// What the caller gave is wrong: a file, a number, a name, a length.
    Input,
    /// A shader does not compile.
    Compile,
    /// Shaders compile alone but do not link together.
    Link,
    /// A size exceeds what this device can do.
    Limit,
    /// The device or its driver lacks an ability that was asked for.
    Unsupported,
    /// No usable OpenGL device, or its library is missing.
    NoDevice,
    /// The driver has no memory left.
    OutOfMemory,
    /// The context was reset or lost; nothing on it can be read any more.
    ContextLost,
    /// The driver reported an error that quadrille did not expect.
    Driver,
    /// A computation ran and did not reach what was asked of it.
    Failed,
    /// The caller stopped the work.
    Cancelled,
    /// A file could not be read or written.
    Io,
}

impl Kind {
    /// The exit code of a command that ends with this kind: 1 for work that failed, 2 for bad
    /// arguments or input, among it more than the device has memory for, 130 for Ctrl-C.
    pub fn exit_code(self) -> u8 {
        match self {
            Kind::Failed | Kind::ContextLost | Kind::Driver => 1,
            Kind::Cancelled => 130,
            _ => 2,
        }
    }
}

/// A place in a file: lines and columns count from 1, as editors do.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The file's name as the user gave it.
    pub file: String,
    /// The line, where one is known.
    pub line: Option<usize>,
    /// The column, where one is known.
    pub column: Option<usize>,
}

impl Place {
    /// A whole file.
    pub fn file(file: impl Into<String>) -> Self {
        Place { file: file.into(), line: None, column: None }
    }

    /// A line of a file, counted from 1.
    pub fn line(file: impl Into<String>, line: usize) -> Self {
        Place { line: Some(line), ..Place::file(file) }
    }

    /// The same line at a column, counted from 1.
    pub fn at_column(self, column: usize) -> Self {
        Place { column: Some(column), ..self }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        for number in [self.line, self.column].into_iter().flatten() {
            write!(f, ":{number}")?;
        }
        Ok(())
    }
}

/// Implemented by the error type of every room.
pub trait Classified: std::error::Error {
    /// What sort of failure this is.
    fn kind(&self) -> Kind;

    /// Where in the user's files it happened, if it happened in a file.
    fn place(&self) -> Option<&Place> {
        None
    }
}
