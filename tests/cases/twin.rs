//! The twin of an experiment: loops on the host.

use super::expression::{Expression, Scene};
use super::number::{Array, Number};
use super::run::{From, Pass, Run};

/// A mistake made on purpose: what the test must find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A missing alpha reads as 0.
    Alpha,
    /// A pass is drawn once less than it is repeated.
    Repeat,
    /// A buffer is as at the beginning of the step before.
    Late,
    /// A clamped target keeps all numbers.
    Unclamped,
    /// A sequence stays at its first frame.
    Frame,
    /// Sets the content of discarded cells to 0.
    Discard,
}

/// The results of a run.
pub struct Computed {
    /// The outputs by pass and output, as files have them.
    pub outputs: Vec<Vec<Array>>,
    /// The farthest read along each axis of arrays of the size that is written.
    pub farthest: [u32; 2],
}

impl Computed {
    /// Says which output differs, and where.
    pub fn difference(&self, got: &[Vec<Array>]) -> Option<String> {
        let pairs = self.outputs.iter().zip(got).enumerate();
        let pairs = pairs.flat_map(|(pass, (expected, got))| {
            expected.iter().zip(got).enumerate().map(move |(output, pair)| (pass, output, pair))
        });
        let mut differences = pairs.filter_map(|(pass, output, (expected, got))| {
            Some(format!("p{pass}.o{output}: {}", expected.difference(got)?))
        });
        differences.next()
    }
}

struct State<'a> {
    run: &'a Run,
    fault: Option<Fault>,
    inputs: Vec<Array>,
    buffers: Vec<Array>,
    /// The content of each output.
    outputs: Vec<Vec<Array>>,
    farthest: [u32; 2],
    fraction: u32,
}

/// Computes a run, folding to so many bits behind the point.
pub fn compute(run: &Run, fraction: u32, fault: Option<Fault>) -> Computed {
    let zeros = |pass: &Pass| {
        let zeros = pass
            .outputs
            .iter()
            .map(|output| Array::zeros(pass.extent, output.kind, output.cells.len()));
        zeros.collect()
    };
    let mut state = State {
        run,
        fault,
        inputs: Vec::new(),
        buffers: run.buffers.iter().map(|buffer| state_of(run, &buffer.first)).collect(),
        outputs: run.passes.iter().map(zeros).collect(),
        farthest: [0; 2],
        fraction,
    };
    for step in 0..run.steps {
        state.step(step as usize);
    }
    let out = |arrays: &Vec<Array>| arrays.iter().map(|array| state_of(run, array)).collect();
    Computed { outputs: state.outputs.iter().map(out).collect(), farthest: state.farthest }
}

/// Rows are reversed where arrays enter and leave.
fn state_of(run: &Run, array: &Array) -> Array {
    if run.flip { array.flipped() } else { array.clone() }
}

impl State<'_> {
    fn step(&mut self, step: usize) {
        let frame = if self.fault == Some(Fault::Frame) { 0 } else { step };
        let frames = self
            .run
            .inputs
            .iter()
            .map(|input| state_of(self.run, &input.frames[frame.min(input.frames.len() - 1)]));
        self.inputs = frames.collect();
        let before = self.outputs.clone();
        for pass in 0..self.run.passes.len() {
            self.pass(pass, step);
        }
        let late = self.fault == Some(Fault::Late);
        for (buffer, described) in self.buffers.iter_mut().zip(&self.run.buffers) {
            let (pass, output) = described.from;
            let from = if late && step > 0 { &before } else { &self.outputs };
            buffer.clone_from(&from[pass][output]);
        }
    }

    fn read(&self, from: From) -> &Array {
        match from {
            From::Input(index) => &self.inputs[index],
            From::Buffer(index) => &self.buffers[index],
            From::Output(pass, output) => &self.outputs[pass][output],
        }
    }

    fn pass(&mut self, index: usize, step: usize) {
        let run = self.run;
        let pass = &run.passes[index];
        let mut reads: Vec<Array> =
            pass.samplers.iter().map(|sampler| self.read(sampler.from).clone()).collect();
        let less = u32::from(self.fault == Some(Fault::Repeat) && pass.repeat > Some(1));
        for repetition in 0..pass.repeat.unwrap_or(1) - less {
            if let Some((output, sampler)) = pass.again.filter(|_| repetition > 0) {
                reads[sampler].clone_from(&self.outputs[index][output]);
            }
            if pass.discard.is_some() {
                self.keep(index, repetition, &reads);
            }
            self.draw(index, step as i32, repetition as i32, &reads);
        }
    }

    /// Keeps the content of discarded cells: what the sampler reads that the output becomes in the
    /// next repetition, else the buffer that it feeds, else what it held.
    fn keep(&mut self, index: usize, repetition: u32, reads: &[Array]) {
        let pass = &self.run.passes[index];
        for output in 0..pass.outputs.len() {
            let again = pass.again.filter(|(again, _)| *again == output);
            let mut fed = self.run.buffers.iter();
            let fed = fed.position(|buffer| buffer.from == (index, output));
            let kept = match (again, fed) {
                (Some((_, sampler)), _) => &reads[sampler],
                (None, Some(buffer)) if repetition == 0 => &self.buffers[buffer],
                _ => continue,
            };
            self.outputs[index][output].clone_from(kept);
        }
        if self.fault == Some(Fault::Discard) {
            for (output, array) in pass.outputs.iter().zip(&mut self.outputs[index]) {
                *array = Array::zeros(pass.extent, output.kind, output.cells.len());
            }
        }
    }

    fn draw(&mut self, index: usize, step: i32, repetition: i32, reads: &[Array]) {
        let run = self.run;
        let pass = &run.passes[index];
        let arrays: Vec<&Array> = reads.iter().collect();
        let own = pass.uniforms.iter().zip(&run.uniforms);
        let uniforms: Vec<Number> = own.map(|(own, all)| own.unwrap_or(*all)).collect();
        let mut scene = Scene {
            texel: (0, 0),
            extent: pass.extent,
            iteration: step,
            repetition,
            macro_n: pass.macro_n.unwrap_or(run.macro_n),
            pass: index as i32,
            uniforms: &uniforms,
            arrays: &arrays,
            fraction: self.fraction,
            without_alpha: self.fault == Some(Fault::Alpha),
            farthest: &mut self.farthest,
        };
        let clamps = self.fault != Some(Fault::Unclamped);
        for y in 0..pass.extent.height as i32 {
            for x in 0..pass.extent.width as i32 {
                scene.texel = (x, y);
                let is_left = |(by, rest): (i32, i32)| (x + 3 * y + step) % by == rest;
                if pass.discard.is_some_and(is_left) {
                    continue;
                }
                for (output, array) in pass.outputs.iter().zip(&mut self.outputs[index]) {
                    let other = output.otherwise.as_ref();
                    let other = other.filter(|(least, _)| scene.macro_n >= *least);
                    let cells = other.map_or(&output.cells, |(_, cells)| cells);
                    let at = array.index(x, y);
                    for (channel, cell) in cells.iter().enumerate() {
                        let number = clamped(cell, &mut scene, output.clamps && clamps);
                        array.numbers[at + channel] = number;
                    }
                }
            }
        }
    }
}

fn clamped(cell: &Expression, scene: &mut Scene<'_>, clamps: bool) -> Number {
    match cell.value(scene) {
        Number::Float(x) if clamps => Number::Float(x.clamp(0.0, 1.0)),
        number => number,
    }
}
