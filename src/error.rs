//! The interface that all errors share: each is a [`Failure`] with a [`Kind`], on which programs
//! branch, and a [`Place`].

pub(crate) mod visible;

use std::fmt;

/// Makes an error type a [`Failure`], and gives it `kind()` and `place()`. `Error: Stream(gl::Error),
/// Data` lists the variants whose errors it shows as its own, with their kinds and places, and the
/// errors of lower layers that `?` carries into them. `kinds` are those of other variants, where
/// they are not [`Kind::Input`], and `places` the places that they have.
#[doc(hidden)]
#[macro_export]
macro_rules! __failure {
    (
        $Error:ident $(: $($Variant:ident $(($($Lower:ty),+))?),+)?
        $(; kinds { $($of_kind:pat => $kind:expr),+ $(,)? })?
        $(; places { $($placed:pat => $place:expr),+ $(,)? })?
    ) => {
        #[allow(unreachable_patterns, reason = "all variants may be listed")]
        impl $Error {
            /// Returns the kind of failure, for programs to branch on.
            pub fn kind(&self) -> $crate::error::Kind {
                if let Some(error) = $crate::error::Failure::inner(self) {
                    return error.kind();
                }
                match self {
                    $($($of_kind => $kind,)+)?
                    _ => $crate::error::Kind::Input,
                }
            }

            /// Returns the position in the user's files, if the error is about one.
            pub fn place(&self) -> Option<&$crate::error::Place> {
                if let Some(error) = $crate::error::Failure::inner(self) {
                    return error.place();
                }
                match self {
                    $($($placed => $place,)+)?
                    _ => None,
                }
            }
        }

        impl $crate::error::Failure for $Error {
            fn kind(&self) -> $crate::error::Kind {
                self.kind()
            }

            fn place(&self) -> Option<&$crate::error::Place> {
                self.place()
            }

            $(fn inner(&self) -> Option<&dyn $crate::error::Failure> {
                #[allow(unreachable_patterns, reason = "all variants may be errors of lower layers")]
                match self {
                    $($Error::$Variant(error) => Some($crate::error::AsFailure::as_failure(error)),)+
                    _ => None,
                }
            })?
        }

        $($($($(
            impl From<$Lower> for $Error {
                fn from(error: $Lower) -> $Error {
                    $Error::$Variant(error.into())
                }
            }
        )+)?)+)?
    };
}
pub(crate) use __failure as failure;

/// Makes `failure_of` from the error types of a crate, which alone can be found behind a `dyn
/// std::error::Error`: Rust casts one to no trait. Each crate of quadrille has this function at its
/// root, and a caller of several tries one after the other.
#[doc(hidden)]
#[macro_export]
macro_rules! __failures {
    ($($(#[$attribute:meta])* $Error:ty),+ $(,)?) => {
        /// Finds what an error is, if it is one of this crate's own: a cause of several in a chain,
        /// or a [`quadrille::Error`]($crate::Error).
        pub fn failure_of<'a>(
            error: &'a (dyn std::error::Error + 'static),
        ) -> Option<&'a dyn $crate::Failure> {
            if let Some(any) = error.downcast_ref::<$crate::Error>() {
                return Some(&**any);
            }
            $(
                $(#[$attribute])*
                if let Some(error) = error.downcast_ref::<$Error>() {
                    return Some(error);
                }
            )+
            None
        }
    };
}
pub(crate) use __failures as failures;

/// Types whose values have names are shown by `name()`, and read by it from `ALL`; any other text
/// is unknown as this kind of name. Both come from a table where a type has one.
#[doc(hidden)]
#[macro_export]
macro_rules! __named {
    ($($type:ident: $what:literal $({ $($value:ident: $name:literal),+ $(,)? })?),+ $(,)?) => { $(
        $(impl $type {
            /// All of them, in the order of their documentation.
            pub const ALL: [$type; [$($name),+].len()] = [$($type::$value),+];

            /// Returns the name as text.
            pub fn name(self) -> &'static str {
                match self {
                    $($type::$value => $name),+
                }
            }
        })?

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::error::UnknownName;

            fn from_str(text: &str) -> Result<$type, Self::Err> {
                let found = $type::ALL.into_iter().find(|known| known.name() == text);
                found.ok_or_else(|| Self::Err::new($what, text, $type::ALL.map($type::name)))
            }
        }
    )+ };
}
pub(crate) use __named as named;

/// The sort of failure that an error reports. Programs branch on this, never on the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// The caller's input is wrong: a file, a number, a name, a length.
    Input,
    /// A shader does not compile.
    Compile,
    /// Shaders compile alone but do not link together.
    Link,
    /// A size exceeds what this device can do.
    Limit,
    /// The device or its driver lacks an ability that the request needs.
    Unsupported,
    /// No usable OpenGL device, or its library is missing.
    NoDevice,
    /// The driver or the host has no memory left.
    OutOfMemory,
    /// The context was reset or lost; nothing on it can be read any more.
    ContextLost,
    /// The driver reported an error that quadrille did not expect.
    Driver,
    /// A computation ran and did not reach its goal, such as a tolerance.
    Failed,
    /// The caller stopped the work.
    Cancelled,
    /// A file could not be read or written.
    Io,
}

