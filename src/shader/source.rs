//! A shader as the user gives it: text, stage, defines, and the files it may include.

mod beside;
pub(crate) mod embedded;
pub(super) mod folders;
pub(crate) mod package;
pub(super) mod stage;
pub(super) mod text;

use std::any::Any;
use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Error;
use super::framing::{Body, Frame, Lowered, Main};
use super::lexer::tokens::Token;
use folders::Folders;
use stage::Stage;

/// The origin of a file's text, which decides where its `#include`s are looked for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Home {
    /// Text handed over by the program under a name.
    Given(String),
    /// A file on disk.
    Disk(PathBuf),
    /// A file of `glsl/`, by its path inside that folder.
    Embedded(String),
}

/// A named text that `#include` can name.
#[derive(Clone, Debug)]
pub(super) struct Named {
    pub(super) name: String,
    /// The name in errors.
    pub(super) shown: String,
    pub(super) text: String,
}

/// The source of a shader: its text, its stage, its defines and the files that it may include.
///
/// The text needs no `#version`, which the context supplies; one found in the text is ignored, as
/// is `#line`. It may use the macros of [the prelude](super#the-prelude), such as `READ` and
/// `TEXEL`.
///
/// ```
/// use quadrille::shader::{Source, Stage};
/// let source = Source::fragment("fill.frag", "
///     out float o;
///     void main() { o = VALUE; }").define("VALUE", "0.5");
/// assert_eq!((source.name(), source.stage()), ("fill.frag", Stage::Fragment));
/// ```
#[derive(Clone, Debug)]
pub struct Source {
    pub(super) name: String,
    pub(super) text: String,
    pub(super) stage: Stage,
    pub(super) home: Home,
    pub(super) defines: Vec<(String, String)>,
    pub(super) files: Vec<Named>,
    pub(super) folders: Folders,
    /// The text that is put in front.
    pub(super) common: Option<Box<Source>>,
    pub(super) storage: bool,
    /// The convention of another host in which it is written, if it is.
    pub(super) framing: Option<Arc<dyn Framing>>,
}

/// A convention in which texts for another host are written. A [`Source`] has one by
/// [`Source::framed`].
pub trait Framing: Debug + Send + Sync + Any {
    /// Returns what such a shader is called in a sentence: `a Shadertoy shader`.
    fn described(&self) -> &'static str;

    /// Returns whether a source is read by this convention, which another stage may not be.
    fn applies(&self, source: &Source) -> bool;

    /// Returns the lines that are put around a text.
    ///
    /// # Errors
    /// An error for anything that the convention does not allow in the text.
    fn frame(&self, source: &Source, body: &Body<'_>) -> Result<Frame, crate::Error>;

    /// Returns what must change in a text, of which the compiler sees these tokens, that it computes
    /// what it does at its host; only lines that are the author's own may.
    fn lowered(&self, _text: &[Token], _is_own: &dyn Fn(usize) -> bool) -> Lowered {
        Lowered::default()
    }

    /// Returns the vertex shader that the author of a fragment shader wrote for it.
    fn vertices(&self, _: &Source) -> Option<Source> {
        None
    }

    /// Returns the function at which such a shader starts.
    fn main(&self) -> Main {
        Main::GLSL
    }

    /// Returns whether a line asks by `#extension` for what GLSL of today has.
    fn is_core_extension(&self, _line: &str) -> bool {
        false
    }

    /// Returns the defines of `vertex/place.vert` for the coordinate of this name.
    fn coordinate_defines(&self, _text: &str, _coordinate: &str) -> Vec<&'static str> {
        Vec::new()
    }

    /// Returns whether a word samples a texture, beside the functions of GLSL.
    fn samples(&self, _word: &str) -> bool {
        false
    }

    /// Returns whether a file that a [`Frame`] adds is called so.
    fn has_file(&self, _shown: &str) -> bool {
        false
    }

    /// Returns what to do about an input that no vertex shader writes, if it is not what plain GLSL
    /// needs.
    fn remedy_of_input(&self) -> Option<&'static str> {
        None
    }
}

impl Source {
    /// Creates a vertex shader from text. Errors call it by `name`.
    pub fn vertex(name: impl Into<String>, text: impl Into<String>) -> Self {
        Source::given(Stage::Vertex, name.into(), text.into())
    }

    /// Creates a fragment shader from text. Errors call it by `name`.
    pub fn fragment(name: impl Into<String>, text: impl Into<String>) -> Self {
        Source::given(Stage::Fragment, name.into(), text.into())
    }

    /// Creates a compute shader from text. Errors call it by `name`.
    pub fn compute(name: impl Into<String>, text: impl Into<String>) -> Self {
        Source::given(Stage::Compute, name.into(), text.into())
    }

    /// Creates a shader from a file on disk, of at most 16 MiB of UTF-8 text.
    ///
    /// Its includes are looked for beside it, and may come from its own folder, folders in that
    /// one, and those that [`include_dir`](Source::include_dir) adds: not from elsewhere by `..`,
    /// by a symbolic link or by an absolute path, and only from regular files whose names end as
    /// shaders' names do (`.glsl`, `.vert`, `.frag`, `.comp`, `.inc`, `.h`), since a compiler's
    /// errors quote its input.
    ///
    /// # Errors
    /// [`Error::Read`], [`Error::TooLong`] and [`Error::NotText`].
    pub fn read(stage: Stage, path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let text = text::read(path, &name, None)?;
        let folders = Folders::of_file(path)?;
        let home = Home::Disk(path.to_path_buf());
        Ok(Source { folders, ..Source::new(stage, home, name, text) })
    }

