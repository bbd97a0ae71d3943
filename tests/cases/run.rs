//! An experiment of passes.

use quadrille::Extent;

use super::expression::Expression;
use super::number::{Array, Kind, Number};

/// Passes, what they read at first, and how it is described.
#[derive(Clone, Debug, Default)]
pub struct Run {
    pub flip: bool,
    pub steps: u32,
    /// The step after which the state is saved, and another experiment goes on from it.
    pub saved: Option<u32>,
    /// The size at the top of the file.
    pub size: Option<Extent>,
    pub halo: Option<u32>,
    /// The distance of reads in arrays that are cut into panels: now and then farther than is
    /// stated.
    pub reach: u32,
    pub inputs: Vec<Input>,
    pub buffers: Vec<Buffer>,
    /// The uniforms of every pass.
    pub uniforms: Vec<Number>,
    pub macro_n: i32,
    pub passes: Vec<Pass>,
}

/// An input that stays as it is, or is another array in each step.
#[derive(Clone, Debug)]
pub struct Input {
    pub name: String,
    /// The arrays of the files.
    pub frames: Vec<Array>,
    pub half: bool,
}

/// A buffer that holds an output of the step before.
#[derive(Clone, Debug)]
pub struct Buffer {
    pub name: String,
    pub first: Array,
    pub said: First,
    pub from: (usize, usize),
    pub half: bool,
}

/// The description of a buffer's first numbers.
#[derive(Clone, Debug)]
pub enum First {
    /// Described by the lines of its table.
    Lines(String),
    /// Read from a file.
    File,
    /// Read from an input that `feedback` replaces.
    Input,
}

#[derive(Clone, Debug)]
pub struct Pass {
    pub name: String,
    pub extent: Extent,
    /// The value of its key `size`.
    pub said: Option<String>,
    pub samplers: Vec<Sampler>,
    pub repeat: Option<u32>,
    /// The output that the sampler reads in the next repetition.
    pub again: Option<(usize, usize)>,
    pub outputs: Vec<Output>,
    /// The rest of the column, thrice the row and the step for which nothing is written.
    pub discard: Option<(i32, i32)>,
    /// The pass's own values of the uniforms of every pass, and of the macro.
    pub uniforms: Vec<Option<Number>>,
    pub macro_n: Option<i32>,
    /// Whether it has a loop.
    pub loops: bool,
}

#[derive(Clone, Debug)]
pub struct Sampler {
    pub name: String,
    pub from: From,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    Input(usize),
    Buffer(usize),
    Output(usize, usize),
}

#[derive(Clone, Debug)]
pub struct Output {
    pub name: String,
    pub kind: Kind,
    /// One for each channel.
    pub cells: Vec<Expression>,
    /// The expressions where the macro is at least a number, by `#if`.
    pub otherwise: Option<(i32, Vec<Expression>)>,
    /// Whether it holds what lies within 0 to 1 alone.
    pub clamps: bool,
}

/// The bits behind the point of all floats that textures hold.
pub const FRACTION: u32 = 2;

impl Run {
    /// The array that is there before a pass: its name, its type and its extent.
    pub fn known(&self, from: From) -> (String, Kind, usize, Extent) {
        match from {
            From::Input(index) => {
                let Input { name, frames, .. } = &self.inputs[index];
                (name.clone(), frames[0].kind, frames[0].channels, frames[0].extent)
            }
            From::Buffer(index) => {
                let Buffer { name, first, .. } = &self.buffers[index];
                (name.clone(), first.kind, first.channels, first.extent)
            }
            From::Output(pass, output) => {
                let Pass { name, outputs, extent, .. } = &self.passes[pass];
                let output = &outputs[output];
                let name = format!("{name}.{}", output.name);
                (name, output.kind, output.cells.len(), *extent)
            }
        }
    }

    /// Whether it is in half precision: of an output, by what it feeds.
    pub fn is_half(&self, from: From) -> bool {
        match from {
            From::Input(index) => self.inputs[index].half,
            From::Buffer(index) => self.buffers[index].half,
            From::Output(pass, output) => {
                self.buffers.iter().any(|buffer| buffer.from == (pass, output) && buffer.half)
            }
        }
    }

    pub fn all(&self) -> Vec<From> {
        let inputs = (0..self.inputs.len()).map(From::Input);
        let buffers = (0..self.buffers.len()).map(From::Buffer);
        let outputs = self.passes.iter().enumerate().flat_map(|(pass, made)| {
            (0..made.outputs.len()).map(move |output| From::Output(pass, output))
        });
        inputs.chain(buffers).chain(outputs).collect()
    }

    pub fn is_half_output(&self, pass: usize, output: usize) -> bool {
        self.buffers.iter().any(|buffer| buffer.from == (pass, output) && buffer.half)
    }

    pub fn inputs_by_name(&self) -> Vec<(String, Extent)> {
        let of = |input: &Input| (input.name.clone(), input.frames[0].extent);
        self.inputs.iter().map(of).collect()
    }
}
