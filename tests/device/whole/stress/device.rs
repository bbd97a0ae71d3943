//! The steps on the device.

use super::model::{MOST_CONTEXTS, MOST_OTHERS, MOST_TEXTURES};
use super::operation::{Class, Misuse, Operation, Pick, Stop};
use super::outcome::Outcome;
use super::texture::{AnyReadback, AnyTexture, done, floats, whole};
use super::world::{Step, World, distinct, index, replace, take};
use crate::common::Flavour;
use quadrille::gl::{Buffer, Fence};
use quadrille::shader::Source;
use quadrille::stream::reduce::{Reducer, sum_exactly};
use quadrille::stream::{Geometry, Kernel, PingPong};
use quadrille::{Context, Extent, Rectangle};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::Duration;

const ADD: &str = "uniform sampler2D x;\nuniform float amount;\nout float y;\n\
                   void main() { y = READ(x, TEXEL).r + amount; }";
const ADD_INT: &str = "uniform highp isampler2D x;\nuniform int amount;\nout int y;\n\
                       void main() { y = READ(x, TEXEL).r + amount; }";
const SPLIT: &str = "uniform sampler2D x;\nlayout(location = 0) out float a;\n\
                     layout(location = 1) out float b;\n\
                     void main() { float v = READ(x, TEXEL).r; a = -v; b = v - 1.0; }";

/// The objects of one thread.
#[derive(Default)]
pub struct Device {
    contexts: Vec<Place>,
    textures: Vec<AnyTexture>,
    buffers: Vec<Buffer<f32>>,
    readbacks: Vec<AnyReadback>,
    fences: Vec<(Context, Fence)>,
    /// Passes that were drawn.
    pub passes: u64,
}

/// A context and its kernels.
struct Place {
    context: Context,
    add: Kernel,
    add_int: Kernel,
    split: Kernel,
    reducer: Reducer,
}

impl Device {
    /// Applies a step; a panic is a failure as an error is.
    pub fn apply(&mut self, operation: Operation) -> Outcome {
        match catch_unwind(AssertUnwindSafe(|| self.step(operation))) {
            Ok(Ok(outcome) | Err(outcome)) => outcome,
            Err(panic) => Outcome::Failed(format!("a panic: {:?}", panic.downcast_ref::<String>())),
        }
    }

    /// All texels of every texture.
    pub fn texels(&self) -> Result<Vec<Vec<i32>>, Outcome> {
        self.textures.iter().map(AnyTexture::read).collect()
    }

