//! What a plan says: the inputs and outputs of an experiment, and what each pass reads, writes and runs.

use std::ops::Range;

use crate::Extent;
use crate::gl::{Class, Sampling, Value};
use crate::grid::Tiling;

use crate::experiment::plan::uniforms::builtin::{Facts, Setting};
use crate::experiment::setup::cells::Cells;
use crate::experiment::setup::precision::Precision;
use crate::experiment::source::place::Place;

/// An experiment whose parts fit together.
#[derive(Debug)]
pub(in crate::experiment) struct Plan {
    pub(in crate::experiment) inputs: Vec<Read>,
    pub(in crate::experiment) outputs: Vec<Written>,
    pub(in crate::experiment) passes: Vec<Planned>,
}

/// An input that some pass reads.
#[derive(Debug)]
pub(in crate::experiment) struct Read {
    /// Its index in the setup.
    pub(in crate::experiment) array: usize,
    pub(in crate::experiment) class: Class,
    pub(in crate::experiment) place: Place,
    /// The channels that its texture needs, where an image reads it.
    pub(in crate::experiment) width: Option<usize>,
    pub(in crate::experiment) precision: Precision,
    /// How it is cut, if it is larger than a texture.
    pub(in crate::experiment) tiling: Option<Tiling>,
    /// The first shader that reads it.
    pub(in crate::experiment) reader: String,
}

/// An output of a pass.
#[derive(Debug)]
pub(in crate::experiment) struct Written {
    /// `pass.output`, or the shader's name of it where there is one pass.
    pub(in crate::experiment) name: String,
    pub(in crate::experiment) kind: String,
    pub(in crate::experiment) cells: Cells,
    /// Whether it is an array of one axis.
    pub(in crate::experiment) line: bool,
    pub(in crate::experiment) place: Place,
    /// The index in the setup of what it holds at first, where a compute shader writes it and it is given.
    pub(in crate::experiment) initial: Option<usize>,
    /// Whether a compute shader reads in a step what it wrote in the step before.
    pub(in crate::experiment) keeps: bool,
    /// The input of the plan that it becomes after a step.
    pub(in crate::experiment) becomes: Option<usize>,
    /// That of the input that it becomes.
    pub(in crate::experiment) precision: Precision,
    /// How it is cut, if it is larger than a texture.
    pub(in crate::experiment) tiling: Option<Tiling>,
}

/// Where a sampler reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::experiment) enum ReadFrom {
    /// An input of the plan, as the step before left it.
    Input(usize),
    /// An output of the plan, of an earlier pass of this step.
    Output(usize),
}

/// A pass.
#[derive(Debug)]
pub(in crate::experiment) struct Planned {
    pub(in crate::experiment) reads: Vec<(String, ReadFrom)>,
    /// How each of `reads` is sampled.
    pub(in crate::experiment) samplings: Vec<Sampling>,
    pub(in crate::experiment) uniforms: Vec<(String, Value)>,
    /// The uniforms that each step sets.
    pub(in crate::experiment) moving: Vec<Setting>,
    pub(in crate::experiment) facts: Facts,
    /// How often it runs.
    pub(in crate::experiment) repeat: u32,
    /// Whether it gets the number of the repetition.
    pub(in crate::experiment) counts_repetitions: bool,
    pub(in crate::experiment) feedback: Vec<Feedback>,
    pub(in crate::experiment) outputs: Range<usize>,
    pub(in crate::experiment) extent: Extent,
    /// How what it draws is cut, if that is larger than a texture.
    pub(in crate::experiment) cut: Option<Cut>,
    /// None for a draw.
    pub(in crate::experiment) dispatch: Option<Dispatch>,
    /// Whether neither a later pass nor the next step reads what it writes.
    pub(in crate::experiment) is_last: bool,
}

/// How a pass computes in panels.
#[derive(Clone, Copy, Debug)]
pub(in crate::experiment) struct Cut {
    pub(in crate::experiment) tiling: Tiling,
    /// Whether it reads whole textures too.
    pub(in crate::experiment) mixed: bool,
}

/// An output that the next repetition of its pass reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::experiment) struct Feedback {
    /// Of the plan.
    pub(in crate::experiment) output: usize,
    /// What reads it.
    pub(in crate::experiment) reader: String,
}

/// What a dispatch has besides samplers and uniforms.
#[derive(Debug)]
pub(in crate::experiment) struct Dispatch {
    pub(in crate::experiment) groups: [u32; 3],
    /// The blocks and images that the shader only reads.
    pub(in crate::experiment) reads: Vec<(String, ReadFrom)>,
    /// The blocks and images that are the outputs of the pass, in their order.
    pub(in crate::experiment) writes: Vec<String>,
}
