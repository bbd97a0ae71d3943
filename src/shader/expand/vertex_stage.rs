//! The vertex shader that a fragment shader is drawn with.

use super::assemble::expand;
use super::expanded::Expanded;
use crate::shader::Error;
use crate::shader::source::Source;
use crate::shader::source::stage::Stage;

impl Expanded {
    /// Returns the vertex shader with which this fragment shader is drawn over rectangles: its
    /// author's, or the library's, which outputs the one coordinate that a fragment shader may
    /// take.
    ///
    /// # Errors
    /// Those of expanding a shader of the library, which are mistakes of the library.
    #[doc(hidden)]
    pub fn vertex_stage(&self) -> Result<Expanded, Error> {
        if let Some(own) = self.own_vertices() {
            return Ok(own.clone());
        }
        let source = match self.coordinate() {
            None => Source::library(Stage::Vertex, "vertex/rectangle.vert")?,
            Some(name) => {
                let panels = self.is_in_panels().then_some("QUADRILLE_PANELS");
                let words = self.coordinate_defines(name).into_iter().chain(panels);
                words.fold(coordinate_vertex(name)?, |vertex, word| vertex.define(word, 1))
            }
        };
        expand(&source, self.language())
    }
}

/// Returns the vertex shader that outputs the coordinate across the target under this name.
pub(crate) fn coordinate_vertex(name: &str) -> Result<Source, Error> {
    Ok(Source::library(Stage::Vertex, "vertex/place.vert")?.define("PLACE", name))
}
