//! What each step should do, on the host alone.

use super::operation::{Class, Misuse, Operation, numbers};
use super::outcome::{Outcome, Wrong};

/// More than so many of a kind are replaced.
pub const MOST_CONTEXTS: usize = 3;
pub const MOST_TEXTURES: usize = 32;
pub const MOST_OTHERS: usize = 8;

/// The world as it should be. Contexts are told by a number that no other context gets.
#[derive(Default)]
pub struct Model {
    made: usize,
    contexts: Vec<usize>,
    pub textures: Vec<Texture>,
    buffers: Vec<(usize, Vec<i32>)>,
    readbacks: Vec<Vec<i32>>,
    fences: usize,
}

#[derive(Clone)]
pub struct Texture {
    context: usize,
    class: Class,
    width: usize,
    height: usize,
    pub texels: Vec<i32>,
}

impl Model {
    pub fn apply(&mut self, operation: Operation) -> Outcome {
        self.result(operation).unwrap_or_else(|nothing| nothing)
    }

    /// What comes of a step; an error where the objects that it names are not there.
    fn result(&mut self, operation: Operation) -> Result<Outcome, Outcome> {
        use Operation::*;
        Ok(match operation {
            MakeContext(_) => {
                let context = self.made;
                self.made += 1;
                replace(&mut self.contexts, context, MOST_CONTEXTS);
                Outcome::Done
            }
            DropContext(context) => {
                let index = index(&self.contexts, context)?;
                self.contexts.swap_remove(index);
                Outcome::Done
            }
            Check(context) => {
                index(&self.contexts, context)?;
                Outcome::Done
            }
            MakeTexture { context, class, width, height, seed } => {
                let context = self.contexts[index(&self.contexts, context)?];
                let (width, height) = (width as usize, height as usize);
                let texels = numbers(width * height, seed);
                let texture = Texture { context, class, width, height, texels };
                replace(&mut self.textures, texture, MOST_TEXTURES);
                Outcome::Done
            }
            DropTexture(texture) => {
                let index = index(&self.textures, texture)?;
                self.textures.swap_remove(index);
                Outcome::Done
            }
            Fill(texture, value) => {
                let index = index(&self.textures, texture)?;
                self.textures[index].texels.fill(value);
                Outcome::Done
            }
            Write { texture, corner, seed } => {
                let index = index(&self.textures, texture)?;
                self.textures[index].write(corner, seed)
            }
            Add { source, target, amount } => self.add(source, target, amount)?,
            Split { source, targets } => self.split(source, targets)?,
            PingPong { context, width, steps, stop } => {
                index(&self.contexts, context)?;
                let steps = stop.map_or(steps, |(step, _)| step.min(steps));
                Outcome::Numbers(vec![steps as i32; width as usize])
            }
            Copy { source, target } => self.copy(source, target)?,
            Read(texture) => {
                let index = index(&self.textures, texture)?;
                Outcome::Numbers(self.textures[index].texels.clone())
            }
            ReadRectangle(texture, rectangle) => {
                let index = index(&self.textures, texture)?;
                self.textures[index].rectangle(rectangle)
            }
            ReadLater(texture) => {
                let index = index(&self.textures, texture)?;
                let texels = self.textures[index].texels.clone();
                replace(&mut self.readbacks, texels, MOST_OTHERS);
                Outcome::Done
            }
            Collect(readback, keep) => {
                let index = index(&self.readbacks, readback)?;
                let texels = self.readbacks.swap_remove(index);
                if keep { Outcome::Numbers(texels) } else { Outcome::Done }
            }
            Sum(texture) => {
                let texture = &self.textures[index(&self.textures, texture)?];
                index_of(&self.contexts, texture.context)?;
                Outcome::Sum(texture.texels.iter().map(|&texel| i64::from(texel)).sum())
            }
            MakeBuffer { context, length, seed } => {
                let context = self.contexts[index(&self.contexts, context)?];
                replace(&mut self.buffers, (context, numbers(length, seed)), MOST_OTHERS);
                Outcome::Done
            }
            WriteBuffer { buffer, length, seed } => {
                let index = index(&self.buffers, buffer)?;
                let (_, held) = &mut self.buffers[index];
                if held.len() != length {
                    return Ok(Outcome::Refused(Wrong::Length));
                }
                *held = numbers(length, seed);
                Outcome::Done
            }
            ReadBuffer(buffer) => {
                let index = index(&self.buffers, buffer)?;
                Outcome::Numbers(self.buffers[index].1.clone())
            }
            CopyFromBuffer { buffer, texture } => self.copy_from_buffer(buffer, texture)?,
            DropBuffer(buffer) => {
                let index = index(&self.buffers, buffer)?;
                self.buffers.swap_remove(index);
                Outcome::Done
            }
            MakeFence(context) => {
                index(&self.contexts, context)?;
                self.fences = (self.fences + 1).min(MOST_OTHERS);
                Outcome::Done
            }
            WaitFence(_) if self.fences == 0 => Outcome::Nothing,
            WaitFence(_) => {
                self.fences -= 1;
                Outcome::Done
            }
            Misuse(context, misuse) => {
                index(&self.contexts, context)?;
                Outcome::Refused(wrong(misuse))
            }
            BadKernel(context) => {
                index(&self.contexts, context)?;
                Outcome::Refused(Wrong::Compile)
            }
            BadTexture(context, [width, height]) => {
                index(&self.contexts, context)?;
                let empty = width == 0 || height == 0;
                Outcome::Refused(if empty { Wrong::Empty } else { Wrong::TooLarge })
            }
        })
    }

