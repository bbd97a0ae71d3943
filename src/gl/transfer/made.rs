//! Textures whose texels threads of the host make where the device fetches them: without a copy on the way, where
//! buffers stay mapped.

#[cfg(feature = "solve")]
mod buffer;

use std::collections::VecDeque;

use super::bands;
use super::mapped::{Mapped, Use};
use crate::gl::texture::Upload;
use crate::gl::texture::sealed::HasRaw;
use crate::gl::{Context, Result, Texture};
use crate::memory::host_threads::fill;
use crate::{Extent, memory};

/// The bytes that are made at a time: the pages of more would have to be pinned.
const PART: usize = 16 << 20;
/// The parts that the device fetches while another one is made.
const AHEAD: usize = 2;

/// Returns whether data are made in mapped buffers: a software renderer would copy them once more.
fn is_mapped(context: &Context) -> bool {
    context.abilities().mapped_buffers && !context.abilities().software
}

/// Keeps the memory of a part that was sent, and lets go of that of the oldest part where the device has enough to fetch.
fn keep_until_fetched(
    stage: Mapped,
    sent: Result<()>,
    under_way: &mut VecDeque<Mapped>,
) -> Result<()> {
    // After a failure too: the device may read what was copied before it.
    stage.used(Use::Reads).and(sent)?;
    under_way.push_back(stage);
    if under_way.len() > AHEAD {
        under_way.pop_front();
    }
    Ok(())
}

impl Context {
    /// Makes a texture whose texels a function makes: it is given the number of the first of some whole
    /// lines of texels, and these, of which it writes every one. Threads call it for different ones.
    ///
    /// # Errors
    /// Those of [`texture`](Context::texture).
    pub(crate) fn texture_by(
        &self,
        extent: Extent,
        make: impl Fn(usize, &mut [[f32; 4]]) + Sync,
    ) -> Result<Texture<[f32; 4]>> {
        self.texture_made(is_mapped(self), extent, make)
    }

    fn texture_made(
        &self,
        mapped: bool,
        extent: Extent,
        make: impl Fn(usize, &mut [[f32; 4]]) + Sync,
    ) -> Result<Texture<[f32; 4]>> {
        let mut texture = self.uninit(extent)?;
        let width = extent.width as usize;
        let mut under_way = VecDeque::new();
        for place in bands(extent.rectangle(), width * size_of::<[f32; 4]>(), PART) {
            let first = place.y as usize * width;
            let work = |at: usize, texels: &mut [[f32; 4]]| make(first + at, texels);
            if !mapped {
                let mut texels = memory::zeroed(place.texels())?;
                fill(&mut texels, width, work);
                texture.write_by(Upload::Direct, place, &texels)?;
                continue;
            }
            let bytes = place.texels() * size_of::<[f32; 4]>();
            let mut stage = Mapped::take(self, bytes)?;
            fill(bytemuck::cast_slice_mut(stage.bytes_mut()?), width, work);
            let from = glow::PixelUnpackData::BufferOffset(0);
            let sent = texture.raw().upload(place, from, Some(stage.name()), 0);
            keep_until_fetched(stage, sent, &mut under_way)?;
        }
        Ok(texture)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    /// One part and several, on both ways: every number is in its place.
    #[test]
    fn what_is_made_is_there() {
        let context = Context::headless().unwrap();
        for mapped in [false, true] {
            for (width, height) in [(1, 1), (7, 3), (1000, 1500)] {
                let extent = Extent::new(width, height);
                let texel = |at: usize| [at as f32, 0.5, -(at as f32), 7.0];
                let make = |first: usize, texels: &mut [[f32; 4]]| {
                    assert!(first.is_multiple_of(width as usize));
                    texels.iter_mut().zip(first..).for_each(|(to, at)| *to = texel(at));
                };
                let texture = context.texture_made(mapped, extent, make).unwrap();
                let expected: Vec<_> = (0..extent.texels()).map(texel).collect();
                assert!(texture.read().unwrap() == expected, "{width}x{height} {mapped}");
            }
        }
    }
}
