//! Dependent fetches: each says where the next one is.

use super::prelude::*;

named_enum! {
    /// The image in which to walk.
    pub(crate) enum Chase {
        /// A few kilobytes.
        Cached => "cached RG32F, dependent",
        /// Tens of megabytes, from end to end.
        Random => "random RG32F, dependent",
    }
}

/// Fetches of a walk in one step.
pub(crate) const TRIPS: u32 = 32;

pub(crate) fn chase_source(engine: Engine) -> Result<Source, stream::Error> {
    Ok(source(engine)?.define("WORK_CHASE", 1))
}

impl Chase {
    pub(crate) fn subject(self, context: &Context, engine: Engine) -> Subject {
        let fetches = extent(context).texels() as f64 * f64::from(TRIPS);
        let make = move |context: &Context| self.work(context, engine);
        Subject::new("dependent-fetch", engine, self.name(), Unit::Fetches, fetches, make)
    }

    fn side(self, context: &Context) -> u32 {
        match (self, context.abilities().software) {
            (Chase::Cached, _) => CACHED,
            (Chase::Random, true) => 2048,
            (Chase::Random, false) => 4096.min(1 << context.abilities().max_texture_size.ilog2()),
        }
    }

    pub(crate) fn work(self, context: &Context, engine: Engine) -> Result<Work> {
        let side = self.side(context);
        let places = (0..side).flat_map(|y| (0..side).map(move |x| [x, y]));
        let next: Vec<[f32; 2]> = places.map(|p| next(p, side).map(|p| p as f32)).collect();
        let image = context.texture(Extent::new(side, side), &next)?;
        let mut given = Inputs::default().uniform("trips", TRIPS as i32);
        given.image = Some(Box::new(image));
        // Begins inside the smallest image.
        let texel =
            |place: [u32; 2]| [(place[0] % CACHED) as f32, (place[1] % CACHED) as f32, 0.0, 0.0];
        let start = Start { extent: extent(context), texel };
        let twin = Box::new(move |_, old: [f32; 4]| {
            let first = [old[0] as u32, old[1] as u32];
            let [x, y] = (0..TRIPS).fold(first, |place, _| self::next(place, side));
            [(f64::from(x), 0.0), (f64::from(y), 0.0), (0.0, 0.0), (0.0, 0.0)]
        });
        let reads = context.abilities().reads();
        Work::new(context, chase_source(engine)?, reads, start, given, twin)
    }
}

/// The side of the image that the cache holds.
const CACHED: u32 = 16;

fn extent(context: &Context) -> Extent {
    let side = if context.abilities().software { 256 } else { 512 };
    Extent::new(side, side)
}

/// A walk that meets every texel of an image before it comes back: the generator of Numerical
/// Recipes, whose period is any power of two. Its high bits are the good ones, and choose x.
fn next([x, y]: [u32; 2], side: u32) -> [u32; 2] {
    let index = x.wrapping_mul(side).wrapping_add(y);
    let next = index.wrapping_mul(1_664_525).wrapping_add(1_013_904_223) & (side * side - 1);
    [next / side, next % side]
}

#[cfg(test)]
mod tests {
    use super::next;

    #[test]
    fn a_walk_meets_every_texel() {
        let mut place = [0, 0];
        let mut met = std::collections::HashSet::new();
        while met.insert(place) {
            place = next(place, 16);
        }
        assert_eq!((met.len(), place), (256, [0, 0]));
    }
}