    /// Drops everything, in an order that the seed tells, and returns what is left in any context.
    pub fn end(mut self, seed: u64) -> Result<(), String> {
        let contexts: Vec<Context> =
            self.contexts.iter().map(|place| place.context.clone()).collect();
        for round in 0..5 {
            match (seed + round) % 5 {
                0 => self.contexts.clear(),
                1 => self.textures.clear(),
                2 => self.buffers.clear(),
                3 => self.readbacks.clear(),
                _ => self.fences.clear(),
            }
        }
        for context in contexts {
            let left = context.objects().map_err(|error| error.to_string())?;
            if left.total() > 0 || left.bytes > 0 {
                return Err(format!("objects left in {context:?}: {left:?}"));
            }
            context.check().map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    /// Forgets a texture of a context that is still there, as a leak would; tells which.
    pub fn leak(&mut self) -> usize {
        let in_place = |texture: &AnyTexture| place_of(&self.contexts, texture).is_ok();
        let index = self.textures.iter().position(in_place).unwrap();
        std::mem::forget(self.textures.swap_remove(index));
        index
    }

    fn place(&self, context: usize) -> Result<&Place, Outcome> {
        Ok(&self.contexts[index(&self.contexts, context)?])
    }

    fn texture(&mut self, texture: usize) -> Result<&mut AnyTexture, Outcome> {
        let index = index(&self.textures, texture)?;
        Ok(&mut self.textures[index])
    }
}

impl World for Device {
    fn make_context(&mut self, flavour: Flavour) -> Step {
        replace(&mut self.contexts, Place::new(flavour)?, MOST_CONTEXTS);
        Ok(Outcome::Done)
    }

    fn drop_context(&mut self, context: Pick) -> Step {
        take(&mut self.contexts, context)?;
        Ok(Outcome::Done)
    }

    fn check(&mut self, context: Pick) -> Step {
        done(self.place(context)?.context.check())
    }

    fn make_texture(&mut self, context: Pick, class: Class, size: [u32; 2], seed: i32) -> Step {
        let context = &self.place(context)?.context;
        let texture = AnyTexture::new(context, class, Extent::new(size[0], size[1]), seed)?;
        replace(&mut self.textures, texture, MOST_TEXTURES);
        Ok(Outcome::Done)
    }

    fn drop_texture(&mut self, texture: Pick) -> Step {
        take(&mut self.textures, texture)?;
        Ok(Outcome::Done)
    }

    fn fill(&mut self, texture: Pick, value: i32) -> Step {
        done(match self.texture(texture)? {
            AnyTexture::Float(texture) => texture.fill(value as f32),
            AnyTexture::Int(texture) => texture.fill(value),
        })
    }

    fn write(&mut self, texture: Pick, corner: [u32; 2], seed: i32) -> Step {
        self.texture(texture)?.write(corner, seed)
    }

    fn add(&mut self, source: usize, target: usize, amount: i32) -> Step {
        let indices = distinct(self.textures.len(), [source, target])?;
        let Ok([source, target]) = self.textures.get_disjoint_mut(indices) else {
            return Err(Outcome::Nothing);
        };
        let place = place_of(&self.contexts, source)?;
        let over = Geometry::Rectangle(common(source.extent(), target.extent()));
        let pass = match source {
            AnyTexture::Float(source) => {
                place.add.pass().input("x", source).uniform("amount", amount as f32)
            }
            AnyTexture::Int(source) => {
                place.add_int.pass().input("x", source).uniform("amount", amount)
            }
        };
        match target {
            AnyTexture::Float(target) => pass.over(over).draw(target)?,
            AnyTexture::Int(target) => pass.over(over).draw(target)?,
        }
        self.passes += 1;
        Ok(Outcome::Done)
    }

    fn split(&mut self, source: usize, targets: [usize; 2]) -> Step {
        let indices = distinct(self.textures.len(), [source, targets[0], targets[1]])?;
        let Ok([source, first, second]) = self.textures.get_disjoint_mut(indices) else {
            return Err(Outcome::Nothing);
        };
        let place = place_of(&self.contexts, source)?;
        let over = Geometry::Rectangle(common(source.extent(), first.extent()));
        let pass = match source {
            AnyTexture::Float(source) => place.split.pass().input("x", source),
            AnyTexture::Int(source) => place.split.pass().input("x", source),
        };
        pass.over(over).draw_into(&mut [first.target(), second.target()])?;
        self.passes += 1;
        Ok(Outcome::Done)
    }

    fn ping_pong(
        &mut self,
        context: Pick,
        width: u32,
        steps: usize,
        stop: Option<(usize, Stop)>,
    ) -> Step {
        let outcome = ping_pong(self.place(context)?, width, steps, stop)?;
        self.passes += stop.map_or(steps, |(step, _)| step.min(steps)) as u64;
        Ok(outcome)
    }

    fn copy(&mut self, source: usize, target: usize) -> Step {
        let indices = distinct(self.textures.len(), [source, target])?;
        match self.textures.get_disjoint_mut(indices) {
            Ok([AnyTexture::Float(source), AnyTexture::Float(target)]) => {
                done(target.copy_from(source))
            }
            Ok([AnyTexture::Int(source), AnyTexture::Int(target)]) => {
                done(target.copy_from(source))
            }
            _ => Err(Outcome::Nothing),
        }
    }

    fn read(&mut self, texture: Pick) -> Step {
        Ok(Outcome::Numbers(self.texture(texture)?.read()?))
    }

    fn read_rectangle(&mut self, texture: Pick, [x, y, width, height]: [u32; 4]) -> Step {
        let place = Rectangle::new(x, y, width, height);
        Ok(Outcome::Numbers(match self.texture(texture)? {
            AnyTexture::Float(texture) => whole(texture.read_rectangle(place)?)?,
            AnyTexture::Int(texture) => texture.read_rectangle(place)?,
        }))
    }

    fn read_later(&mut self, texture: Pick) -> Step {
        let readback = match self.texture(texture)? {
            AnyTexture::Float(texture) => AnyReadback::Float(texture.read_async()?),
            AnyTexture::Int(texture) => AnyReadback::Int(texture.read_async()?),
        };
        replace(&mut self.readbacks, readback, MOST_OTHERS);
        Ok(Outcome::Done)
    }

    fn collect(&mut self, readback: Pick, keep: bool) -> Step {
        Ok(match take(&mut self.readbacks, readback)? {
            _ if !keep => Outcome::Done,
            AnyReadback::Float(readback) => Outcome::Numbers(whole(readback.read()?)?),
            AnyReadback::Int(readback) => Outcome::Numbers(readback.read()?),
        })
    }

    fn sum(&mut self, texture: Pick) -> Step {
        let texture = &self.textures[index(&self.textures, texture)?];
        let place = place_of(&self.contexts, texture)?;
        Ok(Outcome::Sum(match texture {
            AnyTexture::Float(texture) => place.reducer.sum(texture)? as i64,
            AnyTexture::Int(texture) => sum_exactly(&place.context, texture)?,
        }))
    }

    fn make_buffer(&mut self, context: Pick, length: usize, seed: i32) -> Step {
        let buffer = self.place(context)?.context.buffer(&floats(length, seed))?;
        replace(&mut self.buffers, buffer, MOST_OTHERS);
        Ok(Outcome::Done)
    }

    fn write_buffer(&mut self, buffer: Pick, length: usize, seed: i32) -> Step {
        let index = index(&self.buffers, buffer)?;
        done(self.buffers[index].write(&floats(length, seed)))
    }

    fn read_buffer(&mut self, buffer: Pick) -> Step {
        let index = index(&self.buffers, buffer)?;
        Ok(Outcome::Numbers(whole(self.buffers[index].read()?)?))
    }

    fn copy_from_buffer(&mut self, buffer: Pick, texture: Pick) -> Step {
        let buffer = &self.buffers[index(&self.buffers, buffer)?];
        let texture = index(&self.textures, texture)?;
        match &mut self.textures[texture] {
            AnyTexture::Float(texture) => done(texture.copy_from_buffer(buffer)),
            AnyTexture::Int(_) => Err(Outcome::Nothing),
        }
    }

    fn drop_buffer(&mut self, buffer: Pick) -> Step {
        take(&mut self.buffers, buffer)?;
        Ok(Outcome::Done)
    }

    fn make_fence(&mut self, context: Pick) -> Step {
        let context = self.place(context)?.context.clone();
        let fence = Fence::new(&context)?;
        replace(&mut self.fences, (context, fence), MOST_OTHERS);
        Ok(Outcome::Done)
    }

    fn wait_fence(&mut self, fence: Pick) -> Step {
        let (context, fence) = take(&mut self.fences, fence)?;
        context.finish()?;
        match fence.wait(Duration::from_secs(10))? {
            true => Ok(Outcome::Done),
            false => Err(Outcome::Failed("a fence is not passed after finishing".into())),
        }
    }

    fn misuse(&mut self, context: Pick, misuse: Misuse) -> Step {
        misused(self.place(context)?, misuse)
    }

    fn bad_kernel(&mut self, context: Pick) -> Step {
        let text = "out float y;\nvoid main() { y = nowhere; }";
        self.place(context)?.context.kernel(Source::fragment("bad.frag", text))?;
        Ok(Outcome::Done)
    }

    fn bad_texture(&mut self, context: Pick, [width, height]: [u32; 2]) -> Step {
        self.place(context)?.context.uninit::<f32>(Extent::new(width, height))?;
        Ok(Outcome::Done)
    }
}

impl Place {
    fn new(flavour: Flavour) -> Result<Place, Outcome> {
        let context = flavour.builder().build()?;
        let kernel = |text: &str| context.kernel(Source::fragment("stress.frag", text));
        let (add, add_int, split) = (kernel(ADD)?, kernel(ADD_INT)?, kernel(SPLIT)?);
        let reducer = Reducer::new(&context);
        Ok(Place { context, add, add_int, split, reducer })
    }
}

fn ping_pong(place: &Place, width: u32, steps: usize, stop: Option<(usize, Stop)>) -> Step {
    let extent = Extent::new(width, 1);
    let context = &place.context;
    let first = context.texture(extent, &vec![0.0_f32; width as usize])?;
    let mut pair = PingPong::new(first, context.uninit(extent)?)?;
    let run = || -> Result<(), Outcome> {
        for step in 0..steps {
            pair.step(|old, new| -> Result<(), Outcome> {
                match stop {
                    // No hook is called for it, so nothing is printed.
                    Some((at, Stop::Panic)) if at == step => resume_unwind(Box::new(Planned)),
                    Some((at, Stop::Error)) if at == step => Err(Outcome::Nothing),
                    _ => {
                        Ok(place.add.pass().input("x", old).uniform("amount", 1.0_f32).draw(new)?)
                    }
                }
            })?;
        }
        Ok(())
    };
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(Ok(()) | Err(Outcome::Nothing)) => {}
        Ok(Err(outcome)) => return Err(outcome),
        Err(panic) if panic.is::<Planned>() => {}
        Err(panic) => resume_unwind(panic),
    }
    Ok(Outcome::Numbers(whole(pair.newest().read()?)?))
}

/// The panic that is meant.
struct Planned;

/// A pass with something wrong, into textures of its own, which it leaves as they are.
fn misused(place: &Place, misuse: Misuse) -> Step {
    let extent = Extent::new(3, 2);
    let x = place.context.texture(extent, &[1.0_f32; 6])?;
    let mut y = place.context.texture(extent, &[2.0_f32; 6])?;
    let mut z = place.context.texture(extent, &[3.0_f32; 6])?;
    let pass = place.add.pass();
    let result = match misuse {
        Misuse::UnknownInput => pass.input("nowhere", &x).draw(&mut y),
        Misuse::UnknownUniform => pass.input("x", &x).uniform("nowhere", 1.0_f32).draw(&mut y),
        Misuse::WrongUniform => pass.input("x", &x).uniform("amount", 1_i32).draw(&mut y),
        Misuse::NothingGiven => pass.draw(&mut y),
        Misuse::TwoTargetsForOne => {
            pass.input("x", &x).uniform("amount", 1.0_f32).draw_into(&mut [&mut y, &mut z])
        }
        Misuse::Outside => {
            let over = Geometry::Rectangle(Rectangle::new(2, 1, 2, 1));
            pass.input("x", &x).uniform("amount", 1.0_f32).over(over).draw(&mut y)
        }
    };
    if y.read()? != [2.0; 6] || z.read()? != [3.0; 6] {
        return Err(Outcome::Failed(format!("{misuse:?} wrote something")));
    }
    result?;
    Ok(Outcome::Done)
}

fn place_of<'a>(contexts: &'a [Place], texture: &AnyTexture) -> Result<&'a Place, Outcome> {
    let context = texture.context();
    contexts.iter().find(|place| place.context.ptr_eq(&context)).ok_or(Outcome::Nothing)
}

fn common(a: Extent, b: Extent) -> Rectangle {
    Extent::new(a.width.min(b.width), a.height.min(b.height)).rectangle()
}
