//! Images and buffers of every kind of texel, full of whole numbers that a host can compute again.

use quadrille::gl::{AnyTexture, Filter, Texel, Unorm8};

use super::prelude::*;
use super::work::StorageBuffer;

named_enum! {
    pub(crate) enum Kind {
        R32f => "R32F",
        Rg32f => "RG32F",
        Rgba32f => "RGBA32F",
        R8 => "R8",
        Rgba8 => "RGBA8",
    }
}

/// The largest number there is.
pub(super) const LARGEST: f64 = 250.0;

/// The whole number in a channel of a texel.
pub(super) fn number(x: u32, y: u32, channel: u32) -> u32 {
    x.wrapping_mul(7 + y).wrapping_add(13 * y + 31 * channel) % 251
}

impl Kind {
    pub(super) fn channels(self) -> usize {
        match self {
            Kind::R32f | Kind::R8 => 1,
            Kind::Rg32f => 2,
            Kind::Rgba32f | Kind::Rgba8 => 4,
        }
    }

    pub(crate) fn bytes(self) -> usize {
        if self.is_exact() { 4 * self.channels() } else { self.channels() }
    }

    /// Whether shaders see the numbers themselves, and not fractions of 255.
    pub(super) fn is_exact(self) -> bool {
        matches!(self, Kind::R32f | Kind::Rg32f | Kind::Rgba32f)
    }

    /// The value that shaders read for the number 1.
    pub(crate) fn one(self) -> f64 {
        if self.is_exact() { 1.0 } else { 1.0 / 255.0 }
    }

    pub(super) fn define(self) -> &'static str {
        match self.channels() {
            1 => "NUMBER_FLOAT",
            2 => "NUMBER_VEC2",
            _ => "NUMBER_VEC4",
        }
    }

    pub(super) fn image(
        self,
        context: &Context,
        side: u32,
        filter: Filter,
    ) -> Result<Box<dyn AnyTexture>> {
        let byte = |number: f32| Unorm8(number as u8);
        match self {
            Kind::R32f => image(context, side, filter, |n| n(0)),
            Kind::Rg32f => image(context, side, filter, |n| [n(0), n(1)]),
            Kind::Rgba32f => image(context, side, filter, four),
            Kind::R8 => image(context, side, filter, |n| byte(n(0))),
            Kind::Rgba8 => image(context, side, filter, |n| four(n).map(byte)),
        }
    }

    pub(super) fn buffer(self, context: &Context, side: u32) -> Result<StorageBuffer> {
        Ok(match self.channels() {
            1 => StorageBuffer::One(context.buffer(&texels(side, |n| n(0)))?),
            _ => StorageBuffer::Four(context.buffer(&texels(side, four))?),
        })
    }
}

pub(super) type Channels<'a> = &'a dyn Fn(u32) -> f32;

pub(super) fn four(channel: Channels) -> [f32; 4] {
    [channel(0), channel(1), channel(2), channel(3)]
}

fn image<T: Texel>(
    context: &Context,
    side: u32,
    filter: Filter,
    texel: impl Fn(Channels) -> T,
) -> Result<Box<dyn AnyTexture>> {
    let mut image = context.texture(Extent::new(side, side), &texels(side, texel))?;
    image.set_filter(filter)?;
    Ok(Box::new(image))
}

pub(super) fn texels<T>(side: u32, texel: impl Fn(Channels) -> T) -> Vec<T> {
    let places = (0..side).flat_map(|y| (0..side).map(move |x| [x, y]));
    places.map(|[x, y]| texel(&|channel| number(x, y, channel) as f32)).collect()
}