    fn add(&mut self, source: usize, target: usize, amount: i32) -> Result<Outcome, Outcome> {
        let [source, target] = self.distinct([source, target])?;
        let from = self.textures[source].clone();
        // The kernel is of the source's context.
        index_of(&self.contexts, from.context)?;
        let to = &mut self.textures[target];
        if to.context != from.context {
            return Ok(Outcome::Refused(Wrong::Foreign));
        }
        if to.class != from.class {
            return Ok(Outcome::Refused(Wrong::Targets));
        }
        to.map(&from, |texel| texel + amount);
        Ok(Outcome::Done)
    }

    fn split(&mut self, source: usize, targets: [usize; 2]) -> Result<Outcome, Outcome> {
        let [source, first, second] = self.distinct([source, targets[0], targets[1]])?;
        let from = self.textures[source].clone();
        index_of(&self.contexts, from.context)?;
        if from.class != Class::Float {
            return Ok(Outcome::Refused(Wrong::Type));
        }
        let (a, b) = (&self.textures[first], &self.textures[second]);
        if a.context != from.context || b.context != from.context {
            return Ok(Outcome::Refused(Wrong::Foreign));
        }
        let alike = (a.width, a.height) == (b.width, b.height);
        if !alike || a.class != Class::Float || b.class != Class::Float {
            return Ok(Outcome::Refused(Wrong::Targets));
        }
        self.textures[first].map(&from, |texel| -texel);
        self.textures[second].map(&from, |texel| texel - 1);
        Ok(Outcome::Done)
    }

    fn copy(&mut self, source: usize, target: usize) -> Result<Outcome, Outcome> {
        let [source, target] = self.distinct([source, target])?;
        let from = self.textures[source].clone();
        let to = &mut self.textures[target];
        if to.class != from.class {
            return Err(Outcome::Nothing); // It does not compile.
        }
        if (to.width, to.height) != (from.width, from.height) {
            return Ok(Outcome::Refused(Wrong::Length));
        }
        if to.context != from.context {
            return Ok(Outcome::Refused(Wrong::Foreign));
        }
        to.texels = from.texels;
        Ok(Outcome::Done)
    }

    fn copy_from_buffer(&mut self, buffer: usize, texture: usize) -> Result<Outcome, Outcome> {
        let (context, numbers) = &self.buffers[index(&self.buffers, buffer)?];
        let index = index(&self.textures, texture)?;
        let to = &mut self.textures[index];
        if to.class != Class::Float {
            return Err(Outcome::Nothing); // It does not compile.
        }
        if numbers.len() != to.texels.len() {
            return Ok(Outcome::Refused(Wrong::Length));
        }
        if *context != to.context {
            return Ok(Outcome::Refused(Wrong::Foreign));
        }
        to.texels.clone_from(numbers);
        Ok(Outcome::Done)
    }

    /// Indices of textures, if they are different ones.
    fn distinct<const N: usize>(&self, picks: [usize; N]) -> Result<[usize; N], Outcome> {
        distinct(self.textures.len(), picks)
    }
}

impl Texture {
    /// Writes numbers into the rectangle from a corner to the far end.
    fn write(&mut self, corner: [u32; 2], seed: i32) -> Outcome {
        let [left, top] = corner.map(|place| place as usize);
        if left > self.width || top > self.height {
            return Outcome::Refused(Wrong::Outside);
        }
        let (across, down) = (self.width - left, self.height - top);
        for (index, number) in numbers(across * down, seed).into_iter().enumerate() {
            self.texels[(top + index / across) * self.width + left + index % across] = number;
        }
        Outcome::Done
    }

    fn rectangle(&self, [x, y, width, height]: [u32; 4]) -> Outcome {
        let [x, y, width, height] = [x, y, width, height].map(|number| number as usize);
        if x + width > self.width || y + height > self.height {
            return Outcome::Refused(Wrong::Outside);
        }
        let row = |row: usize| &self.texels[row * self.width + x..][..width];
        Outcome::Numbers((y..y + height).flat_map(row).copied().collect())
    }

    /// Makes each texel that another has too from that one's.
    fn map(&mut self, from: &Texture, number: impl Fn(i32) -> i32) {
        for row in 0..self.height.min(from.height) {
            for col in 0..self.width.min(from.width) {
                self.texels[row * self.width + col] = number(from.texels[row * from.width + col]);
            }
        }
    }
}

fn wrong(misuse: Misuse) -> Wrong {
    match misuse {
        Misuse::UnknownInput | Misuse::UnknownUniform => Wrong::Name,
        Misuse::WrongUniform => Wrong::Type,
        Misuse::NothingGiven => Wrong::Missing,
        Misuse::TwoTargetsForOne => Wrong::Targets,
        Misuse::Outside => Wrong::Outside,
    }
}

/// Which of a list is meant.
pub fn index<T>(list: &[T], pick: usize) -> Result<usize, Outcome> {
    if list.is_empty() { Err(Outcome::Nothing) } else { Ok(pick % list.len()) }
}

fn index_of(contexts: &[usize], context: usize) -> Result<usize, Outcome> {
    contexts.iter().position(|known| *known == context).ok_or(Outcome::Nothing)
}

/// Indices below a length, if they are different ones.
pub fn distinct<const N: usize>(length: usize, picks: [usize; N]) -> Result<[usize; N], Outcome> {
    if length == 0 {
        return Err(Outcome::Nothing);
    }
    let indices = picks.map(|pick| pick % length);
    let differ = (1..N).all(|one| indices[..one].iter().all(|other| *other != indices[one]));
    if differ { Ok(indices) } else { Err(Outcome::Nothing) }
}

/// Adds to a list that holds at most so many, of which the first goes.
pub fn replace<T>(list: &mut Vec<T>, new: T, most: usize) {
    list.push(new);
    if list.len() > most {
        list.swap_remove(0);
    }
}
