//! What a plan says: the inputs and outputs of an experiment, and what each pass reads, writes and runs.

use std::ops::Range;

use crate::Extent;
use crate::gl::{Class, Sampling, Value};
use crate::grid::Tiling;

use super::cells::Cells;
use super::precision::Precision;
use super::store::Place;
use super::supplied::{Facts, Setting};

/// An experiment whose parts fit together.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) inputs: Vec<Read>,
    pub(super) outputs: Vec<Written>,
    pub(super) passes: Vec<Planned>,
}

/// An input that some pass reads.
#[derive(Debug)]
pub(super) struct Read {
    /// Its index in the setup.
    pub(super) given: usize,
    pub(super) class: Class,
    pub(super) place: Place,
    /// The channels that its texture needs, where an image reads it.
    pub(super) width: Option<usize>,
    pub(super) precision: Precision,
    /// How it is cut, if it is larger than a texture.
    pub(super) tiling: Option<Tiling>,
    /// The first shader that reads it.
    pub(super) reader: String,
}

/// An output of a pass.
#[derive(Debug)]
pub(super) struct Written {
    /// `pass.output`, or the shader's name of it where there is one pass.
    pub(super) name: String,
    pub(super) kind: String,
    pub(super) cells: Cells,
    /// Whether it is an array of one axis.
    pub(super) line: bool,
    pub(super) place: Place,
    /// The index in the setup of what it holds at first, where a compute shader writes it and it is given.
    pub(super) initial: Option<usize>,
    /// Whether a compute shader reads in a step what it wrote in the step before.
    pub(super) keeps: bool,
    /// The input of the plan that it becomes after a step.
    pub(super) becomes: Option<usize>,
    /// That of the input that it becomes.
    pub(super) precision: Precision,
    /// How it is cut, if it is larger than a texture.
    pub(super) tiling: Option<Tiling>,
}

/// Where a sampler reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum From {
    /// An input of the plan, as the step before left it.
    Input(usize),
    /// An output of the plan, of an earlier pass of this step.
    Output(usize),
}

/// A pass.
#[derive(Debug)]
pub(super) struct Planned {
    pub(super) reads: Vec<(String, From)>,
    /// How each of `reads` is sampled.
    pub(super) samplings: Vec<Sampling>,
    pub(super) uniforms: Vec<(String, Value)>,
    /// The uniforms that each step sets.
    pub(super) moving: Vec<Setting>,
    pub(super) facts: Facts,
    /// How often it runs.
    pub(super) repeat: u32,
    /// Whether it gets the number of the repetition.
    pub(super) counts_repetitions: bool,
    pub(super) again: Vec<Again>,
    pub(super) outputs: Range<usize>,
    pub(super) extent: Extent,
    /// How what it draws is cut, if that is larger than a texture.
    pub(super) cut: Option<Cut>,
    /// None for a draw.
    pub(super) dispatch: Option<Dispatch>,
    /// Whether neither a later pass nor the next step reads what it writes.
    pub(super) is_last: bool,
}

/// How a pass computes in panels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    pub(super) tiling: Tiling,
    /// Whether it reads whole textures too.
    pub(super) mixed: bool,
}

/// An output that the next repetition of its pass reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Again {
    /// Of the plan.
    pub(super) output: usize,
    /// What reads it.
    pub(super) reader: String,
}

/// What a dispatch has besides samplers and uniforms.
#[derive(Debug)]
pub(super) struct Dispatch {
    pub(super) groups: [u32; 3],
    /// The blocks and images that the shader only reads.
    pub(super) reads: Vec<(String, From)>,
    /// The blocks and images that are the outputs of the pass, in their order.
    pub(super) writes: Vec<String>,
}
