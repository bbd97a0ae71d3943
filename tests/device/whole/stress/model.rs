//! The steps of the model, on the host alone.

use super::operation::{Class, Misuse, Operation, Pick, Stop, numbers};
use super::outcome::{Outcome, Wrong};
use super::world::{Step, World, distinct, index, replace, take};
use crate::common::Flavour;

/// The most of a kind: one more replaces the first.
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
        self.step(operation).unwrap_or_else(|nothing| nothing)
    }

    fn context(&self, pick: Pick) -> Result<usize, Outcome> {
        Ok(self.contexts[index(&self.contexts, pick)?])
    }

    fn texture(&mut self, pick: Pick) -> Result<&mut Texture, Outcome> {
        let index = index(&self.textures, pick)?;
        Ok(&mut self.textures[index])
    }

    /// Indices of textures, if they are different ones.
    fn distinct<const N: usize>(&self, picks: [Pick; N]) -> Result<[usize; N], Outcome> {
        distinct(self.textures.len(), picks)
    }
}

impl World for Model {
    fn make_context(&mut self, _: Flavour) -> Step {
        let context = self.made;
        self.made += 1;
        replace(&mut self.contexts, context, MOST_CONTEXTS);
        Ok(Outcome::Done)
    }

    fn drop_context(&mut self, context: Pick) -> Step {
        take(&mut self.contexts, context)?;
        Ok(Outcome::Done)
    }

    fn check(&mut self, context: Pick) -> Step {
        self.context(context)?;
        Ok(Outcome::Done)
    }

    fn make_texture(&mut self, context: Pick, class: Class, size: [u32; 2], seed: i32) -> Step {
        let context = self.context(context)?;
        let [width, height] = size.map(|side| side as usize);
        let texels = numbers(width * height, seed);
        let texture = Texture { context, class, width, height, texels };
        replace(&mut self.textures, texture, MOST_TEXTURES);
        Ok(Outcome::Done)
    }

    fn drop_texture(&mut self, texture: Pick) -> Step {
        take(&mut self.textures, texture)?;
        Ok(Outcome::Done)
    }

    fn fill(&mut self, texture: Pick, value: i32) -> Step {
        self.texture(texture)?.texels.fill(value);
        Ok(Outcome::Done)
    }

    fn write(&mut self, texture: Pick, corner: [u32; 2], seed: i32) -> Step {
        Ok(self.texture(texture)?.write(corner, seed))
    }

    fn add(&mut self, source: usize, target: usize, amount: i32) -> Step {
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

    fn split(&mut self, source: usize, targets: [usize; 2]) -> Step {
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

    fn ping_pong(
        &mut self,
        context: Pick,
        width: u32,
        steps: usize,
        stop: Option<(usize, Stop)>,
    ) -> Step {
        self.context(context)?;
        let steps = stop.map_or(steps, |(step, _)| step.min(steps));
        Ok(Outcome::Numbers(vec![steps as i32; width as usize]))
    }

    fn copy(&mut self, source: usize, target: usize) -> Step {
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

    fn read(&mut self, texture: Pick) -> Step {
        Ok(Outcome::Numbers(self.texture(texture)?.texels.clone()))
    }

    fn read_rectangle(&mut self, texture: Pick, rectangle: [u32; 4]) -> Step {
        Ok(self.texture(texture)?.rectangle(rectangle))
    }

    fn read_later(&mut self, texture: Pick) -> Step {
        let texels = self.texture(texture)?.texels.clone();
        replace(&mut self.readbacks, texels, MOST_OTHERS);
        Ok(Outcome::Done)
    }

    fn collect(&mut self, readback: Pick, keep: bool) -> Step {
        let texels = take(&mut self.readbacks, readback)?;
        Ok(if keep { Outcome::Numbers(texels) } else { Outcome::Done })
    }

    fn sum(&mut self, texture: Pick) -> Step {
        let texture = &self.textures[index(&self.textures, texture)?];
        index_of(&self.contexts, texture.context)?;
        Ok(Outcome::Sum(texture.texels.iter().map(|&texel| i64::from(texel)).sum()))
    }

    fn make_buffer(&mut self, context: Pick, length: usize, seed: i32) -> Step {
        let context = self.context(context)?;
        replace(&mut self.buffers, (context, numbers(length, seed)), MOST_OTHERS);
        Ok(Outcome::Done)
    }

    fn write_buffer(&mut self, buffer: Pick, length: usize, seed: i32) -> Step {
        let index = index(&self.buffers, buffer)?;
        let (_, held) = &mut self.buffers[index];
        if held.len() != length {
            return Ok(Outcome::Refused(Wrong::Length));
        }
        *held = numbers(length, seed);
        Ok(Outcome::Done)
    }

    fn read_buffer(&mut self, buffer: Pick) -> Step {
        let index = index(&self.buffers, buffer)?;
        Ok(Outcome::Numbers(self.buffers[index].1.clone()))
    }

    fn copy_from_buffer(&mut self, buffer: usize, texture: usize) -> Step {
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

    fn drop_buffer(&mut self, buffer: Pick) -> Step {
        take(&mut self.buffers, buffer)?;
        Ok(Outcome::Done)
    }

    fn make_fence(&mut self, context: Pick) -> Step {
        self.context(context)?;
        self.fences = (self.fences + 1).min(MOST_OTHERS);
        Ok(Outcome::Done)
    }

    fn wait_fence(&mut self, _: Pick) -> Step {
        self.fences = self.fences.checked_sub(1).ok_or(Outcome::Nothing)?;
        Ok(Outcome::Done)
    }

    fn misuse(&mut self, context: Pick, misuse: Misuse) -> Step {
        self.context(context)?;
        Ok(Outcome::Refused(wrong(misuse)))
    }

    fn bad_kernel(&mut self, context: Pick) -> Step {
        self.context(context)?;
        Ok(Outcome::Refused(Wrong::Compile))
    }

    fn bad_texture(&mut self, context: Pick, size: [u32; 2]) -> Step {
        self.context(context)?;
        let empty = size.contains(&0);
        Ok(Outcome::Refused(if empty { Wrong::Empty } else { Wrong::TooLarge }))
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

fn index_of(contexts: &[usize], context: usize) -> Result<usize, Outcome> {
    contexts.iter().position(|known| *known == context).ok_or(Outcome::Nothing)
}
