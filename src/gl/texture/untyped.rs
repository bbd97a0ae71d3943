//! Textures whose type of texel is chosen at run time, for callers that have numbers of a class and
//! no Rust type: their contents are the bytes of texels.

use std::fmt::Debug;

use super::array::TextureArray;
use super::sealed::HasRaw;
use super::{AnyTexture, Target, Texture};
use crate::Rectangle;
use crate::gl::{Context, Result, Texel};

/// A texture or a texture array that bytes are written to.
pub trait Untyped: AnyTexture + Debug {
    /// Replaces all texels.
    ///
    /// # Errors
    /// Those of the device.
    fn write_bytes(&mut self, bytes: &[u8]) -> Result<()>;
}

/// A texture of one layer, which passes write too.
pub trait UntypedTarget: Untyped + Target {
    /// Returns the texture as an input.
    fn as_any(&self) -> &dyn AnyTexture;
    /// Returns the texture as a target.
    fn as_target(&mut self) -> &mut dyn Target;
    /// Returns the context that it belongs to.
    fn context(&self) -> Context;

    /// Reads all texels.
    ///
    /// # Errors
    /// Those of the device.
    fn read_bytes(&self, into: &mut [u8]) -> Result<()>;

    /// Sets all numbers to 0.
    ///
    /// # Errors
    /// Those of the device.
    fn clear(&mut self) -> Result<()>;

    /// Copies a rectangle of another texture of the same format. It takes `&self` for what is no
    /// part of a value, such as a halo.
    ///
    /// # Errors
    /// Those of the device.
    fn copy_part(&self, target: Rectangle, other: &dyn AnyTexture, source: Rectangle)
    -> Result<()>;
}

impl<T: Texel> Untyped for Texture<T> {
    fn write_bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.write(bytemuck::cast_slice(bytes))
    }
}

impl<T: Texel> Untyped for TextureArray<T> {
    fn write_bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.write(bytemuck::cast_slice(bytes))
    }
}

impl<T: Texel> UntypedTarget for Texture<T> {
    fn as_any(&self) -> &dyn AnyTexture {
        self
    }

    fn as_target(&mut self) -> &mut dyn Target {
        self
    }

    fn context(&self) -> Context {
        Texture::context(self)
    }

    fn read_bytes(&self, into: &mut [u8]) -> Result<()> {
        self.read_into(bytemuck::cast_slice_mut(into))
    }

    fn clear(&mut self) -> Result<()> {
        self.fill(T::zeroed())
    }

    fn copy_part(
        &self,
        target: Rectangle,
        other: &dyn AnyTexture,
        source: Rectangle,
    ) -> Result<()> {
        self.raw().copy_part(target, other.raw(), source)
    }
}
