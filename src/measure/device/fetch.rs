//! Fetches: texels of every kind, read from near and far.

use crate::Extent;
use crate::gl::{AnyTexture, Context};
use crate::shader::{Reads, Source};
use crate::stream;

use super::super::Error;
use super::Engine;
use super::work::{Expected, Given, Numbers, Start, Work, source};

/// From where texels come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pattern {
    /// The same few kilobytes, over and over.
    Cached,
    /// All of a large image, once; fragments side by side read texels side by side.
    Sequential,
    /// All of a large image, once; each fragment reads a block of its own.
    Strided,
    /// Anywhere in a large image.
    Random,
}

/// What a texel is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    R32f,
    Rg32f,
    Rgba32f,
}

/// By what a shader reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    /// `texelFetch`.
    Fetch,
    /// `textureLod` at the texel's centre.
    Sample,
    /// A storage buffer.
    Buffer,
}

/// One way to read texels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fetch {
    pub(super) pattern: Pattern,
    pub(super) kind: Kind,
    pub(super) by: By,
}

/// Texels of a side that a fragment reads, in images that are read once.
const BLOCK: u32 = 8;
/// Texels of a row that a trip reads.
const ROW: u32 = 8;

impl Pattern {
    pub(super) const ALL: [Pattern; 4] =
        [Pattern::Cached, Pattern::Sequential, Pattern::Strided, Pattern::Random];

    pub(super) fn name(self) -> &'static str {
        match self {
            Pattern::Cached => "cached",
            Pattern::Sequential => "sequential",
            Pattern::Strided => "strided",
            Pattern::Random => "random",
        }
    }

    /// Rows that a step reads, for each fragment.
    fn trips(self) -> u32 {
        if self == Pattern::Cached { 64 } else { BLOCK }
    }

    /// The sides of the image and of the target.
    fn sides(self, context: &Context) -> (u32, u32) {
        let abilities = context.abilities();
        let largest = if abilities.software { 2048 } else { 4096 }.min(abilities.max_texture_size);
        let large = 1 << largest.ilog2();
        match self {
            Pattern::Cached => (2 * BLOCK, if abilities.software { 512 } else { 1024 }),
            _ => (large, large / BLOCK),
        }
    }

    /// Which of a target's bits choose the first texel, how far first texels lie apart, and how far
    /// the texels of one fragment do.
    fn steps(self, target: u32) -> (i32, i32, i32) {
        match self {
            Pattern::Cached => (BLOCK as i32 - 1, 1, 1),
            Pattern::Strided => (-1, BLOCK as i32, 1),
            Pattern::Sequential | Pattern::Random => (-1, 1, target as i32),
        }
    }
}

impl Kind {
    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::R32f => "R32F",
            Kind::Rg32f => "RG32F",
            Kind::Rgba32f => "RGBA32F",
        }
    }

    fn channels(self) -> usize {
        match self {
            Kind::R32f => 1,
            Kind::Rg32f => 2,
            Kind::Rgba32f => 4,
        }
    }

    fn bytes(self) -> usize {
        4 * self.channels()
    }

    fn define(self) -> &'static str {
        match self.channels() {
            1 => "NUMBER_FLOAT",
            2 => "NUMBER_VEC2",
            _ => "NUMBER_VEC4",
        }
    }

    fn image(self, context: &Context, side: u32) -> Result<Box<dyn AnyTexture>, Error> {
        let extent = Extent::new(side, side);
        Ok(match self {
            Kind::R32f => Box::new(context.texture(extent, &texels(side, |n| n(0)))?),
            Kind::Rg32f => Box::new(context.texture(extent, &texels(side, |n| [n(0), n(1)]))?),
            Kind::Rgba32f => Box::new(context.texture(extent, &texels(side, four))?),
        })
    }

    fn buffer(self, context: &Context, side: u32) -> Result<Numbers, Error> {
        Ok(match self {
            Kind::R32f => Numbers::One(context.buffer(&texels(side, |n| n(0)))?),
            _ => Numbers::Four(context.buffer(&texels(side, four))?),
        })
    }
}

