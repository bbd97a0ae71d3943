//! The errors of a shader before it reaches a driver.

use super::framing::Main;
use super::{Excerpt, Language, Stage};
use crate::error::{Kind, Place, failure};

/// An error in a shader's text, its defines or its includes.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be read.
    #[error("{}cannot read {file}: {reason}", placed(from))]
    Read {
        /// The name of the file.
        file: String,
        /// The `#include` that named it, if one did.
        from: Option<Place>,
        /// The system's error.
        reason: std::io::Error,
    },
    /// A file that is longer than any shader.
    #[error("{}{file} has more than {} MiB: expected the text of a shader", placed(from), most >> 20)]
    TooLong {
        /// The name of the file.
        file: String,
        /// The most bytes.
        most: u64,
        /// The `#include` that named it, if one did.
        from: Option<Place>,
    },
    /// A file that is not UTF-8, in its comments perhaps.
    #[error(
        "{place}: error: expected UTF-8 text, got the byte {byte:#04x}: save the file as UTF-8{}",
        from.as_ref().map(|from| format!("\nincluded from {from}")).unwrap_or_default()
    )]
    NotText {
        /// The position of the byte.
        place: Place,
        /// The first byte that is not UTF-8.
        byte: u8,
        /// The `#include` that named the file, if one did.
        from: Option<Box<Place>>,
    },
    /// A shader without the function where it starts.
    #[error("{place}: error: this {stage} shader {}", lack(*stage, *empty, *main, *read_as, *has_image))]
    NoMain {
        /// The shader.
        place: Place,
        /// The stage of the shader.
        stage: Stage,
        /// Whether it has nothing but comments and directives.
        empty: bool,
        /// The function that was expected.
        main: Main,
        /// The words for a shader of the host by whose convention the text was read, unless it was
        /// read as plain GLSL.
        read_as: Option<&'static str>,
        /// Whether it has a function `mainImage`, as a Shadertoy shader has.
        has_image: bool,
    },
    /// A text for another host that has what its convention does not allow.
    #[error(transparent)]
    Framing(crate::Error),
    /// The folder `glsl/` has no such file.
    #[error("glsl/ has no file {path:?}; it has: {}", list(available))]
    NoLibraryFile {
        /// The requested name.
        path: String,
        /// The existing names.
        available: Vec<String>,
    },
    /// An `#include` names a file that is nowhere.
    #[error(
        "{place}: error: there is no file {wanted:?} to include\n{excerpt}\nsearched {}",
        searched.join("\nthen ")
    )]
    MissingInclude {
        /// The name in the directive.
        wanted: String,
        /// The position of the directive.
        place: Place,
        /// The line of the directive.
        excerpt: Box<Excerpt>,
        /// The folders searched, and their files.
        searched: Vec<String>,
    },
    /// An `#include` of a file outside of the folders that the shader may include from;
    /// [`Source::include_dir`](super::Source::include_dir) allows another.
    #[error(
        "{place}: error: {wanted:?} may not be included: expected a relative path that stays inside {}\n{excerpt}",
        allowed(folders)
    )]
    OutsideInclude {
        /// The name in the directive.
        wanted: String,
        /// The folders that are allowed; none for a text without a file.
        folders: Vec<String>,
        /// The position of the directive.
        place: Place,
        /// The line of the directive.
        excerpt: Box<Excerpt>,
    },
    /// An `#include` of a file that is not a shader's.
    #[error("{place}: error: {wanted:?} may not be included: expected {expected}\n{excerpt}")]
    NotShader {
        /// The name in the directive.
        wanted: String,
        /// The endings of files that may be included.
        expected: String,
        /// The position of the directive.
        place: Place,
        /// The line of the directive.
        excerpt: Box<Excerpt>,
    },
    /// Files that include each other too many levels deep.
    #[error(
        "{place}: error: files include each other more than {most} deep, which is the limit\n{excerpt}\n\
         include some of them from the first file instead"
    )]
    IncludeDepth {
        /// The name in the directive that goes too deep.
        wanted: String,
        /// The most files that can be open within each other.
        most: usize,
        /// The position of the directive.
        place: Place,
        /// The line of the directive.
        excerpt: Box<Excerpt>,
    },
    /// A file includes itself, directly or through others.
    #[error(
        "{place}: error: {file} includes itself\n{excerpt}\nthe circle: {}\nmove what both need into a third file",
        circle(chain, file)
    )]
    IncludeCycle {
        /// The file that would be inside itself.
        file: String,
        /// The position of the directive that closes the circle.
        place: Place,
        /// The line of the directive.
        excerpt: Box<Excerpt>,
        /// The directives of the circle, outermost first.
        chain: Vec<Place>,
    },
    /// A file is included again, and its first inclusion depends on an `#if`.
    #[error(
        "{place}: error: {file} is included again, and its first include at {first} stands inside #if\n\
         {excerpt}\n\
         a file is spliced once, where it is first included: include it before the #if. \
         Include guards are not needed"
    )]
    ConditionalInclude {
        /// The file included twice.
        file: String,
        /// The position of the first inclusion.
        first: Box<Place>,
        /// The position of the second inclusion.
        place: Place,
        /// The line of the second directive.
        excerpt: Box<Excerpt>,
    },
    /// A directive that cannot be read.
    #[error("{place}: error: expected {expected}\n{excerpt}")]
    MalformedDirective {
        /// A description of what was expected.
        expected: &'static str,
        /// The position of the directive.
        place: Place,
        /// The line of the directive.
        excerpt: Box<Excerpt>,
    },
    /// A `/*` without its `*/`.
    #[error(
        "{place}: error: this comment is never closed: expected */ before the end of the file\n{excerpt}"
    )]
    OpenComment {
        /// The position where the comment starts.
        place: Place,
        /// The line where the comment starts.
        excerpt: Box<Excerpt>,
    },
    /// A NUL character in the text.
    #[error(
        "{place}: error: there is a NUL character, which ends the text for a driver: remove it\n{excerpt}"
    )]
    Nul {
        /// The position of the character.
        place: Place,
        /// The line, with the NUL shown as a symbol.
        excerpt: Box<Excerpt>,
    },
    /// A define whose name or value GLSL cannot take.
    #[error("{shader}: invalid define {name:?} = {value:?}: {expected}")]
    BadDefine {
        /// The shader that it was given to.
        shader: String,
        /// The name of the define.
        name: String,
        /// The value of the define.
        value: String,
        /// A description of what was expected.
        expected: &'static str,
    },
    /// A way of reading that does not exist.
    #[error("unknown way to read texels {got:?}: expected fetch or sample")]
    UnknownReads {
        /// The name that was found.
        got: String,
    },
    /// A GLSL version that the prelude is not written for.
    #[error("{language} is not supported: expected 330, 400 to 460, or 300, 310, 320 es")]
    UnknownVersion {
        /// The requested name.
        language: Language,
    },
    /// Compute shaders in a version without them.
    #[error(
        "{language} has no compute shaders; they need GLSL 430 (GL 4.3) or 310 es (ES 3.1): \
         use a fragment shader, or a context of a higher version"
    )]
    NoCompute {
        /// The requested name.
        language: Language,
    },
}

