//! The shaders of a package that stands on the library.

use crate::shader::Error;
use crate::shader::source::Source;
use crate::shader::source::stage::Stage;

/// The folder `glsl/` of a package, carried inside it. Its shaders include each other and those of
/// the library.
pub struct PackageShaders {
    folder: &'static str,
    files: &'static [(&'static str, &'static str)],
}

impl PackageShaders {
    /// Returns the files that `embed!` made, in a folder of this name in errors.
    pub const fn new(
        folder: &'static str,
        files: &'static [(&'static str, &'static str)],
    ) -> PackageShaders {
        PackageShaders { folder, files }
    }

    /// Returns the folder, as errors call it.
    pub fn folder(&self) -> &'static str {
        self.folder
    }

    /// Returns every file: its path inside the folder, and its text.
    pub fn files(&self) -> impl Iterator<Item = (&'static str, &'static str)> + use<> {
        self.files.iter().copied()
    }

    /// Returns the text of a file, by its path inside the folder.
    pub fn text(&self, path: &str) -> Option<&'static str> {
        self.files().find(|(name, _)| *name == path).map(|(_, text)| text)
    }

    /// Returns whether errors call a file so.
    pub fn has_shown(&self, shown: &str) -> bool {
        let path = shown.strip_prefix(self.folder).and_then(|rest| rest.strip_prefix('/'));
        path.is_some_and(|path| self.text(path).is_some())
    }

    /// Returns the name of a file in errors.
    pub fn shown(&self, path: &str) -> String {
        format!("{}/{path}", self.folder)
    }

    /// Returns a shader of the package, or of the library where the package has none of that name.
    ///
    /// # Errors
    /// [`Error::NoLibraryFile`].
    pub fn source(&self, stage: Stage, path: &str) -> Result<Source, Error> {
        let Some(text) = self.text(path) else {
            return Source::library(stage, path);
        };
        Ok(self.included_by(Source::given(stage, self.shown(path), text.to_owned())))
    }

    /// Lets a shader include the package's shared files.
    pub fn included_by(&self, source: Source) -> Source {
        let shared = self.files().filter(|(name, _)| name.ends_with(".glsl"));
        shared
            .fold(source, |source, (name, text)| source.file_shown_as(name, self.shown(name), text))
    }
}