impl By {
    pub(super) fn name(self) -> &'static str {
        match self {
            By::Fetch => "texelFetch",
            By::Sample => "texture",
            By::Buffer => "buffer",
        }
    }

    fn reads(self) -> Reads {
        if self == By::Sample { Reads::Sample } else { Reads::Fetch }
    }
}

impl Fetch {
    pub(super) fn name(self) -> String {
        format!("{} {}, {}", self.pattern.name(), self.kind.name(), self.by.name())
    }

    pub(super) fn source(self, engine: Engine) -> Result<Source, stream::Error> {
        let mut source = source(engine)?.define("WORK_FETCH", 1).define(self.kind.define(), 1);
        source = source.define("CENTRE", "0.5");
        if self.pattern == Pattern::Random {
            source = source.define("RANDOM", 1);
        }
        if self.by == By::Buffer {
            source = source.define("BUFFER", 1);
        }
        Ok(source)
    }

    /// Texels that a step reads.
    pub(super) fn texels(self, context: &Context) -> f64 {
        let (_, target) = self.pattern.sides(context);
        f64::from(target) * f64::from(target) * f64::from(self.pattern.trips() * ROW)
    }

    /// Bytes that a step reads.
    pub(super) fn bytes(self, context: &Context) -> f64 {
        self.texels(context) * self.kind.bytes() as f64
    }

    pub(super) fn work(self, context: &Context, engine: Engine) -> Result<Work, Error> {
        let (side, target) = self.pattern.sides(context);
        let (mask, spread, gap) = self.pattern.steps(target);
        let given = Given::default()
            .uniform("trips", self.pattern.trips() as i32)
            .uniform("mask", mask)
            .uniform("spread", spread)
            .uniform("gap", [gap; 2])
            .uniform("side", side as i32);
        let given = match self.by {
            By::Buffer => given.numbers(self.kind.buffer(context, side)?),
            _ => given.image(self.kind.image(context, side)?),
        };
        let start = Start { extent: Extent::new(target, target), texel: |_| [0.0; 4] };
        let twin = Box::new(move |place, old| self.twin(side, target, place, old));
        Work::new(context, self.source(engine)?, self.by.reads(), start, given, twin)
    }

    /// The sum of what was read, less what was there: whole numbers that floats hold exactly.
    fn twin(self, side: u32, target: u32, place: [u32; 2], old: [f32; 4]) -> [Expected; 4] {
        let mut sum = [0.0; 4];
        for [x, y] in self.places(side, target, place) {
            for (channel, sum) in sum.iter_mut().enumerate().take(self.kind.channels()) {
                *sum += number(x, y, channel as u32);
            }
        }
        [0, 1, 2, 3].map(|channel| (f64::from(sum[channel]) - f64::from(old[channel]), 0.0))
    }

    fn places(self, side: u32, target: u32, place: [u32; 2]) -> Vec<[u32; 2]> {
        let reads = self.pattern.trips() * ROW;
        if self.pattern == Pattern::Random {
            let mut state = place[1].wrapping_mul(side).wrapping_add(place[0]);
            let mut next = || {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                [(state >> 20) & (side - 1), (state >> 8) & (side - 1)]
            };
            return (0..reads).map(|_| next()).collect();
        }
        let (mask, spread, gap) = self.pattern.steps(target);
        let [x, y] = place.map(|p| (p as i32 & mask) * spread);
        let at = |read: u32| {
            let (column, row) = ((read % ROW) as i32, (read / ROW % BLOCK) as i32);
            [(x + column * gap) as u32, (y + row * gap) as u32]
        };
        (0..reads).map(at).collect()
    }
}

/// A whole number below 251 for each channel of each texel.
fn number(x: u32, y: u32, channel: u32) -> f32 {
    (x.wrapping_mul(7 + y).wrapping_add(13 * y + 31 * channel) % 251) as f32
}

/// One texel from its channels.
type Channels<'a> = &'a dyn Fn(u32) -> f32;

fn four(channel: Channels) -> [f32; 4] {
    [channel(0), channel(1), channel(2), channel(3)]
}

fn texels<T>(side: u32, texel: impl Fn(Channels) -> T) -> Vec<T> {
    let places = (0..side).flat_map(|y| (0..side).map(move |x| [x, y]));
    places.map(|[x, y]| texel(&|channel| number(x, y, channel))).collect()
}
