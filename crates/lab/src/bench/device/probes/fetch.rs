//! Fetches: texels of every kind, read from near and far.

use quadrille::gl::Filter;
use quadrille::shader::Reads;

use super::prelude::*;
use super::texels::{Kind, LARGEST, four, number, texels};

named_enum! {
    pub(crate) enum Pattern {
        /// All fragments at a time read the same few texels, over and over: the best case of a
        /// device that shares a fetch among neighbours.
        Shared => "shared",
        /// All fragments read the same few kilobytes, over and over; fragments side by side read
        /// texels side by side.
        Cached => "cached",
        /// All of a large image, once; fragments side by side read texels side by side.
        Sequential => "sequential",
        /// All of a large image, once; each fragment reads a block of its own.
        Strided => "strided",
        /// Anywhere in a large image.
        Random => "random",
    }
}

named_enum! {
    pub(crate) enum By {
        /// `texelFetch`.
        Fetch => "texelFetch",
        /// `textureLod` at the texel's centre.
        Sample => "texture",
        /// `textureLod` at the corner of four texels, which are averaged.
        Filtered => "texture filtered",
        Buffer => "buffer",
        /// A uniform array, all of whose readers read the same number at a time.
        Constants => "constants",
        /// The shared memory of a work group, which first copies the image to it.
        SharedMemory => "shared memory",
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fetch {
    pub(crate) pattern: Pattern,
    pub(crate) kind: Kind,
    pub(crate) by: By,
}

/// Texels of a side that a fragment reads, in images that are read once.
const BLOCK: u32 = 8;
/// Texels of a row that a trip reads.
const ROW: u32 = 8;

impl Pattern {
    pub(crate) fn trips(self) -> u32 {
        if self.is_near() { 4 * BLOCK } else { BLOCK }
    }

    /// Whether a step reads the same texels over and over.
    fn is_near(self) -> bool {
        matches!(self, Pattern::Shared | Pattern::Cached)
    }

    /// The sides of the image and of the target.
    fn sides(self, context: &Context) -> (u32, u32) {
        let abilities = context.abilities();
        let largest = if abilities.software { 2048 } else { 4096 }.min(abilities.max_texture_size);
        let large = 1 << largest.ilog2();
        match self {
            Pattern::Shared | Pattern::Cached => {
                (2 * BLOCK, if abilities.software { 256 } else { 1024 })
            }
            _ => (large, large / BLOCK),
        }
    }

    /// The bits of a target that choose the first texel, the distance of first texels, and the
    /// distance of one fragment's texels.
    fn steps(self, target: u32) -> (i32, i32, i32) {
        match self {
            Pattern::Shared => (0, 1, 1),
            Pattern::Cached => (BLOCK as i32 - 1, 1, 1),
            Pattern::Strided => (-1, BLOCK as i32, 1),
            Pattern::Sequential | Pattern::Random => (-1, 1, target as i32),
        }
    }
}

impl By {
    fn reads(self) -> Reads {
        match self {
            By::Sample => Reads::Sample,
            // READ must stay exact beside a filter.
            By::Fetch | By::Filtered | By::Buffer | By::Constants | By::SharedMemory => {
                Reads::Fetch
            }
        }
    }
}

impl Fetch {
    /// All ways that are measured: every kind of texel where that makes a difference, and RGBA32F
    /// everywhere. Compute shaders read the same textures by the same units, so less of them.
    pub(crate) fn all(engine: Engine) -> Vec<Fetch> {
        let mut all = Vec::new();
        for pattern in Pattern::ALL {
            for kind in Kind::ALL {
                for by in By::ALL {
                    let fetch = Fetch { pattern, kind, by };
                    if fetch.is_measured(engine) {
                        all.push(fetch);
                    }
                }
            }
        }
        all
    }

    fn is_measured(self, engine: Engine) -> bool {
        let near = matches!(self.pattern, Pattern::Cached | Pattern::Sequential);
        let widest = self.kind == Kind::Rgba32f;
        match (engine, self.by) {
            (_, By::Constants) => widest && self.pattern == Pattern::Shared,
            (Engine::Compute, By::SharedMemory) => widest && self.pattern == Pattern::Cached,
            (_, By::SharedMemory) => false,
            (_, By::Buffer) => widest || near && self.kind == Kind::R32f,
            (Engine::Compute, By::Fetch) => widest,
            (Engine::Compute, _) => false,
            (_, By::Filtered) => self.pattern == Pattern::Cached,
            (_, By::Fetch | By::Sample) => widest || near,
        }
    }

    /// The ability that the context lacks for the pattern: a filter for floats, or buffers in
    /// fragments.
    pub(crate) fn lacks(self, context: &Context, engine: Engine) -> Option<&'static str> {
        let abilities = context.abilities();
        let in_fragments = abilities.compute.map_or(0, |limits| limits.max_fragment_buffers);
        match self.by {
            By::Filtered if self.kind.is_exact() && !abilities.float_filtering => {
                Some("this context cannot filter 32-bit floats")
            }
            By::Buffer if engine == Engine::Fragment && in_fragments == 0 => {
                Some("this context has no storage buffers in fragment shaders")
            }
            _ => None,
        }
    }

    pub(crate) fn subject(self, context: &Context, engine: Engine) -> Subject {
        let make = move |context: &Context| self.work(context, engine);
        let (unit, amount) = (Unit::Bytes, self.bytes(context));
        Subject::new("fetch", engine, self.name(), unit, amount, make)
    }

    pub(crate) fn name(self) -> String {
        format!("{} {}, {}", self.pattern.name(), self.kind.name(), self.by.name())
    }

    pub(crate) fn source(self, engine: Engine) -> Result<Source, stream::Error> {
        let mut source = source(engine)?.define("WORK_FETCH", 1).define(self.kind.define(), 1);
        if self.by == By::Filtered {
            source = source.define("FILTERED", 1);
        }
        if self.pattern == Pattern::Random {
            source = source.define("RANDOM", 1);
        }
        Ok(match self.by {
            By::Buffer => source.define("BUFFER", 1).storage(),
            By::Constants => source.define("CONSTANTS", BLOCK * BLOCK),
            By::SharedMemory => source.define("SHARED_MEMORY", 4 * BLOCK * BLOCK),
            By::Fetch | By::Sample | By::Filtered => source,
        })
    }

    /// The sides of what is read and of the target. A context may have room for no more than 128
    /// constants of four numbers, and readers of the same ones read a block alone.
    fn sides(self, context: &Context) -> (u32, u32) {
        let (side, target) = self.pattern.sides(context);
        (if self.by == By::Constants { BLOCK } else { side }, target)
    }

    pub(crate) fn texels(self, context: &Context) -> f64 {
        let (_, target) = self.pattern.sides(context);
        f64::from(target) * f64::from(target) * f64::from(self.pattern.trips() * ROW)
    }

    pub(crate) fn bytes(self, context: &Context) -> f64 {
        self.texels(context) * self.kind.bytes() as f64
    }

    pub(crate) fn work(self, context: &Context, engine: Engine) -> Result<Work> {
        let (side, target) = self.sides(context);
        let (mask, spread, gap) = self.pattern.steps(target);
        let mut given = Inputs::default()
            .uniform("trips", self.pattern.trips() as i32)
            .uniform("mask", mask)
            .uniform("spread", spread)
            .uniform("gap", [gap; 2])
            .uniform("side", side as i32);
        match self.by {
            By::Buffer => given.numbers = Some(self.kind.buffer(context, side)?),
            By::Constants => given = given.uniform("numbers", texels(side, four)),
            By::Filtered => given.image = Some(self.kind.image(context, side, Filter::Linear)?),
            _ => given.image = Some(self.kind.image(context, side, Filter::Nearest)?),
        }
        let start = Start { extent: Extent::new(target, target), texel: |_| [0.0; 4] };
        let twin = Box::new(move |place, old| self.twin(side, target, place, old));
        Work::new(context, self.source(engine)?, self.by.reads(), start, given, twin)
    }

    /// The sum of what was read, less what was there. Floats hold the whole numbers exactly;
    /// fractions of 255 round; and the weights of a filter have no more than 8 bits.
    fn twin(self, side: u32, target: u32, place: [u32; 2], old: [f32; 4]) -> [Expected; 4] {
        let mut sum = [0_u32; 4];
        let places = self.places(side, target, place);
        for place in &places {
            for (channel, sum) in sum.iter_mut().enumerate().take(self.kind.channels()) {
                *sum += self.four_times(*place, side, channel as u32);
            }
        }
        let reads = places.len() as f64;
        let (one, unit) = (self.kind.one(), 0.5_f64.powi(24));
        [0, 1, 2, 3].map(|channel| {
            let (sum, old) = (f64::from(sum[channel]) / 4.0 * one, f64::from(old[channel]));
            let rounding = (reads + 4.0) * unit * (sum + old.abs());
            let bound = match self.by {
                By::Filtered => reads * one * LARGEST / 64.0,
                _ if self.kind.is_exact() => 0.0,
                _ => rounding,
            };
            (sum - old, bound)
        })
    }

    /// The sum of four numbers that one read takes: of the same one, or of those around a corner,
    /// where what lies outside is the nearest inside.
    fn four_times(self, [x, y]: [u32; 2], side: u32, channel: u32) -> u32 {
        if self.by != By::Filtered {
            return 4 * number(x, y, channel);
        }
        let (right, up) = ((x + 1).min(side - 1), (y + 1).min(side - 1));
        let corners = [(x, y), (right, y), (x, up), (right, up)];
        corners.iter().map(|(x, y)| number(*x, *y, channel)).sum()
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
