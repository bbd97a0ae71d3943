//! The options of an experiment: one type for command lines, run files, test files, Python's
//! keywords and [`Setup`](super::Setup).
//!
//! A new option is a field here with a line in [`Settings::replaced`]; its specification in `settings/specified.rs` with the lines
//! that set it and return it, from which all front ends have it; and whatever uses it. An option that changes results is
//! a fact of checkpoints (`checkpoint/facts.rs`). Types of Python and of the browser are written by the test that compares them.

mod specified;

use std::path::PathBuf;

use crate::dialect::{Dialect, with_defaults};
use quadrille::Extent;
use quadrille::gl::Value;
use quadrille::options::Contents;
use quadrille::shader::{Reads, Source, Stage};

use crate::{Origin, Precision, Result, Samplings};

/// The settings beside the shaders of an experiment. A [`RunFile`](crate::RunFile) has some, and
/// the settings of whoever runs it take precedence.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
#[must_use]
pub struct Settings {
    /// Further folders that the shaders may include from.
    pub include_dirs: Vec<PathBuf>,
    /// Macros that are defined before the text of each shader.
    pub defines: Vec<(String, String)>,
    /// The text that is put in front of each shader.
    pub common: Option<Contents>,
    /// The dialect of fragment shaders that name none; if unset, it is recognised by their texts.
    pub dialect: Option<Dialect>,
    /// The numbers of inputs, in the order in which one generator fills the random ones.
    pub inputs: Vec<(String, Origin)>,
    /// The seed of random inputs; 1 by default.
    pub seed: Option<u64>,
    /// The uniforms; each is set in the passes that declare it.
    pub uniforms: Vec<(String, Uniform)>,
    /// The way in which `texture()` samples inputs, buffers and outputs of earlier passes.
    pub samplings: Samplings,
    /// The precisions in which inputs and buffers are held on the device.
    pub precisions: Vec<(String, Precision)>,
    /// The way in which `READ` reads texels; the device's best if unset.
    pub reads: Option<Reads>,
    /// Whether y = 0 is the last row; if unset, that follows from the dialects.
    pub flip: Option<bool>,
    /// The number of steps per second; 60 if unset.
    pub rate: Option<f64>,
    /// The number of the first step, from which shaders count steps and time; 0 if unset.
    pub start: Option<u64>,
    /// The extent of the outputs; if unset, it is that of the inputs.
    pub size: Option<Extent>,
    /// The number of texels that shaders read beyond their own, for arrays larger than a texture; 0
    /// if unset.
    pub halo: Option<u32>,
    /// The number of work groups of compute shaders; by default one invocation for each cell.
    pub groups: Option<[u32; 3]>,
    /// The number of steps; 1 if unset.
    pub iterate: Option<u64>,
    /// The outputs, with the inputs that they become in the next step.
    pub feedback: Vec<(String, String)>,
}

/// The value of a uniform.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Uniform {
    /// The text of a value, which is converted to the type that the shader declares.
    Text(String),
    /// The value with its GLSL type.
    Value(Value),
}

impl Settings {
    /// Replaces what other settings set, name by name.
    pub(crate) fn replaced(mut self, others: Settings) -> Settings {
        for (output, input) in &others.feedback {
            self.feedback.retain(|(from, to)| from != output && to != input);
        }
        self.include_dirs.extend(others.include_dirs);
        merge(&mut self.defines, others.defines);
        merge(&mut self.inputs, others.inputs);
        merge(&mut self.uniforms, others.uniforms);
        merge(&mut self.precisions, others.precisions);
        self.feedback.extend(others.feedback);
        Settings {
            dialect: others.dialect.or(self.dialect),
            common: others.common.or(self.common),
            seed: others.seed.or(self.seed),
            samplings: self.samplings.replaced(others.samplings),
            reads: others.reads.or(self.reads),
            flip: others.flip.or(self.flip),
            rate: others.rate.or(self.rate),
            start: others.start.or(self.start),
            size: others.size.or(self.size),
            halo: others.halo.or(self.halo),
            groups: others.groups.or(self.groups),
            iterate: others.iterate.or(self.iterate),
            ..self
        }
    }

    /// Returns the shader with the dialect, the folders of includes, the macros and the common text
    /// that are set; the shader's own take precedence.
    ///
    /// # Errors
    /// A folder or a file that does not exist.
    pub fn source(&self, source: Source) -> Result<Source> {
        let mut source = with_defaults(source, self.dialect, &self.defines);
        source = match &self.common {
            Some(Contents::File(path)) => source.common(Source::read(Stage::Fragment, path)?),
            Some(Contents::Text(text)) => source.common(Source::fragment("common.glsl", text)),
            None => source,
        };
        Ok(self.include_dirs.iter().try_fold(source, Source::include_dir)?)
    }
}

impl<T: Into<String>> From<T> for Uniform {
    fn from(text: T) -> Uniform {
        Uniform::Text(text.into())
    }
}

/// Replaces values where their names stand, and adds the others. What is named twice stays twice,
/// and is refused later.
fn merge<T>(pairs: &mut Vec<(String, T)>, others: Vec<(String, T)>) {
    let mut merged: Vec<String> = Vec::new();
    for (name, value) in others {
        let known = pairs.iter_mut().find(|(known, _)| *known == name && !merged.contains(known));
        match known {
            Some((_, old)) => *old = value,
            None => pairs.push((name.clone(), value)),
        }
        merged.push(name);
    }
}
