//! What an experiment is given.

use crate::Extent;
use crate::data::Field;
use crate::gl::Value;

/// What an experiment is given, by the names that its shader has for it.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    pub(super) inputs: Vec<(String, Field)>,
    pub(super) uniforms: Vec<(String, Given)>,
    pub(super) extent: Option<Extent>,
    pub(super) feedback: Vec<(String, String)>,
}

/// A uniform's value, or a text that the shader's type will make a value of.
#[derive(Clone, Debug)]
pub(super) enum Given {
    Value(Value),
    Text(String),
}

impl Setup {
    /// Nothing yet.
    pub fn new() -> Setup {
        Setup::default()
    }

    /// Gives a field to read.
    pub fn input(mut self, name: impl Into<String>, field: Field) -> Setup {
        self.inputs.push((name.into(), field));
        self
    }

    /// Gives a uniform as text, of the type that the shader declares: `0.5`, `true`, or `1,0,0` for
    /// a vector, an array, or a matrix column by column.
    pub fn uniform(mut self, name: impl Into<String>, text: impl Into<String>) -> Setup {
        self.uniforms.push((name.into(), Given::Text(text.into())));
        self
    }

    /// Gives a uniform as a value.
    pub fn value(mut self, name: impl Into<String>, value: impl Into<Value>) -> Setup {
        self.uniforms.push((name.into(), Given::Value(value.into())));
        self
    }

    /// How many cells the outputs have; as many as the inputs unless told.
    pub fn extent(mut self, extent: Extent) -> Setup {
        self.extent = Some(extent);
        self
    }

    /// After each step this output takes this input's place.
    pub fn feedback(mut self, output: impl Into<String>, input: impl Into<String>) -> Setup {
        self.feedback.push((output.into(), input.into()));
        self
    }
}
