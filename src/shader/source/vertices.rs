//! The vertex shader that an ISF shader may have: a text beside it, which computes what its fragments interpolate.

use std::path::Path;

use super::folders::{Search, parent};
use super::stage::Stage;
use super::{Home, Source, text};
use crate::shader::Error;
use crate::shader::dialect::{Dialect, has_isf_header};

/// How the names of vertex shaders end.
const ENDINGS: [&str; 2] = ["vs", "vert"];

impl Source {
    /// Gives an ISF shader its vertex shader: `NAME.vs` of the pair that such a shader is, which a source that was
    /// [read](Source::read) from a file brings itself. A shader of another dialect has none, and the text is left unread.
    ///
    /// It is run for the corners of a quad over all of the target, two triangles with a diagonal from the top left to the bottom right. The
    /// uniforms are those of the fragment shader.
    ///
    /// ```
    /// use quadrille::Source;
    /// let fragment = "/*{ \"INPUTS\": [] }*/ varying vec2 twice; void main() { gl_FragColor = vec4(twice, 0.0, 1.0); }";
    /// let vertices = "varying vec2 twice; void main() { isf_vertShaderInit(); twice = 2.0 * isf_FragNormCoord; }";
    /// let source = Source::fragment("twice.fs", fragment).vertices("twice.vs", vertices);
    /// assert_eq!(source.name(), "twice.fs");
    /// ```
    pub fn vertices(mut self, name: impl Into<String>, text: impl Into<String>) -> Self {
        self.vertex = Some(Box::new(Source::vertex(name, text)));
        self
    }

    /// With the vertex shader in a file beside its own, if it is an ISF shader and there is one.
    pub(super) fn with_vertices_beside(mut self, path: &Path) -> Result<Self, Error> {
        if self.stage != Stage::Fragment || !has_isf_header(&self.text) {
            return Ok(self);
        }
        for ending in ENDINGS {
            let beside = path.with_extension(ending);
            let Some(wanted) = beside.file_name() else { continue };
            let file = beside.display().to_string();
            // Errors quote the text, so that it must be a file of this folder.
            let real = match self.folders.search(parent(path), Path::new(wanted)) {
                Search::Nowhere => continue,
                Search::File { real, .. } if real.is_file() => real,
                Search::File { .. } | Search::Outside => return Err(not_beside(file)),
            };
            let text = text::read(&real, &file, None)?;
            self.vertex =
                Some(Box::new(Source::new(Stage::Vertex, Home::Disk(beside), file, text)));
            break;
        }
        Ok(self)
    }

    /// The name of the vertex shader of its own with which it is drawn.
    pub fn name_of_vertices(&self) -> Option<&str> {
        self.vertex.as_deref().filter(|_| self.has_vertices()).map(Source::name)
    }

    /// Whether it is drawn with a vertex shader of its own.
    pub(crate) fn has_vertices(&self) -> bool {
        self.vertex.is_some() && self.read_as() == Dialect::Isf
    }

    /// The vertex shader of its own with which it is drawn.
    #[doc(hidden)]
    pub fn own_vertices(&self) -> Option<Source> {
        let vertex = self.vertex.as_deref().filter(|_| self.has_vertices())?;
        let header = Some(Box::new(Source { vertex: None, ..self.clone() }));
        let (defines, files, folders) =
            (self.defines.clone(), self.files.clone(), self.folders.clone());
        Some(Source { defines, files, folders, pass: self.pass, header, ..vertex.clone() })
    }
}

fn not_beside(file: String) -> Error {
    let reason =
        "expected the vertex shader of the pair as a regular file, and no link out of its folder";
    Error::Read { file, from: None, reason: std::io::Error::other(reason) }
}
