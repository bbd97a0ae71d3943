//! The interface of a world, the model's or the device's.

use super::operation::{Class, Misuse, Operation, Pick, Stop};
use super::outcome::Outcome;
use crate::common::Flavour;

/// The outcome of a step; an error where it is left out or refused on the way.
pub type Step = Result<Outcome, Outcome>;

/// The steps, one by one. Each is described where [`Operation`] is.
pub trait World {
    fn make_context(&mut self, flavour: Flavour) -> Step;
    fn drop_context(&mut self, context: Pick) -> Step;
    fn check(&mut self, context: Pick) -> Step;
    fn make_texture(&mut self, context: Pick, class: Class, size: [u32; 2], seed: i32) -> Step;
    fn drop_texture(&mut self, texture: Pick) -> Step;
    fn fill(&mut self, texture: Pick, value: i32) -> Step;
    fn write(&mut self, texture: Pick, corner: [u32; 2], seed: i32) -> Step;
    fn add(&mut self, source: Pick, target: Pick, amount: i32) -> Step;
    fn split(&mut self, source: Pick, targets: [Pick; 2]) -> Step;
    fn ping_pong(
        &mut self,
        context: Pick,
        width: u32,
        steps: usize,
        stop: Option<(usize, Stop)>,
    ) -> Step;
    fn copy(&mut self, source: Pick, target: Pick) -> Step;
    fn read(&mut self, texture: Pick) -> Step;
    fn read_rectangle(&mut self, texture: Pick, rectangle: [u32; 4]) -> Step;
    fn read_later(&mut self, texture: Pick) -> Step;
    fn collect(&mut self, readback: Pick, keep: bool) -> Step;
    fn sum(&mut self, texture: Pick) -> Step;
    fn make_buffer(&mut self, context: Pick, length: usize, seed: i32) -> Step;
    fn write_buffer(&mut self, buffer: Pick, length: usize, seed: i32) -> Step;
    fn read_buffer(&mut self, buffer: Pick) -> Step;
    fn copy_from_buffer(&mut self, buffer: Pick, texture: Pick) -> Step;
    fn drop_buffer(&mut self, buffer: Pick) -> Step;
    fn make_fence(&mut self, context: Pick) -> Step;
    fn wait_fence(&mut self, fence: Pick) -> Step;
    fn misuse(&mut self, context: Pick, misuse: Misuse) -> Step;
    fn bad_kernel(&mut self, context: Pick) -> Step;
    fn bad_texture(&mut self, context: Pick, size: [u32; 2]) -> Step;

    fn step(&mut self, operation: Operation) -> Step {
        use Operation::*;
        match operation {
            MakeContext(flavour) => self.make_context(flavour),
            DropContext(context) => self.drop_context(context),
            Check(context) => self.check(context),
            MakeTexture { context, class, width, height, seed } => {
                self.make_texture(context, class, [width, height], seed)
            }
            DropTexture(texture) => self.drop_texture(texture),
            Fill(texture, value) => self.fill(texture, value),
            Write { texture, corner, seed } => self.write(texture, corner, seed),
            Add { source, target, amount } => self.add(source, target, amount),
            Split { source, targets } => self.split(source, targets),
            PingPong { context, width, steps, stop } => self.ping_pong(context, width, steps, stop),
            Copy { source, target } => self.copy(source, target),
            Read(texture) => self.read(texture),
            ReadRectangle(texture, rectangle) => self.read_rectangle(texture, rectangle),
            ReadLater(texture) => self.read_later(texture),
            Collect(readback, keep) => self.collect(readback, keep),
            Sum(texture) => self.sum(texture),
            MakeBuffer { context, length, seed } => self.make_buffer(context, length, seed),
            WriteBuffer { buffer, length, seed } => self.write_buffer(buffer, length, seed),
            ReadBuffer(buffer) => self.read_buffer(buffer),
            CopyFromBuffer { buffer, texture } => self.copy_from_buffer(buffer, texture),
            DropBuffer(buffer) => self.drop_buffer(buffer),
            MakeFence(context) => self.make_fence(context),
            WaitFence(fence) => self.wait_fence(fence),
            Misuse(context, misuse) => self.misuse(context, misuse),
            BadKernel(context) => self.bad_kernel(context),
            BadTexture(context, size) => self.bad_texture(context, size),
        }
    }
}

/// The index in a list that a pick means.
pub fn index<T>(list: &[T], pick: Pick) -> Result<usize, Outcome> {
    if list.is_empty() { Err(Outcome::Nothing) } else { Ok(pick % list.len()) }
}

/// Indices below a length, if they are different ones.
pub fn distinct<const N: usize>(length: usize, picks: [Pick; N]) -> Result<[usize; N], Outcome> {
    if length == 0 {
        return Err(Outcome::Nothing);
    }
    let indices = picks.map(|pick| pick % length);
    let differ = (1..N).all(|one| indices[..one].iter().all(|other| *other != indices[one]));
    if differ { Ok(indices) } else { Err(Outcome::Nothing) }
}

/// Takes one out of a list.
pub fn take<T>(list: &mut Vec<T>, pick: Pick) -> Result<T, Outcome> {
    let index = index(list, pick)?;
    Ok(list.swap_remove(index))
}

/// Adds to a list that holds at most `most`: the first goes.
pub fn replace<T>(list: &mut Vec<T>, new: T, most: usize) {
    list.push(new);
    if list.len() > most {
        list.swap_remove(0);
    }
}
