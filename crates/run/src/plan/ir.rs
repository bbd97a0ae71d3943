//! The plan: the inputs and outputs of an experiment, and what each pass reads, writes and runs.

use std::ops::Range;

use crate::plan::tiling::Tiling;
use quadrille::Extent;
use quadrille::gl::{Class, Sampling, Value};

use crate::io::cells::Cells;
use crate::plan::uniforms::builtin::{Facts, Setting};
use crate::setup::precision::Precision;
use crate::source::place::Place;

/// An experiment whose parts fit together.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) inputs: Vec<Read>,
    pub(crate) outputs: Vec<Written>,
    pub(crate) passes: Vec<Planned>,
}

/// An input that some pass reads.
#[derive(Debug)]
pub(crate) struct Read {
    /// The index of the array in the setup.
    pub(crate) array: usize,
    pub(crate) class: Class,
    pub(crate) place: Place,
    /// The channels that its texture needs, where an image reads it.
    pub(crate) width: Option<usize>,
    pub(crate) precision: Precision,
    /// The division into panels, if the array is larger than a texture.
    pub(crate) tiling: Option<Tiling>,
    /// The first shader that reads it.
    pub(crate) reader: String,
}

/// An output of a pass.
#[derive(Debug)]
pub(crate) struct Written {
    /// `pass.output`, or the shader's name of it where there is one pass.
    pub(crate) name: String,
    pub(crate) kind: String,
    pub(crate) cells: Cells,
    /// Whether it is an array of one axis.
    pub(crate) line: bool,
    pub(crate) place: Place,
    /// The index in the setup of what it holds at first, where a compute shader writes it and it is
    /// given.
    pub(crate) initial: Option<usize>,
    /// Whether a compute shader reads in a step what it wrote in the step before.
    pub(crate) keeps: bool,
    /// The input of the plan that it becomes after a step.
    pub(crate) becomes: Option<usize>,
    /// The precision, which is that of the input that the output becomes.
    pub(crate) precision: Precision,
    /// The division into panels, if the array is larger than a texture.
    pub(crate) tiling: Option<Tiling>,
}

impl Written {
    /// Returns what a pass writes to a texture, of which nothing else is known.
    pub(crate) fn to_texture(name: String, kind: String, cells: Cells, line: bool) -> Written {
        Written {
            name,
            kind,
            cells,
            line,
            place: Place::Texture,
            initial: None,
            keeps: false,
            becomes: None,
            precision: Precision::Single,
            tiling: None,
        }
    }
}

/// The array that a sampler reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReadFrom {
    /// An input of the plan, as the step before left it.
    Input(usize),
    /// An output of the plan, of an earlier pass of this step.
    Output(usize),
}

/// A pass.
#[derive(Debug)]
pub(crate) struct Planned {
    pub(crate) reads: Vec<(String, ReadFrom)>,
    /// The sampling of each of `reads`.
    pub(crate) samplings: Vec<Sampling>,
    pub(crate) uniforms: Vec<(String, Value)>,
    /// The uniforms that each step sets.
    pub(crate) moving: Vec<Setting>,
    pub(crate) facts: Facts,
    /// The number of runs in a step.
    pub(crate) repeat: u32,
    /// Whether it gets the number of the repetition.
    pub(crate) counts_repetitions: bool,
    pub(crate) feedback: Vec<Feedback>,
    pub(crate) outputs: Range<usize>,
    pub(crate) extent: Extent,
    /// The division of what the pass draws, if that is larger than a texture.
    pub(crate) cut: Option<Cut>,
    /// The dispatch of a compute shader; `None` for a draw.
    pub(crate) dispatch: Option<Dispatch>,
    /// The cells that a primitive takes; `None` for a shader.
    pub(crate) takes: Option<Cells>,
    /// Whether neither a later pass nor the next step reads what it writes, so that only its last run can be seen.
    pub(crate) is_last: bool,
}

impl Planned {
    /// Yields what it reads by samplers, and what a dispatch reads besides.
    pub(crate) fn all_reads(&self) -> impl Iterator<Item = &(String, ReadFrom)> + Clone {
        let stored = self.dispatch.iter().flat_map(|dispatch| &dispatch.reads);
        self.reads.iter().chain(stored)
    }
}

/// The division of a pass that computes in panels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cut {
    pub(crate) tiling: Tiling,
    /// Whether it reads whole textures too.
    pub(crate) mixed: bool,
}

/// An output that the next repetition of its pass reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Feedback {
    /// The index of the output in the plan.
    pub(crate) output: usize,
    /// The sampler that reads the output in the next repetition.
    pub(crate) reader: String,
}

/// The parts of a dispatch besides samplers and uniforms.
#[derive(Debug)]
pub(crate) struct Dispatch {
    pub(crate) groups: [u32; 3],
    /// The blocks and images that the shader only reads.
    pub(crate) reads: Vec<(String, ReadFrom)>,
    /// The blocks and images that are the outputs of the pass, in their order.
    pub(crate) writes: Vec<String>,
}
