//! The way in which a source is read: its dialect, its pass, the vertex shader of the pair.

use std::any::Any;
use std::sync::Arc;

use quadrille::Source;
use quadrille::internal::shader::{Expanded, Framing};
use quadrille::shader::Stage;

use super::Dialect;

/// The way in which a source is read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reading {
    /// The dialect, if it was named or recognised.
    pub(super) dialect: Option<Dialect>,
    /// Whether the dialect was recognised by the text, and not named.
    pub(super) is_recognised: bool,
    /// The index of the pass, if the text has several.
    pub(super) pass: Option<usize>,
    /// The vertex shader that belongs to it, if it has one of its own.
    pub(super) vertex: Option<Box<Source>>,
    /// For a vertex shader of an ISF pair: the fragment shader whose header declares its uniforms.
    pub(super) header: Option<Box<Source>>,
}

impl Reading {
    /// Copies the way in which a source is read, to change it.
    pub(super) fn of(source: &Source) -> Reading {
        Reading::known(source).cloned().unwrap_or_default()
    }

    /// Returns the way in which a source is read, if one was set or recognised.
    pub(super) fn known(source: &Source) -> Option<&Reading> {
        source.framing().and_then(known)
    }

    /// Returns the dialect in which a source is read.
    pub(super) fn read_as(source: &Source) -> Dialect {
        Reading::known(source).map_or(Dialect::Plain, |reading| reading.dialect_of(source.stage()))
    }

    /// Returns the source, read so.
    pub(super) fn set(self, source: Source) -> Source {
        source.framed(Arc::new(self))
    }

    /// Returns the dialect of a source that is read so.
    pub(super) fn dialect_of(&self, stage: Stage) -> Dialect {
        match stage {
            Stage::Fragment => self.dialect.unwrap_or_default(),
            Stage::Vertex if self.header.is_some() => Dialect::Isf,
            _ => Dialect::Plain,
        }
    }

    /// Returns the dialect of the source that it is of.
    pub(super) fn dialect(&self) -> Dialect {
        let is_vertex = self.header.is_some();
        self.dialect_of(if is_vertex { Stage::Vertex } else { Stage::Fragment })
    }
}

fn known(framing: &Arc<dyn Framing>) -> Option<&Reading> {
    let framing: &dyn Any = &**framing;
    framing.downcast_ref()
}

/// Returns the dialect in which a text was read.
pub(crate) fn dialect_of(text: &Expanded) -> Dialect {
    text.framing().and_then(known).map_or(Dialect::Plain, Reading::dialect)
}

/// Returns the vertex shader of its own with which a fragment shader is drawn.
pub(crate) fn own_vertices(source: &Source) -> Option<Source> {
    let &Reading { dialect, is_recognised, pass, ref vertex, .. } = Reading::known(source)?;
    let is_isf = Reading::read_as(source) == Dialect::Isf;
    let vertex = vertex.as_deref().filter(|_| is_isf)?.clone().surrounded_as(source);
    let fragment = Reading { dialect, is_recognised, pass, ..Reading::default() };
    let header = Some(Box::new(fragment.set(source.clone())));
    Some(Reading { pass, header, ..Reading::default() }.set(vertex))
}
