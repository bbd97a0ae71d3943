//! The files of a description that are at hand as bytes, where there is no file system to read them
//! from: a page in a browser has what a person dropped on it.

use std::path::{Path, PathBuf};

use quadrille::Place;
use quadrille::options::Contents;
use quadrille::shader::{Source, Stage};

use crate::dialect::{Dialects, ENDINGS, with_defaults};
use crate::io::field;
use crate::run_file::RunFile;
use crate::run_file::buffer::First;
use crate::run_file::pass::Shader;
use crate::setup::Program;
use crate::{Error, Origin, Result};

impl RunFile {
    /// Replaces the files that it names by those among `files`, which are named as the description
    /// names them, from its own folder. Every text among them may be included by the shaders.
    ///
    /// ```
    /// use quadrille::{Context, data::Field};
    /// use quadrille_run::RunFile;
    /// let text = "size = [2, 1]\n[pass.fill]\nshader = \"fill.frag\"";
    /// let shader = b"out float y; void main() { y = 3.0; }";
    /// let run = RunFile::parse("fill.run.toml", text)?.given(&[("fill.frag", shader)])?;
    /// assert_eq!(run.missing().count(), 0);
    /// let mut experiment = run.experiment(&Context::headless()?, run.setup(run.arrays()?))?;
    /// experiment.step()?;
    /// assert_eq!(experiment.read("fill.y")?.values().doubles().collect::<Vec<_>>(), [3.0, 3.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A shader that is not text; [`Error::Io`] for an array or a picture that cannot be read.
    pub fn given(mut self, files: &[(&str, &[u8])]) -> Result<RunFile> {
        let folder = self.path.parent().unwrap_or(Path::new("")).to_owned();
        let files = Files { folder, files };
        for pass in &mut self.passes {
            if let Shader::File { path, dialect, defines } = &pass.source {
                let Some(source) = files.source(path)? else { continue };
                pass.source =
                    Shader::Given(Program::Shader(with_defaults(source, *dialect, defines)));
            }
        }
        let begun = self.buffers.iter_mut().filter_map(|buffer| match &mut buffer.first {
            First::Array(origin) => Some(origin),
            First::Texel(_) => None,
        });
        for origin in self.settings.inputs.iter_mut().map(|(_, origin)| origin).chain(begun) {
            if let Some(given) = files.origin(origin)? {
                *origin = given;
            }
        }
        if let Some(Contents::File(path)) = &self.settings.common
            && let Some(text) = files.text(path)?
        {
            self.settings.common = Some(Contents::Text(text.to_owned()));
        }
        self.named.retain(|named| files.bytes(&named.file).is_none());
        Ok(self)
    }

    /// Returns the files that it names and that it was not [given](RunFile::given).
    pub fn missing(&self) -> impl Iterator<Item = &PathBuf> {
        self.named.iter().map(|named| &named.file)
    }
}

/// Files by their names, as seen from a folder.
struct Files<'a> {
    folder: PathBuf,
    files: &'a [(&'a str, &'a [u8])],
}

impl<'a> Files<'a> {
    fn bytes(&self, path: &Path) -> Option<&'a [u8]> {
        let is_it = |(name, _): &&(&str, &[u8])| self.folder.join(name) == path;
        self.files.iter().find(is_it).map(|(_, bytes)| *bytes)
    }

    fn text(&self, path: &Path) -> Result<Option<&'a str>> {
        let text = self.bytes(path).map(std::str::from_utf8).transpose();
        text.map_err(|error| {
            let reason = std::io::Error::new(std::io::ErrorKind::InvalidData, error);
            Error::Io(quadrille::io::Error::Read {
                place: Place::file(path.display().to_string()),
                reason,
            })
        })
    }

    /// Returns the shader of a file, with the vertex shader beside it; it may include every other
    /// text.
    fn source(&self, path: &Path) -> Result<Option<Source>> {
        let Some(text) = self.text(path)? else { return Ok(None) };
        let name = path.display().to_string();
        let mut source = match Stage::of_file(path) {
            Some(Stage::Compute) => Source::compute(name, text),
            _ => Source::fragment(name, text),
        };
        for vertices in ENDINGS.map(|ending| path.with_extension(ending)) {
            if let Some(text) = self.text(&vertices)? {
                source = source.vertices(vertices.display().to_string(), text);
            }
        }
        let include = |source: Source, (name, bytes): &(&str, &[u8])| {
            let Ok(text) = std::str::from_utf8(bytes) else { return source };
            let from = self.folder.join(name);
            // As files are: from the folder of the shader.
            let beside = path.parent().and_then(|folder| from.strip_prefix(folder).ok());
            let wanted = beside.unwrap_or(Path::new(name)).display().to_string();
            source.file_shown_as(wanted, from.display().to_string(), text)
        };
        Ok(Some(self.files.iter().fold(source, include)))
    }

    fn origin(&self, origin: &Origin) -> Result<Option<Origin>> {
        let Some(path) = origin.file() else { return Ok(None) };
        let Some(bytes) = self.bytes(path) else { return Ok(None) };
        Ok(Some(origin.clone().with(field::read_bytes(bytes, path)?.0)))
    }
}