impl Kind {
    /// Returns whether only this device cannot do the work: another device could, and so could this
    /// one with less of it.
    pub fn is_device_limit(self) -> bool {
        matches!(self, Kind::Limit | Kind::Unsupported | Kind::OutOfMemory)
    }
}

/// An error with a kind, as all of the library are. [`Error`] takes any of them, and
/// [`failure_of`](crate::failure_of) finds them behind a `dyn std::error::Error`; the crates that
/// stand on the library have a function of this name for their own.
pub trait Failure: std::error::Error + Send + Sync + 'static {
    /// Returns the kind of failure, for programs to branch on.
    fn kind(&self) -> Kind;

    /// Returns the position in the user's files, if the error is about one.
    fn place(&self) -> Option<&Place> {
        self.inner()?.place()
    }

    /// Returns the error of a lower layer that this one shows as its own.
    fn inner(&self) -> Option<&dyn Failure> {
        None
    }
}

impl dyn Failure {
    /// Finds an error of type `E`: this one, or one that it shows as its own.
    pub fn find<E: Failure>(&self) -> Option<&E> {
        let error: &dyn std::error::Error = self;
        error.downcast_ref().or_else(|| self.inner()?.find())
    }
}

impl Failure for std::io::Error {
    fn kind(&self) -> Kind {
        Kind::Io
    }
}

/// Any [`Failure`], as the error type of programs that call several modules of the library.
///
/// ```
/// use quadrille::{Kind, data::Stencil};
///
/// fn unknowns(stencil: &str) -> Result<usize, quadrille::Error> {
///     Ok(stencil.parse::<Stencil>()?.matrix()?.n())
/// }
/// assert_eq!(unknowns("heat9:8")?, 64);
/// assert_eq!(unknowns("cold9:8").unwrap_err().kind(), Kind::Input);
/// # Ok::<(), quadrille::Error>(())
/// ```
pub struct Error(Box<dyn Failure>);

impl<E: Failure> From<E> for Error {
    fn from(error: E) -> Error {
        Error(Box::new(error))
    }
}

impl std::ops::Deref for Error {
    type Target = dyn Failure;

    fn deref(&self) -> &dyn Failure {
        &*self.0
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source()
    }
}

/// The content of a variant: an error of one type, or of any.
#[doc(hidden)]
pub trait AsFailure {
    /// Returns the error as any.
    fn as_failure(&self) -> &dyn Failure;
}

impl<E: Failure> AsFailure for E {
    fn as_failure(&self) -> &dyn Failure {
        self
    }
}

impl AsFailure for Error {
    fn as_failure(&self) -> &dyn Failure {
        &**self
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
    /// Creates a place that is a whole file.
    pub fn file(file: impl Into<String>) -> Self {
        Place { file: file.into(), line: None, column: None }
    }

    /// Creates a place that is a line of a file, counted from 1.
    pub fn line(file: impl Into<String>, line: usize) -> Self {
        Place { line: Some(line), ..Place::file(file) }
    }

    /// Sets the column, counted from 1.
    pub fn at_column(self, column: usize) -> Self {
        Place { column: Some(column), ..self }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&visible::visible_name(&self.file))?;
        for number in [self.line, self.column].into_iter().flatten() {
            write!(f, ":{number}")?;
        }
        Ok(())
    }
}

/// Returns a word or a number with its article: a float, an int, an 8 x 8 matrix.
#[doc(hidden)]
pub fn with_article(text: impl fmt::Display) -> String {
    let text = text.to_string();
    let digits = text.chars().take_while(char::is_ascii_digit).count();
    let vowel = text.starts_with(['a', 'e', 'i', 'o', '8']);
    let eleven = digits % 3 == 2 && (text.starts_with("11") || text.starts_with("18"));
    format!("{} {text}", if vowel || eleven { "an" } else { "a" })
}

/// Returns a matrix of a shape in a sentence: an 8 x 3 matrix.
pub(crate) fn a_matrix(shape: impl fmt::Display) -> String {
    with_article(format_args!("{shape} matrix"))
}

/// A text that is the name of nothing known: a method, a layout, an order.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown {what} `{got}`: expected one of: {}", expected.join(", "))]
#[non_exhaustive]
pub struct UnknownName {
    /// The kind of name that was expected, such as a method.
    pub what: &'static str,
    /// The text.
    pub got: String,
    /// All names of this kind.
    pub expected: Vec<&'static str>,
}

failure!(UnknownName);

impl UnknownName {
    /// Creates the error of a text that is none of these names.
    pub fn new(
        what: &'static str,
        got: impl Into<String>,
        expected: impl IntoIterator<Item = &'static str>,
    ) -> UnknownName {
        UnknownName { what, got: got.into(), expected: expected.into_iter().collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::with_article;

    #[test]
    fn articles_are_those_of_the_spoken_word() {
        for text in
            ["an int", "an ivec2[3]", "an isampler2D", "an 8 x 3 matrix", "an 11 x 2 matrix"]
        {
            assert_eq!(with_article(text.trim_start_matches("an ")), text);
        }
        for text in ["a float", "a uint", "a uvec2", "a vec3", "a 110 x 1 matrix", "a 1 x 8 matrix"]
        {
            assert_eq!(with_article(text.trim_start_matches("a ")), text);
        }
        assert_eq!(with_article("18000 x 1"), "an 18000 x 1");
    }
}