fn allowed(folders: &[String]) -> String {
    match folders {
        [] => "an allowed folder, of which there is none".into(),
        folders => folders.join(", "),
    }
}

failure!(Error: Framing; kinds {
    Error::Read { .. } => Kind::Io,
    Error::NoLibraryFile { .. } | Error::TooLong { .. } | Error::NotText { .. } | Error::BadDefine { .. }
    | Error::UnknownReads { .. } => Kind::Input,
    Error::UnknownVersion { .. } | Error::NoCompute { .. } => Kind::Unsupported,
    _ => Kind::Compile,
}; places {
    Error::Read { from, .. } | Error::TooLong { from, .. } => from.as_ref(),
    Error::MissingInclude { place, .. } | Error::NotText { place, .. } | Error::NoMain { place, .. }
    | Error::OutsideInclude { place, .. } | Error::NotShader { place, .. } | Error::IncludeDepth { place, .. }
    | Error::IncludeCycle { place, .. } | Error::ConditionalInclude { place, .. } | Error::MalformedDirective { place, .. }
    | Error::OpenComment { place, .. } | Error::Nul { place, .. } => Some(place),
});

fn placed(from: &Option<Place>) -> String {
    from.as_ref().map(|place| format!("{place}: error: ")).unwrap_or_default()
}

fn list(names: &[String]) -> String {
    if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
}

/// Describes what a shader lacks, and what to write.
fn lack(
    stage: Stage,
    empty: bool,
    main: Main,
    read_as: Option<&'static str>,
    has_image: bool,
) -> String {
    let Main { name, written } = main;
    if let (Some(read_as), true) = (read_as, main != Main::GLSL) {
        return format!("is read as {read_as} and has no `{name}`: expected `{written}`");
    }
    let what = if empty { "is empty" } else { "has no function `main`" };
    let example = match (stage, read_as) {
        (Stage::Fragment, None) => {
            ", which computes an output, as in `out vec4 colour; void main() { colour = vec4(1.0); }`"
        }
        _ => "",
    };
    let image = match has_image {
        true => format!(
            "; it has a `mainImage`, as a Shadertoy shader has, and is read as {}",
            read_as.unwrap_or("a plain fragment shader")
        ),
        false => String::new(),
    };
    format!("{what}: expected `{written}`{example}{image}")
}

fn circle(chain: &[Place], file: &str) -> String {
    let steps: Vec<String> = chain.iter().map(Place::to_string).collect();
    format!("{} -> {file}", steps.join(" -> "))
}