    /// Creates a shader of the folder `glsl/`, which is part of the library; for instance
    /// `jacobi/generic.frag`. A name that is not there is an error that lists those that are.
    ///
    /// # Errors
    /// [`Error::NoLibraryFile`].
    pub fn library(stage: Stage, path: impl AsRef<str>) -> Result<Self, Error> {
        let path = path.as_ref();
        let Some(text) = embedded::text(path) else {
            let available = embedded::files().map(|(name, _)| name.to_owned()).collect();
            return Err(Error::NoLibraryFile { path: path.to_owned(), available });
        };
        let name = embedded::display_name(path);
        Ok(Source::new(stage, Home::Embedded(path.to_owned()), name, text.to_owned()))
    }

    /// Adds `#define name value` in front of the text. Defining a name again replaces its value.
    ///
    /// The value is written as [`ToString`] gives it, and Rust gives `1` for `1.0_f32`, which GLSL
    /// reads as an integer: write floating-point values as text, `"1.0"`, or with `{:?}`.
    pub fn define(mut self, name: impl Into<String>, value: impl ToString) -> Self {
        let name = name.into();
        self.defines.retain(|(existing, _)| *existing != name);
        self.defines.push((name, value.to_string()));
        self
    }

    /// Adds a text that `#include "name"` can name, before any file on disk. A name given again
    /// replaces its text.
    pub fn file(self, name: impl Into<String>, text: impl Into<String>) -> Self {
        let name = name.into();
        self.file_shown_as(name.clone(), name, text)
    }

    /// Adds a text as [`file`](Self::file) does, which errors call by another name, which may be
    /// any.
    pub fn file_shown_as(
        mut self,
        name: impl Into<String>,
        shown: impl Into<String>,
        text: impl Into<String>,
    ) -> Self {
        let name = name.into();
        self.files.retain(|existing| existing.name != name);
        self.files.push(Named { name, shown: shown.into(), text: text.into() });
        self
    }

    /// Lets includes also come from this folder and those in it. They are looked for there too,
    /// after the folder of the including file and before the library's `glsl/`.
    ///
    /// # Errors
    /// [`Error::Read`] if there is no such folder.
    pub fn include_dir(mut self, path: impl AsRef<Path>) -> Result<Self, Error> {
        self.folders.add(path.as_ref())?;
        Ok(self)
    }

    /// Puts the text of another source in front of the text, as Shadertoy does with the tab Common.
    /// The other source's includes are looked for where its own file is. It replaces an earlier
    /// text in front.
    pub fn common(mut self, common: Source) -> Self {
        self.folders.add_own(&common.folders);
        self.common = Some(Box::new(common));
        self
    }

    /// Reads the text by the convention of another host.
    #[doc(hidden)]
    pub fn framed(self, framing: Arc<dyn Framing>) -> Self {
        Source { framing: Some(framing), ..self }
    }

    /// Returns the convention of another host that it has, if it has one.
    #[doc(hidden)]
    pub fn framing(&self) -> Option<&Arc<dyn Framing>> {
        self.framing.as_ref()
    }

    /// Returns the convention of another host in which it is read.
    pub(super) fn read_by(&self) -> Option<&Arc<dyn Framing>> {
        self.framing.as_ref().filter(|framing| framing.applies(self))
    }

    /// Adds macros, except those that the source defines itself.
    #[doc(hidden)]
    pub fn default_defines(mut self, defines: &[(String, String)]) -> Self {
        let own = std::mem::take(&mut self.defines);
        let define = |source: Source, (name, value): &(String, String)| source.define(name, value);
        defines.iter().chain(&own).fold(self, define)
    }

    /// Takes the macros, the files and the folders of another source, which is compiled with it.
    #[doc(hidden)]
    pub fn surrounded_as(self, other: &Source) -> Self {
        let (defines, files, folders) =
            (other.defines.clone(), other.files.clone(), other.folders.clone());
        Source { defines, files, folders, ..self }
    }

    /// Marks a fragment shader that uses storage buffers, which need GLSL 430 or 310 es, those of
    /// compute shaders.
    pub fn storage(mut self) -> Self {
        self.storage = true;
        self
    }

    /// Returns whether it needs storage buffers: a compute shader, or one marked with
    /// [`storage`](Source::storage).
    pub fn needs_storage(&self) -> bool {
        self.storage || self.stage == Stage::Compute
    }

    /// Returns the text.
    #[doc(hidden)]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the names that it defines.
    #[doc(hidden)]
    pub fn defined(&self) -> impl Iterator<Item = &String> {
        self.defines.iter().map(|(name, _)| name)
    }

    /// Returns whether it is no shader of the library.
    #[doc(hidden)]
    pub fn is_users(&self) -> bool {
        matches!(self.home, Home::Given(_) | Home::Disk(_))
    }

    /// Returns the name by which errors call it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the stage it is written for.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    pub(super) fn given(stage: Stage, name: String, text: String) -> Self {
        Source::new(stage, Home::Given(name.clone()), name, text)
    }

    pub(super) fn new(stage: Stage, home: Home, name: String, text: String) -> Self {
        let (defines, files, folders) = (Vec::new(), Vec::new(), Folders::default());
        Source {
            name,
            text,
            stage,
            home,
            defines,
            files,
            folders,
            common: None,
            storage: false,
            framing: None,
        }
    }
}
